"""The inputs on which an in-house function is called, as cases and as the arguments of each call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np

from recsys_metric_audit.audit.data.dataset import rows_of
from recsys_metric_audit.audit.data.synthetic import synthetic
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, FRAMES, Shape, small_lists
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.observations.rescale import rescale
from recsys_metric_audit.audit.process.protocol import Declined, NotAnswered, Unaskable
from recsys_metric_audit.audit.questions import generated_cases
from recsys_metric_audit.reference.cases import DEGENERATE, EXHAUSTIVE, PROBES, Kind, Probe, of_kind
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case

# It runs under old Pythons too, so it is written without types.
_CALLS: Any = import_module("recsys_metric_audit.audit.inhouse.calling.call_shapes")

NOT_HELD = Unaskable("this call cannot hold the input")
TRIAL_KINDS = (Kind("single_user"), Kind("single_user", "unit_gains"), Kind("single_user", "one_relevant"))
"""The kinds of tiny inputs of one user that speak for a shape of call and for a metric."""


@dataclass(frozen=True, eq=False)
class FunctionInputs:
    """Probes, and one larger dataset to confirm at cut-off ``k`` the definitions that fit the probes.

    ``one_k`` tells that the probes are asked at cut-off ``k`` only. ``further`` are probes besides the usual ones, for
    shapes of calls that hold few of those.
    """

    probes: tuple[Probe, ...]
    data: Case
    k: int
    one_k: bool = False
    further: tuple[Probe, ...] = ()

    @property
    def ordinary(self) -> FunctionInputs:
        """Return the inputs without the kinds that tell something only where the others settle nothing."""
        kept = tuple(probe for probe in self.probes if probe.kind.variant == "usual" or probe.kind in TRIAL_KINDS)
        return replace(self, probes=kept, further=())

    @property
    def every(self) -> tuple[Probe, ...]:
        """Return all probes, the usual ones first."""
        return (*self.probes, *self.further)


def function_inputs(shape: Shape = DEFAULT, k: int | None = None) -> FunctionInputs:
    """Return all inputs that a shape of call holds.

    Args:
        shape: how the function is called.
        k: the only cut-off to ask at; None for the probes' own cut-offs.
    """
    probes = tuple(probe for probe in (*PROBES, *DEGENERATE, *EXHAUSTIVE) if shape.fits(probe))
    probes = probes if k is None else tuple(probe for probe in rescale(probes, k) if shape.holds(probe.case))
    data = shape.data(synthetic(12, max(60, 3 * (k or 0))).case)
    further = (*small_lists(shape, k), *labelled_probes(shape, k))
    return FunctionInputs(probes, data, k or 20, k is not None, further)


@cache
def not_held(shape: Shape) -> dict[str, Declined]:
    """Return the outcome of each input that a shape of call does not hold, by name.

    A generated one counts as not answered, not as refused, so that its features are not taken for refused ones.
    """
    written = {probe.name: NOT_HELD for probe in (*PROBES, *DEGENERATE, *EXHAUSTIVE) if not shape.fits(probe)}
    drawn = {probe.name: NotAnswered(NOT_HELD.why) for probe in generated_cases.pool().probes if not shape.fits(probe)}
    return {**drawn, **written}


def are_alike(one: Definition, other: Definition, shape: Shape) -> bool:
    """Return True if two definitions of one metric give one value on every case that a shape of call holds.

    Where all relevant items are listed, for one, the best of the list is the best there is.
    """
    return one.metric == other.metric and _values(one, shape) == _values(other, shape)


@cache
def _held_cases(shape: Shape) -> Problem:
    """Return the inputs and the generated cases that a shape holds, as one problem."""
    held = (*function_inputs(shape).every, *filter(shape.fits, generated_cases.pool().probes))
    return problem_of(held)


@lru_cache(maxsize=1_000)
def _values(definition: Definition, shape: Shape) -> bytes:
    made = evaluate(definition.with_(k="k"), _held_cases(shape))
    return np.where(made.refused, np.inf, np.round(made.mean, 9) + 0.0).tobytes()


def labelled_probes(shape: Shape, k: int | None) -> tuple[Probe, ...]:
    """Return probes at one cut-off without the relevant items that labels of rows do not hold.

    At one cut-off nearly all probes have some: a truth that grows with k has more items than the list. Probes of
    several users are among them where a call has all users, and rows out of order, and ties, where it shows the order.

    Args:
        shape: how the function is called; none are needed where it holds the probes as they are.
        k: the only cut-off to ask at; None for several.
    """
    if k is None or (shape.unlisted and not shape.one):
        return ()
    of_users = of_kind(Kind("multi_user", "all_listed")) if shape.users else ()
    of_order = () if "order" in shape.not_shown else of_kind(Kind("order"), Kind("order", "all_listed"))
    chosen = rescale((*of_kind(Kind("single_user")), *of_order, *of_users), k)
    made = (_held(probe, shape) for probe in chosen if not shape.holds(probe.case))
    return tuple(probe for probe in made if shape.holds(probe.case) and (shape.users or len(probe.case.truth.user)))


def _held(probe: Probe, shape: Shape) -> Probe:
    """Return a probe with the relevant items only that a shape holds."""
    case, why = probe.case, f"{probe.case.why}, as the call has it"
    held = replace(case, name=f"held: {probe.name}", truth=shape.truth(case), why=why)
    return replace(probe, kind=Kind("distinguishing"), case=held)


def rectangular(case: Case) -> Case:
    """Return a case in which all lists are equally long, and all truths, with whole gains: what a matrix holds.

    Users with fewer than three relevant items are left out.
    """
    rec, rel = case.predictions, case.truth
    counts = {user: int((rel.user == user).sum()) for user in np.unique(rel.user).tolist()}
    users = [user for user, count in counts.items() if count >= 3]
    length = min((int((rec.user == user).sum()) for user in users), default=0)
    rows, true = (
        np.concatenate([np.flatnonzero(column == user)[:most] for user in users] or [np.zeros(0, int)])
        for column, most in ((rec.user, length), (rel.user, min((counts[user] for user in users), default=0)))
    )
    return replace(
        case, name=f"{case.name}, rectangular", why="as many items and relevant items for each user, with whole gains",
        predictions=rows_of(rec, rows), truth=replace(rows_of(rel, true), gain=np.floor(rel.gain[true])),
    )  # fmt: skip


def as_adapter_sees(case: Case) -> SimpleNamespace:
    """Return the case under the names that the harness gives its columns in an adapter."""
    return SimpleNamespace(recommended=case.predictions, relevant=case.truth)


def list_calls() -> Iterator[tuple[Probe, list[int], dict[int, float]]]:
    """Yield every call of a function of lists: its probe, the recommended items (best first), and item → gain."""
    for probe in function_inputs(DEFAULT).probes:
        for user in _CALLS.users_of(as_adapter_sees(probe.case), False):
            yield probe, user.items, user.gains


def frame_calls() -> Iterator[tuple[Probe, Any, Any]]:
    """Yield every call of a function of DataFrames: its probe, the predictions, and the truth."""
    for probe in function_inputs(FRAMES).probes:
        yield probe, *_CALLS.frames(as_adapter_sees(probe.case))


def describe_probe(probe: Probe) -> str:
    """Describe a probe in words: one user's list and truth, or the case's own description for several users."""
    rec, rel = probe.case.predictions, probe.case.truth
    if len({*rec.user.tolist(), *rel.user.tolist()}) > 1:
        return probe.case.why
    gains = ", ".join(f"{item}: {gain:g}" for item, gain in zip(rel.item.tolist(), rel.gain.tolist(), strict=True))
    return f"recommended {rec.item.tolist()}, relevant {{{gains}}}"
