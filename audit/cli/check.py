"""``audit check``: does every pinned library version still compute what was accepted?"""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recsys_metric_audit.audit.cli.shared.exit_codes import DRIFTED, INTERRUPTED
from recsys_metric_audit.audit.cli.shared.library_choice import choose_versions
from recsys_metric_audit.audit.cli.shared.options import Adapters, Chosen, Every, Jobs, Sources, Timeout
from recsys_metric_audit.audit.cli.shared.safe_text import say, show, show_annotations

if TYPE_CHECKING:
    from recsys_metric_audit.audit.pins.pin_check import CheckedPins


class Format(StrEnum):
    """The formats of drift."""

    text = "text"
    json = "json"
    github = "github"


def check(
    libraries: Chosen = None,
    form: Annotated[
        Format, typer.Option("--format", help="Output format; github: annotations of a GitHub workflow run.")
    ] = Format.text,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail on warnings too: input handling, axes known or unknown.")
    ] = False,
    every: Every = False,
    jobs: Jobs = None,
    timeout: Timeout = 120.0,
    adapters: Adapters = None,
    source: Sources = None,
) -> None:
    """Check that libraries still compute what was accepted.

    Audits library versions on probe inputs and a small synthetic dataset, and compares what they compute with their
    pins (written by `audit accept`). Exit code 1 if a formula changed, or who counts, a function came or went, a
    library does not run, or a pin is missing or out of date. Changed input handling alone is a warning, and so are
    axes that became known or unknown; --strict fails on them too. Last digits may change. Where an interrupt ends the
    check, what was found of finished versions is printed.

    \b
    Examples:
      audit check
      audit check -l rs_metrics==0.6.0 --format github
      audit check --strict
      audit check -l mine==1.2 --adapters adapters --source mine=src
    """
    from recsys_metric_audit.audit.cli.progress.audit_with_progress import audit_with_progress
    from recsys_metric_audit.audit.cli.shared.run_inputs import folders_in_place
    from recsys_metric_audit.audit.pins.pin_check import check_pins

    chosen = choose_versions(adapters, libraries, every)
    sources = folders_in_place(source, chosen)
    checked = check_pins(chosen, lambda runnable: audit_with_progress(runnable, jobs, timeout, sources))
    _print(checked, form, strict)
    if checked.is_interrupted:
        say(f"audit: interrupted; {len(checked.summary)} of {len(chosen)} versions were checked", err=True)
        raise typer.Exit(INTERRUPTED)
    if checked.fails(strict=strict):
        raise typer.Exit(DRIFTED)


def _print(checked: CheckedPins, form: Format, strict: bool) -> None:
    from recsys_metric_audit.reports.renderers import drift_formats

    if form is Format.json:
        show(drift_formats.as_json(checked.drifts))
        return
    if form is Format.github:
        found = [(each, _relative(checked.file_of(each))) for each in checked.drifts]
        show_annotations(drift_formats.as_annotations(found, strict=strict))
    elif checked.drifts:
        show(drift_formats.as_text(checked.drifts) + "\n")
    for line in checked.summary:
        say(line, err=form is not Format.text)


def _relative(path: Path) -> str:
    return os.path.relpath(path)
