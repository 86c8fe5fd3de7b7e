"""Tells the states that users are in and what becomes of a user in each: the axis ``users`` and the edges together.

Who is averaged over is written on the axis ``users``, and what a user at an edge counts as on the axes of the edges. A
user is left out by either, so that several spellings mean one table from states to outcomes. Evaluation reads from the
first part of this module which users are averaged over; the search for definitions reads and changes the whole table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

Property = Literal["rated", "relevant", "one_relevant", "listed", "hit", "trained"]
"""Names what a user may have: truth rows, relevant items, exactly one of those, recommendations, a hit, train rows."""

_ASKED: Mapping[str, tuple[Property, ...]] = {
    "truth": ("relevant",),
    "both": ("relevant", "listed"),
    "predictions": ("listed",),
    "all": (),
    "hits": ("hit",),
    "one_relevant": ("one_relevant",),
    "truth_rows": ("rated",),
    "both_rows": ("rated", "listed"),
    "train": ("trained",),
}
"""Lists the properties that each value of the axis ``users`` asks for, without those that they imply."""


def asked_properties(users: str) -> tuple[Property, ...]:
    """Return the properties that an averaged user must have, without those that they imply."""
    return _ASKED[users]


class State(NamedTuple):
    """Describes the users who are alike in all that decides what becomes of them.

    Attributes:
        name: The state in a few words.
        has: What such a user has.
        edge: The axis whose policy acts; empty where the user counts as the formula says.
        beside: Another edge that such a user is near to, though its policy does not act: without relevant items, the
            user has no list either.
    """

    name: str
    has: frozenset[Property]
    edge: str = ""
    beside: str = ""


def _states() -> Iterator[State]:
    yield State("no truth row", frozenset({"listed"}), "undefined")
    yield State("truth rows, none relevant", frozenset({"rated", "listed"}), "undefined")
    yield State("truth rows, none relevant, and no list", frozenset({"rated"}), "undefined", "no_list")
    for title, one in (("one relevant item", True), ("several relevant items", False)):
        own: frozenset[Property] = frozenset({"rated", "relevant", *(("one_relevant",) if one else ())})
        yield State(f"{title}, no list", own, "no_list")
        yield State(f"{title}, no irrelevant candidate", own | {"listed", "hit"}, "no_negatives")
        yield State(f"{title}, no hit, 0/0", own | {"listed"}, "no_hit")
        yield State(f"{title}, hits worth nothing, 0/0", own | {"listed", "hit"}, "no_hit")
        yield State(f"{title}, no hit", own | {"listed"})
        yield State(f"{title}, a hit", own | {"listed", "hit"})


STATES = tuple(_states())
"""Lists all states: a user is in exactly one."""


def averages(users: str, state: State) -> bool:
    """Return True if a value of the axis ``users`` averages over the users in a state, be it with train rows."""
    return state.has.issuperset(_ASKED[users]) or users == "train"


def averages_at(users: str, edge: str) -> bool:
    """Return True if a value of the axis ``users`` averages over some users at an edge, so that its policy acts."""
    return any(averages(users, state) for state in STATES if state.edge == edge)


def asks_for(users: str, wanted: Property) -> bool:
    """Return True if every averaged user has a property."""
    return all(wanted in state.has for state in STATES if averages(users, state))


def also_asking(users: str, wanted: Property) -> str:
    """Return the value of the axis ``users`` that asks for one property more; ``users`` itself if there is none."""
    having = [averages(users, state) and wanted in state.has for state in STATES]
    return next((name for name in _ASKED if [averages(name, state) for state in STATES] == having), users)


Outcomes = tuple[str, ...]
"""Names the policy by which the users in each state count, in the order of ``STATES``."""


def outcomes(values: Mapping[str, str], *, one_ranking: bool = False) -> Outcomes:
    """Return what becomes of the users in each state under a definition's values on its axes.

    Whoever is averaged over, a user for whom the library raises makes it raise. Where all rows of all users are one
    ranking, the rows of users are in it or left out: the edges are about the ranking.
    """
    of_state = ("formula" if one_ranking else values.get(state.edge, "formula") for state in STATES)
    return tuple(
        each if each == "error" or averages(values["users"], state) else "skip"
        for state, each in zip(STATES, of_state, strict=True)
    )


_EDGES = tuple(dict.fromkeys(state.edge for state in STATES if state.edge))


def states_apart(one: Outcomes, other: Outcomes) -> tuple[State, ...]:
    """Return the states in which users have another outcome."""
    return tuple(state for state, own, others in zip(STATES, one, other, strict=True) if own != others)


def edge_apart(states: tuple[State, ...]) -> str:
    """Return the one edge that all of some states are at or near to; empty if there is none.

    Users with neither relevant items nor a list are near to two: the edge of those without a list is returned, if it is
    they alone.
    """
    edges = [edge for edge in ("no_list", *_EDGES) if all(edge in (state.edge, state.beside) for state in states)]
    return edges[0] if states and edges else ""
