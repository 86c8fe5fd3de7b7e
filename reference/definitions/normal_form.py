"""A normal form of averaging and edge policies, for definitions that rank each user's rows apart.

Whatever the formula, a user is in one of a few states, and each state has one outcome under a definition: the library
raises, the user is left out, everything becomes 0, a value is carried over, or a value counts. Two definitions that
differ only in averaging and edges and have equal outcomes in all possible states are equal; one of them is the normal
form of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from reference.space import edges
from reference.space.averaged_users import asked_properties
from reference.space.metric import Metric, Values

_EDGES = tuple(axis.name for axis in edges.AXES)
_NUMBERS = (*edges.FINITE, "1/k")
_FULLEST = ("truth", "all", "both", "predictions", "truth_rows", "both_rows", "hits", "one_relevant")
"""Values of ``users`` in order of preference, if several give equal outcomes."""
ABSENT, RAISES = "absent", "raises"


class UserState(NamedTuple):
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


def possible_states(metric: Metric, values: Values) -> tuple[UserState, ...]:
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
    undivided, needs_hit = _undivided(metric, values), metric.needs_hit(values)

    def possible(state: UserState) -> bool:
        if state.edge == "undefined" and state.rated:
            return not every
        if state.edge == "undefined":
            given = (candidates == "all" or metric.lists_as_given) and not passed_only
            return state.listed if given else candidates != "test_only" or not state.listed
        if state.edge == "no_list":
            return not passed_only
        if state.edge == "no_negatives":
            return metric.negatives is not None
        if state.edge == "no_hit":
            return undivided and not (by_hits and state.hit)
        return not (state.edge == "" and (by_hits or needs_hit) and not state.hit)

    return tuple(state for state in _STATES if possible(state))


class _Facts(NamedTuple):
    """Holds all that a formula and its averaging decide of the outcomes, whoever is averaged and whatever policies are.

    Definitions by the thousand share a few of them.

    Attributes:
        states: The states in which users can be.
        pooling: The value of the axis.
        weight: The value of the axis.
        zero_ends_all: Whether one 0 makes the mean 0.
        adding_nothing: The edges at which users add 0 to both sums of a ratio.
        irrelevant_is_defined: Whether a user with a list and no relevant item has a number.
    """

    states: tuple[UserState, ...]
    pooling: str
    weight: str
    zero_ends_all: bool
    adding_nothing: frozenset[str]
    irrelevant_is_defined: bool

    @classmethod
    def of(cls, metric: Metric, values: Values) -> _Facts:
        """Read the facts from the values of a definition."""
        zero = values["mean"] == "harmonic" or (values["mean"] == "geometric" and metric.unsigned(values))
        nothing = metric.adds_nothing(values) | ({"undefined"} if metric.vanishes(values) else frozenset())
        return cls(
            possible_states(metric, values),
            values["pooling"],
            values["weight"],
            zero and values["pooling"] != "pooled" and values["weight"] != "listed",
            nothing,
            metric.irrelevant_is_defined(values),
        )

    def weightless(self, state: UserState) -> bool:
        """Return True if users in this state have weight 0."""
        if self.pooling != "weighted":
            return False
        if self.weight in ("list_length", "listed"):
            return not state.listed or (self.weight == "listed" and not state.relevant)
        if self.weight == "rated":
            return not state.rated
        return self.weight == "relevant" and not state.relevant

    def has_number(self, state: UserState, outcome: str) -> bool:
        """Return True if users in a state have a number other than NaN."""
        if outcome == "formula":
            irrelevant = state.edge == "undefined" and state.listed and self.irrelevant_is_defined
            return not state.edge or irrelevant
        return outcome in _NUMBERS

    def outcome(self, state: UserState, users: str, policies: Mapping[str, str]) -> str:
        """Return the outcome of a state: a policy, ABSENT or RAISES."""
        policy = policies.get(state.edge, "formula")
        if policy == "error":
            return RAISES
        if not _averaged(state, users) or policy == "skip":
            return ABSENT
        # A ratio of sums adds terms and never uses a policy's number.
        return "formula" if self.pooling == "pooled" and policy != "previous" else policy

    def changes_nothing(self, state: UserState, outcome: str) -> bool:
        """Return True if users in a state change nothing: they add 0 to both sums, or a number of weight 0."""
        if self.pooling != "pooled":
            return self.weightless(state) and self.has_number(state, outcome)
        return state.edge in self.adding_nothing and outcome == "formula"


def _averaged(state: UserState, users: str) -> bool:
    """Return True if ``users`` averages over users in this state (``one_relevant``: users with one relevant item)."""
    having = {"rated": state.rated, "listed": state.listed, "hit": state.hit}
    return all(having.get(wanted, state.relevant) for wanted in asked_properties(users))


def _outcomes(facts: _Facts, users: str, policies: Mapping[str, str]) -> tuple[str, ...]:
    """Return the outcome of each possible state.

    Users who change nothing are as good as left out, unless another can carry over their value. If one 0 makes the mean
    0, ``ends_all`` is 0, unless a NaN can occur beside it.
    """
    outcomes = [facts.outcome(state, users, policies) for state in facts.states]
    if "previous" not in outcomes:
        outcomes = [
            ABSENT if facts.changes_nothing(*each) else each[1] for each in zip(facts.states, outcomes, strict=True)
        ]
    if not facts.zero_ends_all:
        return tuple(outcomes)
    strongest = any(
        not facts.has_number(state, outcome) and outcome not in (ABSENT, RAISES, "ends_all", "previous")
        for state, outcome in zip(facts.states, outcomes, strict=True)
    )
    return tuple(
        "0" if outcome == "ends_all" and not strongest and not facts.weightless(state) else outcome
        for state, outcome in zip(facts.states, outcomes, strict=True)
    )


def somebody_counts(metric: Metric, values: Values) -> bool:
    """Return True if every user counts in a mean of users' values, or makes the library raise: somebody is left."""
    plain = values["pooling"] == "user" and values["users"] != "one_relevant"
    plain = plain and values.get("pairs", "rated") == "rated" and values.get("of", "users") != "means"
    return plain and ABSENT not in _outcomes(_Facts.of(metric, values), values["users"], _policies(values))


