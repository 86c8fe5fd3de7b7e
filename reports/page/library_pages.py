"""The page of each library: its functions over all versions, changes, behaviour at the edges, environments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from recsys_metric_audit.reports.edges.edge_groups import EdgeTable, edge_table, group_by_behaviour, letters_of
from recsys_metric_audit.reports.model.result import Finding, Library, Result
from recsys_metric_audit.reports.wording.anchors import finding_anchor, fragment, library_anchor
from recsys_metric_audit.reports.wording.formatting import Pairs, Passage, one_line, passage, rounded, web_link
from recsys_metric_audit.reports.wording.labels import STATUS_LABELS, metric_title
from recsys_metric_audit.reports.wording.meanings import meaning_in_words
from recsys_metric_audit.reports.wording.variant_letters import VariantLetters, assign_letters, hue


@dataclass(frozen=True)
class VersionView:
    """One version of a library and its environment."""

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
class VersionCell:
    """The cell of one function in one version, or in consecutive versions with equal cells.

    Attributes:
        text: The value, or the status in its place.
        mark: KeyEntry of the meaning.
        hue: Class of its colour.
        verdict: Verdict, or the status.
        link: Anchor of the finding; empty if the next version computes the same and therefore has the link.
        changed: Whether the version before it computed something else.
        span: Number of versions that share the cell.
    """

    text: str
    mark: str
    hue: str
    verdict: str
    link: str
    changed: bool
    span: int = 1


@dataclass(frozen=True)
class FunctionRow:
    """The row of one function at one cut-off.

    Attributes:
        name: Name of the function.
        metric: Title of its metric.
        k: Cut-off, or a dash.
        edges: Its letter in the :class:`EdgeTable`.
        cells: Its cells over all versions, newest first; None for a version without the function.
    """

    name: str
    metric: str
    k: str
    edges: str
    cells: tuple[VersionCell | None, ...]


@dataclass(frozen=True)
class Change:
    """A change of what a function computes: ``old`` in version ``before``, ``new`` from version ``after`` on."""

    function: str
    k: str
    before: str
    after: str
    old: str
    new: str
    link: str


@dataclass(frozen=True)
class LibraryPage:
    """The page of one library with all its versions."""

    anchor: str
    title: str
    about: str
    link: str | None
    versions: tuple[VersionView, ...]
    functions: tuple[FunctionRow, ...]
    changes: tuple[Change, ...]
    edges: EdgeTable


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
    groups = group_by_behaviour(found, result.experiments)
    functions = []
    changes: list[Change] = []
    for function, k, metric in places:
        row = [by_place.get((function, k, entry.version)) for entry in versions]
        cells = _merge_equal([_version_cell(row, n, marks) for n in range(len(row))])
        cut = "–" if k is None else str(k)
        functions.append(FunctionRow(function, metric_title(metric), cut, letters_of(function, groups), cells))
        changes += [made for n in range(len(row) - 1) if (made := _change(row[n + 1], row[n])) is not None]
    return LibraryPage(
        anchor=fragment("library", first.library),
        title=one_line(first.title),
        about=first.about,
        link=web_link(first.homepage),
        versions=tuple(_version(entry) for entry in versions),
        functions=tuple(functions),
        changes=tuple(changes),
        edges=edge_table(first.library, groups, result.experiments),
    )


def _version_cell(row: Sequence[Finding | None], number: int, marks: VariantLetters) -> VersionCell | None:
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
    return VersionCell(text, mark, hue(mark), verdict, link, _differ(before, finding))


def _merge_equal(cells: Sequence[VersionCell | None]) -> tuple[VersionCell | None, ...]:
    """Return ``cells`` with consecutive equal cells merged; a merged cell is changed if its oldest version is."""
    merged: list[VersionCell | None] = []
    for cell in cells:
        last = merged[-1] if merged else None
        if cell and last and not last.changed and (cell.text, cell.mark, cell.verdict) == (
            last.text, last.mark, last.verdict
        ):  # fmt: skip
            merged[-1] = replace(last, span=last.span + 1, changed=cell.changed)
        else:
            merged.append(cell)
    return tuple(merged)


def _differ(before: Finding | None, finding: Finding) -> bool:
    return before is not None and meaning_in_words(before) != meaning_in_words(finding)


def _change(before: Finding | None, finding: Finding | None) -> Change | None:
    if before is None or finding is None or not _differ(before, finding):
        return None
    k = "–" if finding.k is None else str(finding.k)
    old, new = meaning_in_words(before), meaning_in_words(finding)
    return Change(finding.function, k, before.version, finding.version, old, new, finding_anchor(finding))


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
