"""``audit lock``: write the locks of library versions (exact, hashed requirements), check them, or try a release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recsys_metric_audit.audit.cli.shared.exit_codes import DRIFTED
from recsys_metric_audit.audit.cli.shared.library_choice import all_libraries, one_library
from recsys_metric_audit.audit.cli.shared.options import Adapters, Timeout
from recsys_metric_audit.audit.cli.shared.safe_text import say, show


def lock(
    libraries: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME[==VERSION]]...", help="Libraries or versions. Default: all.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Only check the locks; needs no network.")] = False,
    upgrade: Annotated[
        bool, typer.Option("--upgrade", help="Audit NAME's newest release and print what changed.")
    ] = False,
    pin: Annotated[bool, typer.Option("--pin", help="With --upgrade: pin that release if anything changed.")] = False,
    timeout: Timeout = 120.0,
    adapters: Adapters = None,
) -> None:
    """Lock the environments of libraries, or check locks.

    A lock lists the exact, hashed requirements of one library version. With --upgrade, the newest release of one
    library is locked in the cache and audited instead, and what it computes differently from the last pinned version
    (its formula, who counts, its input handling) is printed as Markdown; exit code 1 if anything changed. No file is
    changed without --pin.

    \b
    Examples:
      audit lock --check
      audit lock rs_metrics==0.6.0
      audit lock mine --adapters my-adapters
      audit lock --upgrade rs_metrics
    """
    from recsys_metric_audit.audit.environments.locking import check_lock, orphans, write_lock
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.audit.libraries.discovery import refuse_installed, select, whole

    if upgrade or pin:
        _upgrade(libraries or [], pin, timeout, adapters)
        return
    chosen = select(all_libraries(adapters), libraries or ())
    if check:
        faults = [fault for pair in chosen for fault in check_lock(*pair)]
        faults += [fault for manifest in whole(chosen) for fault in orphans(manifest)]
        if faults:
            raise UserError("\n".join(faults), "make them again: audit lock NAME==VERSION")
        say(f"{sum(version.unavailable is None for _, version in chosen)} locks are in order")
        return
    for manifest, _ in chosen:
        refuse_installed(manifest.folder)
    for manifest, version in chosen:
        if version.unavailable is not None:
            say(f"{manifest.name} {version.version}: no lock: {version.unavailable}", err=True)
            continue
        say(f"{manifest.name} {version.version}: resolving", err=True)
        say(str(write_lock(manifest, version)))


def _upgrade(names: list[str], write: bool, timeout: float, adapters: list[Path] | None) -> None:
    from recsys_metric_audit.audit.cli.progress.audit_with_progress import audit_with_progress
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.audit.libraries.discovery import refuse_installed
    from recsys_metric_audit.audit.pins.upgrade import add_version, try_upgrade
    from recsys_metric_audit.reports.renderers.drift_formats import as_pull_request

    if len(names) != 1:
        raise UserError("--upgrade and --pin take one library", "audit lock --upgrade NAME")
    manifest = one_library(adapters, names[0])
    if write:
        refuse_installed(manifest.folder)
    if all(version.git is not None for version in manifest.versions):
        say(f"{manifest.name} comes from a repository: its versions are pinned by hand", err=True)
        return
    found = try_upgrade(manifest, lambda chosen: audit_with_progress(chosen, None, timeout))
    if found is None:
        say(f"{manifest.name}: the newest release is pinned", err=True)
        return
    show(as_pull_request(found.title, found.drifts, found.same), nl=False)
    if found.drifts:
        for path in add_version(found) if write else ():
            say(f"written: {path}", err=True)
        raise typer.Exit(DRIFTED)
