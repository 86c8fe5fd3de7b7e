"""``audit check``, ``accept``, ``history``, ``bisect`` and ``badge``: what versions compute, against their pins."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from recsys_metric_audit.audit.cli.shared import options, output
from recsys_metric_audit.audit.cli.shared.inputs import all_libraries, choose_versions, folders_in_place, one_library
from recsys_metric_audit.audit.cli.shared.output import DRIFTED, INTERRUPTED, NOT_AUDITED, say, show, show_wrapped
from recsys_metric_audit.audit.errors import UserError

if TYPE_CHECKING:
    from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
    from recsys_metric_audit.audit.pins.pin_check import CheckedPins
    from recsys_metric_audit.audit.pins.releases import Change


DriftFormat = StrEnum("DriftFormat", ("text", "json", "github"))
"""The formats of drift."""


def check(
    libraries: list[str] | None = options.CHOSEN,
    form: DriftFormat = typer.Option(
        DriftFormat.text, "--format", help="Output format; github: annotations of a GitHub workflow run."
    ),
    strict: bool = typer.Option(False, "--strict", help="Fail on warnings too: input handling, axes known or unknown."),
    every: bool = options.EVERY,
    jobs: int | None = options.JOBS,
    timeout: float = options.TIMEOUT,
    adapters: list[Path] | None = options.ADAPTERS,
    source: list[str] | None = options.SOURCES,
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
    from recsys_metric_audit.audit.cli.shared.progress import audit_with_progress
    from recsys_metric_audit.audit.pins.pin_check import check_pins

    chosen = choose_versions(adapters, libraries, every)
    sources = folders_in_place(source, chosen)
    checked = check_pins(chosen, lambda runnable: audit_with_progress(runnable, jobs, timeout, sources))
    _print_check(checked, form, strict)
    if checked.is_interrupted:
        say(f"audit: interrupted; {len(checked.summary)} of {len(chosen)} versions were checked", err=True)
        raise typer.Exit(INTERRUPTED)
    if checked.fails(strict=strict):
        raise typer.Exit(DRIFTED)


def _print_check(checked: CheckedPins, form: DriftFormat, strict: bool) -> None:
    from recsys_metric_audit.reports.renderers import drift_formats

    if form is DriftFormat.json:
        show(drift_formats.as_json(checked.drifts))
        return
    if form is DriftFormat.github:
        found = [(each, os.path.relpath(checked.file_of(each))) for each in checked.drifts]
        output.show_annotations(drift_formats.as_annotations(found, strict=strict))
    elif checked.drifts:
        show(drift_formats.as_text(checked.drifts) + "\n")
    for line in checked.summary:
        say(line, err=form is not DriftFormat.text)


def accept(
    libraries: list[str] | None = options.CHOSEN,
    yes: bool = typer.Option(False, "--yes", help="Write the pins. Default: only print what would change."),
    every: bool = options.EVERY,
    jobs: int | None = options.JOBS,
    timeout: float = options.TIMEOUT,
    adapters: list[Path] | None = options.ADAPTERS,
    source: list[str] | None = options.SOURCES,
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
    from recsys_metric_audit.audit.cli.shared.progress import audit_with_progress
    from recsys_metric_audit.audit.libraries.discovery import refuse_installed
    from recsys_metric_audit.audit.pins.pin_check import propose_pins
    from recsys_metric_audit.reports.pins.expectation import meaning_lines
    from recsys_metric_audit.reports.renderers.drift_formats import as_text

    chosen = choose_versions(adapters, libraries, every)
    for manifest, _ in chosen:
        refuse_installed(manifest.folder)
    sources = folders_in_place(source, chosen)
    proposals = propose_pins(chosen, audit_with_progress(chosen, jobs, timeout, sources))
    for proposal in proposals:
        meanings = "" if proposal.renews or proposal.found is None else meaning_lines(proposal.found)
        show(f"{proposal.heading}\n{as_text(proposal.drifts)}{meanings}".rstrip() + "\n")
        if yes and proposal.found is not None and proposal.differs:
            say(f"written: {proposal.write()}\n")
    if any(proposal.found is None for proposal in proposals):
        raise typer.Exit(NOT_AUDITED)
    if not yes and any(proposal.differs for proposal in proposals):
        say("nothing was written; to accept this, type it again with --yes", err=True)
        raise typer.Exit(DRIFTED)


def history(
    library: str | None = typer.Argument(
        None, metavar="[LIBRARY]", help="A library's name, as `audit list` prints it. Default: none."
    ),
    metric: str | None = typer.Option(
        None, metavar="NAME", help="Only functions called after this metric. Default: all."
    ),
    form: options.TextMdOrJson = options.FORM_TEXT_MD_OR_JSON,
    page: Path | None = typer.Option(
        None, metavar="FILE", help="Write a page on all libraries, from accepted versions. Default: none."
    ),
    jobs: int | None = options.JOBS,
    timeout: float = options.TIMEOUT,
    adapters: list[Path] | None = options.ADAPTERS,
) -> None:
    """Print what functions computed from version to version.

    Covers every pinned version of a library, and marks the versions in which a definition changed. Accepted versions
    are read from their pins; the others are audited. With --page in place of a library, a page says what changed in
    every library between its accepted versions, and since the paper of 2021.

    \b
    Examples:
      audit history rs_metrics
      audit history rs_metrics --metric average_precision --format md
      audit history --page docs/then-and-now.md
    """
    if (library is None) == (page is None):
        raise UserError("a history is of one library, or is a page on all", "audit history LIBRARY, or --page FILE")
    if page is not None:
        _write_page(page, adapters)
        return
    assert library is not None
    from recsys_metric_audit.audit.cli.shared.progress import audit_with_progress
    from recsys_metric_audit.audit.pins.releases import library_history
    from recsys_metric_audit.reports.renderers import history_formats as formats

    found = library_history(
        one_library(adapters, library), metric, lambda chosen: audit_with_progress(chosen, jobs, timeout)
    )
    write = {
        options.TextMdOrJson.text: formats.as_text,
        options.TextMdOrJson.md: formats.as_markdown,
        options.TextMdOrJson.json: formats.as_json,
    }[form]
    (show_wrapped if write is formats.as_text else show)(write(found))


def _write_page(page: Path, adapters: list[Path] | None) -> None:
    from recsys_metric_audit.audit.pins.pin_drift import library_meanings
    from recsys_metric_audit.reports.model.atomic_write import write_file
    from recsys_metric_audit.reports.model.result_file import packaged_run
    from recsys_metric_audit.reports.writers.history_page import history_page

    libraries = library_meanings(all_libraries(adapters).values())
    write_file(history_page(libraries, packaged_run().result), page)
    show(f"{len(libraries)} libraries in {page}")


def bisect(
    library: str = typer.Argument(metavar="LIBRARY", help="A library's name, as `audit list` prints it."),
    function: str = typer.Argument(metavar="FUNCTION", help="A function's name, in full or its last part."),
    start: str = typer.Option(..., "--from", metavar="VERSION", help="The older version."),
    end: str = typer.Option(..., "--to", metavar="VERSION", help="The newer version."),
    index: bool = typer.Option(
        False, "--index", help="Search all releases of the package index. Default: only pinned versions."
    ),
    timeout: float = options.TIMEOUT,
    adapters: list[Path] | None = options.ADAPTERS,
) -> None:
    """Find the release that changed what a function computes.

    Halves the versions between two ends until two neighbours are left that differ. Releases that are not pinned are
    locked in the cache; only releases that are audited are built.

    \b
    Examples:
      audit bisect rs_metrics mapr --from 0.3.0 --to 0.6.0
      audit bisect rs_metrics mapr --from 0.3.0 --to 0.6.0 --index
    """
    from recsys_metric_audit.audit.cli.shared.progress import audit_with_progress
    from recsys_metric_audit.audit.pins import releases

    manifest = one_library(adapters, library)
    named = releases.function_named(manifest, function)
    searched = releases.releases_between(manifest, start, end, index)
    _print_change(releases.bisect(manifest, named, searched, lambda chosen: audit_with_progress(chosen, None, timeout)))


def _print_change(found: Change) -> None:
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


BadgeFormat = StrEnum("BadgeFormat", ("svg", "json"))
"""The formats of a badge."""


def badge(
    library: str = typer.Argument(
        metavar="LIBRARY[==VERSION]", help="A library. Default version: the newest pinned one."
    ),
    metric: str = typer.Option(metavar="NAME", help="A metric: ndcg, recall, ..."),
    form: BadgeFormat = typer.Option(
        BadgeFormat.svg, "--format", help="An image, or JSON for the endpoint badges of shields.io."
    ),
    out: Path | None = options.OUT_FILE,
    timeout: float = options.TIMEOUT,
    adapters: list[Path] | None = options.ADAPTERS,
) -> None:
    """Draw a badge of what a library means by a metric.

    An accepted version is read from its pin; another one is audited.

    \b
    Examples:
      audit badge rs_metrics --metric ndcg --out ndcg.svg
      audit badge recbole==1.2.1 --metric ndcg --format json
    """
    from recsys_metric_audit.audit.cli.shared.progress import audit_with_progress
    from recsys_metric_audit.audit.libraries.discovery import select
    from recsys_metric_audit.audit.pins.releases import newest_version, pinned_or_audited
    from recsys_metric_audit.reports.pins.badge_text import as_endpoint, as_svg, default_function
    from recsys_metric_audit.reports.pins.badge_text import badge as badge_text

    manifest, version = newest_version(select(all_libraries(adapters), [library]))
    _refuse_unknown(manifest, version, metric)
    found = pinned_or_audited(manifest, version, lambda chosen: audit_with_progress(chosen, None, timeout))
    render = as_svg if form is BadgeFormat.svg else as_endpoint
    text = render(badge_text(metric, default_function(found, metric)))
    if out is None:
        show(text, nl=False)
        return
    _write_badge(out, text)
    say(f"written: {out}", err=True)


def _refuse_unknown(manifest: Manifest, version: Version, metric: str) -> None:

    known = dict.fromkeys(function.metric for function in manifest.functions_of(version))
    if metric not in known:
        raise UserError(
            f"{manifest.name} {version.version} has no function called {metric}", f"it has {', '.join(known)}"
        )


def _write_badge(path: Path, text: str) -> None:
    from recsys_metric_audit.reports.model.atomic_write import replace_file

    try:
        replace_file(path, text)
    except OSError as error:
        raise UserError(f"--out {path}: cannot be written ({error.strerror})", "choose another file") from error
