"""Finds how what a function computes differs from what was accepted: formula, who counts, input, behaviours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from recsys_metric_audit.reference.space.input_axes import TIES, WITHOUT_RULE
from recsys_metric_audit.reference.space.levels import LEVELS, Level
from recsys_metric_audit.reports.model.level_meaning import Move, compared_formulas, level_moves
from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, VersionExpectation

_WHO_COUNTS = frozenset({"no_list", "no_truth", "empty_truth", "empty_lists"})
_INPUT = frozenset({
    "ties", "close_scores", "duplicates", "duplicates_above", "truth_duplicates", "truth_copies", "short_list",
    "padding", "below_threshold", "zero_gain", "negative_gain", "score_shift", "score_scale", "score_sign", "item_ids",
    "item_ids_reversed", "user_ids", "rows_interleaved", "rows_shuffled", "truth_shuffled", "truth_beyond_k",
    "train_item", "no_train", "catalogue",
})  # fmt: skip


def level_of_experiment(name: str) -> Level:
    """Return the level of an experiment; one that neither table names is about the formula.

    These are the experiments on ordinary input: the best and the worst list, the range of the values, calls repeated
    or in another order.
    """
    if name in _WHO_COUNTS:
        return "who_counts"
    return "input" if name in _INPUT else "formula"


DriftKind = Literal[
    "changed", "unclear", "lost", "new", "broken", "refused", "stale", "behaviour", "known", "documented", "unaccepted"
]

DRIFT_TITLES: dict[DriftKind, str] = {
    "changed": "computes something else",
    "unclear": "fits other formulas, of which some fitted before",
    "lost": "is gone",
    "new": "is new",
    "broken": "does not run any more",
    "refused": "refuses the data of pins, or does no more",
    "stale": "is expected otherwise than it is",
    "behaviour": "behaves otherwise at an edge",
    "known": "is known otherwise: axes became known or unknown, or began or ceased to apply",
    "documented": "is documented otherwise",
    "unaccepted": "has nothing accepted to be held against",
}

_CHANGED_TITLES: dict[Level, str] = {
    "formula": "computes another formula",
    "who_counts": "counts users otherwise",
    "input": "handles unusual input otherwise",
}


@dataclass(frozen=True)
class Drift:
    """Holds one difference from the expected findings; ``function`` is empty if it concerns the whole version.

    ``old`` and ``new`` are signatures, or words where there is none; ``witness`` is an input that shows the difference,
    ``against`` the version that was compared with. ``levels`` are the levels on which something changed.
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
    levels: tuple[Level, ...] = ()

    @property
    def title(self) -> str:
        """Title of the drift; a changed meaning is named by the first level on which it changed."""
        return _CHANGED_TITLES[self.levels[0]] if self.kind == "changed" and self.levels else DRIFT_TITLES[self.kind]

    @property
    def is_warning(self) -> bool:
        """True if neither the formula nor who counts changed: only input handling, knowledge or documentation."""
        return self.kind in ("known", "documented") or (
            self.kind in ("changed", "behaviour") and self.levels == ("input",)
        )


def find_drift(old: VersionExpectation, new: VersionExpectation) -> Iterator[Drift]:
    """Yield the drift of every function of ``new`` in its order, then of functions that only ``old`` has.

    If both are of one version and the formula need not have changed for the worse, the kind is ``stale``: the pin has
    to be renewed. Otherwise it is ``changed``, or ``unclear`` if some formula fits both.
    """
    if bool(old.no_value) != bool(new.no_value):
        valued, today = (f"no value: {each.no_value}" if each.no_value else "a value" for each in (old, new))
        yield Drift(new.library, new.version, "", "refused", valued, today, against=old.version)
    for name, found in new.functions.items():
        before = old.functions.get(name)
        kind = _kind(before, found, pinned=old.version == new.version)
        if kind is not None:
            yield _drift(old, new, name, kind)
    for name, before in old.functions.items():
        if name not in new.functions and _offered(before):
            yield _drift(old, new, name, "lost")


