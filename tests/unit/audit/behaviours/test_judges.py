"""Judges of changed input name behaviours from answers written by hand."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from recsys_metric_audit.audit.behaviours import experiments, scenarios
from recsys_metric_audit.audit.behaviours.function_behaviours import behaviours
from recsys_metric_audit.audit.behaviours.judges import judge_range
from recsys_metric_audit.audit.behaviours.responses import Returned
from recsys_metric_audit.audit.process.protocol import Crashed, Errored, Measured, NotOffered, TimedOut, Unaskable
from recsys_metric_audit.reference.input.case import Case
from tests.support.behaviour_samples import ERROR, NAN, Given, judged, subject

# Judges of changed input name behaviours from answers written by hand.


@pytest.mark.parametrize(
    ("before", "after", "name", "words"),
    [
        (0.5, 0.5, "unchanged", ""),
        (0.5, 0.5 + 1e-12, "unchanged", ""),
        (NAN, NAN, "unchanged", ""),
        (0.5, 0.25, "changes", "0.5 becomes 0.25"),
        (0.5, NAN, "nan", "0.5 becomes nan"),
        (0.5, math.inf, "changes", "0.5 becomes inf"),
        (0.5, ERROR, "raises", "ValueError: no"),
        (0.5, Crashed(-9, ""), "crashes", "exit code -9"),
        (0.5, TimedOut(3), "times_out", "no answer within 3 s"),
        (0.5, Crashed(-9, "", asked=False), "not_asked", ""),
        (0.5, NotOffered("not here"), "not_askable", "not here"),
        (0.5, Unaskable("not here"), "not_askable", "not here"),
        (ERROR, 0.5, "not_askable", "refused even without the change: ValueError: no"),
        (ERROR, ERROR, "not_askable", "without the change, too: ValueError: no"),
        ({1: 0.5, 2: 1.0}, {1: 0.5, 2: 1.0}, "unchanged", ""),
        ({1: 0.5, 2: 1.0}, {1: 0.5}, "changes", "{1: 0.5, 2: 1} becomes 0.5"),
    ],
)
def test_invariance(before: Given, after: Given, name: str, words: str) -> None:
    said = judged("item_ids", {scenarios.ORDINARY: before, "items renamed, order kept": after})
    assert (said.name, said.text, said.slug) == (name, words, None)


def test_what_was_never_asked_is_said() -> None:
    assert judged("item_ids", {scenarios.ORDINARY: 0.5}).name == "not_asked"


def test_renamed_users_are_matched_by_their_old_ids() -> None:
    before, after = {1: 0.5, 2: 1.0}, {89: 0.5, 88: 1.0}
    assert judged("user_ids", {scenarios.ORDINARY: before, "users renamed": after}).name == "unchanged"
    mixed_up = {89: 1.0, 88: 0.5}
    assert judged("user_ids", {scenarios.ORDINARY: before, "users renamed": mixed_up}).name == "changes"


@pytest.mark.parametrize(
    ("number", "name"), [(1 / 3, "counted_once"), (2 / 3, "larger"), (0.25, "changes"), (ERROR, "raises")]
)
def test_a_hit_recommended_twice(number: Given, name: str) -> None:
    assert judged("duplicates", {scenarios.TWICE_BASE: 1 / 3, scenarios.TWICE: number}).name == name


@pytest.mark.parametrize(("number", "name"), [(0.0, "counted_once"), (1 / 3, "removed"), (0.2, "changes")])
def test_a_miss_recommended_twice(number: float, name: str) -> None:
    plain = {"a hit just below k, nothing twice": 0.0, "the copy taken out, the hit moved up": 1 / 3}
    assert judged("duplicates_above", {**plain, scenarios.TWICE_ABOVE: number}).name == name


@pytest.mark.parametrize(("after", "name"), [(0.5, "skipped"), (0.75, "counted"), (NAN, "nan"), (ERROR, "raises")])
def test_rows_of_the_truth_are_counted_or_not(after: Given, name: str) -> None:
    assert judged("zero_gain", {scenarios.ZERO_GAIN: after, "without the row of 0": 0.5}).name == name


def test_padding_and_train_items_are_like_one_or_the_other() -> None:
    lists = {scenarios.SHORT: 0.5, "filled up with misses": 0.2}
    assert judged("padding", {**lists, "padded with item 0": 0.2}).name == "counted"
    assert judged("padding", {**lists, "padded with item 0": 0.5}).name == "skipped"
    assert judged("padding", {**lists, "padded with item 0": 0.9}).name == "changes"
    one_way = {scenarios.SHORT: 0.2, "filled up with misses": 0.2, "padded with item 0": 0.2}
    assert judged("padding", one_way).name == "unchanged"


COPIES = [scenario.name for scenario in scenarios.TRUTH_COPIES]


@pytest.mark.parametrize(
    ("answers", "name"),
    [
        # low and high, high and low, low alone, high alone
        ((0.25, 1.0, 0.25, 1.0), "first_copy"),
        ((1.0, 0.25, 0.25, 1.0), "last_copy"),
        ((1.0, 1.0, 0.25, 1.0), "largest_copy"),
        ((0.25, 0.25, 0.25, 1.0), "smallest_copy"),
        ((2.0, 2.0, 0.25, 1.0), "both_copies"),
        ((2.0, 3.0, 0.25, 1.0), "changes"),
        ((0.25, 2.0, 0.25, 1.0), "changes"),
        ((1.0, 1.0, 1.0, 1.0), "not_askable"),
        ((ERROR, 1.0, 0.25, 1.0), "raises"),
        ((ERROR, ERROR, 0.25, ERROR), "not_askable"),
    ],
)
def test_of_two_gains_of_an_item_one_counts(answers: tuple[Given, ...], name: str) -> None:
    given: dict[str, Given | Sequence[Given]] = dict(zip(COPIES, answers, strict=True))
    assert judged("truth_copies", given).name == name


@pytest.mark.parametrize(("kept", "name"), [("last", "last_copy"), ("first", "first_copy"), ("sum", "both_copies")])
def test_a_function_of_dictionaries_keeps_the_last_gain(kept: str, name: str) -> None:
    """DCG at 1 with linear gains: that of the first item, which is 2 and 4."""

    def dcg_at_1(case: Case) -> float:
        gains: dict[int, float] = {}
        for item, gain in zip(case.truth.item.tolist(), case.truth.gain.tolist(), strict=True):
            before = gains.get(item)
            gains[item] = gain if before is None or kept == "last" else before if kept == "first" else before + gain
        return gains[int(case.predictions.item[np.argmax(case.predictions.score)])]

    answers: dict[str, Given | Sequence[Given]] = {each.name: dcg_at_1(each.case) for each in scenarios.TRUTH_COPIES}
    assert judged("truth_copies", answers).name == name


@pytest.mark.parametrize(("cut", "name"), [(False, "unchanged"), (True, "changes")])
def test_a_truth_cut_at_k_is_told_by_a_hit_in_its_last_row(cut: bool, name: str) -> None:
    def hit_rate(case: Case, k: int) -> float:
        truth = case.truth.item[: k if cut else None]
        return float(np.isin(case.predictions.item[:k], truth).any())

    answers: dict[str, Given | Sequence[Given]] = {
        each.name: hit_rate(each.case, each.ks[0]) for each in scenarios.LONGER_TRUTH
    }
    assert judged("truth_beyond_k", answers).name == name


def test_a_truth_cut_at_k_has_a_class_of_its_own() -> None:
    said = behaviours(subject({scenarios.LONGER_TRUTH[0].name: 0.25, scenarios.LONGER_TRUTH[1].name: 0.0}))
    assert said["truth_beyond_k"].slug == "truth-cut"


# The value of a user without list or truth is found from the mean or the user's own value.


@pytest.mark.parametrize(
    ("mean", "name"),
    [
        # two others of mean 0.6: alone 0.6; with 0: 1.2/3; with 1: 2.2/3; with one half: 1.7/3
        (0.6, "skipped"),
        (0.4, "zero"),
        (2.2 / 3, "one"),
        (1.7 / 3, "half"),
        (NAN, "nan"),
        (0.55, "changes"),
        (ERROR, "raises"),
    ],
)
@pytest.mark.parametrize(("experiment", "probe"), [("no_list", scenarios.NO_LIST), ("no_truth", scenarios.NO_TRUTH)])
def test_as_what_a_missing_user_counts(mean: Given, name: str, experiment: str, probe: str) -> None:
    assert judged(experiment, {probe: mean, "without that user": 0.6}).name == name


@pytest.mark.parametrize(
    ("values", "name"),
    [({2: 0.5, 3: 0.7}, "skipped"), ({1: 0.0, 2: 0.5, 3: 0.7}, "zero"), ({1: NAN, 2: 0.5, 3: 0.7}, "nan")],
)
def test_without_a_mean_the_users_own_value_says_it(values: Given, name: str) -> None:
    assert judged("no_list", {scenarios.NO_LIST: values, "without that user": {2: 0.5, 3: 0.7}}).name == name


# Repeated calls, other cut-offs before, and another hash seed: equal answers or the spread.


def test_calls_in_a_row_that_differ_show_their_spread() -> None:
    assert judged("repeated_call", {scenarios.ORDINARY: 0.5, "called three times": [0.5, 0.5, 0.5]}).name == "unchanged"
    said = judged("repeated_call", {scenarios.ORDINARY: 0.5, "called three times": [0.5, 0.75, 0.25]})
    assert said.name == "changes"
    assert "a spread of 0.5" in said.text


def test_other_cut_offs_before() -> None:
    assert judged("several_k", {"k alone": [0.5, 0.25], "after other k": [0.5, 0.25]}).name == "unchanged"
    said = judged("several_k", {"k alone": [0.5, 0.25], "after other k": [0.5, 0.5]})
    assert (said.name, said.text) == ("changes", "k = 5: 0.25 becomes 0.5")
    assert judged("several_k", {}, has_k=False).name == "not_askable"


def test_another_hash_seed() -> None:
    answers = dict.fromkeys(scenarios.SEEDED, 0.5)
    assert judged("hash_seed", answers).name == "unchanged"
    assert judged("hash_seed", answers, seeded=0.75).name == "changes"


# Values are named, per-user values are complete or not, and values lie in range or not.


@pytest.mark.parametrize(
    ("number", "name"),
    [(1.0, "one"), (0.0, "zero"), (NAN, "nan"), (math.inf, "infinite"), (0.25, "number"), (ERROR, "raises")],
)
def test_values_are_named(number: Given, name: str) -> None:
    assert judged("perfect", {scenarios.PERFECT: number}).name == name
    assert judged("empty_truth", {"no truth at all": number}).name == name


def test_nobody_with_a_value_is_said() -> None:
    assert judged("empty_truth", {"no truth at all": {}}).name == "skipped"


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({1: 1, 2: 1, 3: 1, 4: 1, 5: 1}, "complete"),
        ({1: 1, 2: 1, 3: 1, 5: 1}, "skipped"),
        ({1: 1, 2: 1, 3: 1, 4: 1, 6: 1}, "unknown"),
        (0.5, "mean_only"),
        (Errored("BadAnswer", "5 users but 4 values", ""), "raises"),
    ],
)
def test_per_user_values(values: Given, name: str) -> None:
    assert judged("per_user", {scenarios.ORDINARY: values}).name == name


def test_users_without_a_value_and_strangers_are_told_by_their_ids() -> None:
    said = [
        judged("per_user", {scenarios.ORDINARY: dict.fromkeys(users, 1)}).text for users in ((1, 2, 3, 5), range(7))
    ]
    assert said == ["no value for users 4 of 5", "users 0, 6 are not in the input"]


def test_a_user_with_two_values() -> None:
    twice = Measured(None, np.array([1, 1, 2, 3, 4, 5]), np.ones(6), "float", 0.0)
    assert judged("per_user", {scenarios.ORDINARY: twice}).name == "repeated"


@pytest.mark.parametrize(
    ("numbers", "name"),
    [((0.0, 1.0), "within"), ((0.5, NAN), "within"), ((0.5, 1.63), "outside"), ((-0.1, 0.5), "outside"),
     ((0.5, -math.inf), "infinite")],
)  # fmt: skip
def test_values_outside_the_range(numbers: tuple[float, ...], name: str) -> None:
    answers = {f"case {place}": Returned(number, None) for place, number in enumerate(numbers)}
    said = judge_range((0.0, 1.0), answers, 1e-6)
    assert said.name == name and (name == "within" or " on case " in said.text)


# The tie rule is named from answers to four tied and two untied cases.


TIED = [scenario.name for scenario in scenarios.TIES]

ABOVE, BELOW = (scenario.name for scenario in scenarios.UNTIED)


@pytest.mark.parametrize(
    ("tied", "name"),
    [
        # upper row with lower, with higher id; lower row with lower, with higher id; 1 where the hit counts as above
        ((1, 1, 0, 0), "row_order"),
        ((0, 0, 1, 1), "reverse_row_order"),
        ((1, 0, 1, 0), "lower_item_first"),
        ((0, 1, 0, 1), "higher_item_first"),
        ((1, 1, 1, 1), "hits_first"),
        ((0, 0, 0, 0), "misses_first"),
        ((1, 0, 0, 0), "mixed"),
        ((0.5, 0.5, 0.5, 0.5), "shared"),
        ((0.5, 0.25, 0.5, 0.5), "mixed"),
    ],
)
def test_tie_rules(tied: tuple[float, ...], name: str) -> None:
    answers: dict[str, Given | Sequence[Given]] = dict(zip(TIED, tied, strict=True))
    assert judged("ties", {**answers, ABOVE: 1.0, BELOW: 0.0}).name == name


def test_ties_cannot_be_told_where_places_are_not() -> None:
    answers = dict.fromkeys([*TIED, ABOVE, BELOW], 0.25)
    assert judged("ties", answers).name == "not_askable"


def test_ties_cannot_be_told_where_scores_are_read() -> None:
    answers = {**dict.fromkeys(TIED, 1.0), ABOVE: 1.0, BELOW: 0.9, scenarios.ORDINARY: 1.2, "scores × 100": 80.0}
    assert judged("ties", answers).name == "not_askable"


CLOSE = [scenario.name for scenario in scenarios.CLOSE_SCORES]


@pytest.mark.parametrize(
    ("answers", "name"),
    [
        ((0.0, 1.0, 0.0, 1.0), "unchanged"),
        ((0.0, 1.0, 0.0, 0.0), "tied"),
        ((0.0, 1.0, 1.0, 1.0), "tied"),
        ((0.0, 1.0, 0.5, 0.5), "tied"),
        ((0.0, 1.0, 1.0, 0.0), "changes"),
        ((0.25, 0.25, 0.25, 0.25), "not_askable"),
    ],
)
def test_scores_that_single_precision_does_not_tell_apart(answers: tuple[float, ...], name: str) -> None:
    given: dict[str, Given | Sequence[Given]] = dict(zip(CLOSE, answers, strict=True))
    assert judged("close_scores", given).name == name


@pytest.mark.parametrize(("precision", "name"), [(np.float64, "unchanged"), (np.float32, "tied")])
def test_a_function_of_one_precision_is_told_by_its_answers(precision: type[np.floating], name: str) -> None:
    def precision_at_1(case: Case) -> float:
        rec = case.predictions
        best = rec.item[np.argsort(-rec.score.astype(precision), kind="stable")][:1]
        return float(np.isin(best, case.truth.item).sum())

    answers: dict[str, Given | Sequence[Given]] = {
        each.name: precision_at_1(each.case) for each in scenarios.CLOSE_SCORES
    }
    assert judged("close_scores", answers).name == name


def test_a_recording_without_close_scores_was_not_asked() -> None:
    assert judged("close_scores", {scenarios.ORDINARY: 0.5}).name == "not_asked"


# Experiments are told in a table beside their judges.


def test_rows_of_the_table_stand_in_the_order_of_the_judges() -> None:
    rows = tomllib.loads(Path(experiments.__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    assert list(rows) == [test.name for test in experiments.METAMORPHIC_TESTS]
    known = {"title", "question", "slug", "axis", "only_if_canonical_stays"}
    assert {name: row.keys() - known for name, row in rows.items() if row.keys() - known} == {}
    assert all(len(test.pair) == 2 for test in experiments.METAMORPHIC_TESTS if test.pair)
