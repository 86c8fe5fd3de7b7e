"""The page of each library: its functions over all versions, changes, behaviour at the edges, environments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from recsys_metric_audit.reports.edges.edge_groups import EdgeTable, edge_table, group_by_behaviour, letters_of
from recsys_metric_audit.reports.model.result import Finding, Library, Result
from recsys_metric_audit.reports.wording.anchors import finding_anchor
from recsys_metric_audit.reports.wording.formatting import Pairs, rounded
from recsys_metric_audit.reports.wording.labels import STATUS_LABELS
from recsys_metric_audit.reports.wording.meanings import meaning_in_words
from recsys_metric_audit.reports.wording.variant_letters import VariantLetters, assign_letters


@dataclass(frozen=True)
class VersionCell:
    """The cell of one function in one version, or in consecutive versions with equal cells.

    Attributes:
        text: The value, or the status in its place.
        mark: Mark of the formula.
        verdict: Verdict, or the status.
        link: Anchor of the finding; empty if the next version computes the same and therefore has the link.
        changed: Whether the version before it computed something else.
        span: Number of versions that share the cell.
    """

    text: str
    mark: str
    verdict: str
    link: str
    changed: bool
    span: int = 1


@dataclass(frozen=True)
class FunctionRow:
    """The row of one function at one cut-off.

    Attributes:
        name: Name of the function.
        metric: Its metric.
        k: Cut-off; None for a function that takes none.
        edges: Its letter in the :class:`EdgeTable`.
        cells: Its cells over all versions, newest first; None for a version without the function.
    """

    name: str
    metric: str
    k: int | None
    edges: str
    cells: tuple[VersionCell | None, ...]


@dataclass(frozen=True)
class LibraryPage:
    """Holds the page of one library, newest version first; ``changes`` are pairs of findings that differ."""

    versions: Sequence[Library]
    functions: tuple[FunctionRow, ...]
    changes: tuple[tuple[Finding, Finding], ...]
    edges: EdgeTable

    @property
    def first(self) -> Library:
        """Return the newest version."""
        return self.versions[0]


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
    changes: list[tuple[Finding, Finding]] = []
    for function, k, metric in places:
        row = [by_place.get((function, k, entry.version)) for entry in versions]
        cells = _merge_equal([_version_cell(row, n, marks) for n in range(len(row))])
        functions.append(FunctionRow(function, metric, k, letters_of(function, groups), cells))
        changes += [(old, new) for new, old in pairwise(row) if old and new and _differ(old, new)]
    edges = edge_table(first.library, groups, result.experiments)
    return LibraryPage(versions, tuple(functions), tuple(changes), edges)


def _version_cell(row: Sequence[Finding | None], number: int, marks: VariantLetters) -> VersionCell | None:
    finding = row[number]
    if finding is None:
        return None
    before = row[number + 1] if number + 1 < len(row) else None
    shown = "per user" if finding.value is None else rounded(finding.value)
    text = shown if finding.verdict else STATUS_LABELS[finding.status]
    verdict = finding.verdict or finding.status
    newer = row[number - 1] if number else None
    link = "" if newer is not None and not _differ(newer, finding) else finding_anchor(finding)
    return VersionCell(text, marks.mark(finding), verdict, link, _differ(before, finding))


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


def _run(entry: Library) -> str:
    if not entry.live:
        return f"replayed from a recording of {entry.recorded or 'an unknown day'}"
    kept = f"; what it answered on {entry.kept} or before was not asked again" if entry.kept else ""
    as_then = f"; its initial answers are those of {entry.confirms}, when it was identified" if entry.confirms else ""
    return f"live{as_then}{kept}"


def facts(entry: Library) -> Pairs:
    """Return what is known of a version and how it was run, as pairs of name and words."""
    rows = (
        ("Source", entry.source),
        ("Python", entry.python),
        ("Time", "" if entry.seconds is None else f"{entry.seconds:.1f} s"),
        ("Run", _run(entry)),
        ("Caution", entry.caution),
    )
    return tuple((name, words) for name, words in rows if words)
