"""The README's tables are those of the recorded run."""

from __future__ import annotations

import pytest

from reports.model.read_result import read
from reports.model.report_error import ReportError
from reports.renderers import readme


def test_the_tables_are_those_of_the_recorded_run() -> None:
    text = readme.README.read_text(encoding="utf-8")
    assert readme.rendered(text, read(readme.RECORDED)) == text, (
        "renew them: python -m reports.renderers.readme audit-report"
    )


def test_a_readme_without_markers_is_refused() -> None:
    with pytest.raises(ReportError, match="markers"):
        readme.rendered("# nothing here\n", read(readme.RECORDED))
