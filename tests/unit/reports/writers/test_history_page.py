"""The page of what changed sets the paper's values beside what was found in its version and in the newest."""

from __future__ import annotations

from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, VersionExpectation
from recsys_metric_audit.reports.pins.library_meanings import LibraryMeanings
from recsys_metric_audit.reports.pins.meaning_changes import version_steps
from recsys_metric_audit.reports.writers.history_page import history_page
from tests.support.result_samples import finding, library, result


def meanings(**formulas: str) -> LibraryMeanings:
    """Return rs_metrics, whose 0.5.0 the paper measured, with the formula of its MAP by version (``_`` for a dot)."""
    pins = tuple(
        VersionExpectation(
            library="rs_metrics", version=version.strip("v").replace("_", "."), dataset="d", k=20,
            functions={
                "rs_metrics.mapr": FunctionExpectation(
                    metric="average_precision", status="measured", verdict="variant", formulas=(formula,)
                )
            },
        )
        for version, formula in formulas.items()
    )  # fmt: skip
    return LibraryMeanings("rs_metrics", "rs_metrics", pins, {}, version_steps(pins, {}, lambda *_: ""))


def run() -> Result:
    """Return a run of the newest version only: its MAP is 0.25."""
    name, version = "rs_metrics", "0.6.0"
    own = finding("average_precision", name, version, function="rs_metrics.mapr", value=0.25)
    return result(libraries=(library(name, version),), findings=(own,))


def test_the_paper_then_and_now() -> None:
    page = history_page([meanings(v0_5_0="average_precision@k|denominator:r", v0_6_0="average_precision@k")], run())
    assert "| rs\\_metrics | MAP | 0.032 | divides by r | 0.5.0: divides by r | 0.6.0: **canonical [0.250]** |" in page
    assert "1 library with 2 versions are compared. The formula of a metric changed in 1 of them: rs\\_metrics." in page


def test_a_value_that_is_canonical_throughout_stands_in_a_line_of_its_own() -> None:
    same = meanings(v0_5_0="hit_rate@k", v0_6_0="hit_rate@k")
    entries = {
        "rs_metrics.hitrate": FunctionExpectation(metric="hit_rate", status="measured", formulas=("hit_rate@k",))
    }
    pins = tuple(pin.model_copy(update={"functions": entries}) for pin in same.pins)
    page = history_page([LibraryMeanings("rs_metrics", "rs_metrics", pins, {}, same.steps)], result())
    assert "Canonical as the paper says, in its version and in the newest: rs\\_metrics (HitRate)." in page
    assert "| rs\\_metrics | NDCG | 0.093 | canonical | 0.5.0: not known | 0.6.0: not known |" in page
