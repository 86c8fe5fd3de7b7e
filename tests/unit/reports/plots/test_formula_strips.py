"""Strip plots with a line for each formula."""

from __future__ import annotations

from recsys_metric_audit.reports.plots.formula_strips import formula_strips
from tests.support.result_samples import differing, finding, library, result


def test_one_line_for_each_formula_and_one_for_all_that_is_not_known() -> None:
    entries = [library(version=version) for version in ("3", "2", "1")] + [library("beta"), library("gamma")]
    found = (
        differing("ndcg", "alpha", "gain", "exp2", 0.3, version="3"),
        differing("ndcg", "alpha", "users", "both", 0.2, version="2", verdict="agrees"),
        differing("ndcg", "alpha", "gain", "exp2", 0.3, version="1"),
        finding(name="beta"),
        finding(name="gamma", verdict="unexplained", value=0.9),
        finding(name="gamma", function="gamma.per_user", value=None),
    )
    plot = formula_strips(result(libraries=entries, findings=found), "ndcg", 20)
    assert plot is not None
    assert plot.rows == (
        ("canonical", "Alpha 2 alpha.ndcg", "0.2"),
        ("canonical", "Beta 1.0 beta.ndcg", "0.0934"),
        ("a gain 2^g - 1", "Alpha 3, 1 alpha.ndcg", "0.3"),
        ("not identified", "Gamma 1.0 gamma.ndcg", "0.9"),
    )
    assert plot.heads[0] == "formula"
    assert "0.093" in plot.caption, "the canonical value is the line"


def test_nothing_to_draw() -> None:
    assert formula_strips(result(), "ndcg", 5) is None
