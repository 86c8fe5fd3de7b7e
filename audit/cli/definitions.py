"""``audit definitions``: list the documented definitions of metrics."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from recsys_metric_audit.audit.cli.shared.safe_text import show
from recsys_metric_audit.audit.cli.shared.standard_streams import make_console


class Format(StrEnum):
    """The formats of the list."""

    text = "text"
    json = "json"
    md = "md"


def definitions(
    metric: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this metric, such as ndcg. Default: all.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.text,
) -> None:
    """List the documented definitions of metrics.

    Each with its signature, its names, its sources, and when it differs from the canonical definition.

    \b
    Examples:
      audit definitions
      audit definitions --metric ndcg --format md
    """
    from recsys_metric_audit.audit.cli.shared.lookup import documented_definitions
    from recsys_metric_audit.reports.handbook import explain_text

    found = documented_definitions(metric)
    match form:
        case Format.text:
            explain_text.show_list(found, make_console())
        case Format.json:
            show(explain_text.as_json(found))
        case Format.md:
            show(explain_text.as_markdown(found))
