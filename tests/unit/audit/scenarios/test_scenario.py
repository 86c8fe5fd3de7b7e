"""Hold scenarios: draws, held-out items, rows kept, candidates that are sampled."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from recsys_metric_audit.audit.data.dataset import Dataset, Labels, facts_of
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.scenarios import dataset_under, parse_scenario
from recsys_metric_audit.audit.scenarios.protocol_steps import (
    LeaveOneOut,
    RelevanceThreshold,
    SampledCandidates,
    TrainFiltered,
    UsersCapped,
    _mixed,
    uniform,
)
from recsys_metric_audit.audit.scenarios.scenario import Applied, Step
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case
from tests.support.scenario_cases import case, letters

# Scenarios of several steps, and a data set under a scenario.

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


# Scenarios as typed: what is understood, and what each mistake says.


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("sampled:99", (SampledCandidates(99),)),
        ("sampled_popular:100", (SampledCandidates(100, by_popularity=True),)),
        ("users:1000", (UsersCapped(1000),)),
        ("threshold:3.5", (RelevanceThreshold(3.5),)),
        ("train_filtered", (TrainFiltered(),)),
        (" leave_one_out + sampled:99", (LeaveOneOut(), SampledCandidates(99))),
    ],
)
def test_each_form_is_understood(text: str, steps: tuple[Step, ...]) -> None:
    found = parse_scenario(text)
    assert found.steps == steps
    assert found.name == text.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("sample:99", "there is no scenario 'sample'", "did you mean sampled?"),
        ("", "there is no scenario ''", "sampled:N"),
        ("sampled", "a whole number", "try sampled:99"),
        ("users:0", "a whole number from 1", "try users:1000"),
        ("sampled:9.5", "a whole number", "try sampled:99"),
        ("sampled:²", "a whole number", "try sampled:99"),
        ("sampled:9999999999", "a whole number from 1 to 1,000,000", "try sampled:99"),
        ("threshold", "the gain from which items are relevant is missing", "try threshold:4"),
        ("threshold:nan", "the gain from which items are relevant is missing", "try threshold:4"),
        ("leave_one_out:2", "leave_one_out takes no number", "try --scenario leave_one_out"),
        ("sampled:9+sampled_popular:9", "stands in it twice", "leave out one"),
    ],
)
def test_each_mistake_is_named_with_what_to_type(text: str, message: str, hint: str) -> None:
    with pytest.raises(UserError) as refusal:
        parse_scenario(text)
    assert refusal.value.message.startswith(f"--scenario {text}: ")
    assert message in refusal.value.message and hint in refusal.value.hint


# Draws: splitmix64 as published, one number for one pair wherever its row stands.


def test_the_outputs_of_splitmix64_from_state_0() -> None:
    # Vigna, prng.di.unimi.it/splitmix64.c: the first three outputs from state 0, each state one golden step further
    golden = 0x9E3779B97F4A7C15
    states = np.array([0, golden, 2 * golden % 2**64], dtype=np.uint64)
    assert [hex(each) for each in _mixed(states).tolist()] == [
        "0xe220a8397b1dcdaf", "0x6e789e6aa1b965f4", "0x6c45d188009454f",
    ]  # fmt: skip


def test_a_pair_has_one_number_wherever_it_stands() -> None:
    users, items = np.array([3, 1, 3]), np.array([7, 7, 8])
    together = uniform(1, users, items)
    assert together[1] == uniform(1, np.array([1]), np.array([7]))[0]
    assert uniform(1, np.array([3]), items).tolist() == uniform(1, np.array([3, 3, 3]), items).tolist()
    assert len({*together.tolist(), *uniform(2, users, items).tolist()}) == 6


def test_numbers_are_spread_over_0_to_1() -> None:
    drawn = uniform(5, np.arange(100).repeat(100), np.tile(np.arange(100), 100))
    assert drawn.min() > 0 and drawn.max() < 1
    counts, _ = np.histogram(drawn, bins=10, range=(0, 1))
    assert counts == pytest.approx(1000, abs=150)  # five standard deviations of a binomial of 10,000 and 1/10


# Leave-one-out and relevance thresholds, worked out by hand on lists of letters.


def test_one_relevant_item_stays_and_the_others_count_as_seen() -> None:
    of = case({1: "abcd", 2: "dcba"}, {1: "ac", 2: "b"}, {1: "z"})
    for seed in range(10):
        made = LeaveOneOut().apply(of, seed, with_train=True).case
        kept = letters(made.truth)[1]
        other = {"a": "c", "c": "a"}[kept]
        assert letters(made.truth) == {1: kept, 2: "b"}
        assert letters(made.predictions) == {1: "abcd".replace(other, ""), 2: "dcba"}
        assert letters(made.train) == {1: f"z{other}"}


def test_each_relevant_item_is_drawn_equally_often() -> None:
    users = range(2000)
    of = case(dict.fromkeys(users, "abcd"), dict.fromkeys(users, "abcd"))
    made = LeaveOneOut().apply(of, 1, with_train=False).case
    # binomial of 2,000 and 1/4: five standard deviations are 97
    assert Counter("".join(letters(made.truth).values())) == {item: pytest.approx(500, abs=97) for item in "abcd"}


def test_the_gain_of_the_item_that_stays_stays_with_it() -> None:
    of = case({1: "abcd"}, {1: "abcd"}, gains=[1.0, 2.0, 3.0, 4.0])
    drawn = [LeaveOneOut().apply(of, seed, with_train=False).case for seed in range(8)]
    assert [made.truth.gain.tolist() for made in drawn] == [[made.truth.item[0] + 1.0] for made in drawn]
    assert len({letters(made.truth)[1] for made in drawn}) > 1


def test_where_every_user_has_one_relevant_item_nothing_changes() -> None:
    of = case({1: "ab"}, {1: "a"})
    made = LeaveOneOut().apply(of, 1, with_train=False)
    assert made.case is of and made.notes == ("Every user has one relevant item already.",)


def test_items_below_the_threshold_are_candidates_like_any_other() -> None:
    of = case({1: "abc", 2: "abc"}, {1: "abc", 2: "a"}, gains=[5.0, 4.0, 3.0, 3.5])
    made = RelevanceThreshold(4).apply(of, 0, with_train=False).case
    assert letters(made.truth) == {1: "ab"}
    assert (made.truth.gain.tolist(), made.threshold) == ([5.0, 4.0], 4)
    assert made.predictions is of.predictions


def test_a_threshold_above_all_gains_is_refused_and_one_below_all_changes_no_row() -> None:
    of = case({1: "ab"}, {1: "ab"}, gains=[2.0, 3.0])
    with pytest.raises(UserError, match=r"no held-out item has a gain of 3\.5 or more"):
        RelevanceThreshold(3.5).apply(of, 0, with_train=False)
    made = RelevanceThreshold(2).apply(of, 0, with_train=False)
    assert made.case.truth is of.truth and made.case.threshold == 2
    assert made.notes == ("No held-out item has a lower gain.",)


# Train items filtered and users capped, worked out by hand on lists of letters.


def test_train_items_of_a_user_leave_the_list_and_the_other_users_keep_theirs() -> None:
    made = TrainFiltered().apply(case({1: "abc", 2: "abc"}, {1: "c", 2: "c"}, {1: "b"}), 0, with_train=True)
    assert letters(made.case.predictions) == {1: "ac", 2: "abc"}
    assert made.case.predictions.score.tolist() == [3.0, 1.0, 3.0, 2.0, 1.0]
    assert made.notes == ("1 of 6 predicted rows are train items of their users.",)


def test_lists_that_were_filtered_stay_and_lists_of_train_items_alone_are_refused() -> None:
    of = case({1: "abc"}, {1: "c"}, {1: "z"})
    made = TrainFiltered().apply(of, 0, with_train=True)
    assert made.case is of and "filtered already" in made.notes[0]
    with pytest.raises(UserError, match="every predicted row is a train item"):
        TrainFiltered().apply(case({1: "ab"}, {1: "c"}, {1: "ab"}), 0, with_train=True)


def test_some_users_stay_with_their_lists_and_the_train_data_stay_whole() -> None:
    everybody = dict.fromkeys(range(10), "ab")
    of = case({**everybody, 77: "ab"}, everybody, {3: "z"})
    made = UsersCapped(4).apply(of, 1, with_train=True).case
    kept = np.unique(made.truth.user)
    assert len(kept) == 4
    assert letters(made.truth) == letters(made.predictions) == dict.fromkeys(kept.tolist(), "ab")
    assert made.train is of.train
    drawn = Counter(
        user for seed in range(400) for user in letters(UsersCapped(4).apply(of, seed, with_train=True).case.truth)
    )
    # binomial of 400 and 4/10: five standard deviations are 49
    assert drawn == {user: pytest.approx(160, abs=49) for user in range(10)}


def test_more_users_than_there_are_cannot_be_kept() -> None:
    of = case({1: "ab", 2: "ab", 3: "ab"}, {1: "a", 2: "a"})
    assert letters(UsersCapped(2).apply(of, 1, with_train=False).case.predictions) == {1: "ab", 2: "ab"}
    with pytest.raises(UserError, match="only 2 users have held-out items"):
        UsersCapped(3).apply(of, 1, with_train=False)


# Sampled candidates, worked out by hand on lists of letters.


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
