"""``audit fetch``: clone the pinned commits of libraries that come from a repository."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recsys_metric_audit.audit.cli.shared.library_choice import all_libraries
from recsys_metric_audit.audit.cli.shared.options import Adapters
from recsys_metric_audit.audit.cli.shared.safe_text import say


def fetch(
    libraries: Annotated[list[str], typer.Argument(metavar="NAME[==VERSION]...", help="Libraries or versions.")],
    folder: Annotated[
        Path | None,
        typer.Option("--dir", metavar="DIR", help="Folder of the clone, for one version. Default: in the cache."),
    ] = None,
    mirror: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Clone from here: https, ssh, or a folder. Default: as library.toml says."
        ),
    ] = None,
    adapters: Adapters = None,
) -> None:
    """Clone libraries that come from a repository.

    Clones the pinned commits. Later runs find the clones in the cache by themselves and run them instead of replaying
    recordings; a clone in --dir has to be passed with --source. Git runs without your settings, so that nothing they
    or a repository name is executed; --mirror takes the same commit from elsewhere.

    \b
    Examples:
      audit fetch elliot
      audit fetch neurec==2.00 --dir checkouts/neurec
      audit fetch elliot --mirror /srv/mirrors/elliot.git
    """
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.audit.libraries.discovery import select
    from recsys_metric_audit.audit.sources import clone

    named = [request.partition("==")[0].strip() for request in libraries if "==" in request]
    chosen = select(all_libraries(adapters), libraries)
    wanted = [pair for pair in chosen if pair[1].git is not None or pair[0].name in named] or chosen
    if folder is not None and len(wanted) > 1:
        versions = ", ".join(f"{manifest.name}=={version.version}" for manifest, version in wanted)
        raise UserError(f"--dir takes one version, and there are {len(wanted)}: {versions}", "name one of them")
    if mirror is not None and len({manifest.name for manifest, _ in wanted}) > 1:
        raise UserError("--mirror is of one library", "fetch one library at a time")
    for manifest, version in wanted:
        say(f"{manifest.name} {version.version}: cloning {mirror or manifest.origin(version)}", err=True)
        say(str(clone.fetch(manifest, version, folder, mirror=mirror)))
