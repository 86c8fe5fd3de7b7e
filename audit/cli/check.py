"""``audit check``: does every pinned library version still compute what was accepted?"""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli.group import DRIFTED
from audit.cli.options import Adapters, Chosen, Every, Jobs, Timeout, choose

if TYPE_CHECKING:
    from audit.pins.pin_check import Checked


class Format(StrEnum):
    """How drift is printed."""

    text = "text"
    json = "json"
    github = "github"


def check(
    libraries: Chosen = None,
    form: Annotated[Format, typer.Option("--format", help="github: annotations of a workflow run.")] = Format.text,
    every: Every = False,
    jobs: Jobs = None,
    timeout: Timeout = 120.0,
    adapters: Adapters = None,
) -> None:
    """Audit library versions and hold the result against what was accepted.

    Silent while digits move; ends with 1 where a definition or an edge behaviour changed, a function came or went, a
    library does not run, an expectation is stale, or there is none. Asked on the probes and on synthetic data.

    \b
    Examples:
      audit check
      audit check -l rs_metrics==0.6.0 --format github
    """
    from audit.cli.pins import audited
    from audit.pins.pin_check import check as hold

    checked = hold(choose(adapters, libraries, every), lambda some: audited(some, jobs, timeout))
    _print(checked, form)
    if checked.drifts:
        raise typer.Exit(DRIFTED)


def _print(checked: Checked, form: Format) -> None:
    from reports.renderers import drift_formats

    if form is Format.json:
        typer.echo(drift_formats.as_json(checked.drifts))
        return
    if form is Format.github:
        found = [(each, _relative(checked.file_of(each))) for each in checked.drifts]
        typer.echo(drift_formats.as_annotations(found), nl=bool(found))
    elif checked.drifts:
        typer.echo(drift_formats.as_text(checked.drifts) + "\n")
    for line in checked.summary:
        typer.echo(line, err=form is not Format.text)


def _relative(path: Path) -> str:
    return os.path.relpath(path)
