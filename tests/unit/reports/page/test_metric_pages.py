"""The page of a metric shows variants side by side, on the axes that tell them apart."""

from __future__ import annotations

import math

from recsys_metric_audit.reports.model.result import Bin, Result
from recsys_metric_audit.reports.page.formula_pages import MetricPage, formula_pages, metric_pages
from recsys_metric_audit.reports.plots.plots import draw_scatters
from tests.support.result_samples import differing, finding, library, lost, result


def pages(made: Result) -> tuple[MetricPage, ...]:
    drawn = draw_scatters(made)
    return metric_pages(made, formula_pages(made, drawn), drawn)


LIBRARIES = [library(), library(version="0.9"), library("beta"), library("gamma")]
FOUND = (
    finding("recall", value=math.nan),
    finding("ndcg"),
    finding("ndcg", version="0.9"),
    differing("ndcg", "beta", "gain", "exp2", 0.3, scatter=(Bin(canonical=0.5, library=0.25, users=7),)),
    differing("ndcg", "beta", "ideal", "all", 0.4, function="beta.other", verdict="undocumented"),
    lost("ndcg", "gamma", "failed", "IndexError: 20"),
)
NDCG, RECALL = pages(result(libraries=LIBRARIES, findings=FOUND))


def test_metrics_stand_in_the_order_of_the_paper() -> None:
    assert [(page.title, page.name, page.anchor) for page in (NDCG, RECALL)] == [
        ("NDCG", "ndcg", "metric/ndcg"), ("Recall", "recall", "metric/recall"),
    ]  # fmt: skip


def test_variants_stand_side_by_side_on_every_axis_on_which_one_differs() -> None:
    assert NDCG.axes == ("gain", "ideal")
    assert [(each.label, [moved for _, moved in each.values]) for each in NDCG.variants] == [
        ("canonical", [False, False]), ("gain:exp2", [True, False]), ("ideal:all", [False, True]),
    ]  # fmt: skip
    assert RECALL.axes == () and [each.values for each in RECALL.variants] == [()]


def test_a_variant_names_its_libraries_with_their_versions() -> None:
    versions = {each.label: [(name, told) for name, told, _ in each.versions] for each in NDCG.variants}
    assert versions == {
        "canonical": [("Alpha", "1.0, 0.9")], "gain:exp2": [("Beta", "1.0")], "ideal:all": [("Beta", "1.0")],
    }  # fmt: skip


def test_the_summary_counts_formulas_and_findings_also_lost_ones() -> None:
    assert NDCG.summary == "3 formulas identified in 5 findings"
    assert [each.verdicts for each in NDCG.others] == [("failed",)]
    assert RECALL.summary == "1 formula identified in 1 finding"


def test_the_canonical_value_is_told_with_every_digit() -> None:
    assert NDCG.canonical == (("ndcg@20", "0.0934"),)


def test_plots_are_there_where_there_is_something_to_draw() -> None:
    assert len(NDCG.strips) == 1 and len(NDCG.scatters) == 1
    assert RECALL.strips == () and RECALL.scatters == ()


LOST = {"status": "failed", "reason": "no such metric", "verdict": None, "value": None, "signature": None}


def test_a_metric_of_another_version_of_this_tool_has_a_page_without_a_handbook() -> None:
    strange = finding("ndcg").model_copy(update={"metric": "strange"} | LOST)
    (page,) = pages(result(libraries=[library()], findings=(strange,)))
    assert (page.name, page.handbook, page.variants) == ("strange", None, ())
    assert NDCG.handbook is not None
