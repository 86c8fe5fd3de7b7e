"""What ``index.html`` shows, as plain values: pure functions of the result, printed by the templates."""

from __future__ import annotations

from dataclasses import dataclass

from reports.anchors import library_anchor
from reports.answer import QUESTION, answer
from reports.findings import Metric, metrics
from reports.paper import tables
from reports.plain import Pairs, Passage, one_line, passage, web_link
from reports.result import Dataset, Library, Result
from reports.table import Table


@dataclass(frozen=True)
class LibraryView:
    """One library version and its environment."""

    anchor: str
    title: str
    version: str
    about: str
    link: str | None
    status: str
    facts: Pairs
    reason: Passage | None
    log: Passage | None
    installed: Pairs
    stubs: Pairs
    out_of_scope: Pairs


@dataclass(frozen=True)
class Page:
    """The whole page."""

    question: str
    answer: str
    run: Pairs
    data: Pairs
    choices: Pairs
    facts: tuple[str, ...]
    tables: tuple[Table, ...]
    metrics: tuple[Metric, ...]
    libraries: tuple[LibraryView, ...]


def page(result: Result) -> Page:
    """Return everything that the page of ``result`` shows."""
    return Page(
        question=QUESTION,
        answer=answer(result),
        run=_run(result),
        data=_data(result.dataset),
        choices=tuple(result.dataset.choices.items()),
        facts=result.dataset.facts,
        tables=tables(result),
        metrics=metrics(result),
        libraries=tuple(_library(entry) for entry in result.libraries),
    )


def _run(result: Result) -> Pairs:
    return (
        ("Command", result.command),
        ("Time", result.time.strftime("%Y-%m-%d %H:%M UTC")),
        ("Tool", f"recsys-metric-audit {result.tool}"),
        ("Platform", result.platform),
        ("Cut-off k", ", ".join(str(k) for k in result.k)),
    )


def _data(data: Dataset) -> Pairs:
    return (
        ("Data", data.name),
        ("Users", f"{data.users:,}"),
        ("Items", f"{data.items:,}"),
        ("Relevant pairs", f"{data.pairs:,}"),
        ("Recommended rows", f"{data.rows:,}"),
        ("Digest", data.digest),
    )


def _library(entry: Library) -> LibraryView:
    facts = [
        ("Source", entry.source),
        ("Python", entry.python),
        ("Time", "" if entry.seconds is None else f"{entry.seconds:.1f} s"),
        ("Run", "live" if entry.live else f"replayed from a recording of {entry.recorded or 'an unknown day'}"),
        ("Caution", entry.caution),
    ]
    return LibraryView(
        anchor=library_anchor(entry),
        title=one_line(entry.title),
        version=entry.version,
        about=entry.about,
        link=web_link(entry.homepage),
        status=entry.status,
        facts=tuple((name, words) for name, words in facts if words),
        reason=passage(entry.reason) if entry.reason else None,
        log=passage(entry.log, end=True) if entry.log.strip() else None,
        installed=tuple(sorted(entry.installed.items())),
        stubs=tuple(entry.stubs.items()),
        out_of_scope=tuple(entry.out_of_scope.items()),
    )
