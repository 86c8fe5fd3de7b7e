"""``audit lock``: write the exact, hashed requirements of library versions, or check them."""

from __future__ import annotations

from typing import Annotated

import typer

from audit.cli.options import Adapters, registry


def lock(
    libraries: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME[==VERSION]]...", help="All where none is named.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Say what is wrong; write nothing, need no network.")] = False,
    adapters: Adapters = None,
) -> None:
    """Write the locks of library versions, or check them.

    \b
    Examples:
      audit lock --check
      audit lock rs_metrics==0.6.0
      audit lock mine --adapters my-adapters
    """
    from audit.errors import UserError
    from audit.lock import check_lock, write_lock
    from audit.manifest import refuse_installed, select

    chosen = select(registry(adapters), libraries or ())
    if check:
        faults = [fault for one in chosen for fault in check_lock(*one)]
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
