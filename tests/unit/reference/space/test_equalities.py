"""Shared equalities: each rule rewrites what it proves equal, and leaves what it does not."""

from __future__ import annotations

from reference.metrics import METRICS
from reference.space.equalities import (
    carries_over,
    drop_copies_of_one_row,
    lists_once,
    merge_ends_all,
    merge_listless,
    merge_single_item,
    merge_weightless_users,
    merge_zero_one_means,
    pool_weighted_ratio,
    resolve_formula_policies,
)


def values(metric: str, **changed: str) -> dict[str, str]:
    return {**METRICS[metric].canonical, **changed}


def changes(before: dict[str, str], after: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in after.items() if before.get(name) != value}


def test_a_value_is_carried_over_by_either_edge() -> None:
    assert carries_over({"no_list": "previous"}) and not carries_over({"no_list": "0"})


def test_recall_of_an_empty_list_is_0() -> None:
    start = values("recall", no_list="formula")
    assert changes(start, resolve_formula_policies(METRICS["recall"], start)) == {"no_list": "0"}


def test_a_user_without_relevant_items_has_no_weight_of_r() -> None:
    start = values("recall", pooling="weighted", weight="relevant", users="all", undefined="1")
    assert changes(start, merge_weightless_users(start)) == {"users": "truth", "undefined": "skip"}
    assert merge_weightless_users({**start, "undefined": "nan"})["users"] == "all"  # NaN times 0 is NaN


def test_one_relevant_row_has_no_copy() -> None:
    start = values("recall", users="one_relevant", truth_duplicates="r_only")
    assert changes(start, drop_copies_of_one_row(start, stacked=False)) == {"truth_duplicates": "counted"}
    once = {**start, "truth_duplicates": "once"}
    assert drop_copies_of_one_row(once, stacked=False) == once


def test_users_with_one_item_have_equal_weights_of_r() -> None:
    start = values("recall", truth="first", pooling="weighted", weight="relevant")
    assert changes(start, merge_single_item(start)) == {"pooling": "user", "weight": "none"}


def test_mean_weighted_by_r_is_a_ratio_of_sums() -> None:
    start = values("recall", pooling="weighted", weight="relevant")
    assert changes(start, pool_weighted_ratio(METRICS["recall"], start)) == {"pooling": "pooled", "weight": "none"}
    half = {**start, "no_list": "half"}
    assert pool_weighted_ratio(METRICS["recall"], half) == half


def test_one_0_makes_a_harmonic_mean_0() -> None:
    start = values("recall", mean="harmonic", no_list="ends_all")
    assert changes(start, merge_ends_all(METRICS["recall"], start)) == {"no_list": "0"}
    plain = {**start, "mean": "arithmetic"}
    assert merge_ends_all(METRICS["recall"], plain) == plain


def test_harmonic_and_geometric_means_of_zeros_and_ones_are_equal() -> None:
    start = values("hit_rate", mean="harmonic")
    assert changes(start, merge_zero_one_means(METRICS["hit_rate"], start)) == {"mean": "geometric"}
    half = {**start, "no_list": "half"}
    assert merge_zero_one_means(METRICS["hit_rate"], half) == half


def test_users_without_a_list_in_one_ranking() -> None:
    start = values("auc", users="truth", undefined="skip", no_list="skip")
    assert changes(start, merge_listless(start)) == {"users": "both"}


def test_items_listed_once() -> None:
    assert lists_once({"duplicates": "last"}) and not lists_once({"duplicates": "counted"})
