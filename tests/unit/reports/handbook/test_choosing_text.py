"""Choosing a metric reads at 80 columns."""

from __future__ import annotations

from recsys_metric_audit.reports.handbook import choosing_text
from recsys_metric_audit.reports.handbook.choosing import QUESTIONS
from tests.support.console_lines import at_80


def test_choosing_reads_at_80_columns() -> None:
    lines = at_80(choosing_text.show)
    assert not [line for line in lines if len(line) > 80]
    assert sum(line[:1].isdigit() for line in lines) == len(QUESTIONS) == 6
