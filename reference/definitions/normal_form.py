"""A normal form of averaging and edge policies, for definitions that rank each user's rows apart.

Whatever the formula, a user is in one of a few states, and each state has one outcome under a definition: the library
raises, the user is left out, everything becomes 0, a value is carried over, or a value counts. Two definitions that
differ only in averaging and edges and have equal outcomes in all possible states are equal; one of them is the normal
form of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from reference.space import edges
from reference.space.metric import Metric, Values

_EDGES = tuple(axis.name for axis in edges.AXES)
_NUMBERS = (*edges.FINITE, "1/k")
_FULLEST = ("truth", "all", "both", "predictions", "truth_rows", "both_rows", "hits", "one_relevant")
"""Values of ``users`` in order of preference, if several give equal outcomes."""
ABSENT, RAISES = "absent", "raises"


@dataclass(frozen=True)
class UserState:
    """A kind of users whom averaging treats alike.

    ``edge`` is the edge at which they are (empty if the formula decides their value); the others tell whether they have
    relevant items, a list, a hit, and truth rows.
    """

    edge: str
    relevant: bool
    listed: bool
    hit: bool
    rated: bool = True


_STATES = (
    UserState("undefined", relevant=False, listed=True, hit=False),
    UserState("undefined", relevant=False, listed=False, hit=False),
    UserState("undefined", relevant=False, listed=True, hit=False, rated=False),
    UserState("undefined", relevant=False, listed=False, hit=False, rated=False),
    UserState("no_list", relevant=True, listed=False, hit=False),
    UserState("no_negatives", relevant=True, listed=True, hit=True),
    UserState("no_negatives", relevant=True, listed=True, hit=False),
    UserState("no_hit", relevant=True, listed=True, hit=True),
    UserState("no_hit", relevant=True, listed=True, hit=False),
    UserState("", relevant=True, listed=True, hit=False),
    UserState("", relevant=True, listed=True, hit=True),
)


def _undivided(metric: Metric, values: Values) -> bool:
    """Return True if a user with relevant items, a list and irrelevant items may have a denominator of 0."""
    if metric.zero_by_convention(values) or not metric.has_denominator(values):
        return True
    return values.get("cutoff") == "k_minus_1" and metric.k_divides and metric.reads_k(values)


def possible_states(metric: Metric, values: Values) -> list[UserState]:
    """Return the states in which users can be.

    A user has at least one row: without truth rows there are recommended rows, none of an item in the truth. Who has
    truth rows has relevant items, if every truth row is relevant. If only listed ones are looked at, who has relevant
    items has a list. If the value without a hit is 0 by convention, or
    hits are the denominator, ``no_hit`` decides exactly without a hit; if the denominator needs a hit, it decides at
    least then.
    """
    every = values.get("relevance", "every_row") == "every_row"
    candidates, passed_only = values.get("candidates", "all"), values.get("truth") == "listed"
    by_hits = metric.zero_by_convention(values) or metric.hits_divide(values)

    def possible(state: UserState) -> bool:
        if state.edge == "undefined" and state.rated:
            return not every
        if state.edge == "undefined":
            given = candidates == "all" and not passed_only
            return state.listed if given else candidates != "test_only" or not state.listed
        if state.edge == "no_list":
            return not passed_only
        if state.edge == "no_negatives":
            return metric.negatives is not None
        if state.edge == "no_hit":
            return _undivided(metric, values) and not (by_hits and state.hit)
        return not (state.edge == "" and (by_hits or metric.needs_hit(values)) and not state.hit)

    return [state for state in _STATES if possible(state)]


def _averaged(state: UserState, users: str) -> bool:
    """Return True if ``users`` averages over users in this state (``one_relevant``: users with one relevant item)."""
    match users:
        case "truth" | "one_relevant":
            return state.relevant
        case "both":
            return state.relevant and state.listed
        case "predictions":
            return state.listed
        case "hits":
            return state.hit
        case "truth_rows":
            return state.rated
        case "both_rows":
            return state.rated and state.listed
        case _:
            return True


def _weightless(state: UserState, values: Values) -> bool:
    """Return True if users in this state have weight 0."""
    if values["pooling"] != "weighted":
        return False
    if values["weight"] in ("list_length", "listed"):
        return not state.listed or (values["weight"] == "listed" and not state.relevant)
    if values["weight"] == "rated":
        return not state.rated
    return values["weight"] == "relevant" and not state.relevant


def _outcome(values: Values, state: UserState) -> str:
    """Return the outcome of a state: a policy, ABSENT or RAISES."""
    policy = values.get(state.edge, "formula")
    if policy == "error":
        return RAISES
    if not _averaged(state, values["users"]) or policy == "skip":
        return ABSENT
    # A ratio of sums adds terms and never uses a policy's number.
    return "formula" if values["pooling"] == "pooled" and policy != "previous" else policy


def _changes_nothing(metric: Metric, values: Values, state: UserState, outcome: str) -> bool:
    """Return True if users in a state change nothing: they add 0 to both sums, or a number of weight 0."""
    if values["pooling"] != "pooled":
        return _weightless(state, values) and _has_number(metric, values, state, outcome)
    nothing = state.edge in metric.adds_nothing(values) or (state.edge == "undefined" and metric.vanishes(values))
    return nothing and outcome == "formula"


def _outcomes(metric: Metric, values: Values) -> tuple[str, ...]:
    """Return the outcome of each possible state.

    Users who change nothing are as good as left out, unless another can carry over their value. If one 0 makes the mean
    0, ``ends_all`` is 0, unless a NaN can occur beside it.
    """
    possible = possible_states(metric, values)
    outcomes = [_outcome(values, state) for state in possible]
    if "previous" not in outcomes:
        outcomes = [
            ABSENT if _changes_nothing(metric, values, *each) else each[1]
            for each in zip(possible, outcomes, strict=True)
        ]
    zero = values["mean"] == "harmonic" or (values["mean"] == "geometric" and metric.unsigned(values))
    if not zero or values["pooling"] == "pooled" or values["weight"] == "listed":
        return tuple(outcomes)
    strongest = any(
        not _has_number(metric, values, state, outcome) and outcome not in (ABSENT, RAISES, "ends_all", "previous")
        for state, outcome in zip(possible, outcomes, strict=True)
    )
    return tuple(
        "0" if outcome == "ends_all" and not strongest and not _weightless(state, values) else outcome
        for state, outcome in zip(possible, outcomes, strict=True)
    )


def somebody_counts(metric: Metric, values: Values) -> bool:
    """Return True if every user counts in a mean of users' values, or makes the library raise: somebody is left."""
    plain = values["pooling"] == "user" and values["users"] != "one_relevant"
    plain = plain and values.get("pairs", "rated") == "rated" and values.get("of", "users") != "means"
    return plain and ABSENT not in _outcomes(metric, values)


