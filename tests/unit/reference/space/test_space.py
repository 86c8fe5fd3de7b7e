"""Hold the space of definitions: axes and their levels, edges, means over users, lists, train items, outcomes."""

from __future__ import annotations

import random
import weakref
from itertools import product

import numpy as np
import pytest

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.metrics import FAMILIES, METRICS
from recsys_metric_audit.reference.space import edges, levels, train_items
from recsys_metric_audit.reference.space.averaging import (
    USERS,
    UserCounts,
    mean_of_terms,
    mean_terms,
    nothing_added,
)
from recsys_metric_audit.reference.space.axis import Axis, axis, is_number, more_than
from recsys_metric_audit.reference.space.edges import POLICIES, UserValues
from recsys_metric_audit.reference.space.levels import LEVELS, level_of
from recsys_metric_audit.reference.space.lists import (
    Floats,
    Lists,
    cumulated,
    harmonic,
    kept_with_lists,
)
from recsys_metric_audit.reference.space.metric import is_cut, is_stacked, refuse_all_relevant
from recsys_metric_audit.reference.space.train_items import TrainItems
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
from tests.support.generated_inputs import many

PLAIN = axis("gain", "gain of a hit", {"binary": "1", "exp2": "2^g - 1", "odd": "?"}, slug="other-gain",
             slugs={"exp2": "exponential-gain"}, sources={"exp2": "Burges et al. 2005"})  # fmt: skip
NUMERIC = axis("beta", "weight", {"1": "F1"}, slug="other-beta", numeric=(0.01, 100.0))


def test_the_first_value_is_canonical_and_has_no_class() -> None:
    assert PLAIN.canonical == "binary" and PLAIN.names == ("binary", "exp2", "odd")
    assert [value.slug for value in PLAIN.values] == [None, "exponential-gain", "other-gain"]
    assert PLAIN.value("exp2").source == "Burges et al. 2005"


def test_only_numeric_axes_take_numbers() -> None:
    assert NUMERIC.admits("0.25") and not PLAIN.admits("0.25") and not NUMERIC.admits("nan")
    assert NUMERIC.value("0.25").slug == "other-beta"
    with pytest.raises(KeyError):
        PLAIN.value("0.25")


def test_a_number_means_what_the_axis_says_of_numbers() -> None:
    worded = axis("least", "smallest", {"any": "all"}, slug="least", numeric=(0.0, 9.0), of_number="gain >= {}")
    assert (NUMERIC.value("0.25").meaning, worded.value("2").meaning) == ("beta = 0.25", "gain >= 2")


def test_more_than_a_number_is_a_value_where_the_axis_says_what_it_means() -> None:
    worded = axis("least", "smallest", {"above_t": "gain > t"}, slug="least", numeric=(0.0, 9.0), of_more="gain > {}")
    assert worded.value("above_0.5").meaning == "gain > 0.5" and worded.value("above_0.5").slug == "other-least"
    assert worded.admits("above_2") and not worded.admits("above_0") and not worded.admits("above_nan")
    assert not NUMERIC.admits("above_0.5")
    assert (more_than("above_0.5"), more_than("above_t"), more_than("0.5")) == (0.5, None, None)


@pytest.mark.parametrize(("text", "holds"), [("2", True), ("-1e3", True), ("inf", False), ("two", False)])
def test_finite_numbers(text: str, holds: bool) -> None:
    assert is_number(text) == holds


# From per-user values to the number of a case, by fractions.

COUNTS = UserCounts(
    relevant=np.array([1, 3, 0, 2]), listed=np.array([1, 2, 0, 0]), length=np.array([2, 4, 3, 0]),
    rated=np.array([1, 4, 1, 2]), hits=np.array([1, 0, 0, 0]), case=np.array([0, 0, 1, 1]), cases=2,
)  # fmt: skip
"""Case 0 has users 0 and 1, case 1 has user 2 (no relevant items) and user 3 (no list)."""


def users(*values: float) -> UserValues:
    yes = np.ones(4, dtype=bool)
    return UserValues(np.array(values), yes, ~yes, yes)


def test_one_case_is_added_up_as_several_are_to_the_last_digit() -> None:
    value = np.random.default_rng(0).random(1_000)
    each, yes = np.full(1_000, 1), np.ones(1_000, dtype=bool)

    def of(cases: int) -> float:
        counts = UserCounts(each, each, each, each, each, np.zeros(1_000, dtype=np.int64), cases)
        return float(mean_of_terms(mean_terms(UserValues(value, yes, ~yes, yes), None, counts, {}), counts)[0])

    assert of(1) == of(2) == sum(value.tolist()) / 1_000


def test_sums_of_nothing_are_told_from_sums_that_cancel() -> None:
    """Case 0: the inverses of 1/2 and -1/2 add up to 0; case 1: no user has a hit."""
    cancelled = mean_terms(users(1 / 2, -1 / 2, 1, 1), None, COUNTS, {"mean": "harmonic"})
    assert nothing_added(cancelled, COUNTS).tolist() == [False, False]
    without = mean_terms(users(1, 1, 1, 1), None, COUNTS, {"users": "hits"})
    assert nothing_added(without, COUNTS).tolist() == [False, True]


# Edges: which users are at which, and what each policy makes of their value.


@pytest.mark.parametrize("edge", edges.AXES, ids=lambda edge: edge.name)
def test_an_edge_admits_policies_of_the_table_and_says_what_they_mean(edge: Axis) -> None:
    assert {value.name: value.meaning for value in edge.values} == {name: POLICIES[name].meaning for name in edge.names}


