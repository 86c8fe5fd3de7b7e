"""What `make docs` makes of committed data is what is committed; the pages on papers have a test of their own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from recsys_metric_audit.reports.model.result_file import packaged_run
from recsys_metric_audit.reports.renderers.findings_page import render_findings
from recsys_metric_audit.reports.writers import data_set, readme
from tests.support.command_line import audit

ROOT = Path(__file__).parents[3]
RENEW = "renew it: make docs"


def committed(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_the_tables_of_the_readme_are_those_of_the_recorded_run() -> None:
    text = committed(readme.README)
    assert readme.replace_tables(text, packaged_run().result) == text, RENEW


def test_the_page_of_tables_is_that_of_the_recorded_run() -> None:
    assert committed(readme.TABLES) == readme.tables_page(packaged_run().result), RENEW


def test_the_page_of_findings_is_that_of_the_recorded_run() -> None:
    assert committed(readme.FINDINGS) == render_findings(packaged_run().result), RENEW


@pytest.mark.slow
def test_then_and_now_is_made_of_the_committed_pins(tmp_path: Path) -> None:
    made = audit("history", "--page", str(tmp_path / "page.md"))
    assert made.exit_code == 0, made.output
    assert committed(tmp_path / "page.md") == committed(ROOT / "docs" / "then-and-now.md"), RENEW


def test_the_page_on_the_data_set_is_made_of_the_docstrings() -> None:
    assert committed(data_set.PAGE) == data_set.page(), RENEW


def test_make_docs_makes_every_page_that_is_marked_as_generated() -> None:
    marked = set(re.findall(r"^docs/(\S+) linguist-generated$", committed(ROOT / ".gitattributes"), re.MULTILINE))
    assert marked == {"papers/*.md", "findings.md", "tables.md", "then-and-now.md", "data-set.md"}
    recipe = re.search(r"^docs:.*\n((?:\t.*\n)+)", committed(ROOT / "Makefile"), re.MULTILINE)
    assert recipe is not None
    for command in (
        "recsys_metric_audit.reports.writers.readme",
        "--page docs/then-and-now.md",
        "--pages docs/papers",
        "writers.data_set",
    ):
        assert command in recipe[1]
