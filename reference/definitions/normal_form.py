"""What each kind of user comes to: a normal form of averaging and edges, for rankings that users have of their own.

Whatever the formula, a user is in one of a few states, and a definition does one of a few things with a user in it:
raise, leave the user out, end it all, carry over, count a value. Two definitions that differ in averaging and edges
only, and do the same with users in every state that there can be, are equal; of all that do, one is the normal form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from reference.space import edges
from reference.space.metric import Metric, Values

_EDGES = tuple(axis.name for axis in edges.AXES)
_NUMBERS = ("0", "1", "half", "1/k")
_FULLEST = ("truth", "all", "both", "predictions", "hits", "one_relevant")
"""Whose average it is called where it is that of several."""
ABSENT, RAISES = "absent", "raises"


@dataclass(frozen=True)
class State:
    """Users who are alike to averaging: the ``edge`` that decides their value ("" where the formula does), whether
    they have relevant items, a list, and a hit."""

    edge: str
    relevant: bool
    listed: bool
    hit: bool


_STATES = (
    State("undefined", relevant=False, listed=True, hit=False),
    State("undefined", relevant=False, listed=False, hit=False),
    State("no_list", relevant=True, listed=False, hit=False),
    State("no_negatives", relevant=True, listed=True, hit=True),
    State("no_negatives", relevant=True, listed=True, hit=False),
    State("no_hit", relevant=True, listed=True, hit=True),
    State("no_hit", relevant=True, listed=True, hit=False),
    State("", relevant=True, listed=True, hit=False),
    State("", relevant=True, listed=True, hit=True),
)


def _undivided(metric: Metric, values: Values) -> bool:
    """Whether a user with relevant items, a list and irrelevant ones may have nothing to divide by."""
    if metric.zero_by_convention(values) or not metric.has_denominator(values):
        return True
    return values.get("cutoff") == "k_minus_1" and metric.k_divides and metric.reads_k(values)


def states(metric: Metric, values: Values) -> list[State]:
    """The states that users can be in. Whoever has no row at all is no user: without relevant items, where every
    truth row is relevant, there are recommended rows; and none of them are of the truth. Where 0 is the value by
    convention for want of a hit, or hits are divided by, an edge decides without a hit, and only then; where there
    is nothing to divide by without one, it decides then at least."""
    every = values.get("relevance", "every_row") == "every_row"
    candidates = values.get("candidates", "all")
    by_hits = metric.zero_by_convention(values) or metric.hits_divide(values)

    def can_be(state: State) -> bool:
        if state.edge == "undefined" and every:
            return state.listed if candidates == "all" else candidates != "test_only" or not state.listed
        if state.edge == "no_negatives":
            return metric.negatives is not None
        if state.edge == "no_hit":
            return _undivided(metric, values) and not (by_hits and state.hit)
        return not (state.edge == "" and (by_hits or metric.needs_hit(values)) and not state.hit)

    return [state for state in _STATES if can_be(state)]


def _asked(state: State, users: str) -> bool:
    """Whether a user in this state is averaged over (of ``one_relevant``, if the one relevant item is all)."""
    match users:
        case "truth" | "one_relevant":
            return state.relevant
        case "both":
            return state.relevant and state.listed
        case "predictions":
            return state.listed
        case "hits":
            return state.hit
        case _:
            return True


def _weightless(state: State, values: Values) -> bool:
    """Whether a user in this state has a weight of 0."""
    if values["pooling"] != "weighted":
        return False
    if values["weight"] in ("list_length", "listed"):
        return not state.listed or (values["weight"] == "listed" and not state.relevant)
    by_r = values["weight"] == "relevant" or (
        values["weight"] == "rated" and values.get("relevance", "every_row") == "every_row"
    )
    return by_r and not state.relevant


def _deed(values: Values, state: State) -> str:
    """What is done with a user in a state, looked at alone."""
    policy = values.get(state.edge, "formula")
    if policy == "error":
        return RAISES
    if not _asked(state, values["users"]) or policy == "skip":
        return ABSENT
    # A ratio of sums adds terms, whatever the user counts as.
    return "formula" if values["pooling"] == "pooled" and policy != "previous" else policy


def _unseen(metric: Metric, values: Values, state: State, deed: str) -> bool:
    """Whether a user changes nothing: adds 0 to both sums, or has a number of weight 0."""
    if values["pooling"] != "pooled":
        return _weightless(state, values) and _number(metric, values, state, deed)
    nothing = state.edge in metric.adds_nothing(values) or (state.edge == "undefined" and metric.vanishes(values))
    return nothing and deed == "formula"


def _deeds(metric: Metric, values: Values) -> tuple[str, ...]:
    """What is done with users in each state that there can be. Who changes nothing is as good as left out, unless
    another can carry over that value; and where one 0 makes the mean 0, who ends it all counts as 0, if NaN is not
    stronger."""
    there = states(metric, values)
    deeds = [_deed(values, state) for state in there]
    if "previous" not in deeds:
        deeds = [ABSENT if _unseen(metric, values, *each) else each[1] for each in zip(there, deeds, strict=True)]
    zero = values["mean"] == "harmonic" or (values["mean"] == "geometric" and metric.unsigned(values))
    if not zero or values["pooling"] == "pooled" or values["weight"] == "listed":
        return tuple(deeds)
    strongest = any(
        not _number(metric, values, state, deed) and deed not in (ABSENT, RAISES, "ends_all", "previous")
        for state, deed in zip(there, deeds, strict=True)
    )
    return tuple(
        "0" if deed == "ends_all" and not strongest and not _weightless(state, values) else deed
        for state, deed in zip(there, deeds, strict=True)
    )


def _number(metric: Metric, values: Values, state: State, deed: str) -> bool:
    """Whether a user in a state has a number that is no NaN."""
    if deed == "formula":
        irrelevant = state.edge == "undefined" and state.listed and metric.irrelevant_is_defined(values)
        return not state.edge or irrelevant
    return deed in _NUMBERS


def normal(metric: Metric, values: dict[str, str]) -> dict[str, str]:
    """The values with averaged users and edges in their normal form: as few of them moved as there must be."""
    # Ties that are averaged may leave a hit in some orders only; where pairs have targets, r is not what it seems.
    if values.get("ties") == "average" or values.get("pairs", "rated") != "rated":
        return values
    return {**values, **dict(_normal(metric.name, tuple(values.items())))}


@lru_cache(maxsize=20_000)
def _normal(name: str, items: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    from reference.metrics import METRICS

    metric, values = METRICS[name], dict(items)
    wanted = _deeds(metric, values)
    one = values["users"] == "one_relevant"
    chosen = ["one_relevant"] if one else [users for users in _FULLEST if users != "one_relevant"]
    found = [made for users in chosen if (made := _with(metric, {**values, "users": users}, wanted)) is not None]
    moved = [axis for axis in ("users", *_EDGES) if axis in values]

    def cost(made: Mapping[str, str]) -> tuple[int, int, int]:
        away = [axis for axis in moved if made[axis] != metric.canonical[axis]]
        return len(away), len([axis for axis in away if axis != "users"]), _FULLEST.index(made["users"])

    best = min(found, key=cost, default=values)
    return tuple((axis, best[axis]) for axis in moved)


def _with(metric: Metric, values: dict[str, str], wanted: tuple[str, ...]) -> dict[str, str] | None:
    """These users with the edges that do what is wanted, None where none do. Each edge decides in its own states, so
    that they can be looked for one after the other."""
    there = states(metric, values)
    for edge in (axis for axis in _EDGES if axis in values):
        own = [number for number, state in enumerate(there) if state.edge == edge]
        for policy in _policies(metric, edge, values[edge]):
            deeds = _deeds(metric, {**values, edge: policy})
            if all(deeds[number] == wanted[number] for number in own):
                values = {**values, edge: policy}
                break
    return values if _deeds(metric, values) == wanted and states(metric, values) == there else None


def _policies(metric: Metric, edge: str, own: str) -> Iterator[str]:
    """The policies of an edge, canonical first, then as it is, then those that leave out; no other does better."""
    yield from dict.fromkeys((metric.canonical[edge], own, *metric.axis(edge).names))
