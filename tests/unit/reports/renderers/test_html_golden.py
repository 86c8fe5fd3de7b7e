"""The pages as they were looked at, as golden files: ``RENEW_GOLDEN=1 pytest THIS_FILE`` writes them anew.

The other forms have theirs beside their tests. Style, script, formulas, the handbook and the paper's claims are not
held here: they have tests of their own, and would hide what a change of a page changes.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from reports.model.result import Result
from reports.renderers import comparison_formats, side_by_side_formats
from reports.renderers.html import render_report
from reports.tables.comparison import compare_results
from tests.support.result_samples import differing, finding, library, result

GOLDEN = Path(__file__).with_name("golden")


def before() -> Result:
    """Return a run before that of :func:`result`, in which beta computes something else."""
    found = (finding("ndcg"), differing("average_precision", "beta", "denominator", "k", 0.02, version="2.3.1"))
    return result(libraries=(library(), library("beta", "2.3.1")), findings=found)


PAGES = {
    "report": lambda: render_report(result()),
    "comparison": lambda: comparison_formats.as_html(compare_results(before(), result())),
    "then-and-now": lambda: side_by_side_formats.SIDE_BY_SIDE_FORMATS["html"](result(), 1),
}


def scrubbed(text: str) -> str:
    """Return a page with an element a line, without style, script, digests, formulas, handbook and claims."""
    text = re.sub(r"<(style|script)>.*?</\1>", r"<\1></\1>", text, flags=re.S)
    text = re.sub(r"sha256-[^'&]*", "sha256-…", text)
    text = re.sub(r'<section id="handbook".*?</section>\s*</section>', "", text, flags=re.S)
    text = re.sub(r'<section id="paper".*?</section>', "", text, flags=re.S)
    text = re.sub(r"<math[^>]*>.*?</math>", "<math></math>", text)
    text = re.sub(r"(<h2>In the handbook</h2>).*?(?=</section>)", r"\1", text, flags=re.S)
    return re.sub(r"(?<=>)(?=<)", "\n", text)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_as_it_was_looked_at(name: str) -> None:
    file, shown = GOLDEN / f"{name}.html", scrubbed(PAGES[name]())
    if os.environ.get("RENEW_GOLDEN"):
        file.write_text(shown, encoding="utf-8")
    assert shown == file.read_text(encoding="utf-8")
