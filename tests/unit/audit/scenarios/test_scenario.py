"""Scenarios of several steps, and a data set under a scenario."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.data.dataset import Dataset, Labels
from recsys_metric_audit.audit.data.facts import facts_of
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.scenarios import dataset_under, parse_scenario
from recsys_metric_audit.reference.input.case import Case
from tests.support.scenario_cases import case, letters

LISTS = {1: "abcdefgh", 2: "hgfedcba", 3: "aceghbdf"}
HELD_OUT = {1: "bdf", 2: "a", 3: "gh"}


def data(of: Case) -> Dataset:
    return Dataset("letters", of, Labels(), Labels(), facts_of(of), ("As written.",))


def test_one_relevant_item_among_drawn_ones_in_either_order_of_the_steps() -> None:
    of = case(LISTS, HELD_OUT)
    for seed in range(10):
        one = parse_scenario("leave_one_out+sampled:2").apply(of, seed).case
        other = parse_scenario("sampled:2+leave_one_out").apply(of, seed).case
        assert letters(one.predictions) == letters(other.predictions)
        assert letters(one.truth) == letters(other.truth)
        assert [len(items) for items in letters(one.predictions).values()] == [3, 3, 3]
        assert all(item in letters(one.predictions)[user] for user, item in letters(one.truth).items())


def test_bounds_stay_bounds_in_further_steps() -> None:
    of = case({1: "ab", 2: "abcd"}, {1: "r", 2: "d"}, {2: "r"})
    made = parse_scenario("sampled:4+users:1").apply(of, 2)
    assert made.highest is not None
    assert letters(made.case.truth) == letters(made.highest.truth)
    (user,) = letters(made.case.truth)
    expected = {1: ("abcdr", "abrcd"), 2: ("abcd", "abcd")}[user]
    assert (letters(made.case.predictions)[user], letters(made.highest.predictions)[user]) == expected


def test_train_items_made_by_a_step_are_no_train_data() -> None:
    with pytest.raises(UserError) as refusal:
        parse_scenario("leave_one_out+sampled_popular:1").apply(case(LISTS, HELD_OUT))
    assert refusal.value.message == (
        "--scenario leave_one_out+sampled_popular:1: it needs train data, and none were given"
    )
    assert "--train FILE" in refusal.value.hint


def test_what_a_step_refuses_names_the_scenario() -> None:
    with pytest.raises(UserError, match=r"^--scenario threshold:1\+users:9: only 3 users have held-out items$"):
        parse_scenario("threshold:1+users:9").apply(case(LISTS, HELD_OUT))


def test_a_data_set_says_under_which_scenario_it_is_and_counts_its_facts_anew() -> None:
    made = dataset_under(data(case(LISTS, HELD_OUT, {1: "z"})), parse_scenario("users:1"), 4)
    assert made.name == "letters, users:1, seed 4"
    assert made.choices == ("As written.", "Scenario users:1, seed 4: Users that are evaluated, drawn: 1.")
    assert (made.shape.users, made.shape.rows) == (1, 8)
    assert made.facts == facts_of(made.case)
    fixed = dataset_under(data(case(LISTS, HELD_OUT)), parse_scenario("threshold:1"), 4)
    assert fixed.name == "letters, threshold:1"
    assert fixed.choices[1:] == (
        "Scenario threshold:1: Relevant are held-out items of gain 1 or more.", "No held-out item has a lower gain.",
    )  # fmt: skip


def test_libraries_are_asked_on_no_bounds() -> None:
    of = case({1: "ab", 2: "abcd"}, {1: "r", 2: "d"}, {2: "r"})
    with pytest.raises(UserError, match="whose places among drawn candidates nobody can know"):
        dataset_under(data(of), parse_scenario("sampled:4"), 1)
