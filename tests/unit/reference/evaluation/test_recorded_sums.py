"""Recording of the sums that a formula takes over places."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.evaluation.recorded_sums import recording
from tests.support.generated_inputs import one


def test_sums_are_those_of_plain_places_and_are_recorded_in_order() -> None:
    lists, sums = recording(Problem.of([one("101", 3)], 2).lists({}))
    assert lists.listed.sum(2.0).tolist() == [4.0]
    assert lists.hits.sum(lists.hits.gain).tolist() == [1.0]
    assert lists.ideal.sum(1.0).tolist() == [3.0]
    assert [each.terms.tolist() for each in sums] == [[2.0, 2.0], [1.0], [1.0, 1.0, 1.0]]
    assert [each.places.ideal for each in sums] == [False, False, True]


def test_places_left_out_keep_their_index() -> None:
    lists, sums = recording(Problem.of([one("111")], 3).lists({}))
    lists.listed.where(np.array([False, True, True])).sum(1.0)
    assert sums[0].places.index.tolist() == [1, 2]
