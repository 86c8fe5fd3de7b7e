"""Tells whether two definitions are equal: whether they give one result on each of some thousand inputs.

Two definitions may be equal although they are written differently: who is left out by an edge policy need not be
averaged over, and nothing in a list that is not cut depends on its order. That is observed, not proved. The inputs are
all probes, and cases drawn at random in which anything may be unusual at once; the tests look for a pair that other
inputs tell apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from hashlib import blake2b

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import with_gains_of_1
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from recsys_metric_audit.reference.space.axis import is_number, more_than
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE

_FEW, _MANY = 60, 1440
"""Numbers of drawn cases: the first few tell most definitions apart, and are asked before all others.

Of 13,800 pairs of random definitions with up to ten unusual values that these inputs call equal, 5,500 other cases tell
6 apart (with 640 in place of 1,440 drawn cases 12): each has five unusual values and more."""
_GREATEST = {"cutoff": 3.0, "relevance": 3.0}
"""The greatest number of an axis that acts on the inputs, whose lists are short and whose gains are small."""
_THRESHOLDS = frozenset({"cutoff", "relevance", "at"})
"""The axes whose numbers are thresholds: two that lie close together act alike on the inputs, and are not equal."""
_WIDTH, _OFFSET = 1e-7, 0.1234
"""Results are numbered in steps of this width, which begin where no simple fraction lies."""
_HIGHEST = 1e9
"""Results beyond it are taken for it: in steps of that width a float holds no greater number exactly."""
_PARTS = range(3)
"""The numbers of the parts of the inputs."""
_YES_NO = 3
"""The number of a further part: the inputs of the others as yes/no data, with gains of 1."""


@cache
def _inputs() -> tuple[Problem, ...]:
    """Return all inputs in parts, those that tell most definitions apart first and those without any user last."""
    # The cases take a tenth of a second to be made, and evaluating alone needs none of them.
    from recsys_metric_audit.reference.cases import DEGENERATE, EXHAUSTIVE, ITEM_PROBES, MIXED, PROBES
    from recsys_metric_audit.reference.equality.drawn_cases import drawn_probes

    drawn = drawn_probes(_FEW + _MANY)
    every = (*drawn[:_FEW], *PROBES, *DEGENERATE, *EXHAUSTIVE, *MIXED, *ITEM_PROBES, *drawn[_FEW:])
    some, none = [probe for probe in every if probe.size], [probe for probe in every if not probe.size]
    yes_no = [replace(each, case=with_gains_of_1(each.case, each.name)) for each in every]
    parts = (some[:_FEW], some[_FEW:], none, yes_no)
    return tuple(Problem.of([probe.case for probe in part], [probe.k for probe in part]) for part in parts)


def are_equal(one: Definition, other: Definition) -> bool:
    """Return True if two definitions of one metric give one result on every input."""
    if one == other:
        return True
    if one.metric != other.metric:
        return False
    first, second = _evaluable(one), _evaluable(other)
    if first != second and any(_results(first, part) != _results(second, part) for part in _PARTS):
        return False
    return _unshown(one) == _unshown(other)


@lru_cache(maxsize=10_000)
def are_equal_on_yes_no_data(one: Definition, other: Definition) -> bool:
    """Return True if two definitions of one metric give one result on every input with its gains and threshold at 1.

    False for a metric that has no value on any of them, such as one of pairs of unequal gains.

    >>> from recsys_metric_audit.reference.definitions.definition import parse
    >>> are_equal_on_yes_no_data(parse("ndcg@k|gain:exp2"), parse("ndcg@k"))
    True
    """
    if one.metric != other.metric:
        return False
    first, second = _evaluable(one), _evaluable(other)
    if _results(first, _YES_NO) != _results(second, _YES_NO) or _unshown(one) != _unshown(other):
        return False
    return bool(np.isfinite(evaluate(first, _inputs()[_YES_NO]).mean).any())


@dataclass(frozen=True, eq=False)
class Key:
    """Stands for a definition in a set or a dict in which equal definitions are one.

    Its hash takes the first inputs alone, which tell most definitions apart.
    """

    definition: Definition

    def __hash__(self) -> int:
        """Return the hash of the results on the first inputs."""
        return hash(_results(_evaluable(self.definition), 0))

    def __eq__(self, other: object) -> bool:
        """Return True if the definitions are equal."""
        return isinstance(other, Key) and are_equal(self.definition, other.definition)


@lru_cache(maxsize=10_000)
def _evaluable(definition: Definition) -> Definition:
    """Return a definition whose values act on the inputs: at any k, smaller numbers, what has no rule canonical."""
    definition = definition.with_(k="k")
    canonical, changed = definition.family.canonical, dict[str, str]()
    for axis in definition.differs_on:
        value = definition.axes[axis]
        number = more_than(value) if value not in WITHOUT_RULE and not is_number(value) else None
        if value in WITHOUT_RULE:
            changed[axis] = canonical[axis]
        elif axis in _GREATEST and is_number(value):
            changed[axis] = f"{min(float(value), _GREATEST[axis]):g}"
        elif number is not None and axis in _GREATEST:
            changed[axis] = f"above_{min(number, _GREATEST[axis]):g}"
    return definition.with_(**changed) if changed else definition


def _unshown(definition: Definition) -> tuple[tuple[str, str], ...]:
    """Return the values of axes that act, but whose values the inputs do not tell from each other."""
    return tuple(
        (axis, value)
        for axis, value in definition.values
        if (value in WITHOUT_RULE or (axis in _THRESHOLDS and value not in definition.family.axis(axis).names))
        and not is_idle(definition, axis)
    )


def is_idle(definition: Definition, axis: str, *, with_users: bool = False) -> bool:
    """Return True if a definition is equal to those with any other value on an axis.

    Args:
        definition: The definition.
        axis: The axis.
        with_users: Leave out inputs without any user.
    """
    own = _evaluable(definition)
    others = (own.with_(**{axis: value}) for value in own.family.axis(axis).names if value not in WITHOUT_RULE)
    meant = [each for each in others if each != own and each.family.refusal(each.axes) is None]
    parts = _PARTS[:-1] if with_users else _PARTS
    return bool(meant) and all(_results(own, part) == _results(each, part) for each in meant for part in parts)


@lru_cache(maxsize=30_000)
def _results(definition: Definition, part: int) -> bytes:
    """Return a digest of the results of a definition on one part of the inputs."""
    asked = _inputs()[part]
    try:
        made = evaluate(definition, asked)
    except TooManyOrdersError:
        return b"too many orders"
    mean = np.broadcast_to(np.clip(made.mean, -_HIGHEST, _HIGHEST), (len(asked.cases),))
    number = np.floor(np.nan_to_num(mean, nan=0.0) / _WIDTH + _OFFSET)
    number = np.where(made.refused, np.inf, np.where(np.isnan(mean), -np.inf, number))
    return blake2b(number.tobytes(), digest_size=16).digest()
