"""``audit accept``: pin what library versions compute today."""

from __future__ import annotations

from typing import Annotated

import typer

from recsys_metric_audit.audit.cli.shared.exit_codes import DRIFTED, NOT_AUDITED
from recsys_metric_audit.audit.cli.shared.library_choice import choose_versions
from recsys_metric_audit.audit.cli.shared.options import Adapters, Chosen, Every, Jobs, Sources, Timeout
from recsys_metric_audit.audit.cli.shared.safe_text import say, show


def accept(
    libraries: Chosen = None,
    yes: Annotated[bool, typer.Option("--yes", help="Write the pins. Default: only print what would change.")] = False,
    every: Every = False,
    jobs: Jobs = None,
    timeout: Timeout = 120.0,
    adapters: Adapters = None,
    source: Sources = None,
) -> None:
    """Accept what is computed today, for later checks.

    Audits library versions, prints what changed since they were last accepted and, with --yes, writes it to the
    adapter's expected/VERSION.json, the pin that `audit check` compares with. Read the difference before you add
    --yes; no script should do it for you. Exit code 1: a difference was printed and not written; 3: a version could
    not be audited, and its pin stays as it is.

    \b
    Examples:
      audit accept -l rs_metrics==0.6.0
      audit accept -l rs_metrics==0.6.0 --yes
    """
    from recsys_metric_audit.audit.cli.progress.audit_with_progress import audit_with_progress
    from recsys_metric_audit.audit.cli.shared.run_inputs import folders_in_place
    from recsys_metric_audit.audit.libraries.discovery import refuse_installed
    from recsys_metric_audit.audit.pins.acceptance import propose_pins
    from recsys_metric_audit.reports.renderers.drift_formats import as_text

    chosen = choose_versions(adapters, libraries, every)
    for manifest, _ in chosen:
        refuse_installed(manifest.folder)
    sources = folders_in_place(source, chosen)
    proposals = propose_pins(chosen, audit_with_progress(chosen, jobs, timeout, sources))
    for proposal in proposals:
        show(f"{proposal.heading}\n{as_text(proposal.drifts)}".rstrip() + "\n")
        if yes and proposal.found is not None and proposal.differs:
            say(f"written: {proposal.write()}\n")
    if any(proposal.found is None for proposal in proposals):
        raise typer.Exit(NOT_AUDITED)
    if not yes and any(proposal.differs for proposal in proposals):
        say("nothing was written; to accept this, type it again with --yes", err=True)
        raise typer.Exit(DRIFTED)
