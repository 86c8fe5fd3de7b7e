"""The table of averaged users: what each value asks for, and which value asks for more or less."""

from __future__ import annotations

from itertools import product

import pytest

from reference.space.averaged_users import Property, also_asking, asks_for, not_asking
from reference.space.averaging import USERS

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


@pytest.mark.parametrize(
    ("users", "name", "fewer"),
    [
        ("both", "listed", "truth"), ("predictions", "listed", "all"), ("both_rows", "listed", "truth_rows"),
        ("both", "rated", "predictions"), ("truth", "rated", "all"), ("truth", "relevant", "truth_rows"),
        ("hits", "listed", "truth"), ("hits", "hit", "both"), ("one_relevant", "one_relevant", "truth"),
        ("one_relevant", "rated", "all"), ("all", "listed", "all"),
    ],
)  # fmt: skip
def test_asking_for_less(users: str, name: str, fewer: str) -> None:
    assert not_asking(users, name) == fewer


@pytest.mark.parametrize("name", ["rated", "relevant", "listed", "hit"])
def test_users_with_train_rows_may_have_anything_else_or_not(name: Property) -> None:
    assert not asks_for("train", name) and also_asking("train", name) == not_asking("train", name) == "train"
