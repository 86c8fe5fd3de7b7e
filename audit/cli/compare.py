"""``audit compare``: what changed between two audits."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recsys_metric_audit.audit.cli.shared.options import OutFile
from recsys_metric_audit.audit.cli.shared.output_file import Format, write_output


def compare(
    before: Annotated[Path, typer.Argument(metavar="BEFORE", help="Report folder or audit.json of the earlier audit.")],
    after: Annotated[Path, typer.Argument(metavar="AFTER", help="Report folder or audit.json of the later audit.")],
    form: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.text,
    out: OutFile = None,
) -> None:
    """Print what changed between two audits.

    Changed definitions come first, then functions that came or went, then values. If each audit has one version of a
    library, and these are not the same, they are compared with each other.

    \b
    Examples:
      audit compare old/audit.json new/audit.json
      audit compare old new --format md > comment.md
    """
    from recsys_metric_audit.reports.model.result_file import read_result
    from recsys_metric_audit.reports.renderers.registry import COMPARISON_FORMATS
    from recsys_metric_audit.reports.tables.comparison import compare_results

    write_output(COMPARISON_FORMATS[form](compare_results(read_result(before), read_result(after))), out)
