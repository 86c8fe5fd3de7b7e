"""``audit table``: Table 1 or 2 of the paper with the values of an audit beside those that it printed."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from recsys_metric_audit.audit.cli.shared.options import REPORT_FOLDER, OutFile, Run
from recsys_metric_audit.audit.cli.shared.output_file import write_output


class Format(StrEnum):
    """The formats of a table."""

    text = "text"
    md = "md"
    latex = "latex"
    csv = "csv"
    html = "html"


def table(
    number: Annotated[int, typer.Argument(metavar="1|2", min=1, max=2, help="1: all metrics; 2: variants of AUC.")],
    source: Run = None,
    form: Annotated[Format, typer.Option("--format", help="Output format.")] = (Format.text),
    out: OutFile = None,
) -> None:
    """Print Table 1 or 2 of the paper with today's values.

    The tables are those of Tamm, Damdinov & Vasilev (RecSys 2021). A row is a library version. A cell holds its value
    in an audit with a mark for the definition that was found, and in brackets the value that the paper printed, with
    the definition that the paper claims.

    \b
    Examples:
      audit table 1
      audit table 2 --from audit-report
      audit table 1 --format latex --out table1.tex
    """
    from recsys_metric_audit.reports.model.result_file import load_run
    from recsys_metric_audit.reports.renderers.registry import SIDE_BY_SIDE_FORMATS

    write_output(SIDE_BY_SIDE_FORMATS[form](load_run(source, REPORT_FOLDER).result, number), out)
