"""Comparison of two runs: every change of meanings (level by level), statuses, versions, functions and values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from recsys_metric_audit.reports.model.level_meaning import (
    LevelMeaning,
    Move,
    compared_formulas,
    level_meaning,
    level_moves,
)
from recsys_metric_audit.reports.model.result import Finding, Library, Result
from recsys_metric_audit.reports.tables.tidy_rows import ColumnType
from recsys_metric_audit.reports.wording.formatting import exact, one_line
from recsys_metric_audit.reports.wording.labels import count, joined
from recsys_metric_audit.reports.wording.meanings import meaning_in_words

ChangeKind = Literal[
    "formula", "who_counts", "input", "applies", "known", "status", "library", "gone", "new", "value", "canonical",
    "space", "data",
]  # fmt: skip

CHANGE_KINDS: Mapping[ChangeKind, str] = {
    "formula": "computes another formula",
    "who_counts": "counts users otherwise",
    "input": "handles unusual input otherwise",
    "status": "runs in one run only",
    "library": "library version in one run only, or in another state",
    "gone": "not offered any more",
    "new": "new function",
    "applies": "axes apply in one run only, by what the function takes",
    "known": "axes became known or unknown",
    "value": "another value, the same meaning",
    "canonical": "another canonical value",
    "space": "other axes of the reference, so that other definitions were searched",
    "data": "other data",
}
"""Kinds of change in words, the most surprising first."""


@dataclass(frozen=True)
class Change:
    """One difference between two runs; fields that do not apply are empty.

    ``version`` is ``old → new`` if the versions differ.
    """

    kind: ChangeKind
    library: str
    version: str
    function: str
    k: int | None
    before: str
    after: str


CHANGE_COLUMNS: Mapping[str, ColumnType] = {**dict.fromkeys(Change.__dataclass_fields__, "text"), "k": "integer"}
"""The types of the fields of a change, by their names."""


@dataclass(frozen=True)
class Comparison:
    """All changes, the most surprising first, and a summary in ``words``."""

    words: str
    changes: tuple[Change, ...]


def compare_results(before: Result, after: Result) -> Comparison:
    """Return all changes from ``before`` to ``after``.

    A library of which each run has one other version is compared across these versions. Values are compared only if
    both runs used the same data, and count as changed if they differ by more than the tolerances of both findings.
    A run of format 1 compares with one of format 2: what it did not tell apart follows from its signatures.
    """
    pairs = _matching_versions(before, after)
    same_data = before.dataset.digest == after.dataset.digest
    found = list(_library_changes(before, after, pairs))
    if same_data:
        found += _canonical_changes(before, after)
    else:
        found.append(Change("data", "", "", "", None, before.dataset.name, after.dataset.name))
    counterparts = set(pairs.values())
    old = [each for each in before.findings if (each.library, each.version) in pairs]
    new = [each for each in after.findings if (each.library, each.version) in counterparts]
    found += changed_findings(old, new, pairs, same_data=same_data)
    order = list(CHANGE_KINDS)
    found.sort(key=lambda change: order.index(change.kind))
    return Comparison(_summary(found, same_data), tuple(found))


def changed_findings(
    before: Iterable[Finding],
    after: Iterable[Finding],
    pairs: Mapping[tuple[str, str], tuple[str, str]] = MappingProxyType({}),
    *,
    same_data: bool,
) -> list[Change]:
    """Return what changed between the findings of two runs.

    Args:
        before: Findings of library versions that both runs have.
        after: Findings of the same versions, or of their counterparts.
        pairs: The counterpart of each version that is another one in the second run.
        same_data: Whether both runs had the same data, so that values compare.
    """
    found = list[Change]()
    old = {_key(finding, pairs): finding for finding in before}
    new = {(f.library, f.version, f.function, f.k): f for f in after}
    for key, finding in new.items():
        if key in old:
            found += _finding_changes(old[key], finding, same_data)
        else:
            found.append(_change("new", finding, finding.version, "", meaning_in_words(finding)))
    gone = (finding for key, finding in old.items() if key not in new)
    return [*found, *(_change("gone", each, each.version, meaning_in_words(each), "") for each in gone)]


def _summary(found: list[Change], same_data: bool) -> str:
    if not found:
        return "Nothing changed."
    counts = [(kind, sum(change.kind == kind for change in found)) for kind in CHANGE_KINDS]
    parts = [f"{CHANGE_KINDS[kind]}: {number}" for kind, number in counts if number and kind != "data"]
    data = "" if same_data else " The data is not the same, so values are not compared."
    return f"{count(len(found), 'change')}. {joined(parts).capitalize()}.{data}" if parts else f"1 change.{data}"


def _matching_versions(before: Result, after: Result) -> dict[tuple[str, str], tuple[str, str]]:
    """Return the library versions of the first run that are compared, each with its counterpart in the second."""
    old = [(entry.library, entry.version) for entry in before.libraries]
    new = [(entry.library, entry.version) for entry in after.libraries]
    pairs = {version: version for version in old if version in new}
    for library in dict.fromkeys(name for name, _ in old):
        left = [version for version in old if version[0] == library and version not in pairs]
        right = [version for version in new if version[0] == library and version not in pairs.values()]
        if len(left) == len(right) == 1:
            pairs[left[0]] = right[0]
    return pairs


def _key(finding: Finding, pairs: Mapping[tuple[str, str], tuple[str, str]]) -> tuple[str, str, str, int | None]:
    library, version = pairs.get((finding.library, finding.version), (finding.library, finding.version))
    return (library, version, finding.function, finding.k)


def _change(kind: ChangeKind, finding: Finding, version: str, before: str, after: str) -> Change:
    return Change(kind, finding.library, version, finding.function, finding.k, before, after)


def _finding_changes(old: Finding, new: Finding, same_data: bool) -> Iterator[Change]:
    version = old.version if old.version == new.version else f"{old.version} → {new.version}"
    if (old.status == "measured") != (new.status == "measured"):
        yield _change("status", new, version, meaning_in_words(old), meaning_in_words(new))
        return
    changes = list(_meaning_changes(old, new, version))
    yield from changes
    if same_data and all(change.kind in ("applies", "known") for change in changes) and _values_differ(old, new):
        yield _change("value", new, version, exact(old.value), exact(new.value))


def _meaning_changes(old: Finding, new: Finding, version: str) -> Iterator[Change]:
    """Yield a change for each level on which the meaning differs, then one for the axes that only one side knows."""
    if old.status != "measured":
        if old.status != new.status:
            yield _change("status", new, version, meaning_in_words(old), meaning_in_words(new))
        return
    one, two = level_meaning(old), level_meaning(new)
    before, after = compared_formulas(one, two)
    if before != after or (not before and old.verdict != new.verdict):
        yield _change("formula", new, version, _formulas_text(old, one), _formulas_text(new, two))
    moves = level_moves(one, two)
    kinds: tuple[tuple[ChangeKind, list[Move]], ...] = (
        ("who_counts", [move for move in moves if move.kind == "changed" and move.level == "who_counts"]),
        ("input", [move for move in moves if move.kind == "changed" and move.level == "input"]),
        ("applies", [move for move in moves if move.kind == "applies"]),
        ("known", [move for move in moves if move.kind in ("known", "unknown")]),
    )
    for kind, of_kind in kinds:
        if of_kind:
            sides = [(f"{move.name}:{move.old}", f"{move.name}:{move.new}") for move in of_kind]
            yield _change(kind, new, version, *(", ".join(side) for side in zip(*sides, strict=True)))


def _formulas_text(finding: Finding, meaning: LevelMeaning) -> str:
    return " or ".join(meaning.formulas) or meaning_in_words(finding)


def _values_differ(old: Finding, new: Finding) -> bool:
    if old.value is None or new.value is None:
        return old.value is not new.value
    if math.isnan(old.value) and math.isnan(new.value):
        return False
    width = max(old.evidence.tolerance or 1e-9, new.evidence.tolerance or 1e-9)
    return not math.isclose(old.value, new.value, rel_tol=width, abs_tol=width)


def _canonical_changes(before: Result, after: Result) -> Iterator[Change]:
    old = {(row.metric, row.k): row for row in before.reference}
    for row in after.reference:
        was = old.get((row.metric, row.k))
        if was is None:
            continue
        if (was.signature, was.value) != (row.signature, row.value):
            shown = [f"{each.signature} = {exact(each.value)}" for each in (was, row)]
            yield Change("canonical", "", "", row.metric, row.k, shown[0], shown[1])
        apart = sorted(dict(was.definition.items() ^ row.definition.items()))
        if apart and was.definition and row.definition:
            sides = (
                ", ".join(f"{axis}:{each.definition.get(axis, 'no such axis')}" for axis in apart)
                for each in (was, row)
            )
            yield Change("space", "", "", row.metric, row.k, *sides)


def _library_changes(
    before: Result, after: Result, pairs: Mapping[tuple[str, str], tuple[str, str]]
) -> Iterator[Change]:
    old = {(entry.library, entry.version): entry for entry in before.libraries}
    new = {(entry.library, entry.version): entry for entry in after.libraries}
    for key, entry in old.items():
        other = new[pairs[key]] if key in pairs else None
        if other is None or other.status != entry.status:
            yield Change("library", entry.library, entry.version, "", None, _status_text(entry), _status_text(other))
    for key, entry in new.items():
        if key not in pairs.values():
            yield Change("library", entry.library, entry.version, "", None, "", _status_text(entry))


def _status_text(entry: Library | None) -> str:
    return "" if entry is None else f"{entry.status}: {one_line(entry.reason)}" if entry.reason else entry.status
