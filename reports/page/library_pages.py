"""The page of each library: its versions over time, what changed, how it meets edge cases, where it ran."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reports.model.result import Finding, Library, Result
from reports.page.edge_groups import Edges, alike, edges, letters_of
from reports.wording.anchors import finding_anchor, fragment, library_anchor
from reports.wording.formatting import Pairs, Passage, one_line, passage, rounded, web_link
from reports.wording.labels import STATUS_LABELS, metric_title
from reports.wording.meaning_groups import hue
from reports.wording.meanings import meaning_in_words
from reports.wording.variant_letters import VariantLetters, assign_letters


@dataclass(frozen=True)
class VersionView:
    """One version and its environment."""

    anchor: str
    version: str
    status: str
    facts: Pairs
    reason: Passage | None
    log: Passage | None
    installed: Pairs
    stubs: Pairs
    out_of_scope: Pairs


@dataclass(frozen=True)
class Spot:
    """What one function of one version computes; ``changed`` where the version before it computed another thing.

    ``link`` is empty where the version after it computes the same: that one has the link.
    """

    text: str
    mark: str
    hue: str
    verdict: str
    link: str
    changed: bool
    wide: int = 1
    """Versions next to each other that show the same: they share a cell."""


@dataclass(frozen=True)
class Function:
    """One function at one cut-off over all versions, newest first, those that show the same as one.

    ``None`` where a version does not have it.
    """

    name: str
    metric: str
    k: str
    edges: str
    """The letter under which :class:`Edges` tells of it."""
    spots: tuple[Spot | None, ...]


@dataclass(frozen=True)
class Change:
    """What a function computed before, and computes from a version on."""

    function: str
    k: str
    before: str
    after: str
    old: str
    new: str
    link: str


@dataclass(frozen=True)
class LibraryPage:
    """One library with all its versions."""

    anchor: str
    title: str
    about: str
    link: str | None
    versions: tuple[VersionView, ...]
    functions: tuple[Function, ...]
    changes: tuple[Change, ...]
    edges: Edges


def library_pages(result: Result) -> tuple[LibraryPage, ...]:
    """Return the page of every library in the order of the run."""
    marks = assign_letters(result)
    names = dict.fromkeys(entry.library for entry in result.libraries)
    return tuple(_page([e for e in result.libraries if e.library == name], result, marks) for name in names)


def _page(versions: Sequence[Library], result: Result, marks: VariantLetters) -> LibraryPage:
    first = versions[0]
    found = [finding for finding in result.findings if finding.library == first.library]
    by_place = {(f.function, f.k, f.version): f for f in found}
    places = dict.fromkeys((f.function, f.k, f.metric) for f in found)
    same = alike(found, result.experiments)
    functions = []
    changes: list[Change] = []
    for function, k, metric in places:
        row = [by_place.get((function, k, entry.version)) for entry in versions]
        spots = _together([_spot(row, n, marks) for n in range(len(row))])
        cut = "–" if k is None else str(k)
        functions.append(Function(function, metric_title(metric), cut, letters_of(function, same), spots))
        changes += [made for n in range(len(row) - 1) if (made := _change(row[n + 1], row[n])) is not None]
    return LibraryPage(
        anchor=fragment("library", first.library),
        title=one_line(first.title),
        about=first.about,
        link=web_link(first.homepage),
        versions=tuple(_version(entry) for entry in versions),
        functions=tuple(functions),
        changes=tuple(changes),
        edges=edges(first.library, same, result.experiments),
    )


def _spot(row: Sequence[Finding | None], number: int, marks: VariantLetters) -> Spot | None:
    finding = row[number]
    if finding is None:
        return None
    before = row[number + 1] if number + 1 < len(row) else None
    mark = marks.mark(finding)
    shown = "per user" if finding.value is None else rounded(finding.value)
    text = shown if finding.verdict else STATUS_LABELS[finding.status]
    verdict = finding.verdict or finding.status
    newer = row[number - 1] if number else None
    link = "" if newer is not None and not _differ(newer, finding) else finding_anchor(finding)
    return Spot(text, mark, hue(mark), verdict, link, _differ(before, finding))


def _together(spots: Sequence[Spot | None]) -> tuple[Spot | None, ...]:
    """Return ``spots`` with each run of the same as one; whether it changed is told by the last, the oldest, of it."""
    found: list[Spot | None] = []
    for spot in spots:
        last = found[-1] if found else None
        if spot and last and not last.changed and (spot.text, spot.mark, spot.verdict) == (
            last.text, last.mark, last.verdict
        ):  # fmt: skip
            found[-1] = replace(last, wide=last.wide + 1, changed=spot.changed)
        else:
            found.append(spot)
    return tuple(found)


def _differ(before: Finding | None, finding: Finding) -> bool:
    return before is not None and meaning_in_words(before) != meaning_in_words(finding)


def _change(before: Finding | None, finding: Finding | None) -> Change | None:
    if before is None or finding is None or not _differ(before, finding):
        return None
    k = "–" if finding.k is None else str(finding.k)
    was, now = meaning_in_words(before), meaning_in_words(finding)
    return Change(finding.function, k, before.version, finding.version, was, now, finding_anchor(finding))


def _run(entry: Library) -> str:
    if not entry.live:
        return f"replayed from a recording of {entry.recorded or 'an unknown day'}"
    return "live" if entry.kept is None else f"live; what it answered on {entry.kept} or before was not asked again"


def _version(entry: Library) -> VersionView:
    facts = [
        ("Source", entry.source),
        ("Python", entry.python),
        ("Time", "" if entry.seconds is None else f"{entry.seconds:.1f} s"),
        ("Run", _run(entry)),
        ("Caution", entry.caution),
    ]
    return VersionView(
        anchor=library_anchor(entry),
        version=entry.version,
        status=entry.status,
        facts=tuple((name, words) for name, words in facts if words),
        reason=passage(entry.reason) if entry.reason else None,
        log=passage(entry.log, end=True) if entry.log.strip() else None,
        installed=tuple(sorted(entry.installed.items())),
        stubs=tuple(entry.stubs.items()),
        out_of_scope=tuple(entry.out_of_scope.items()),
    )
