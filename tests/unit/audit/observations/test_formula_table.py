"""The table of formula values: settings, points, and the values of small lists by hand."""

from __future__ import annotations

import numpy as np
import pytest

from audit.observations import formula_table as tables
from audit.observations.formula_table import FormulaTable, formula_table, setting_levels
from reference.cases import User
from reference.cases.probe import case_from_users
from reference.evaluation.evaluate import Problem
from reference.metrics import METRICS
from reference.space.lists import Ratio

# At k = 2: a hit and a miss with one relevant item not listed; a list of one hit; nobody relevant.
CASES = [
    case_from_users("half", [User((2, 0), (2,))]),
    case_from_users("short", [User((2,))]),
    case_from_users("nobody", [User((0, 0))]),
]
PROBLEM = Problem.of(CASES, [2, 2, 2])


def rows(metric: str, setting: int = 0) -> dict[str, list[float]]:
    """Return the values of each point of a metric with one axis, without changes of input."""
    table = formula_table(metric, setting_levels(metric, True)[0], True, PROBLEM)
    out = {}
    for row in range(len(table.points)):
        out["|".join(f"{axis}:{value}" for axis, value in table.points[row].items())] = table.values[row].tolist()
    return out


def test_values_by_hand() -> None:
    precision = rows("precision")
    over_k = next(values for name, values in precision.items() if "denominator:k" in name.split("|"))
    shown = next(values for name, values in precision.items() if "denominator:shown" in name.split("|"))
    assert over_k[:2] == pytest.approx([1 / 2, 1 / 2])
    assert shown[:2] == pytest.approx([1 / 2, 1])


def test_values_are_those_of_each_formula_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_AT_ONCE", 3)  # of 8 points: the last part is a short one
    metric, settings = METRICS["precision"], ((), (("cutoff", "none"),))
    made = tables._formula_table.__wrapped__("precision", settings, True, PROBLEM)
    for row in range(len(made.values)):
        values = {**metric.canonical, **made.point(row)}
        lists = PROBLEM.lists(values)
        alone = metric.formula(lists, **{axis.name: values[axis.name] for axis in metric.axes})
        assert made.values[row].tolist() == pytest.approx(alone.value.tolist(), nan_ok=True)
        unusual = (lists.relevant == 0) | (lists.length == 0) | (alone.denominator == 0)
        assert made.irregular[row].tolist() == unusual.tolist()


def test_a_formula_with_a_root_has_it_taken() -> None:
    plain, root = Ratio(np.array([9.0, 1.0]), np.array([4.0, 0.0])), Ratio(np.array([9, 1]), np.array([4, 0]), True)
    values, undefined = tables._values([plain, root])
    assert values.tolist() == [[2.25, pytest.approx(np.nan, nan_ok=True)], [1.5, pytest.approx(np.nan, nan_ok=True)]]
    assert undefined.tolist() == [[False, True], [False, True]]


def test_who_has_nobody_relevant_is_for_a_policy_to_decide() -> None:
    table = formula_table("recall", setting_levels("recall", True)[0], True, PROBLEM)
    assert table.irregular[:, 2].all() and not table.irregular[:, :2].any()
    assert not table.policy_only.any()  # a formula is 0/0 here because nobody is relevant, which is no surprise


def test_levels_are_no_change_then_one_then_two_on_different_axes() -> None:
    none, one, two = setting_levels("recall", True)
    assert none == ((),)
    assert all(len(setting) == 1 for setting in one) and (("cutoff", "none"),) in one
    assert all(len({axis for axis, _ in setting}) == 2 for setting in two)
    assert len(set(one)) == len(one) and len(set(two)) == len(two)


def test_who_takes_no_cut_off_reads_whole_lists() -> None:
    assert setting_levels("recall", False)[0] == ((("cutoff", "none"),),)


def test_what_a_variant_assumes_is_in_every_setting() -> None:
    for level in setting_levels("recall", True, "unit_gains"):
        assert all(("relevance", "equal_1") in setting for setting in level)


def test_a_row_is_a_setting_and_a_point() -> None:
    settings, points = ((), (("cutoff", "none"),)), ({"a": "1"}, {"a": "2"}, {"a": "3"})
    nothing = np.zeros((6, 0))
    table = FormulaTable(settings, points, nothing, nothing > 0, nothing > 0, nothing > 0)
    assert table.point(2) == {"a": "3"}
    assert table.point(4) == {"a": "2", "cutoff": "none"}
