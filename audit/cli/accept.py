"""``audit accept``: what is found today becomes what is expected."""

from __future__ import annotations

from typing import Annotated

import typer

from audit.cli.group import DRIFTED, NOT_AUDITED
from audit.cli.options import Adapters, Chosen, Every, Jobs, Timeout, choose


def accept(
    libraries: Chosen = None,
    yes: Annotated[bool, typer.Option("--yes", help="Write; without it, only what would change is shown.")] = False,
    every: Every = False,
    jobs: Jobs = None,
    timeout: Timeout = 120.0,
    adapters: Adapters = None,
) -> None:
    """Show what changed since the last acceptance and, with --yes, write expected/VERSION.json.

    A person types this after reading the difference; nothing automatic should. Ends with 1 where a difference was
    shown and not written, with 3 where a version could not be audited: its expectation stays as it is.

    \b
    Examples:
      audit accept -l rs_metrics==0.6.0
      audit accept -l rs_metrics==0.6.0 --yes
    """
    from audit.cli.pins import audited
    from audit.libraries.discovery import refuse_installed
    from audit.pins import pin_check
    from reports.renderers.drift_formats import as_text

    chosen = choose(adapters, libraries, every)
    for manifest, _ in chosen:
        refuse_installed(manifest.folder)
    offers = pin_check.offers(chosen, audited(chosen, jobs, timeout))
    for offer in offers:
        typer.echo(f"{offer.heading}\n{as_text(offer.drifts)}".rstrip() + "\n")
        if yes and offer.found is not None and offer.differs:
            typer.echo(f"written: {offer.write()}\n")
    if any(offer.found is None for offer in offers):
        raise typer.Exit(NOT_AUDITED)
    if not yes and any(offer.differs for offer in offers):
        typer.echo("nothing was written; to accept this, type it again with --yes", err=True)
        raise typer.Exit(DRIFTED)
