"""Reports of several machines become one, or it is said why they cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recsys_metric_audit.reports.model.report_error import ReportError
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.model.result_file import merge
from tests.support.result_samples import finding, library
from tests.support.result_samples import result as sample


def part(name: str, **changes: Any) -> tuple[Path, Result]:
    given: dict[str, Any] = {"libraries": (library(name),), "findings": (finding("ndcg", name),), "command": name}
    return Path(name), sample(**given | changes)


def test_libraries_and_findings_are_joined_in_order() -> None:
    whole = merge([part("b"), part("a"), part("c", platform="Mars")])
    assert [entry.library for entry in whole.libraries] == ["b", "a", "c"]
    assert [each.library for each in whole.findings] == ["b", "a", "c"]
    assert (whole.platform, whole.command) == ("Linux x86_64; Mars", "b; a; c")
    assert whole.reference == part("a")[1].reference


def test_one_stays_as_it_is() -> None:
    assert merge([part("a")]) == part("a")[1]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"k": (10,)}, r"a and b differ in k: \(20,\), \(10,\)"),
        ({"tool": "9"}, "differ in tool: 0.1.0, 9"),
        ({"dataset": sample().dataset.model_copy(update={"digest": "sha256:1"})}, "differ in dataset"),
    ],
)
def test_what_cannot_be_compared_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ReportError, match=said):
        merge([part("a"), part("b", **changes)])


def test_a_library_twice_is_refused() -> None:
    with pytest.raises(ReportError, match="cannot be merged"):
        merge([part("a"), part("a")])


def test_results_that_are_held_against_different_definitions_are_not_merged() -> None:
    (row, *others) = part("a")[1].reference
    other_axis = row.model_copy(update={"definition": {**row.definition, "counts": "hits"}})
    for changed, what in ((row.model_copy(update={"signature": "hit_rate@20|counts:hits"}), "its signature"),
                          (other_axis, "counts")):  # fmt: skip
        with pytest.raises(ReportError, match=rf"a and b differ in the canonical hit_rate \({what}\)"):
            merge([part("a"), part("b", reference=(changed, *others))])


def test_canonical_rows_of_metrics_that_one_part_lacks_are_kept() -> None:
    rows = part("a")[1].reference
    whole = merge([part("a", reference=rows[:2]), part("b", reference=rows[1:])])
    assert whole.reference == rows
