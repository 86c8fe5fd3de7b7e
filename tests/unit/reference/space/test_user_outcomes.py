"""The states of users and their outcomes: whom each choice of users averages, and what spells one table."""

from __future__ import annotations

from itertools import product

import pytest

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.space.averaging import USERS
from recsys_metric_audit.reference.space.user_outcomes import (
    STATES,
    Outcomes,
    Property,
    also_asking,
    asks_for,
    averages,
    edge_apart,
    outcomes,
    states_apart,
)

PEOPLE = [
    {"rated": rated, "relevant": relevant, "one_relevant": one, "listed": listed, "hit": hit}
    for rated, relevant, one, listed, hit in product((False, True), repeat=5)
    if rated >= relevant >= one and min(relevant, listed) >= hit
]
"""All kinds of users that there can be: who has relevant items has truth rows, who has a hit has both and a list."""
AVERAGED = {
    "truth": lambda user: user["relevant"],
    "both": lambda user: user["relevant"] and user["listed"],
    "predictions": lambda user: user["listed"],
    "all": lambda user: True,
    "hits": lambda user: user["hit"],
    "one_relevant": lambda user: user["one_relevant"],
    "truth_rows": lambda user: user["rated"],
    "both_rows": lambda user: user["rated"] and user["listed"],
}
"""The meanings of the values, written out by hand from the words of the axis."""


def whom(users: str) -> list[bool]:
    return [AVERAGED[users](user) for user in PEOPLE]


def test_every_value_of_the_axis_has_a_meaning_here() -> None:
    assert set(AVERAGED) == set(USERS.names)


@pytest.mark.parametrize("users", USERS.names)
@pytest.mark.parametrize("name", ["rated", "relevant", "one_relevant", "listed", "hit"])
def test_a_property_is_asked_for_if_every_averaged_user_has_it(users: str, name: str) -> None:
    averaged = [user for user, chosen in zip(PEOPLE, whom(users), strict=True) if chosen]
    assert asks_for(users, name) is all(user[name] for user in averaged)


@pytest.mark.parametrize("users", USERS.names)
@pytest.mark.parametrize("name", ["rated", "relevant", "listed"])
def test_asking_for_more_averages_those_of_them_who_have_it(users: str, name: str) -> None:
    fewer = [chosen and user[name] for user, chosen in zip(PEOPLE, whom(users), strict=True)]
    found = also_asking(users, name)
    there_is_one = fewer in [whom(each) for each in USERS.names]
    assert whom(found) == (fewer if there_is_one else whom(users))


@pytest.mark.parametrize("name", ["rated", "relevant", "listed", "hit"])
def test_users_with_train_rows_may_have_anything_else_or_not(name: Property) -> None:
    assert not asks_for("train", name)


def test_everybody_is_averaged_in_the_states_of_those_like_them() -> None:
    alike = [[person for person in PEOPLE if {name for name, has in person.items() if has} == state.has]
             for state in STATES]  # fmt: skip
    assert all(len(people) == 1 for people in alike)
    for users, state in product(USERS.names, STATES):
        [person] = alike[STATES.index(state)]
        assert averages(users, state) is bool(AVERAGED[users](person))


def table(signature: str, *, one_ranking: bool = False) -> Outcomes:
    values = dict(pair.split(":") for pair in signature.split("|") if pair)
    return outcomes(Definition.of("recall", values).axes, one_ranking=one_ranking)


def test_in_one_ranking_rows_of_users_are_in_it_or_left_out_whatever_the_policies() -> None:
    assert table("users:both|no_list:1", one_ranking=True) == table("users:both|undefined:nan", one_ranking=True)
    apart = states_apart(table("users:all", one_ranking=True), table("", one_ranking=True))
    assert edge_apart(apart) == "undefined"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("users:both", "no_list:skip"),
        ("undefined:1", "undefined:0"),  # nobody without relevant items is averaged
        ("users:predictions|undefined:skip", "users:both"),
        ("users:hits|no_list:1", "users:hits"),
    ],
)
def test_one_table_is_spelled_in_several_ways(one: str, other: str) -> None:
    assert table(one) == table(other) and not states_apart(table(one), table(other))


@pytest.mark.parametrize(
    ("one", "other", "edge"),
    [
        ("", "no_list:1", "no_list"),
        ("", "users:all|undefined:1", "undefined"),
        ("users:predictions|undefined:1", "users:all|undefined:1", "no_list"),  # nor have they relevant items, maybe
        ("users:both", "users:predictions|undefined:0", "undefined"),
        ("users:predictions|undefined:0", "users:all|undefined:0|no_list:skip", "no_list"),  # who has neither
        ("", "users:predictions|undefined:0", ""),  # who has no list is left out, who has no truth is not
        ("", "users:one_relevant", ""),
        ("", "", ""),
    ],
)
def test_the_edge_at_which_users_have_another_outcome(one: str, other: str, edge: str) -> None:
    assert edge_apart(states_apart(table(one), table(other))) == edge


def test_a_user_for_whom_the_library_raises_need_not_be_averaged() -> None:
    apart = states_apart(table(""), table("undefined:error"))
    assert {state.edge for state in apart} == {"undefined"} and len(apart) == 3


@pytest.mark.parametrize("metric", ["reciprocal_rank", "auc", "recall"])
def test_definitions_with_one_table_are_equal(metric: str) -> None:
    """Compare definitions with any averaged users and policies of two edges: where tables are equal, results are."""
    first: dict[object, Definition] = {}
    for users, undefined, no_list in product(USERS.names, ("skip", "1", "nan", "error"), ("0", "skip", "1", "error")):
        own = Definition.of(metric, {"users": users, "undefined": undefined, "no_list": no_list})
        assert are_equal(own, first.setdefault(outcomes(own.axes), own))
    assert 40 < len(first) < 128
