"""Judges of changed input name behaviours from answers written by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.function_behaviours import behaviours
from recsys_metric_audit.audit.process.protocol import Crashed, NotOffered, TimedOut, Unaskable
from recsys_metric_audit.reference.input.case import Case
from tests.support.behaviour_samples import ERROR, NAN, Given, judged, subject


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
