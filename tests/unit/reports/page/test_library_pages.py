"""The page of a library: changes between versions, merged cells."""

from __future__ import annotations

from recsys_metric_audit.reports.page.library_pages import library_pages
from recsys_metric_audit.reports.page.page import build_page
from tests.support.result_samples import differing, finding, library, result


def test_a_change_between_versions_is_told() -> None:
    new = differing("ndcg", "alpha", "gain", "exp2", 0.1, version="2.0")
    made = build_page(result(libraries=(library(version="2.0"), library()), findings=(new, finding())))
    (shown,) = made.libraries
    (change,) = shown.changes
    assert (change.before, change.old, change.after, change.new) == ("1.0", "ndcg@k", "2.0", "ndcg@k|gain:exp2")
    assert [cell.changed for cell in shown.functions[0].cells if cell] == [True, False]


def test_versions_that_compute_the_same_share_a_cell_and_a_change_ends_it() -> None:
    old = differing("ndcg", "alpha", "gain", "exp2", 0.1, version="1.0")
    entries = tuple(library(version=version) for version in ("3.0", "2.0", "1.0"))
    made = build_page(result(libraries=entries, findings=(finding(version="3.0"), finding(version="2.0"), old)))
    (row,) = made.libraries[0].functions
    assert [(cell.span, cell.changed) for cell in row.cells if cell] == [(2, True), (1, False)]


def test_a_version_without_the_function_has_no_cell() -> None:
    (page,) = library_pages(result(libraries=(library(version="2.0"), library()), findings=(finding(),)))
    first, second = page.functions[0].cells
    assert first is None and second is not None and not page.changes


def test_a_version_says_whether_it_was_run_replayed_or_partly_remembered() -> None:
    entries = (
        library(version="3.0"), library(version="2.0", kept="2025-02-01"),
        library(version="1.0", live=False, recorded="2025-01-01"), library(version="0.9", live=False),
    )  # fmt: skip
    (page,) = library_pages(result(libraries=entries, findings=()))
    assert [dict(version.facts)["Run"] for version in page.versions] == [
        "live",
        "live; what it answered on 2025-02-01 or before was not asked again",
        "replayed from a recording of 2025-01-01",
        "replayed from a recording of an unknown day",
    ]
