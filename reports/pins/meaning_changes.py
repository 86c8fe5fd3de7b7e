"""Finds what changed in a library from one pinned version to the next, each with the smallest input that shows it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from recsys_metric_audit.reference.cases import EXHAUSTIVE, PROBES, Kind, User
from recsys_metric_audit.reference.definitions.definition import SignatureError, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.metrics import ITEM_METRICS
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.level_meaning import Move, compared_formulas, level_moves
from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, VersionExpectation

_LONGEST = 3
"""Parts of a dotted name, from its end, that are compared at most."""


def renamed_functions(
    lost: Mapping[str, FunctionExpectation], new: Mapping[str, FunctionExpectation]
) -> dict[str, str]:
    """Return the old name of each function of ``new`` that is most likely a function of ``lost`` renamed.

    Two functions are paired if they are called after the same metric, the ends of their names are the same but for
    case and underscores, their options are the same, and no other function has that end. Longer ends are paired first.
    """
    found: dict[str, str] = {}
    for parts in range(_LONGEST, 0, -1):
        before = _by_end({name: entry for name, entry in lost.items() if name not in found.values()}, parts)
        after = _by_end({name: entry for name, entry in new.items() if name not in found}, parts)
        for end, names in after.items():
            if len(names) == 1 and len(before.get(end, ())) == 1:
                found[names[0]] = before[end][0]
    return found


def _by_end(functions: Mapping[str, FunctionExpectation], parts: int) -> dict[tuple[str, ...], list[str]]:
    return grouped(((entry.metric, *_end(name, parts)), name) for name, entry in functions.items())


def _end(name: str, parts: int) -> Iterable[str]:
    path, _, options = name.partition("[")
    words = [word.replace("_", "").lower() for word in path.split(".")]
    return (*words[-parts:], options.lower())


_VISIBLE = 1e-3
"""Smaller differences are not told: both values would be printed alike."""


@dataclass(frozen=True)
class FormulaWitness:
    """Holds a list of one user by gains, best rank first, with the values of two formulas on it.

    ``missed`` are the gains of relevant items that are not in the list.
    """

    ranked: tuple[float, ...]
    missed: tuple[float, ...]
    k: int
    old: float
    new: float


def smallest_list(old: str, new: str, *, every_item_listed: bool = False) -> FormulaWitness | None:
    """Return the smallest list on which two formulas differ; None if no list of up to five rows does.

    Lists that hold every relevant item come first. Lists on which either formula has no value are left out.

    Args:
        old: The signature of the one formula.
        new: The signature of the other one.
        every_item_listed: True to look only at lists that hold every relevant item.
    """
    try:
        first, second = parse(old), parse(new)
    except SignatureError:
        return None
    problem, users = _small_lists()
    ours, theirs = evaluate(first, problem), evaluate(second, problem)
    if not len(ours.value) == len(theirs.value) == len(users):
        return None  # a formula of all users together
    apart = ours.counted & theirs.counted & (np.abs(ours.value - theirs.value) > _VISIBLE)
    found = []
    for at in np.flatnonzero(apart).tolist():
        k, user = users[at]
        found.append(FormulaWitness(user.ranked, user.missed, k, float(ours.value[at]), float(theirs.value[at])))
    usable = (each for each in found if not (each.missed and every_item_listed))
    return min(usable, key=lambda each: (bool(each.missed), len(each.ranked) + len(each.missed), each.k), default=None)


@cache
def _small_lists() -> tuple[Problem, tuple[tuple[int, User], ...]]:
    """Return every small list of gains of 2 and the probes of one user with several gains, then cut-offs and users."""
    single = (probe for probe in PROBES if probe.kind == Kind("single_user") and len(probe.users) == 1)
    probes = (*EXHAUSTIVE, *single)
    problem = Problem.of([probe.case for probe in probes], [probe.k for probe in probes])
    return problem, tuple((probe.k, user) for probe in probes for user in probe.users)


Signature = str
ProbeWitness = Callable[[str, Signature, Signature], str]
"""Returns in words an input on which a function's old and new definition differ; empty if there is none."""


