"""HTML pages as they were looked at, each as an outline: ``RENEW_APPROVED=1 pytest THIS_FILE`` writes them anew.

Of the sections of the report that are alike (a metric, a formula with one verdict, a library) the longest is held; in
all of them each number, verdict and sentence is held by ``reports/verification``, on this result too.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pytest

from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.renderers import comparison_formats, registry
from recsys_metric_audit.reports.renderers.html import render_report
from recsys_metric_audit.reports.tables.comparison import compare_results
from recsys_metric_audit.reports.verification.readers import Node, read_elements, read_page
from tests.support.page_outline import outline
from tests.support.result_samples import differing, finding, library, result

APPROVED = Path(__file__).with_name("approved")
PARTS = ("handbook", "paper")
"""Sections of the report with files of their own, so that a change of them does not hide other changes."""


def before() -> Result:
    """Return a run before that of :func:`result`, in which beta computes something else."""
    found = (finding("ndcg"), differing("average_precision", "beta", "denominator", "k", 0.02, version="2.3.1"))
    return result(libraries=(library(), library("beta", "2.3.1")), findings=found)


def without_parts(node: Node) -> Node:
    """Return an element without the sections of PARTS, and with the longest section of each class alone."""
    kept: dict[str, Node | str] = {}
    for place, given in enumerate(node.parts):
        if isinstance(given, str) or given.attributes.get("id") not in PARTS:
            part = given if isinstance(given, str) else without_parts(given)
            alike = isinstance(part, Node) and part.tag == "section" and len(part.classes) > 1
            kind = part.attributes["class"] if isinstance(part, Node) and alike else str(place)
            kept[kind] = max(kept.get(kind, part), part, key=length)
    return replace(node, parts=list(kept.values()))


def length(part: Node | str) -> int:
    return 0 if isinstance(part, str) else len(outline(part))


@cache
def report() -> Node:
    return read_page(render_report(result()), "report")


def part(name: str) -> list[str]:
    (section,) = [each for each in report().all("section") if each.attributes.get("id") == name]
    return outline(section)


def page(text: str) -> list[str]:
    return outline(read_elements(text, "page"))


PAGES: dict[str, Callable[[], list[str]]] = {
    "report": lambda: outline(without_parts(report())),
    **{f"report-{name}": partial(part, name) for name in PARTS},
    "comparison": lambda: page(comparison_formats.as_html(compare_results(before(), result()))),
    "then-and-now": lambda: page(registry.SIDE_BY_SIDE_FORMATS["html"](result(), 1)),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_what_was_looked_at(name: str) -> None:
    file, shown = APPROVED / f"{name}.txt", "\n".join(PAGES[name]()) + "\n"
    if os.environ.get("RENEW_APPROVED"):
        file.write_text(shown, encoding="utf-8")
    assert shown == file.read_text(encoding="utf-8"), "look at the page, then: RENEW_APPROVED=1 pytest THIS_FILE"
