"""The behaviours of a function: all experiments judged, with a class for each failure that needs one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.definition_values import canonical_stays
from recsys_metric_audit.audit.behaviours.experiments import EXPERIMENTS
from recsys_metric_audit.audit.behaviours.function_behaviours import behaviours
from recsys_metric_audit.audit.behaviours.judges.changed_input import WITH_OTHERS
from recsys_metric_audit.audit.libraries.contract import Input, Takes
from recsys_metric_audit.reports.tables.behaviour_matrix import BEHAVIOUR_MEANINGS
from tests.support.behaviour_samples import subject, view


@pytest.mark.slow
def test_a_failed_invariance_has_its_class_where_a_right_metric_would_stay() -> None:
    changed = {scenarios.ORDINARY: 0.5, "items renamed, order kept": 0.25, "scores + 10": 0.4}
    said = behaviours(subject(changed))
    assert (said["item_ids"].slug, said["score_shift"].slug) == ("item-ids", "score-scale")
    # an error of ratings reads the scores: its canonical value changes, too
    shifted = behaviours(subject(changed, "lib.rmse", "rmse"))["score_shift"]
    assert (shifted.name, shifted.slug) == ("changes", None)
    assert canonical_stays("recall", (scenarios.ORDINARY, "scores + 10"), has_k=True)
    assert not canonical_stays("rmse", (scenarios.ORDINARY, "scores + 10"), has_k=True)


@pytest.mark.parametrize(
    ("takes", "name", "slug"),
    [("scores", "changes", "order-lost"), ("matrix", "not_askable", None), ("ranked", "not_askable", None)],
)
def test_shuffled_rows_of_a_ranked_list_are_its_argument(takes: Input, name: str, slug: str | None) -> None:
    tested = subject({scenarios.ORDINARY: 0.5, scenarios.SHUFFLED: 0.25})
    declared = tested.function.model_copy(update={"takes": Takes(input=takes)})
    said = behaviours(replace(tested, function=declared))["rows_shuffled"]
    assert (said.name, said.slug) == (name, slug)


def test_what_the_contract_or_the_adapter_decides_is_not_told_of_the_function() -> None:
    """A ranked list without scores has the order that the adapter gave it: no rule of ties is the function's."""
    tied, above, below = scenarios.TIES, *scenarios.UNTIED
    answers = {
        above.name: 0.5,
        below.name: 0.25,
        **dict(zip([each.name for each in tied], (0.5, 0.5, 0.25, 0.25), strict=True)),
    }
    tested = subject(answers)
    assert behaviours(tested)["ties"].name == "row_order"
    listed = replace(tested, function=tested.function.model_copy(update={"takes": Takes(input="ranked", truth="list")}))
    said = behaviours(listed)
    for name, axis in (("ties", "ties"), ("score_sign", "counted_scores"), ("zero_gain", "relevance")):
        assert (said[name].name, said[name].text) == ("not_askable", listed.function.ruled_out[axis])


def test_changes_that_move_nothing_together_are_not_asked_alone() -> None:
    quiet = {scenarios.ORDINARY: 0.5, scenarios.COMBINED_CHANGES: 0.5}
    said = behaviours(subject(quiet))
    assert not view(quiet).changed_by_combination
    for name in ("score_shift", "item_ids", "user_ids", "no_train", "catalogue"):
        assert (said[name].name, said[name].text) == ("unchanged", WITH_OTHERS)
    # what was asked alone speaks for itself
    alone = {**quiet, "scores + 10": 0.4}
    assert (behaviours(subject(alone))["score_shift"].name, view(alone).changed_by_combination) == ("changes", False)
    assert view({scenarios.ORDINARY: 0.5, scenarios.COMBINED_CHANGES: 0.4}).changed_by_combination


def test_all_that_can_be_said_has_a_meaning() -> None:
    said = behaviours(subject({scenarios.ORDINARY: 0.5}))
    assert list(said) == [each.name for each in EXPERIMENTS]
    assert {each.name for each in said.values()} <= set(BEHAVIOUR_MEANINGS)