@dataclass(frozen=True)
class FormulaChange:
    """Holds one change of formula, the functions that it concerns by their new names, and the smallest list to show it.

    ``old`` and ``new`` are signatures of formulas; ``witness`` is None if no small list shows a difference.
    """

    metric: str
    old: Signature
    new: Signature
    functions: tuple[str, ...]
    witness: FormulaWitness | None


@dataclass(frozen=True)
class HandlingChange:
    """Holds one change of who counts or of input handling, and the functions that it concerns.

    ``moves`` are the axes with their old and new values; ``witness`` is an input in words, empty if there is none.
    """

    moves: tuple[Move, ...]
    functions: Mapping[str, str]
    """Metric of each function, by its new name."""
    witness: str


@dataclass(frozen=True)
class OfferChange:
    """Formulas of one metric that no function computes any more, and formulas that none computed before.

    Those that a :class:`FormulaChange` tells are left out. ``witness`` is the smallest list that shows the difference
    where one formula stands for one other; None elsewhere.
    """

    metric: str
    gone: tuple[Signature, ...]
    came: tuple[Signature, ...]
    witness: FormulaWitness | None


@dataclass(frozen=True)
class VersionStep:
    """Holds what changed from version ``before`` to version ``after``.

    ``compared`` counts the functions of which both versions state a formula; ``not_compared`` names the others of which
    one states it. ``new_metrics`` and ``gone_metrics`` are the metrics that only one of the versions has.
    """

    before: str
    after: str
    compared: int
    formulas: tuple[FormulaChange, ...] = ()
    handling: tuple[HandlingChange, ...] = ()
    offers: tuple[OfferChange, ...] = ()
    new_metrics: tuple[str, ...] = ()
    gone_metrics: tuple[str, ...] = ()
    not_compared: tuple[str, ...] = ()

    @property
    def told(self) -> bool:
        """True if there is anything to tell of the step."""
        return bool(self.changed or self.offers or self.new_metrics or self.gone_metrics or self.not_compared)

    @property
    def changed(self) -> bool:
        """True if a formula, who counts or input handling changed, or a formula is gone; new ones change no meaning."""
        return bool(self.formulas or self.handling or any(each.gone for each in self.offers))


def version_steps(
    pins: Sequence[VersionExpectation], filled: Mapping[str, Collection[str]], probe_witness: ProbeWitness
) -> tuple[VersionStep, ...]:
    """Return what changed from each pinned version of a library to the next.

    Args:
        pins: The pins, oldest first.
        filled: By version, the functions whose lists hold every relevant item, so that none can be missing from one.
        probe_witness: Finds an input that shows a change of handling.
    """
    return tuple(_step(old, new, filled.get(new.version, ()), probe_witness) for old, new in pairwise(pins))


def _step(
    old: VersionExpectation, new: VersionExpectation, filled: Collection[str], probe_witness: ProbeWitness
) -> VersionStep:
    pairs, lost, came = _paired(_offered(old), _offered(new))
    stated = [(name, was, now) for name, was, now in pairs if _states(was) and _states(now)]
    formulas = tuple(_formula_changes(stated, filled))
    told = {(each.metric, signature) for each in formulas for signature in (each.old, each.new)}
    return VersionStep(
        old.version,
        new.version,
        len(stated),
        formulas,
        tuple(_handling_changes(stated, probe_witness)),
        tuple(_offer_changes(old, new, lost, came, told)),
        tuple(metric for metric in _metrics_without(came, old) if _is_asked(metric, old)),
        _metrics_without(lost, new),
        tuple(name for name, was, now in pairs if _states(was) != _states(now)),
    )


_Functions = dict[str, FunctionExpectation]
_Pair = tuple[str, FunctionExpectation, FunctionExpectation]
"""The new name of a function, and its old and new expectation."""


def _offered(pin: VersionExpectation) -> _Functions:
    return {name: entry for name, entry in pin.functions.items() if entry.status not in ("not_offered", "unavailable")}


def _states(function: FunctionExpectation) -> bool:
    return function.status == "measured" and bool(function.formulas)


