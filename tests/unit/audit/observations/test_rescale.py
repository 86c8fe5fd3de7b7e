"""Probes at another cut-off: what stood where still stands there."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.observations.rescale import rescale
from recsys_metric_audit.reference.cases import EXHAUSTIVE, PROBES, Kind, Probe, User
from recsys_metric_audit.reference.cases.probe import case_from_users


def hit_ranks(probe: Probe) -> list[int]:
    """Ranks of the hits of the only user."""
    relevant = set(probe.case.truth.item.tolist())
    return [rank for rank, item in enumerate(probe.case.predictions.item.tolist(), 1) if item in relevant]


def plain(ranked: tuple[float, ...], k: int, missed: tuple[float, ...] = ()) -> Probe:
    return Probe(Kind("single_user"), case_from_users("a case", [User(ranked, missed)]), k)


def test_the_same_cut_off_changes_nothing() -> None:
    probe = plain((2, 0, 2), 2)
    assert rescale([probe], 2)[0].case is probe.case


def test_hits_stay_on_their_side_of_a_larger_cut() -> None:
    # At k = 2 hits at 1 and 3: one inside, one just below. At k = 4 two items are put in after the first.
    grown = rescale([plain((2, 0, 2), 2)], 4)[0]
    assert (grown.k, grown.name) == (4, "a case")
    assert hit_ranks(grown) == [1, 5]
    scores = grown.case.predictions.score.tolist()
    assert scores == sorted(scores, reverse=True) and len(set(scores)) == 5


def test_a_smaller_cut_takes_irrelevant_items_out() -> None:
    assert hit_ranks(rescale([plain((2, 0, 0, 2), 3)], 2)[0]) == [1, 3]


def test_a_list_shorter_than_the_cut_stays_shorter() -> None:
    assert len(rescale([plain((2, 0), 3)], 5)[0].case.predictions.item) == 2


def test_more_relevant_items_than_the_cut_stay_more() -> None:
    # Three relevant items at k = 2; three more at k = 5.
    grown = rescale([plain((2, 0), 2, missed=(2, 2))], 5)[0]
    assert len(grown.case.truth.item) == 6


def test_scores_of_ties_are_kept_below_what_is_put_on_top() -> None:
    tied = Probe(Kind("order"), case_from_users("ties", [User((0, 2, 0), scores=(0.5, 0.5, 0.5))]), 2)
    scores = rescale([tied], 4)[0].case.predictions.score.tolist()
    assert scores[2:] == [0.5] * 3 and scores[0] > scores[1] > 0.5


@pytest.mark.parametrize("k", [1, 3, 20])
def test_all_probes_get_the_cut_off_and_keep_their_names(k: int) -> None:
    found = rescale(PROBES, k)
    assert [probe.name for probe in found] == [probe.name for probe in PROBES]
    assert {probe.k for probe in found} == {k}


def test_small_lists_are_asked_once() -> None:
    found = rescale(EXHAUSTIVE, 3)
    assert 0 < len(found) < len(EXHAUSTIVE)
    assert len({probe.case.name for probe in found}) == len(found)
