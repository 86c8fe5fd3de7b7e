"""History of a library: what each function computed in each version, and where that changed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reference.space.levels import Level
from recsys_metric_audit.reports.model.result import Library
from recsys_metric_audit.reports.pins.drift import Drift, find_drift
from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, VersionExpectation


@dataclass(frozen=True)
class HistoryCell:
    """One function in one version: its signature, or in ``words`` why it has none.

    ``change`` is its drift since the last version that ran, None if there is none.
    """

    version: str
    words: str
    change: Drift | None


@dataclass(frozen=True)
class HistoryRow:
    """One function in all versions."""

    function: str
    metric: str
    cells: tuple[HistoryCell, ...]

    @property
    def changed_in(self) -> tuple[str, ...]:
        """The versions in which the meaning changed; new functions and changed edge behaviours do not count."""
        return tuple(self.changed_levels)

    @property
    def changed_levels(self) -> dict[str, tuple[Level, ...]]:
        """The levels on which the meaning changed, by the version in which it did."""
        changes = [(cell.version, cell.change) for cell in self.cells if cell.change]
        return {version: change.levels for version, change in changes if change.kind == "changed"}


@dataclass(frozen=True)
class History:
    """A library's functions in all its versions, oldest first; ``audited`` are the versions without an accepted pin."""

    library: str
    versions: tuple[str, ...]
    rows: tuple[HistoryRow, ...]
    audited: tuple[str, ...]


def version_history(
    library: str, known: Sequence[VersionExpectation | Library], functions: Sequence[str], audited: Collection[str]
) -> History:
    """Return the history of ``library``.

    Args:
        library: Its name.
        known: Its versions, oldest first: the expectation, or the entry of a version that did not run. Such a version
            is skipped when its neighbours are compared.
        functions: The functions to show, in this order.
        audited: The versions that were audited now, because no pin had been accepted.
    """
    changes: dict[tuple[str, str], Drift] = {}
    before: VersionExpectation | None = None
    for each in known:
        if isinstance(each, Library):
            continue
        if before is not None:
            changes |= {(drift.function, drift.version): drift for drift in find_drift(before, each)}
        before = each
    rows = [HistoryRow(name, _metric(known, name), _cells(known, name, changes)) for name in functions]
    versions = tuple(each.version for each in known)
    return History(library, versions, tuple(rows), tuple(name for name in versions if name in audited))


def _metric(known: Sequence[VersionExpectation | Library], name: str) -> str:
    entries = [each.functions.get(name) for each in known if isinstance(each, VersionExpectation)]
    return next((entry.metric for entry in entries if entry), "")


def _cells(
    known: Sequence[VersionExpectation | Library], name: str, changes: dict[tuple[str, str], Drift]
) -> tuple[HistoryCell, ...]:
    return tuple(HistoryCell(each.version, _words(each, name), changes.get((name, each.version))) for each in known)


def _words(known: VersionExpectation | Library, name: str) -> str:
    if isinstance(known, Library):
        return known.status
    found: FunctionExpectation | None = known.functions.get(name)
    return found.words if found else "not asked"