def _paired(old: _Functions, new: _Functions) -> tuple[list[_Pair], _Functions, _Functions]:
    """Return the pairs of functions that both versions have, then those that only the old, or only the new one has."""
    lost = {name: entry for name, entry in old.items() if name not in new}
    came = {name: entry for name, entry in new.items() if name not in old}
    renamed = renamed_functions(lost, came)
    pairs = [(name, old[renamed.get(name, name)], entry) for name, entry in new.items() if name in old | renamed]
    before = set(renamed.values())
    rest = {name: entry for name, entry in lost.items() if name not in before}
    return pairs, rest, {name: entry for name, entry in came.items() if name not in renamed}


def _formula_changes(pairs: Sequence[_Pair], filled: Collection[str]) -> Iterator[FormulaChange]:
    moved = [(name, was, now) for name, was, now in pairs if frozenset.isdisjoint(*compared_formulas(was, now))]
    groups = grouped(((now.metric, was.formulas[0], now.formulas[0]), name) for name, was, now in moved)
    for (metric, old, new), names in groups.items():
        witness = smallest_list(old, new, every_item_listed=any(name in filled for name in names))
        yield FormulaChange(metric, old, new, tuple(names), witness)


def _handling_changes(pairs: Sequence[_Pair], probe_witness: ProbeWitness) -> Iterator[HandlingChange]:
    for moves, found in grouped((_moves_of_handling(was, now), (name, was, now)) for name, was, now in pairs).items():
        if not moves:
            continue
        told = (probe_witness(name, was.signature, now.signature) for name, was, now in found if _same(was, now))
        witness = next(filter(None, told), "")
        yield HandlingChange(moves, {name: now.metric for name, _, now in found}, witness)


def _moves_of_handling(was: FunctionExpectation, now: FunctionExpectation) -> tuple[Move, ...]:
    return tuple(move for move in level_moves(was, now) if move.kind == "changed" and move.level != "formula")


def _same(was: FunctionExpectation, now: FunctionExpectation) -> bool:
    """Return True if both have one formula, so that an input that tells them apart shows the handling alone."""
    return was.formulas[0] == now.formulas[0]


def _offer_changes(
    old: VersionExpectation,
    new: VersionExpectation,
    lost: _Functions,
    came: _Functions,
    told: Collection[tuple[str, Signature]],
) -> Iterator[OfferChange]:
    for metric in dict.fromkeys(entry.metric for entry in (*came.values(), *lost.values())):
        before, after = _formulas(old.functions, metric), _formulas(new.functions, metric)
        gone = [each for each in _formulas(lost, metric) if each not in after and (metric, each) not in told]
        fresh = [each for each in _formulas(came, metric) if each not in before and (metric, each) not in told]
        if before and after and (gone or fresh):  # a metric that is wholly new, or wholly gone, changes no meaning
            one_for_one = len(gone) == len(fresh) == 1
            witness = smallest_list(gone[0], fresh[0]) if one_for_one else None
            yield OfferChange(metric, tuple(gone), tuple(fresh), witness)


def _formulas(functions: Mapping[str, FunctionExpectation], metric: str) -> tuple[str, ...]:
    own = (entry.formulas[0] for entry in functions.values() if entry.metric == metric and _states(entry))
    return tuple(dict.fromkeys(own))


def _is_asked(metric: str, pin: VersionExpectation) -> bool:
    """Return True unless a pin is silent of a metric beyond accuracy: many pins are older than those are asked."""
    return metric not in ITEM_METRICS or any(each.metric == metric for each in pin.functions.values())


def _metrics_without(functions: _Functions, other: VersionExpectation) -> tuple[str, ...]:
    """Return the metrics of ``functions`` of which the other version offers no function."""
    known = {entry.metric for entry in _offered(other).values()}
    return tuple(dict.fromkeys(entry.metric for entry in functions.values() if entry.metric not in known))


@dataclass(frozen=True)
class LibraryMeanings:
    """Holds a library with its pins, oldest version first.

    ``without`` are the versions without a pin, each with the reason; ``steps`` has one entry less than ``pins``.
    """

    library: str
    title: str
    pins: tuple[VersionExpectation, ...]
    without: Mapping[str, str]
    steps: tuple[VersionStep, ...]

    @property
    def changed(self) -> bool:
        """True if something changed from one version to the next."""
        return any(step.changed for step in self.steps)
