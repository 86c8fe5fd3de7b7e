"""Per-user values in bins, by hand on two users."""

import numpy as np

from recsys_metric_audit.audit.findings.per_user import CELLS, bin_per_user_values
from recsys_metric_audit.audit.process.protocol import Measured
from recsys_metric_audit.reference.cases import User
from recsys_metric_audit.reference.cases.probe import case_from_users
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem

# User 1: hit at rank 1 of 4, three relevant. User 2: hit at rank 2, one relevant; k is 2.
DATA = Problem.of([case_from_users("two", [User((2, 0, 0, 0), (2, 2)), User((0, 2, 0), ())])], 2)


def measured(users: list[int], values: list[float]) -> Measured:
    return Measured(None, np.array(users), np.array(values, dtype=float), "float", 0.0)


def test_scatter_counts_users_where_both_have_a_value() -> None:
    bins = bin_per_user_values(Definition.of("recall", k=2), measured([1, 2, 7], [0.25, 1.0, 9.0]), DATA)
    assert [(each.canonical, each.library, each.users) for each in bins] == [(0.333333, 0.25, 1), (1.0, 1.0, 1)]


def test_scatter_leaves_out_what_is_no_number() -> None:
    assert len(bin_per_user_values(Definition.of("recall", k=2), measured([1, 2], [float("nan"), 1.0]), DATA)) == 1
    assert bin_per_user_values(Definition.of("recall", k=2), Measured(0.5, None, None, "float", 0.0), DATA) == ()


def test_more_distinct_values_than_cells_fall_into_cells_of_equal_width() -> None:
    users = [User((2, 0), (2,) * number) for number in range(41)]  # recall@1 of 1/1, 1/2, ..., 1/41
    data = Problem.of([case_from_users("many", users)], 1)
    library = [float(number) for number in range(41)]  # 0 to 40 in 40 cells of width 1; 39 and 40 share the last
    bins = bin_per_user_values(Definition.of("recall", k=1), measured([*range(1, 42)], library), data)
    assert sum(each.users for each in bins) == 41
    assert sorted({each.library for each in bins}) == [number + 0.5 for number in range(CELLS)]
    assert max(each.canonical for each in bins) == round(1 - (1 - 1 / 41) / 80, 6)  # the middle of the last cell