def normal_form(metric: Metric, values: dict[str, str]) -> dict[str, str]:
    """Return the values with averaged users and edges in normal form: as few as possible differ from canonical."""
    # Averaged ties may leave a hit in some orders only; if pairs have targets, r is not the number of relevant items.
    if values.get("ties") == "average" or values.get("pairs", "rated") != "rated":
        return values
    facts, users = _Facts.of(metric, values), values["users"]
    wanted = _outcomes(facts, users, _policies(values))
    found = []
    for each in _FULLEST:
        if (each == "one_relevant") != (users == "one_relevant"):
            continue
        own = {**values, "users": each}
        facts = _Facts.of(metric, own)
        made = _policies_giving(metric.name, facts, each, tuple(_policies(values).items()), wanted)
        if made is not None and _Facts.of(metric, {**own, **dict(made)}) == facts:
            found.append({**own, **dict(made)})
    moved = [axis for axis in ("users", *_EDGES) if axis in values]

    def cost(made: Mapping[str, str]) -> tuple[int, int, int]:
        away = [axis for axis in moved if made[axis] != metric.canonical[axis]]
        return len(away), len([axis for axis in away if axis != "users"]), _FULLEST.index(made["users"])

    return min(found, key=cost, default=values)


def _policies(values: Values) -> dict[str, str]:
    return {edge: values[edge] for edge in _EDGES if edge in values}


@lru_cache(maxsize=20_000)
def _policies_giving(
    name: str, facts: _Facts, users: str, policies: tuple[tuple[str, str], ...], wanted: tuple[str, ...]
) -> tuple[tuple[str, str], ...] | None:  # fmt: skip
    """Return edge policies that give the ``wanted`` outcomes if ``users`` are averaged, None if there are none.

    Each edge decides in states of its own, so that policies can be chosen one edge after the other.

    Args:
        name: The name of the metric.
        facts: What its formula decides.
        users: The users to be averaged.
        policies: The present policy of each edge.
        wanted: The outcome of each possible state.
    """
    from reference.metrics import METRICS

    chosen = dict(policies)
    for edge, present in policies:
        own = [number for number, state in enumerate(facts.states) if state.edge == edge]
        for policy in _preferred(METRICS[name], edge, present):
            outcomes = _outcomes(facts, users, {**chosen, edge: policy})
            if all(outcomes[number] == wanted[number] for number in own):
                chosen[edge] = policy
                break
    return tuple(chosen.items()) if _outcomes(facts, users, chosen) == wanted else None


def _preferred(metric: Metric, edge: str, present: str) -> Iterator[str]:
    """Yield the policies of an edge: the canonical one, the present one, then all others."""
    yield from dict.fromkeys((metric.canonical[edge], present, *metric.axis(edge).names))
