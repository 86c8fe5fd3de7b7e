"""Checks on the paper's own values."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from recsys_metric_audit.reports.paper.arithmetic import Equal, Raises, Reversed, Uncounted
from recsys_metric_audit.reports.paper.claims import load_claims

GAUC, WEIGHTED = 0.7046229461413768, 0.6881719788628613
"""Elliot's GAUC and AUC in table2_full_precision.csv of the paper's companion repository."""


def check(number: int, kind: str) -> Raises | Uncounted | Reversed:
    """Return the check of a kind that a claim has."""
    claim = next(claim for claim in load_claims().claim if claim.number == number)
    (found,) = [each for each in claim.arithmetic if each.kind == kind]
    assert isinstance(found, Raises | Uncounted | Reversed)
    return found


def test_weighting_lowers_the_mean_on_the_papers_data() -> None:
    made = check(16, "raises").run()
    assert not made.holds, "so it cannot explain a value above the unweighted one"
    assert f"{WEIGHTED - GAUC:+.4f}" == "-0.0165" and "-0.0165" in made.numbers


def test_what_is_ranked_zero_explains_recboles_value_between_two_shares() -> None:
    """0.8582 - 0.6882 = 0.1700 of the pairs; an item behind place 6,967 of 7,811 wins at least 0.892 of its own:
    0.1700 / 1 and 0.1700 / 0.892 = 0.1906."""
    found = check(16, "uncounted")
    assert isinstance(found, Uncounted)
    assert found.shares == pytest.approx((0.1700, 0.1906), abs=5e-5)
    made = found.run()
    assert made.holds and "17 to 19 %" in made.short


def test_a_share_above_all_relevant_items_explains_nothing() -> None:
    found = check(16, "uncounted").model_copy(update={"shortest": 1})
    assert not found.run().holds


def test_daisyrecs_failed_value_is_dl_rs_evaluations_turned_round() -> None:
    """0.19139559641952136 / 0.47457006952067327 = 0.4033...; (1 - 0.4033...) * 0.4746 = 0.28317447310115185."""
    turned = 0.47457006952067327 - 0.19139559641952136
    assert turned == pytest.approx(0.28317447310115185, rel=1e-14)
    made = check(18, "reversed").run()
    assert made.holds and made.short.endswith("without them 0.283, as DL RS Evaluation")


@pytest.mark.parametrize("change", [{"counted": 0.2}, {"left_out": 0.5}, {"equals": "recbole/auc"}])
def test_other_values_are_not_explained_by_the_faults(change: dict[str, object]) -> None:
    assert not check(18, "reversed").model_copy(update=change).run().holds


def test_a_cell_names_a_value_of_table_1_or_a_column_of_table_2() -> None:
    made = Equal(kind="equal", says="one", cells=("elliot/auc", "elliot/auc/SAUC")).run()
    assert made.holds
    with pytest.raises(ValidationError, match="no published value"):
        Equal(kind="equal", says="one", cells=("elliot/auc", "elliot/auc/NOTHING"))
