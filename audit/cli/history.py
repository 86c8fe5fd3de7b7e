"""``audit history`` and ``audit bisect``: what a library's functions meant from version to version."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli.options import Adapters, Jobs, Timeout, one

if TYPE_CHECKING:
    from audit.pins.releases_history import Change

Name = Annotated[str, typer.Argument(metavar="LIBRARY", help="The library, as `audit list` shows it.")]


class Format(StrEnum):
    """How the history is printed."""

    text = "text"
    md = "md"
    json = "json"


def history(
    library: Name,
    metric: Annotated[str | None, typer.Option(metavar="M", help="Only functions that bear this name.")] = None,
    form: Annotated[Format, typer.Option("--format", help="For people, for a page, for programs.")] = Format.text,
    jobs: Jobs = None,
    timeout: Timeout = 120.0,
    adapters: Adapters = None,
) -> None:
    """Show what each function computed in every pinned version, and in which release that changed.

    Taken from the accepted expectations; a version without one is audited.

    \b
    Examples:
      audit history rs_metrics
      audit history rs_metrics --metric average_precision --format md
    """
    from audit.cli.pins import audited
    from audit.pins.releases_history import past
    from reports.renderers import history_formats as forms

    found = past(one(adapters, library), metric, lambda chosen: audited(chosen, jobs, timeout))
    write = {Format.text: forms.as_text, Format.md: forms.as_markdown, Format.json: forms.as_json}[form]
    typer.echo(write(found))


def bisect(
    library: Name,
    function: Annotated[str, typer.Argument(metavar="FUNCTION", help="Its name, or the last part of it.")],
    start: Annotated[str, typer.Option("--from", metavar="V", help="The older end.")],
    end: Annotated[str, typer.Option("--to", metavar="W", help="The newer end.")],
    index: Annotated[bool, typer.Option("--index", help="All releases of the index, not only those pinned.")] = False,
    timeout: Timeout = 120.0,
    adapters: Adapters = None,
) -> None:
    """Find the release at which a function began to compute something else, by halving.

    Releases that are not pinned are locked in the cache; only those that are looked at are built.

    \b
    Examples:
      audit bisect rs_metrics mapr --from 0.3.0 --to 0.6.0
      audit bisect rs_metrics mapr --from 0.3.0 --to 0.6.0 --index
    """
    from audit.cli.pins import audited
    from audit.pins import releases_history

    manifest = one(adapters, library)
    named = releases_history.function_named(manifest, function)
    line = releases_history.line_between(manifest, start, end, index)
    _tell(releases_history.bisect(manifest, named, line, lambda chosen: audited(chosen, None, timeout)))


def _tell(found: Change) -> None:
    from reports.renderers.drift_formats import details

    if found.drift is None:
        typer.echo(f"{found.function} computes the same in {found.after} and in {found.at}")
        return
    typer.echo(f"{found.function} changed in {found.at}, after {found.after}")
    lines = details(found.drift)
    if found.unknown:
        lines.append(("unknown", f"{', '.join(found.unknown)}: they do not run, so it may have been one of them"))
    lines.append(("asked", f"{', '.join(found.asked)} ({len(found.asked)} of {len(found.line)})"))
    for name, words in lines:
        typer.echo(f"  {name:<9} {words}")
