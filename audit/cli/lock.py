"""``audit lock``: write the exact, hashed requirements of library versions, or check them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from audit.cli.group import DRIFTED
from audit.cli.options import Adapters, Timeout, one, registry


def lock(
    libraries: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME[==VERSION]]...", help="All where none is named.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Say what is wrong; write nothing, need no network.")] = False,
    upgrade: Annotated[bool, typer.Option("--upgrade", help="Try NAME's newest release; print the drift.")] = False,
    pin: Annotated[bool, typer.Option("--pin", help="With --upgrade: where there is drift, pin that release.")] = False,
    timeout: Timeout = 120.0,
    adapters: Adapters = None,
) -> None:
    """Write the locks of library versions, or check them, or try the newest release.

    --upgrade locks the newest release in the cache, audits it, and prints what means something else than in the last
    pinned version as Markdown; it ends with 1 where there is drift, and changes no file without --pin.

    \b
    Examples:
      audit lock --check
      audit lock rs_metrics==0.6.0
      audit lock mine --adapters my-adapters
      audit lock --upgrade rs_metrics
    """
    from audit.environments.locking import check_lock, orphans, write_lock
    from audit.errors import UserError
    from audit.libraries.discovery import refuse_installed, select, whole

    if upgrade or pin:
        _upgrade(libraries or [], pin, timeout, adapters)
        return
    chosen = select(registry(adapters), libraries or ())
    if check:
        faults = [fault for pair in chosen for fault in check_lock(*pair)]
        faults += [fault for manifest in whole(chosen) for fault in orphans(manifest)]
        if faults:
            raise UserError("\n".join(faults), "make them again: audit lock NAME==VERSION")
        typer.echo(f"{sum(version.unavailable is None for _, version in chosen)} locks are in order")
        return
    for manifest, _ in chosen:
        refuse_installed(manifest.folder)
    for manifest, version in chosen:
        if version.unavailable is not None:
            typer.echo(f"{manifest.name} {version.version}: no lock: {version.unavailable}", err=True)
            continue
        typer.echo(f"{manifest.name} {version.version}: resolving", err=True)
        typer.echo(str(write_lock(manifest, version)))


def _upgrade(names: list[str], write: bool, timeout: float, adapters: list[Path] | None) -> None:
    from audit.cli.pins import audited
    from audit.errors import UserError
    from audit.libraries.discovery import refuse_installed
    from audit.pins.upgrade import pin, upgrade
    from reports.renderers.drift_formats import as_pull_request

    if len(names) != 1:
        raise UserError("--upgrade and --pin take one library", "audit lock --upgrade NAME")
    manifest = one(adapters, names[0])
    if write:
        refuse_installed(manifest.folder)
    if all(version.git is not None for version in manifest.versions):
        typer.echo(f"{manifest.name} comes from a repository: its versions are pinned by hand", err=True)
        return
    found = upgrade(manifest, lambda chosen: audited(chosen, None, timeout))
    if found is None:
        typer.echo(f"{manifest.name}: the newest release is pinned", err=True)
        return
    typer.echo(as_pull_request(found.title, found.drifts, found.same), nl=False)
    if found.drifts:
        for path in pin(found) if write else ():
            typer.echo(f"written: {path}", err=True)
        raise typer.Exit(DRIFTED)