def _has_number(metric: Metric, values: Values, state: UserState, outcome: str) -> bool:
    """Return True if users in a state have a number other than NaN."""
    if outcome == "formula":
        irrelevant = state.edge == "undefined" and state.listed and metric.irrelevant_is_defined(values)
        return not state.edge or irrelevant
    return outcome in _NUMBERS


def normal_form(metric: Metric, values: dict[str, str]) -> dict[str, str]:
    """Return the values with averaged users and edges in normal form: as few as possible differ from canonical."""
    # Averaged ties may leave a hit in some orders only; if pairs have targets, r is not the number of relevant items.
    if values.get("ties") == "average" or values.get("pairs", "rated") != "rated":
        return values
    return {**values, **dict(_normal(metric.name, tuple(values.items())))}


@lru_cache(maxsize=20_000)
def _normal(name: str, items: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    from reference.metrics import METRICS

    metric, values = METRICS[name], dict(items)
    wanted = _outcomes(metric, values)
    one = values["users"] == "one_relevant"
    chosen = ["one_relevant"] if one else [users for users in _FULLEST if users != "one_relevant"]
    found = [
        made for users in chosen if (made := _with_outcomes(metric, {**values, "users": users}, wanted)) is not None
    ]
    moved = [axis for axis in ("users", *_EDGES) if axis in values]

    def cost(made: Mapping[str, str]) -> tuple[int, int, int]:
        away = [axis for axis in moved if made[axis] != metric.canonical[axis]]
        return len(away), len([axis for axis in away if axis != "users"]), _FULLEST.index(made["users"])

    best = min(found, key=cost, default=values)
    return tuple((axis, best[axis]) for axis in moved)


def _with_outcomes(metric: Metric, values: dict[str, str], wanted: tuple[str, ...]) -> dict[str, str] | None:
    """Return the values with edge policies that give the ``wanted`` outcomes, None if there are none.

    Each edge decides in states of its own, so that policies can be chosen one edge after the other.
    """
    possible = possible_states(metric, values)
    for edge in (axis for axis in _EDGES if axis in values):
        own = [number for number, state in enumerate(possible) if state.edge == edge]
        for policy in _policies(metric, edge, values[edge]):
            outcomes = _outcomes(metric, {**values, edge: policy})
            if all(outcomes[number] == wanted[number] for number in own):
                values = {**values, edge: policy}
                break
    return values if _outcomes(metric, values) == wanted and possible_states(metric, values) == possible else None


def _policies(metric: Metric, edge: str, own: str) -> Iterator[str]:
    """Yield the policies of an edge: the canonical one, the present one, then all others."""
    yield from dict.fromkeys((metric.canonical[edge], own, *metric.axis(edge).names))
