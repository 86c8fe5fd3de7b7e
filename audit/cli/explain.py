"""``audit explain`` and ``audit definitions``: looking a metric, a definition or a library's function up."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

_DEFAULT = Path("audit-report")


class Format(StrEnum):
    """How definitions are printed."""

    text = "text"
    json = "json"
    md = "md"


def explain(
    subject: Annotated[str, typer.Argument(metavar="METRIC | SIGNATURE | LIBRARY[==VERSION]:FUNCTION | choosing")],
    source: Annotated[
        Path | None,
        typer.Option("--from", metavar="DIR|FILE", help="The audit in which a function is looked up."),
    ] = None,
) -> None:
    """Explain a metric, a definition, or what a library's function was found to compute.

    Formula, axes, sources, a worked example with its sums, and what else it equals. A function is looked up in
    audit-report/audit.json, or else in the run that comes with the tool. `choosing` helps to choose a metric.

    \b
    Examples:
      audit explain ndcg
      audit explain 'ndcg@20|gain:exp2|ideal:all'
      audit explain rs_metrics==0.6.0:rs_metrics.ndcg --from audit-report
      audit explain choosing
    """
    from audit.cli import lookup

    lookup.show(subject, source, _DEFAULT)


def definitions(
    metric: Annotated[str | None, typer.Option(metavar="NAME", help="Only this one.")] = None,
    form: Annotated[Format, typer.Option("--format", help="For people, for programs, for a page.")] = Format.text,
) -> None:
    """List the documented definitions: signature, names, when it differs from the canonical one, sources.

    \b
    Examples:
      audit definitions
      audit definitions --metric ndcg --format md
    """
    from audit.cli import lookup

    lookup.show_definitions(metric, form.value)
