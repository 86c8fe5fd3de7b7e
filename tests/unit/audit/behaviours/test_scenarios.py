"""Each transformation changes one thing of a case, seen on rows that can be checked by eye."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.responses import response_of
from recsys_metric_audit.audit.behaviours.scenarios import (
    exchange_gains,
    interleaved_order,
    original_user,
    prepend_item,
    rename_items,
    rename_users,
    reorder_predictions,
    reorder_truth,
    rescale_scores,
    shuffled_order,
    turn_scores,
    without_truth_item,
    without_unlisted_truth,
    without_user,
)
from recsys_metric_audit.reference.input.case import Case
from tests.support.behaviour_samples import PROBE_NAMES
from tests.support.generated_inputs import make

# Each transformation changes one thing of a case, seen on rows that can be checked by eye.


CASE = make([(1, 10, 0.9), (1, 11, 0.5), (2, 11, 0.7)], [(1, 11, 5.0), (2, 10, 4.0)], [(1, 12), (2, 13)])


def predictions(case: Case) -> list[tuple[int, int, float]]:
    rec = case.predictions
    return list(zip(rec.user.tolist(), rec.item.tolist(), rec.score.tolist(), strict=True))


def truth(case: Case) -> list[tuple[int, int, float]]:
    rel = case.truth
    return list(zip(rel.user.tolist(), rel.item.tolist(), rel.gain.tolist(), strict=True))


def train(case: Case) -> list[tuple[int, int]]:
    return list(zip(case.train.user.tolist(), case.train.item.tolist(), strict=True))


def test_items_are_renamed_everywhere() -> None:
    made = rename_items(CASE, lambda item: 100 - item)
    assert predictions(made) == [(1, 90, 0.9), (1, 89, 0.5), (2, 89, 0.7)]
    assert truth(made) == [(1, 89, 5.0), (2, 90, 4.0)]
    assert train(made) == [(1, 88), (2, 87)]
    assert made.catalogue.tolist() == sorted(100 - item for item in CASE.catalogue.tolist())


def test_users_are_renamed_everywhere_and_back() -> None:
    made = rename_users(CASE)
    assert predictions(made) == [(89, 10, 0.9), (89, 11, 0.5), (88, 11, 0.7)]
    assert truth(made) == [(89, 11, 5.0), (88, 10, 4.0)]
    assert train(made) == [(89, 12), (88, 13)]
    assert [original_user(user) for user in (89, 88)] == [1, 2]


def test_scores_are_multiplied_and_shifted() -> None:
    assert rescale_scores(CASE, times=2.0, plus=10.0).predictions.score.tolist() == [11.8, 11.0, 11.4]


def test_rows_are_reordered_in_one_table_only() -> None:
    made = reorder_predictions(CASE, np.array([2, 0, 1]))
    assert (predictions(made), truth(made)) == ([(2, 11, 0.7), (1, 10, 0.9), (1, 11, 0.5)], truth(CASE))
    made = reorder_truth(CASE, np.array([1, 0]))
    assert (predictions(made), truth(made)) == (predictions(CASE), [(2, 10, 4.0), (1, 11, 5.0)])


def test_interleaving_takes_a_row_of_each_user_in_turn() -> None:
    assert interleaved_order(np.array([1, 1, 1, 2, 3, 3])).tolist() == [0, 3, 4, 1, 5, 2]


def test_a_shuffle_is_fixed_and_keeps_every_row() -> None:
    assert shuffled_order(20).tolist() == shuffled_order(20).tolist()
    assert sorted(shuffled_order(20).tolist()) == list(range(20)) != shuffled_order(20).tolist()


def test_a_user_is_removed_from_all_tables() -> None:
    made = without_user(CASE, 1)
    assert (predictions(made), truth(made), train(made)) == ([(2, 11, 0.7)], [(2, 10, 4.0)], [(2, 13)])


def test_an_item_is_removed_from_the_truth_only() -> None:
    made = without_truth_item(CASE, 11)
    assert (predictions(made), truth(made)) == (predictions(CASE), [(2, 10, 4.0)])


def test_an_item_is_put_at_the_head_of_one_list() -> None:
    made = prepend_item(CASE, 2, 99)
    assert predictions(made) == [(1, 10, 0.9), (1, 11, 0.5), (2, 99, 1.4), (2, 11, 0.7)]
    assert 99 in made.catalogue.tolist()


def test_scores_are_turned_round_user_by_user_and_rows_stay() -> None:
    made = turn_scores(make([(1, 10, 0.9), (2, 11, 0.7), (1, 12, 0.5), (1, 11, 0.1)], [(1, 11, 5.0)]))
    assert predictions(made) == [(1, 10, 0.1), (2, 11, 0.7), (1, 12, 0.5), (1, 11, 0.9)]


def test_gains_from_the_threshold_up_are_exchanged() -> None:
    case = replace(make([(1, 10, 0.9)], [(1, 10, 2.0), (1, 11, 4.0), (2, 10, 1.0)]), threshold=2.0)
    assert truth(exchange_gains(case)) == [(1, 10, 4.0), (1, 11, 2.0), (2, 10, 1.0)]


def test_truth_that_nobody_was_recommended_is_left_out() -> None:
    made = without_unlisted_truth(make([(1, 10, 0.9), (2, 11, 0.7)], [(1, 10, 2.0), (1, 11, 4.0), (2, 11, 1.0)]))
    assert truth(made) == [(1, 10, 2.0), (2, 11, 1.0)]


# Scenarios are what their names say, and the probes that tests rely on exist.


def test_the_tied_cases_are_what_they_are_called() -> None:
    for scenario in scenarios.TIES:
        rec, hits = scenario.case.predictions, set(scenario.case.truth.item.tolist())
        pair = [item for item, score in zip(rec.item.tolist(), rec.score.tolist(), strict=True) if score == 0.7]
        hit = next(item for item in pair if item in hits)
        assert ("upper" in scenario.name) == (pair[0] == hit)
        assert ("lower id" in scenario.name) == (hit == min(pair))


def test_probes_that_serve_experiments_exist() -> None:
    named = {
        scenarios.ORDINARY,
        scenarios.EVERYTHING,
        scenarios.NO_LIST,
        scenarios.NO_TRUTH,
        scenarios.TWICE,
        scenarios.TWICE_ABOVE,
        scenarios.TWICE_BASE,
    }
    named |= {
        scenarios.TRUTH_TWICE,
        scenarios.SHORT,
        scenarios.BELOW,
        scenarios.ZERO_GAIN,
        scenarios.NEGATIVE_GAIN,
        scenarios.PERFECT,
        *scenarios.SEEDED,
    }
    assert named <= PROBE_NAMES
    assert response_of(None) is None


def test_labels_of_the_rows_shown_hold_close_scores_and_copies() -> None:
    for scenario in (*scenarios.CLOSE_SCORES, *scenarios.TRUTH_COPIES):
        assert np.isin(scenario.case.truth.item, scenario.case.predictions.item).all()
    for gap, pair in ((2e-7, scenarios.CLOSE_SCORES[:2]), (1e-9, scenarios.CLOSE_SCORES[2:])):
        for scenario in pair:
            one, other = scenario.case.predictions.score[:2]
            assert abs(abs(one - other) - gap) < 1e-12
            assert (np.float32(one) == np.float32(other)) == (gap == 1e-9)