def test_what_one_user_makes_of_the_whole_result_is_told_of_the_policies_that_do() -> None:
    # Another user's value, 0.5, is lost to NaN, to an error, and to 0.
    assert edges.MAKES_ALL == ("nan", "error", "ends_all")
    assert edges.FINITE == ("0", "1", "half")


# Every axis of every metric answers exactly one of the three questions.

NAMES = sorted({axis.name for metric in FAMILIES.values() for axis in metric.all_axes})


def test_every_axis_has_a_level() -> None:
    assert {level_of(name) for name in NAMES} == set(LEVELS)


@pytest.mark.parametrize("name", FAMILIES)
def test_every_value_but_the_canonical_one_has_a_class_of_mismatch(name: str) -> None:
    for own in FAMILIES[name].all_axes:
        canonical, *others = own.values
        assert canonical.slug is None and all(each.slug for each in others), own.name


def test_the_tables_name_axes_that_exist_and_share_none() -> None:
    assert not levels._WHO_COUNTS & levels._INPUT
    assert set(NAMES) >= levels._WHO_COUNTS | levels._INPUT


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("gain", "formula"), ("cutoff", "formula"), ("positions", "formula"), ("truth", "formula"),
        ("pooling", "formula"), ("weight", "formula"), ("mean", "formula"), ("scope", "formula"),
        ("unlisted", "formula"), ("pairs", "formula"), ("users", "who_counts"), ("undefined", "who_counts"),
        ("no_hit", "who_counts"), ("no_negatives", "who_counts"), ("no_list", "who_counts"), ("order", "input"),
        ("ties", "input"), ("tied_scores", "input"), ("short_lists", "input"), ("duplicates", "input"),
        ("truth_duplicates", "input"), ("relevance", "input"), ("counted_scores", "input"), ("candidates", "input"),
    ],
)  # fmt: skip
def test_levels_are_those_of_the_three_questions(name: str, level: str) -> None:
    assert level_of(name) == level


# Places, ratios and sums over them.


def test_harmonic_numbers_and_cumulated_terms() -> None:
    assert harmonic(np.array([0, 1, 3])).tolist() == pytest.approx([0, 1, 1 + 1 / 2 + 1 / 3])
    assert cumulated(np.array([0, 2]), np.array([3.0, 4.0, 5.0])).tolist() == [0.0, 7.0]


def test_what_is_kept_with_lists_goes_with_them() -> None:
    asked: list[str] = []

    @kept_with_lists
    def sums(lists: Lists, word: str) -> Floats:
        asked.append(word)
        return lists.listed.sum(1.0)

    lists = Problem.of([many(("101", None))], 2).lists({})
    gone = weakref.ref(lists.listed)
    assert sums(lists, "a") is sums(lists, "a")
    sums(lists, "b")
    assert asked == ["a", "b"]
    del lists
    assert gone() is None


# Metrics as values: which axes act, and which combinations are refused.


def test_axes_that_cannot_act_are_absent() -> None:
    assert "positions" not in METRICS["hit_rate"].canonical
    with pytest.raises(KeyError):
        METRICS["hit_rate"].axis("positions")


@pytest.mark.parametrize(
    ("metric", "values", "words"),
    [
        ("recall", {"cutoff": "2.5"}, "whole number of rows"),
        ("recall", {"weight": "listed"}, "weight:listed"),
        ("ndcg", {"gain": "exp2_whole", "ideal_gain": "linear"}, "ideal_gain is same"),
        ("auc", {"scope": "stacked", "ties": "text_asc"}, "ties by text"),
        ("auc", {"scope": "stacked", "users": "hits"}, "users:hits"),
    ],
)
def test_meaningless_combinations_are_refused(metric: str, values: dict[str, str], words: str) -> None:
    reason = METRICS[metric].refusal({**METRICS[metric].canonical, **values})
    assert reason is not None and words in reason


def test_one_ranking_of_all_rows() -> None:
    auc = METRICS["auc"]
    assert is_stacked(auc, {**auc.canonical, "scope": "stacked"}) and not is_stacked(auc, auc.canonical)


def test_hits_count_down_to_some_rank_unless_the_list_is_not_cut() -> None:
    assert is_cut({}) and not is_cut({"cutoff": "none"}) and not is_cut({"cutoff": "hits_uncut"})


def test_only_relevant_candidates_are_refused() -> None:
    assert refuse_all_relevant({"candidates": "test_only", "relevance": "every_row"})
    assert refuse_all_relevant({"candidates": "test_only", "relevance": "positive"}) is None


# Who has both items of a pair.


def holding(owners: list[list[int]]) -> TrainItems:
    """Return train items whose owners are given; nothing else of them is read here."""
    start = np.cumsum([0, *map(len, owners)])
    none = np.zeros(0, dtype=np.int64)
    return TrainItems(start, np.array([each for own in owners for each in own], np.int64), *[none] * 7)


def test_without_pairs_or_owners_nothing_is_counted() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert holding([[0]]).common(none, none).tolist() == []
    assert holding([[], []]).common(np.array([0]), np.array([1])).tolist() == [0]


@pytest.mark.parametrize("at_once", [1, 7, 10**6])
def test_blocks_of_any_size_count_what_sets_count(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train_items, "_AT_ONCE", at_once)
    rng = random.Random(5)
    owners = [*(sorted(rng.sample(range(12), rng.randint(0, 9))) for _ in range(15)), []]  # -1 is nobody's
    first, second = (np.array(column) for column in zip(*product(range(-1, 15), repeat=2), strict=True))
    expected = [len(set(owners[one]) & set(owners[other])) for one, other in product(range(-1, 15), repeat=2)]
    assert holding(owners[:-1]).common(first, second).tolist() == expected


# The states of users and their outcomes: whom each choice of users averages, and what spells one table.

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
