"""Finds the definition, of those that are equal to one, that is written with the least."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.space.edges import AXES as EDGES
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE

_EDGES = tuple(axis.name for axis in EDGES)
_ROWS = ("candidates", "truth")
"""The axes that choose among the rows of lists and truth."""
_MAY_BE_EDGES = ("users", *_ROWS)
"""The axes for whose values the policy of an edge may stand."""
_STAND_FOR_OTHERS = ("users", "pooling", "cutoff")
"""The axes whose values may stand for those of others: who is averaged for edges, a ratio of sums for weights."""


def shortest(definition: Definition) -> Definition:
    """Return the equal definition that is written with the least: canonical on as many axes as can be.

    Steps are taken while one is left that makes it shorter and changes no result: to the canonical value of one axis,
    to those of two, or to that of one and any value of another.
    """
    made = _shortest(definition if definition.k is None else definition.with_(k="k"))
    return made if definition.k is None else made.with_(k=definition.k)


@lru_cache(maxsize=10_000)
def _shortest(definition: Definition) -> Definition:
    step = next((each for each in _shorter(definition) if are_equal(each, definition)), None)
    return definition if step is None else _shortest(step)


@lru_cache(maxsize=10_000)
def shortened(definition: Definition) -> Definition:
    """Return the equal definition with each axis canonical whose value changes no result: a quick step to the shortest.

    Values of several axes that only together are equal to others stay.
    """
    canonical = definition.family.canonical
    others = (definition.with_(**{axis: canonical[axis]}) for axis in reversed(definition.differs_on))
    meant = (each for each in others if each.family.refusal(each.axes) is None)
    step = next((each for each in meant if are_equal(each, definition)), None)
    return definition if step is None else shortened(step)


def written_length(definition: Definition) -> tuple[object, ...]:
    """Return a key that orders equal definitions, the one that is written with the least first.

    A cut-off is written, too. Of equally many changes, the worst are those that leave out rows. Then come those of
    edges, since who is averaged says more, but for users who make the library raise; and among them an edge that
    follows the formula, since a reader has to work out what that gives.
    """
    moved, has_k = definition.differs_on, definition.k is not None
    policies = [value for edge, value in definition.values if edge in _EDGES and edge in moved]
    told = sum(value != "error" for value in policies)
    rows_left_out = sum(axis in moved for axis in _ROWS)
    return len(moved) + has_k, has_k, rows_left_out, told, policies.count("formula"), definition.remoteness


def _shorter(definition: Definition) -> Iterator[Definition]:
    """Yield the definitions one step away that are written with less."""
    length = written_length(definition)
    for move in _moves(definition):
        other = definition.with_(**move)
        if other.family.refusal(other.axes) is None and written_length(other) < length:
            yield other


def _moves(definition: Definition) -> Iterator[dict[str, str]]:
    """Yield changes: to the canonical value of an axis; to that and another value elsewhere; to another value."""
    canonical, moved = definition.family.canonical, definition.differs_on
    others = {
        axis.name: [name for name in axis.names if name not in WITHOUT_RULE and name != definition.axes[axis.name]]
        for axis in definition.family.all_axes
    }
    yield from ({axis: canonical[axis]} for axis in reversed(moved))
    for axis in moved:
        beside = [*moved, *_STAND_FOR_OTHERS, *(_EDGES if axis in _MAY_BE_EDGES else ())]
        for other in dict.fromkeys(name for name in beside if name in others and name != axis):
            yield from ({axis: canonical[axis], other: value} for value in others[other])
    alone = dict.fromkeys(name for name in (*moved, *_STAND_FOR_OTHERS) if name in others)
    yield from ({axis: value} for axis in alone for value in others[axis])
