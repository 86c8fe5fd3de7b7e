"""The range of each metric, from its canonical definition."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.audit.behaviours.definition_values import RANGE_SCENARIOS, bounds
from recsys_metric_audit.audit.behaviours.scenarios import LONGER_TRUTH, TIES, TRUTH_COPIES


@pytest.mark.slow
def test_ranges_are_those_of_the_formulas() -> None:
    assert bounds("ndcg") == bounds("precision") == bounds("auc") == (0.0, 1.0)
    assert bounds("rmse") == bounds("mae") == (0.0, math.inf)
    assert bounds("kendall_tau") == bounds("matthews_correlation") == (-1.0, 1.0)
    assert bounds("r_squared") == bounds("explained_variance") == (-math.inf, 1.0)


def test_a_range_is_not_judged_where_a_row_occurs_twice() -> None:
    """Who counts two truth rows of an item twice gives 2 for a precision of 1; that is no fault of the formula."""
    copies = [each for each in TRUTH_COPIES if len(each.case.truth.item) > len(set(each.case.truth.item.tolist()))]
    assert len(copies) == 2 and not RANGE_SCENARIOS & {each.name for each in copies}
    assert {each.name for each in (*TIES, *LONGER_TRUTH)} <= RANGE_SCENARIOS
