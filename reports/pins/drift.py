"""Drift: differences between what was expected of a library and what was found, function by function."""

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
    """One axis or one experiment, with its old and its new value."""

    name: str
    old: str
    new: str


@dataclass(frozen=True)
class Drift:
    """One difference from what was expected; ``function`` is empty if it concerns the whole version.

    ``old`` and ``new`` are signatures, or words where there is none; ``witness`` is an input that shows the difference,
    ``against`` the version that was compared with.
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
    """Yield the drift of every function: those of ``new`` in its order, then those that only ``old`` has.

    If both are of one version and the function need not have changed for the worse, its kind is ``stale``: the pin has
    to be renewed. Otherwise it is ``changed``, or ``unclear`` if some definition fits both.
    """
    for name, found in new.functions.items():
        before = old.functions.get(name)
        kind = _kind(before, found, pinned=old.version == new.version)
        if kind is not None:
            yield _drift(old, new, name, kind, before, found)
    for name, before in old.functions.items():
        if name not in new.functions and _offered(before):
            yield _drift(old, new, name, "lost", before, None)


def _kind(old: FunctionExpectation | None, new: FunctionExpectation, pinned: bool) -> DriftKind | None:
    if old is None or not _offered(old):
        return "new" if _offered(new) else None
    if (old.status == "measured") != (new.status == "measured"):
        return "lost" if old.status == "measured" else "new"
    if old.meaning == new.meaning:
        return "behaviour" if _behaviour_moves(old, new) else None
    # If a definition fits both, the function need not have changed; if it agrees now, it did not change for the worse.
    unclear = bool(set(old.definitions) & set(new.definitions)) or new.status != "measured"
    if pinned and (unclear or new.verdict == "agrees"):
        return "stale"
    return "unclear" if unclear else "changed"


def _offered(function: FunctionExpectation) -> bool:
    return function.status != "not_offered"


def _drift(
    old: VersionExpectation,
    new: VersionExpectation,
    name: str,
    kind: DriftKind,
    before: FunctionExpectation | None,
    found: FunctionExpectation | None,
) -> Drift:
    if kind == "behaviour" and before and found:
        moves = _behaviour_moves(before, found)
    else:
        moves = moved_axes(before.definitions, found.definitions) if before and found else ()
    return Drift(
        new.library, new.version, name, kind,
        old="not there" if before is None else _in_words(before),
        new="not there" if found is None else _in_words(found),
        moves=moves, against=old.version,
    )  # fmt: skip


def _in_words(function: FunctionExpectation) -> str:
    verdict = f" ({function.verdict})" if function.definitions else ""
    return function.words + verdict


def _behaviour_moves(old: FunctionExpectation, new: FunctionExpectation) -> tuple[Move, ...]:
    """Return the experiments with another behaviour; those that were not asked on both sides are left out."""
    both = [name for name in new.behaviours if name in old.behaviours]
    return tuple(
        Move(name, old.behaviours[name], new.behaviours[name])
        for name in both
        if old.behaviours[name] != new.behaviours[name]
    )


def moved_axes(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[Move, ...]:
    """Return the axes on which ``old`` and ``new`` have no value in common; only ``metric`` if their metrics differ.

    Args:
        old: Signatures of all definitions that fitted before.
        new: Signatures of all definitions that fit now.
    """
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
