"""``audit fetch`` and ``audit record``: checkouts of git sources, and the recordings made of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli.options import Adapters, Sources, Timeout, registry

if TYPE_CHECKING:
    from audit.pins.renew_recordings import Recorded
    from audit.run import Request


def fetch(
    libraries: Annotated[list[str], typer.Argument(metavar="NAME[==VERSION]...", help="What to clone.")],
    folder: Annotated[
        Path | None, typer.Option("--dir", metavar="DIR", help="Where to; one version only. Default: where runs look.")
    ] = None,
    adapters: Adapters = None,
) -> None:
    """Clone the pinned commits of libraries that come from a repository.

    Later runs find the clones by themselves, unless they were put elsewhere with --dir.

    \b
    Examples:
      audit fetch elliot
      audit fetch neurec==2.00 --dir checkouts/neurec
    """
    from audit.errors import UserError
    from audit.libraries.discovery import select
    from audit.sources import clone as fetching

    named = [request.partition("==")[0].strip() for request in libraries if "==" in request]
    chosen = select(registry(adapters), libraries)
    wanted = [pair for pair in chosen if pair[1].git is not None or pair[0].name in named] or chosen
    if folder is not None and len(wanted) > 1:
        versions = ", ".join(f"{manifest.name}=={version.version}" for manifest, version in wanted)
        raise UserError(f"--dir takes one version, and there are {len(wanted)}: {versions}", "name one of them")
    for manifest, version in wanted:
        typer.echo(f"{manifest.name} {version.version}: cloning {manifest.origin(version)}", err=True)
        typer.echo(str(fetching.fetch(manifest, version, folder)))


def record(
    libraries: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME[==VERSION]]...", help="Default: every version that there is a checkout of."),
    ] = None,
    source: Sources = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing: say whether recording again gives the same, to the bit.")
    ] = False,
    timeout: Timeout = 120.0,
    adapters: Adapters = None,
) -> None:
    """Renew recordings: what checkouts answer to the probes and the default data, for those without a checkout.

    \b
    Examples:
      audit record --source elliot=checkouts/elliot-0.3.1 --source neurec=checkouts/neurec
      audit record elliot==0.3.1 --check --source elliot=checkouts/elliot-0.3.1
    """
    from audit.cli import inputs
    from audit.errors import UserError
    from audit.libraries.discovery import select
    from audit.pins import renew_recordings as recording

    inputs.positive("--timeout", timeout)
    request = recording.request(
        select(registry(adapters), libraries or ()), inputs.sources(source or []), bool(libraries), timeout,
        os.cpu_count() or 1,
    )  # fmt: skip
    made = _recorded(request)
    faults = [fault for each in made for fault in (each.differences() if check else each.write())]
    for each in made if not faults else ():
        typer.echo(f"{each.path}: {'the same' if check else 'written'}")
    if faults:
        raise UserError("\n".join(faults), "renew what changed for a reason: audit record NAME --source NAME=DIR")


def _recorded(request: Request) -> list[Recorded]:
    """Ask with the progress in sight."""
    from rich.console import Console

    from audit.cli.progress import watch
    from audit.pins import renew_recordings as recording

    with watch(Console(stderr=True), len(request.chosen)) as progress:
        return recording.record(request, progress)
