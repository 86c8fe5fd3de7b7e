"""Printing the tables of a result on stdout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recsys_metric_audit.audit.cli.shared.standard_streams import make_console

if TYPE_CHECKING:
    from recsys_metric_audit.reports.model.result import Result

_MIN_WIDTH = 100
"""Columns; tables cannot be read on a narrower terminal."""


def print_tables(result: Result, group: str | None = None) -> None:
    """Print headlines, tables and surprises, as wide as the terminal but not narrower than tables have to be.

    Args:
        result: The run.
        group: The group of libraries that the tables show; None for the default.
    """
    from recsys_metric_audit.reports.renderers.terminal import print_report

    print_report(result, make_console(at_least=_MIN_WIDTH), group)
