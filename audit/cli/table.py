"""``audit table``: the paper's Table 1 or 2 by an audit, beside the paper's own values."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from audit.cli.output import OutFile, emit

_DEFAULT = Path("audit-report")


class Format(StrEnum):
    """How a table is printed."""

    text = "text"
    md = "md"
    latex = "latex"
    csv = "csv"
    html = "html"


def table(
    number: Annotated[int, typer.Argument(metavar="1|2", min=1, max=2, help="All metrics, or the variants of AUC.")],
    source: Annotated[
        Path | None, typer.Option("--from", metavar="DIR|FILE", help="The audit that fills the table.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="As text, for a page, for a paper, for programs.")] = (
        Format.text
    ),
    out: OutFile = None,
) -> None:
    """Print the paper's Table 1 or Table 2, then and now.

    A row is a library version, a cell its value with the mark of the definition that was found, and in brackets what
    the paper printed with the definition that it claims. Values of audit-report/audit.json, or else of the run that
    comes with the tool.

    \b
    Examples:
      audit table 1
      audit table 2 --from audit-report
      audit table 1 --format latex --out table1.tex
    """
    from reports.model.default_run import load_run
    from reports.renderers.side_by_side_formats import SIDE_BY_SIDE_FORMATS

    emit(SIDE_BY_SIDE_FORMATS[form](load_run(source, _DEFAULT).result, number), out)
