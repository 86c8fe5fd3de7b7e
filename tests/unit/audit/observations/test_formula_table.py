"""The table of formula values: settings, points, and the values of small lists by hand."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.observations import formula_table as tables
from audit.observations.formula_settings import formula_points, setting_levels
from audit.observations.formula_table import FormulaTable, Rows, formula_table
from reference.cases import User
from reference.cases.probe import case_from_users
from reference.evaluation.evaluate import Problem
from reference.metrics import METRICS

# At k = 2: a hit and a miss with one relevant item not listed; a list of one hit; nobody relevant.
CASES = [
    case_from_users("half", [User((2, 0), (2,))]),
    case_from_users("short", [User((2,))]),
    case_from_users("nobody", [User((0, 0))]),
]
PROBLEM = Problem.of(CASES, [2, 2, 2])


class Column(NamedTuple):
    """Holds what all rows of a table give on one case."""

    values: NDArray[np.float64]
    irregular: NDArray[np.bool_]
    policy_only: NDArray[np.bool_]


def all_rows(table: FormulaTable) -> Rows:
    """Return all rows of a small table, which are one block."""
    (rows,) = table.blocks()
    return rows


def columns(table: FormulaTable) -> list[Column]:
    """Return all rows of a table on each case."""
    rows = all_rows(table)
    return [Column(*rows.column(number), rows.policy_only(number)) for number in range(len(CASES))]


def rows(metric: str) -> dict[str, list[float]]:
    """Return the values of each point of a metric, without changes of input."""
    table = formula_table(metric, setting_levels(metric, True)[0], True, PROBLEM)
    values = np.stack([column.values for column in columns(table)], axis=-1)
    names = ["|".join(f"{axis}:{value}" for axis, value in point.items()) for point in table.points]
    return dict(zip(names, values.tolist(), strict=True))


def test_values_by_hand() -> None:
    precision = rows("precision")
    over_k = next(values for name, values in precision.items() if "denominator:k" in name.split("|"))
    shown = next(values for name, values in precision.items() if "denominator:shown" in name.split("|"))
    assert over_k[:2] == pytest.approx([1 / 2, 1 / 2])
    assert shown[:2] == pytest.approx([1 / 2, 1])


@pytest.mark.parametrize("metric", ["precision", "average_precision", "rmse", "auc"])
def test_values_are_those_of_each_formula_by_itself(metric: str) -> None:
    family, settings = METRICS[metric], ((), (("truth", "first"),))
    table = formula_table(metric, settings, True, PROBLEM)
    made, points = columns(table), all_rows(table).points()
    for row in range(len(table)):
        values = {**family.canonical, **points[row]}
        own = {axis.name: values[axis.name] for axis in family.axes}
        lists = PROBLEM.lists(values)
        alone = family.formula(lists, **own)
        assert [each.values[row] for each in made] == pytest.approx(alone.value.tolist(), nan_ok=True)
        unusual = (lists.relevant == 0) | (lists.length == 0) | (alone.denominator == 0)
        if family.negatives is not None:
            unusual |= family.negatives(lists, **own) == 0
        assert [bool(each.irregular[row]) for each in made] == unusual.tolist()


def test_formulas_that_share_a_number_do_so_on_all_lists() -> None:
    # The first hundreds of NDCG's formulas have many numerators and denominators in common.
    family = METRICS["ndcg"]
    table = formula_table("ndcg", ((), (("cutoff", "none"),)), True, PROBLEM)
    assert table.top.numbers.shape[-1] < len(table.points) / 50
    made, points = columns(table), all_rows(table).points()
    for row in range(0, len(table), 97):
        values = {**family.canonical, **points[row]}
        alone = family.formula(PROBLEM.lists(values), **{axis.name: values[axis.name] for axis in family.axes})
        assert [each.values[row] for each in made] == pytest.approx(alone.value.tolist(), nan_ok=True)


def test_a_formula_with_a_root_has_it_taken() -> None:
    roots = formula_table("rmse", setting_levels("rmse", True)[0], True, PROBLEM)
    squares = formula_table("mse", setting_levels("mse", True)[0], True, PROBLEM)
    assert formula_points("rmse") == formula_points("mse")
    for root, square in zip(columns(roots), columns(squares), strict=True):
        assert (root.values**2).tolist() == pytest.approx(square.values.tolist(), nan_ok=True)


def test_one_who_is_not_averaged_has_no_number() -> None:
    table = formula_table("recall", ((), (("users", "hits"),), (("users", "one_relevant"),)), True, PROBLEM)
    half, short, _ = columns(table)
    every, hits, one = np.split(np.arange(len(table)), 3)
    assert not half.irregular[every].any() and not half.irregular[hits].any()
    assert half.irregular[one].all()  # two items are relevant
    assert not short.irregular[one].any()


def test_the_mean_of_one_negative_value() -> None:
    # Two misses of gain -1 above one relevant item that is not listed: the plain DCG is below 0.
    case = case_from_users("misses", [User((0, 0), (2,))])
    table = formula_table(
        "ndcg", ((), (("mean", "quadratic"),), (("mean", "geometric"),)), True, Problem.of([case], [2])
    )
    row = next(
        number for number, point in enumerate(table.points)
        if (point["miss_gain"], point["ideal"], point["discount"]) == ("-1", "none", "reciprocal")
    )  # fmt: skip
    rows = all_rows(table)
    values, irregular = rows.where(np.arange(len(rows)) % len(table.points) == row).column(0)
    assert values.tolist() == pytest.approx([-1.5, 1.5, -1.5])
    assert irregular.tolist() == [False, False, True]


def test_who_has_nobody_relevant_is_for_a_policy_to_decide() -> None:
    half, short, nobody = columns(formula_table("recall", setting_levels("recall", True)[0], True, PROBLEM))
    assert nobody.irregular.all() and not half.irregular.any() and not short.irregular.any()
    # A formula is 0/0 here because nobody is relevant, which is no surprise.
    assert not any(each.policy_only.any() for each in (half, short, nobody))


def test_without_a_hit_a_value_may_be_a_convention() -> None:
    # The first cases have a hit, the last has none: the formulas of reciprocal rank are 0 there by convention.
    table = formula_table("reciprocal_rank", setting_levels("reciprocal_rank", True)[0], True, PROBLEM)
    rows = all_rows(table)
    assert not rows.conventional(0).any() and not rows.conventional(1).any()
    assert rows.conventional(2).tolist() == [
        METRICS["reciprocal_rank"].zero_by_convention({**METRICS["reciprocal_rank"].canonical, **point})
        for point in table.points
    ]


def test_a_row_is_a_setting_and_a_point() -> None:
    settings = ((), (("cutoff", "none"),))
    table = formula_table("recall", settings, True, PROBLEM)
    points = all_rows(table).points()
    assert len(points) == len(table) == 2 * len(table.points)
    assert points[2] == table.points[2]
    assert points[len(table.points) + 1] == {**table.points[1], "cutoff": "none"}


def test_rows_come_in_blocks_of_whole_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_ROWS_AT_ONCE", 20)
    table = formula_table("recall", setting_levels("recall", True)[1], True, PROBLEM)
    blocks = list(table.blocks())
    assert len(table.points) < 20 and all(len(rows) <= 20 for rows in blocks)
    assert [point for rows in blocks for point in rows.points()] == [
        {**point, **dict(setting)} for setting in table.settings for point in table.points
    ]
