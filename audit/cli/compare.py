"""``audit compare``: what changed between two audits."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from audit.cli.output import Form, OutFile, emit


def compare(
    before: Annotated[Path, typer.Argument(metavar="A", help="An audit.json, or the folder that holds it.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="The same of a later audit.")],
    form: Annotated[Form, typer.Option("--format", help="For people, for a page, for programs.")] = Form.text,
    out: OutFile = None,
) -> None:
    """Say what changed between two audits: meanings first, then what came and went, then values.

    Where each has one version of a library, and not the same, these two are compared.

    \b
    Examples:
      audit compare old/audit.json new/audit.json
      audit compare old new --format md > comment.md
    """
    from reports.model.read_result import read_result
    from reports.renderers.registry import COMPARISON_FORMATS
    from reports.tables.comparison import compare_results as changes

    emit(COMPARISON_FORMATS[form](changes(read_result(before), read_result(after))), out)
