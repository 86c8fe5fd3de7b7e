"""``audit bisect``: the release at which a function began to compute something else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recsys_metric_audit.audit.cli.shared.library_choice import one_library
from recsys_metric_audit.audit.cli.shared.options import Adapters, Timeout
from recsys_metric_audit.audit.cli.shared.safe_text import say

if TYPE_CHECKING:
    from recsys_metric_audit.audit.pins.release_bisection import Change


def bisect(
    library: Annotated[str, typer.Argument(metavar="LIBRARY", help="A library's name, as `audit list` prints it.")],
    function: Annotated[str, typer.Argument(metavar="FUNCTION", help="A function's name, in full or its last part.")],
    start: Annotated[str, typer.Option("--from", metavar="VERSION", help="The older version.")],
    end: Annotated[str, typer.Option("--to", metavar="VERSION", help="The newer version.")],
    index: Annotated[
        bool, typer.Option("--index", help="Search all releases of the package index. Default: only pinned versions.")
    ] = False,
    timeout: Timeout = 120.0,
    adapters: Adapters = None,
) -> None:
    """Find the release that changed what a function computes.

    Halves the versions between two ends until two neighbours are left that differ. Releases that are not pinned are
    locked in the cache; only releases that are audited are built.

    \b
    Examples:
      audit bisect rs_metrics mapr --from 0.3.0 --to 0.6.0
      audit bisect rs_metrics mapr --from 0.3.0 --to 0.6.0 --index
    """
    from recsys_metric_audit.audit.cli.progress.audit_with_progress import audit_with_progress
    from recsys_metric_audit.audit.pins import release_bisection

    manifest = one_library(adapters, library)
    named = release_bisection.function_named(manifest, function)
    releases = release_bisection.releases_between(manifest, start, end, index)
    _print(
        release_bisection.bisect(manifest, named, releases, lambda chosen: audit_with_progress(chosen, None, timeout))
    )


def _print(found: Change) -> None:
    from recsys_metric_audit.reports.renderers.drift_formats import details

    if found.drift is None:
        say(f"{found.function} computes the same in {found.after} and in {found.at}")
        return
    say(f"{found.function} changed in {found.at}, after {found.after}")
    lines = details(found.drift)
    if found.unknown:
        lines.append(("unknown", f"{', '.join(found.unknown)}: they do not run, so it may have been one of them"))
    lines.append(("asked", f"{', '.join(found.asked)} ({len(found.asked)} of {len(found.searched)})"))
    for name, words in lines:
        say(f"  {name:<9} {words}")
