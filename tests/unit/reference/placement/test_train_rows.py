"""Train rows of several cases: owners, histories and popularity of each item."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from recsys_metric_audit.reference.evaluation.evaluate import Problem
from tests.support.generated_inputs import make

FIRST = make([(1, 10, 2.0), (1, 12, 1.0), (2, 11, 1.0)], [(3, 10, 1.0)], [(1, 11), (1, 13), (1, 13), (4, 11), (2, 10)])
SECOND = make([(2, 10, 1.0)], [], [(2, 10), (5, 10), (5, 12)])
SHOWN = Problem.of([FIRST, SECOND], 2).shown({})


def test_items_of_a_case_have_owners_of_that_case_only() -> None:
    train = SHOWN.train
    assert np.diff(train.start).tolist() == [1, 2, 1, 2, 1], "items 10, 11, 13 and 10, 12"
    assert SHOWN.train_item.tolist() == [0, 1, -1, 3], "recommended are 10, 11, 12 and 10"
    assert [SHOWN.had[item] for item in range(4)] == [1, 2, 0, 2]


def test_a_user_of_the_lists_has_a_history_of_distinct_items() -> None:
    train, ends = SHOWN.train, SHOWN.train.history_start
    histories = [train.history[one:other].tolist() for one, other in pairwise(ends.tolist())]
    assert histories == [[1, 2], [0], [], [3]], "users 1, 2 and 3 of the first case, 2 of the second; not 4 and 5"


def test_places_count_rows_and_are_shared() -> None:
    assert SHOWN.train.place.tolist() == [2, 1, 1, 1, 2], "a pair that stands there twice counts twice"
    assert SHOWN.train.above.tolist() == [2, 0, 0, 0, 1]


def test_rows_know_whether_the_truth_of_their_user_has_them() -> None:
    case = make(
        [(1, 10, 3.0), (1, 11, 2.0), (1, 12, 1.0), (2, 10, 1.0)], [(1, 10, 3.0), (1, 12, 0.5), (3, 11, 3.0)], []
    )
    shown = Problem.of([case], None).shown({})
    assert shown.judged.tolist() == [True, False, True, False]
    assert shown.relevant.tolist() == [True, False, False, False]