def _kind(old: FunctionExpectation | None, new: FunctionExpectation, pinned: bool) -> DriftKind | None:
    if old is None or not _offered(old):
        return "new" if _offered(new) else None
    if (old.status == "measured") != (new.status == "measured"):
        return "lost" if old.status == "measured" else "new"
    if new.status != "measured":
        return None if old.status == new.status else "stale" if pinned else "unclear"
    if not same_formula(old, new):
        before, after = compared_formulas(old, new)
        # If a formula fits both, it need not have changed; if it agrees now, it did not change for the worse.
        if pinned and (before & after or new.verdict == "agrees"):
            return "stale"
        return "unclear" if before & after else "changed"
    moves = _axis_moves(old, new)
    if any(move.kind == "changed" for move in moves):
        return "changed"
    if _behaviour_moves(old, new):
        return "behaviour"
    if moves:
        return "known"
    return "documented" if pinned and old.verdict != new.verdict else None


def same_formula(old: FunctionExpectation, new: FunctionExpectation) -> bool:
    """Return True if the same formulas fit both, as far as both state them, or none fits and the verdicts are equal."""
    before, after = compared_formulas(old, new)
    return before == after and (bool(before) or old.verdict == new.verdict)


def same_meaning(old: FunctionExpectation, new: FunctionExpectation) -> bool:
    """Return True if neither formula nor who counts nor input handling changed, as far as both state them."""
    if old.status != "measured" or new.status != "measured":
        return old.status == new.status
    return same_formula(old, new) and all(move.kind != "changed" for move in level_moves(old, new))


def _offered(function: FunctionExpectation) -> bool:
    return function.status != "not_offered"


def _drift(old: VersionExpectation, new: VersionExpectation, name: str, kind: DriftKind) -> Drift:
    before, found = old.functions.get(name), new.functions.get(name)
    moves = _moves(kind, before, found) if before and found else ()
    return Drift(
        new.library, new.version, name, kind,
        old=_in_words(before), new=_in_words(found),
        moves=moves, against=old.version, levels=_changed_levels(kind, moves),
    )  # fmt: skip


def _moves(kind: DriftKind, old: FunctionExpectation, new: FunctionExpectation) -> tuple[Move, ...]:
    """Return the axes that moved and, if the formula is the same, the experiments: another formula moves many."""
    axes = _axis_moves(old, new)
    if kind not in ("changed", "behaviour") or not same_formula(old, new):
        return axes
    return tuple(sorted((*axes, *_behaviour_moves(old, new)), key=lambda move: LEVELS.index(move.level)))


def _axis_moves(old: FunctionExpectation, new: FunctionExpectation) -> tuple[Move, ...]:
    """Return the axes that differ, but for ties of which neither side knows a rule.

    An unstable sort orders short lists by a rule on one processor and by none on another: what refuted all rules there
    at once, only longer lists refute here.
    """
    unruled = _has_no_order_of_ties(old) and _has_no_order_of_ties(new)
    return tuple(move for move in level_moves(old, new) if not (unruled and move.name == TIES.name))


def _has_no_order_of_ties(function: FunctionExpectation) -> bool:
    return function.input.get(TIES.name) in WITHOUT_RULE or TIES.name in function.unknown


def _changed_levels(kind: DriftKind, moves: tuple[Move, ...]) -> tuple[Level, ...]:
    changed = {move.level for move in moves if move.kind == "changed"}
    if kind in ("changed", "unclear", "stale") and not changed:
        return ("formula",)  # formulas without an axis to name: none fits, or their axes are not known here
    return tuple(level for level in LEVELS if level in changed)


def _in_words(function: FunctionExpectation | None) -> str:
    if function is None:
        return "not there"
    verdict = f" ({function.verdict})" if function.formulas else ""
    return function.words + verdict


def _behaviour_moves(old: FunctionExpectation, new: FunctionExpectation) -> tuple[Move, ...]:
    """Return the experiments with another behaviour; experiments that were not asked on both sides are left out."""
    both = [name for name in new.behaviours if name in old.behaviours]
    if _has_no_order_of_ties(old) and _has_no_order_of_ties(new):
        both = [name for name in both if name != TIES.name]
    return tuple(
        Move(name, old.behaviours[name], new.behaviours[name], level_of_experiment(name))
        for name in both
        if old.behaviours[name] != new.behaviours[name]
    )
