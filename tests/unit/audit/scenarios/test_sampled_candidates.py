"""Sampled candidates, worked out by hand on lists of letters."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.scenarios.sampled_candidates import SampledCandidates
from recsys_metric_audit.audit.scenarios.scenario import Applied
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case
from tests.support.scenario_cases import case, letters


def sampled(number: int, of: Case, seed: int = 1, *, popular: bool = False, train: bool | None = None) -> Applied:
    with_train = bool(len(of.train.item)) if train is None else train
    return SampledCandidates(number, by_popularity=popular).apply(of, seed, with_train=with_train)


def value(signature: str, of: Case) -> float:
    definition = parse(signature)
    k = definition.k if isinstance(definition.k, int) else None
    return float(evaluate(definition, Problem.of([of], k)).mean[0])


FULL = case({1: "abcdef", 2: "fedcba"}, {1: "cf", 2: "a"})


def test_relevant_items_and_so_many_others_stay_in_their_order() -> None:
    for seed in range(20):
        made = sampled(2, FULL, seed)
        first, second = letters(made.case.predictions).values()
        assert len(first) == 4 and {"c", "f"} < set(first) and first == "".join(sorted(first))
        assert len(second) == 3 and second.endswith("a") and second == "".join(sorted(second, reverse=True))
        assert (made.highest, made.notes) == (None, ())
        assert made.case.truth is FULL.truth


def test_all_others_are_taken_where_there_are_no_more() -> None:
    first, second = letters(sampled(4, FULL).case.predictions).values()
    assert (first, len(second)) == ("abcdef", 5)
    assert sampled(5, FULL).notes == ("1 of 2 users have fewer than 5 other candidates: all are taken.",)


def test_train_items_of_a_user_are_no_candidates() -> None:
    of = case({1: "abcd", 2: "abcd"}, {1: "d", 2: "a"}, {1: "b", 2: "c"})
    assert letters(sampled(2, of).case.predictions)[1] == "acd"


def test_every_candidate_is_drawn_equally_often() -> None:
    users = range(2000)
    of = case(dict.fromkeys(users, "abrcd"), dict.fromkeys(users, "r"))
    made = sampled(1, of).case
    counts = Counter("".join(letters(made.predictions).values()))
    assert counts.pop("r") == 2000
    # binomial of 2,000 and 1/4: five standard deviations are 97
    assert counts == {letter: pytest.approx(500, abs=97) for letter in "abcd"}
    # r stands first unless a or b was drawn
    assert value("hit_rate@1", made) == pytest.approx(1 / 2, abs=5 * math.sqrt(1 / 4 / 2000))


def test_popular_candidates_are_drawn_in_proportion_to_their_train_rows() -> None:
    users = range(2000)
    train = {**dict.fromkeys(range(9000, 9003), "a"), 9003: "b"}
    of = case(dict.fromkeys(users, "abrc"), dict.fromkeys(users, "r"), train)
    made = sampled(1, of, popular=True).case
    counts = Counter("".join(letters(made.predictions).values()))
    # a has three train rows and b one; c has none and is never drawn
    assert counts == {"r": 2000, "a": pytest.approx(1500, abs=97), "b": pytest.approx(500, abs=97)}


def test_a_draw_depends_on_seed_user_and_items_and_not_on_rows() -> None:
    users = range(50)
    of = case(dict.fromkeys(users, "abcdefghij"), dict.fromkeys(users, "j"))
    again = case(dict.fromkeys(reversed(users), "jihgfedcba"), dict.fromkeys(users, "j"))
    one, other = (
        {user: set(row) for user, row in letters(sampled(3, each).case.predictions).items()} for each in (of, again)
    )
    assert one == other
    assert letters(sampled(3, of, 2).case.predictions) != letters(sampled(3, of, 1).case.predictions)


def test_short_lists_give_bounds() -> None:
    # r is a known item (user 2 trained on it) that user 1's list does not have; nor has it c and d
    of = case({1: "ab", 2: "abcd"}, {1: "r", 2: "d"}, {2: "r"})
    made = sampled(4, of)
    assert made.highest is not None
    assert letters(made.case.predictions) == {1: "abcdr", 2: "abcd"}
    assert letters(made.highest.predictions) == {1: "abrcd", 2: "abcd"}
    assert (np.diff(made.highest.predictions.score[:5]) < 0).all()
    assert value("reciprocal_rank@5", made.case) == pytest.approx((1 / 5 + 1 / 4) / 2)
    assert value("reciprocal_rank@5", made.highest) == pytest.approx((1 / 3 + 1 / 4) / 2)
    assert made.notes == (
        "1 of 2 users have fewer than 4 other candidates: all are taken.",
        "2 of 7 drawn candidates have no score and stand below the list.",
    )


def test_a_short_list_with_all_relevant_items_leaves_nothing_open() -> None:
    of = case({1: "arb", 2: "abcd"}, {1: "r", 2: "d"}, {2: "r"})
    made = sampled(4, of)
    assert made.highest is None
    assert letters(made.case.predictions)[1] == "arbcd"


def test_bounds_hold_the_value_of_whole_lists_under_the_same_seed() -> None:
    shuffled = np.random.default_rng(3)
    full = {user: "".join(shuffled.permutation(list("abcdefghijklmnop"))) for user in range(40)}
    truth = {user: items[int(shuffled.integers(16))] for user, items in full.items()}
    train = dict.fromkeys(full, "qrs")
    short = case({user: items[:6] for user, items in full.items()}, truth, {**train, 99: "abcdefghijklmnop"})
    whole = case(full, truth, {**train, 99: "abcdefghijklmnop"})
    for seed in range(5):
        exact, bounds = sampled(5, whole, seed), sampled(5, short, seed)
        assert exact.highest is None and bounds.highest is not None
        for signature in ("ndcg@3", "recall@2", "average_precision@4", "auc"):
            low, true, high = (value(signature, each) for each in (bounds.case, exact.case, bounds.highest))
            assert low <= true <= high
            assert low < high


def test_an_item_that_nobody_could_be_recommended_stays_missed() -> None:
    of = case({1: "ab", 2: "ab"}, {1: "z", 2: "b"}, {2: "q"})  # z is in no list and no train row
    made = sampled(1, of)
    assert made.highest is None and "z" not in letters(made.case.predictions)[1]


def test_a_user_without_a_list_stays_without() -> None:
    assert set(letters(sampled(1, case({1: "abc"}, {1: "a", 2: "b"})).case.predictions)) == {1}


@pytest.mark.parametrize(
    ("of", "number", "message"),
    [
        (FULL, 6, "no user has 6 irrelevant candidates; the most are 5"),
        (case({1: "ab", 2: "abc"}, {1: "a", 2: "a"}), 1, "1 of 2 lists do not rank every item, and without train data"),
        (case({1: "a"}, {1: "a"}), 1, "no user has 1 irrelevant candidates; the most are 0"),
    ],
)
def test_what_the_data_cannot_carry_is_refused(of: Case, number: int, message: str) -> None:
    with pytest.raises(UserError) as refusal:
        sampled(number, of)
    assert message in refusal.value.message and refusal.value.hint
