"""AUC: which values of its own axes give equal formulas, and which only nearly."""

from __future__ import annotations

import pytest

from reference.metrics.auc import AUC
from reference.metrics.auc_equal_formulas import reads_r, simplify

OWN = {axis.name: axis.canonical for axis in AUC.axes}


def simple(**values: str) -> dict[str, str]:
    return {name: value for name, value in simplify({**OWN, **values}).items() if OWN.get(name) != value}


def test_among_the_first_k_nothing_is_unlisted_and_only_what_is_shown_is_paired() -> None:
    assert simple(list="topk", unlisted="dropped", negatives="catalogue") == {"list": "topk"}
    assert simple(unlisted="dropped", negatives="catalogue") == {"unlisted": "dropped", "negatives": "catalogue"}


def test_lauc_orders_its_first_k_by_rank_whatever_a_tied_pair_is_worth() -> None:
    assert simple(list="limited", tied_scores="win") == {"list": "limited"}
    assert simple(tied_scores="win") == {"tied_scores": "win"}


@pytest.mark.parametrize(("ties", "worth"), [("average", "half"), ("best", "win"), ("worst", "lose")])
def test_an_order_of_ties_decides_a_tied_pair_of_the_whole_list(ties: str, worth: str) -> None:
    found = simplify({**OWN, "tied_scores": "ranked", "ties": ties})
    assert (found["tied_scores"], found["ties"]) == (worth, "given")


def test_half_of_all_orders_is_not_half_of_the_pairs_with_the_k_best_irrelevant_items() -> None:
    found = simplify({**OWN, "list": "top_negatives", "tied_scores": "ranked", "ties": "average"})
    assert (found["tied_scores"], found["ties"]) == ("ranked", "average")


def test_unread_scores_are_never_equal_except_that_of_a_row_to_its_own() -> None:
    assert simplify({**OWN, "order": "rows", "tied_scores": "lose"})["tied_scores"] == "half"
    own = {**OWN, "order": "rows", "negatives": "every_row"}
    assert [simplify({**own, "tied_scores": value})["tied_scores"] for value in ("ranked", "lose", "win")] == [
        "lose", "lose", "win",
    ]  # fmt: skip


def test_the_number_of_relevant_items_acts_where_unlisted_ones_or_the_catalogue_count() -> None:
    assert reads_r(OWN)
    assert not reads_r({**OWN, "unlisted": "dropped"})
    assert reads_r({**OWN, "unlisted": "dropped", "negatives": "catalogue"})
    assert not reads_r({**OWN, "list": "topk"})
