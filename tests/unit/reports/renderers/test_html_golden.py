"""HTML pages as they were looked at, as golden files: ``RENEW_GOLDEN=1 pytest THIS_FILE`` writes them anew.

The other output formats have their expected texts beside their tests.
"""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path

import pytest

from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.renderers import comparison_formats, registry
from recsys_metric_audit.reports.tables.comparison import compare_results
from tests.support.html_reader import page_text
from tests.support.result_samples import differing, finding, library, result

GOLDEN = Path(__file__).with_name("golden")


def before() -> Result:
    """Return a run before that of :func:`result`, in which beta computes something else."""
    found = (finding("ndcg"), differing("average_precision", "beta", "denominator", "k", 0.02, version="2.3.1"))
    return result(libraries=(library(), library("beta", "2.3.1")), findings=found)


PARTS = {
    "report-handbook": r'<section id="handbook".*?</section>\s*</section>',
    "report-handbook-of-metrics": r"(?<=<h2>In the handbook</h2>).*?(?=</section>)",
    "report-paper": r'<section id="paper".*?</section>',
}
"""Parts of the report with golden files of their own, so that a change of them does not hide other changes."""


def report() -> str:
    """Return the report without its parts."""
    text = page_text(result())
    for pattern in PARTS.values():
        text = re.sub(pattern, "", text, flags=re.S)
    return text


def part(name: str) -> str:
    """Return all occurrences of a part of the report."""
    return "\n".join(re.findall(PARTS[name], page_text(result()), flags=re.S))


PAGES = {
    "report": report,
    **{name: partial(part, name) for name in PARTS},
    "comparison": lambda: comparison_formats.as_html(compare_results(before(), result())),
    "then-and-now": lambda: registry.SIDE_BY_SIDE_FORMATS["html"](result(), 1),
}


def scrubbed(text: str) -> str:
    """Return a page with one element per line, without style and script, and without the digests of both.

    Style, script and digests are held against the files of the templates by the tests of the page.
    """
    text = re.sub(r"<(style|script)>.*?</\1>", r"<\1></\1>", text, flags=re.S)
    text = re.sub(r"sha256-[^'&]*", "sha256-…", text)
    return re.sub(r"(?<=>)(?=<)", "\n", text)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_as_it_was_looked_at(name: str) -> None:
    file, shown = GOLDEN / f"{name}.html", scrubbed(PAGES[name]())
    assert shown
    if os.environ.get("RENEW_GOLDEN"):
        file.write_text(shown, encoding="utf-8")
    assert shown == file.read_text(encoding="utf-8"), "look at the page, then renew it: RENEW_GOLDEN=1 pytest THIS_FILE"
