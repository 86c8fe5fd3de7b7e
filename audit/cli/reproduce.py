"""``audit reproduce``: a script that shows a difference by a library's public API, for an issue of that library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recsys_metric_audit.audit.cli.shared.library_choice import all_libraries, function_of
from recsys_metric_audit.audit.cli.shared.options import Adapters
from recsys_metric_audit.audit.cli.shared.safe_text import say, show
from recsys_metric_audit.audit.cli.shared.standard_streams import make_console

if TYPE_CHECKING:
    from recsys_metric_audit.audit.libraries.function import Function
    from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
    from recsys_metric_audit.reports.model.result import Finding

_DEFAULT_K = 20


def reproduce(
    subject: Annotated[
        str,
        typer.Argument(metavar="LIBRARY[==VERSION]:FUNCTION", help="A function, in full or the last part of its name."),
    ],
    k: Annotated[
        int | None,
        typer.Option("--k", metavar="N", help="Cut-off of the finding. Default: 20, with --from the first one there."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="DIR", help="Report folder to read. Default: run the library now.")
    ] = None,
    adapters: Adapters = None,
) -> None:
    """Print a script that shows what a function computes.

    The script calls the library's public API on the smallest input that shows a difference, and prints the value
    beside the one that the audit saw and the canonical one: ready for an issue of that library. The levels on which it
    differs (formula, who counts, input handling) are told on stderr.

    \b
    Examples:
      audit reproduce rs_metrics==0.6.0:ndcg
      audit reproduce "rectools:MAP[divide_by_k=True]" --from audit-report > issue.py
    """
    manifest, version, function = _choose(all_libraries(adapters), subject)
    if source:
        finding = _find_in_report(source, manifest, version, function, k)
    else:
        finding = _audit_function(manifest, version, function, k)
    script = _script(finding)
    if differences := _differences(finding):
        say(differences, err=True)
    if source and finding.script is not None:
        say(f"The script is from {source}: read it before you run it, unless that audit was yours.", err=True)
    show(script, nl=False)


def _choose(manifests: dict[str, Manifest], subject: str) -> tuple[Manifest, Version, Function]:
    """Return the function that the user named, in the first pinned version if none was named."""
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.audit.libraries.discovery import select

    library, colon, name = subject.partition(":")
    if not colon or not name:
        raise UserError(f"{subject!r} names no function", "type LIBRARY:FUNCTION, such as rs_metrics:ndcg")
    manifest, version = select(manifests, [library])[0]
    return manifest, version, function_of(manifest, version, name)


def _find_in_report(source: Path, manifest: Manifest, version: Version, function: Function, k: int | None) -> Finding:
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.reports.model.result_file import read_result

    for finding in read_result(source).findings:
        about = (finding.library, finding.version, finding.function)
        if about == (manifest.name, version.version, function.name) and k in (None, finding.k):
            return finding
    at = f" at k = {k}" if k is not None else ""
    raise UserError(
        f"{source} has nothing on {manifest.name} {version.version} {function.name}{at}",
        "leave out --from to ask the library now",
    )


def _audit_function(manifest: Manifest, version: Version, function: Function, k: int | None) -> Finding:
    """Return the finding on one function, run now; small data will do, because the script does not use them."""
    from recsys_metric_audit.audit import data
    from recsys_metric_audit.audit.cli.progress.watch import watch
    from recsys_metric_audit.audit.process.protocol import Limits
    from recsys_metric_audit.audit.run import Request, run

    alone = manifest.model_copy(update={"functions": (function,)})
    small = data.load("synthetic:20x30")
    request = Request(((alone, version),), small, (k or _DEFAULT_K,), 1, Limits(), "audit reproduce")
    with watch(make_console(stderr=True), request.chosen) as progress:
        return run(request, progress).findings[0]


def _differences(finding: Finding) -> str:
    """Return in words on which levels, and on which axes, the function is not canonical; empty if none is known."""
    from recsys_metric_audit.reports.model.level_meaning import LEVEL_TITLES
    from recsys_metric_audit.reports.wording.labels import joined

    parts = [f"{LEVEL_TITLES[level]} ({', '.join(axes)})" for level, axes in finding.levels.items() if axes]
    return f"{finding.function} differs from the canonical definition in {joined(parts)}" if parts else ""


def _script(finding: Finding) -> str:
    from recsys_metric_audit.audit.errors import UserError

    name = f"{finding.library} {finding.version} {finding.function}"
    if finding.script is not None:
        return finding.script
    if finding.status != "measured":
        raise UserError(f"{name} has no value to show: {finding.status}", finding.reason or "")
    if finding.witness is None:
        raise UserError(f"{name} was canonical in all that was asked", "there is no difference to reproduce")
    raise UserError(
        f"{finding.library} {finding.version} has no script.py.txt that says how it is called",
        "adapters/README.md describes it",
    )
