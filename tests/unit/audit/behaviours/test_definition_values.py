"""The range of each metric, from its canonical definition."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.audit.behaviours.definition_values import bounds


@pytest.mark.slow
def test_ranges_are_those_of_the_formulas() -> None:
    assert bounds("ndcg") == bounds("precision") == bounds("auc") == (0.0, 1.0)
    assert bounds("rmse") == bounds("mae") == (0.0, math.inf)
    assert bounds("kendall_tau") == bounds("matthews_correlation") == (-1.0, 1.0)
    assert bounds("r_squared") == bounds("explained_variance") == (-math.inf, 1.0)
