"""Probes are built from users or from rows as their docstrings say."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.reference.cases import DEGENERATE, EXHAUSTIVE, MIXED, PROBES, Kind, Probe, User
from recsys_metric_audit.reference.cases.probe import case_from_rows, case_from_users, default_scores, item_ids


def test_ids_are_in_no_order_as_numbers_or_as_text() -> None:
    assert item_ids(5) == (11, 12, 10, 14, 15)
    assert item_ids(0) == ()
    ids = list(item_ids(9))
    for key in (int, str):
        assert ids not in (sorted(ids, key=key), sorted(ids, key=key, reverse=True))


def test_default_scores_are_distinct_positive_and_best_first() -> None:
    first, second = default_scores(6, 1), default_scores(6, 2)
    assert list(first) == sorted(first, reverse=True) and min(first) > 0 and max(first) < 1
    assert not set(first) & set(second)


def test_a_case_from_users_has_their_hits_and_what_they_miss() -> None:
    case = case_from_users("two", [User((2, 0, 4), (3,), train=1), User((), (2,), train=0)], threshold=1.0, why="both")
    assert case.predictions.user.tolist() == [1, 1, 1] and case.predictions.item.tolist() == [11, 12, 10]
    truth = zip(case.truth.user.tolist(), case.truth.item.tolist(), case.truth.gain.tolist(), strict=True)
    assert list(truth) == [(1, 11, 2.0), (1, 10, 4.0), (1, 500, 3.0), (2, 500, 2.0)]
    assert case.train.item.tolist() == [900] and case.threshold == 1.0 and case.why == "both"


def test_an_item_recommended_twice_is_one_truth_row() -> None:
    case = case_from_users("twice", [User((2, 2), (), (0.9, 0.8), (11, 11))])
    assert case.predictions.item.tolist() == [11, 11] and case.truth.item.tolist() == [11]


def test_a_case_from_rows_has_a_catalogue_of_all_items_and_the_unseen_ones() -> None:
    case = case_from_rows("rows", [(1, 10, 0.5)], [(1, 12, 2.0)], [(1, 14)], unseen=(16,))
    assert case.catalogue.tolist() == [10, 12, 14, 16]
    assert case.predictions.score.dtype == np.float64 and case.truth.gain.tolist() == [2.0]


def test_size_counts_rows_of_predictions_and_truth() -> None:
    user = User((2, 0), (2,))
    probe = Probe(Kind("single_user"), case_from_users("one", [user]), 2, (user,))
    assert (probe.size, user.rows, probe.name) == (2 + 2, 3, "one")


@pytest.mark.parametrize("probes", [(*PROBES, *EXHAUSTIVE, *DEGENERATE, *MIXED)])
def test_probes_have_names_of_their_own_and_a_reason(probes: tuple[Probe, ...]) -> None:
    assert len({probe.name for probe in probes}) == len(probes)
    assert all(probe.case.why and probe.k >= 1 for probe in probes)


def test_users_of_a_probe_are_those_of_its_case() -> None:
    """Rebuilt from its users a case has the same gains row by row, wherever users are given."""
    for probe in (each for each in PROBES if each.users and each.kind in (Kind("single_user"), Kind("multi_user"))):
        again = case_from_users(probe.name, probe.users)
        assert again.truth.gain.tolist() == probe.case.truth.gain.tolist(), probe.name
        assert again.predictions.item.tolist() == probe.case.predictions.item.tolist(), probe.name
