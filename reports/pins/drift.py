"""What changed between an expectation and what was found, function by function."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from reference.definitions.definition import Definition, SignatureError, parse
from reports.pins.expectation import FunctionExpectation, VersionExpectation

DriftKind = Literal["changed", "unclear", "lost", "new", "broken", "stale", "behaviour", "unaccepted"]

DRIFT_TITLES: dict[DriftKind, str] = {
    "changed": "computes something else",
    "unclear": "fits other definitions, of which some fitted before",
    "lost": "is gone",
    "new": "is new",
    "broken": "does not run any more",
    "stale": "is expected otherwise than it is",
    "behaviour": "behaves otherwise at an edge",
    "unaccepted": "has nothing accepted to be held against",
}


@dataclass(frozen=True)
class Move:
    """One axis, or one experiment, and its values before and now."""

    name: str
    old: str
    new: str


@dataclass(frozen=True)
class Drift:
    """One thing that is not as expected. ``function`` is empty where it concerns the whole version.

    ``old`` and ``new`` are signatures, or words where there is none; ``witness`` an input that shows it;
    ``against`` the version that it was compared with.
    """

    library: str
    version: str
    function: str
    kind: DriftKind
    old: str = ""
    new: str = ""
    moves: tuple[Move, ...] = ()
    witness: str = ""
    against: str = ""


def find_drift(old: VersionExpectation, new: VersionExpectation) -> Iterator[Drift]:
    """Yield the drift of every function of either, in the order of ``new``, then what is lost.

    Of the same version, an expectation that does not fit what is found is ``stale`` where nothing need have changed
    for the worse; between two versions it is ``changed``, or ``unclear`` where definitions are left that fit both.
    """
    for name, found in new.functions.items():
        before = old.functions.get(name)
        kind = _kind(before, found, pinned=old.version == new.version)
        if kind is not None:
            yield _told(old, new, name, kind, before, found)
    for name, before in old.functions.items():
        if name not in new.functions and _there(before):
            yield _told(old, new, name, "lost", before, None)


def _kind(old: FunctionExpectation | None, new: FunctionExpectation, pinned: bool) -> DriftKind | None:
    if old is None or not _there(old):
        return "new" if _there(new) else None
    if (old.status == "measured") != (new.status == "measured"):
        return "lost" if old.status == "measured" else "new"
    if old.meaning == new.meaning:
        return "behaviour" if _behaved(old, new) else None
    # What fits both need not have moved; what now agrees did not turn wrong: of a pin, the file has to follow.
    unclear = bool(set(old.definitions) & set(new.definitions)) or new.status != "measured"
    if pinned and (unclear or new.verdict == "agrees"):
        return "stale"
    return "unclear" if unclear else "changed"


def _there(function: FunctionExpectation) -> bool:
    return function.status != "not_offered"


def _told(
    old: VersionExpectation,
    new: VersionExpectation,
    name: str,
    kind: DriftKind,
    before: FunctionExpectation | None,
    found: FunctionExpectation | None,
) -> Drift:
    if kind == "behaviour" and before and found:
        moves = _behaved(before, found)
    else:
        moves = moved_axes(before.definitions, found.definitions) if before and found else ()
    return Drift(
        new.library, new.version, name, kind,
        old="not there" if before is None else _said(before),
        new="not there" if found is None else _said(found),
        moves=moves, against=old.version,
    )  # fmt: skip


def _said(function: FunctionExpectation) -> str:
    verdict = f" ({function.verdict})" if function.definitions else ""
    return function.words + verdict


def _behaved(old: FunctionExpectation, new: FunctionExpectation) -> tuple[Move, ...]:
    """The experiments that ended otherwise; one that either was not asked says nothing."""
    both = [name for name in new.behaviours if name in old.behaviours]
    return tuple(
        Move(name, old.behaviours[name], new.behaviours[name])
        for name in both
        if old.behaviours[name] != new.behaviours[name]
    )


def moved_axes(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[Move, ...]:
    """The axes on which no definition of ``old`` stands where one of ``new`` does; ``metric`` where that is it."""
    before, after = _parsed(old), _parsed(new)
    if not before or not after:
        return ()
    families = _values(before, "metric"), _values(after, "metric")
    if not families[0] & families[1]:
        return (Move("metric", _listed(families[0]), _listed(families[1])),)
    names = [name for name in after[0].axes if all(name in each.axes for each in (*before, *after))]
    pairs = [(name, _values(before, name), _values(after, name)) for name in names]
    return tuple(Move(name, _listed(was), _listed(now)) for name, was, now in pairs if not was & now)


def _parsed(signatures: tuple[str, ...]) -> list[Definition]:
    found = []
    for signature in signatures:
        try:
            found.append(parse(signature))
        except SignatureError:  # an axis that this version of the tool does not have any more
            return []
    return found


def _values(definitions: list[Definition], axis: str) -> set[str]:
    return {each.metric if axis == "metric" else each.axes[axis] for each in definitions}


def _listed(values: set[str]) -> str:
    return " or ".join(sorted(values))
