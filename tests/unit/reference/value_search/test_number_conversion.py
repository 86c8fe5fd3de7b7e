"""Printed numbers become other definitions: exactly from ranks, as intervals from means that nothing can leave."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.value_search.number_conversion import ConversionError, from_means, from_ranks
from recsys_metric_audit.reference.value_search.printed_number import PrintedNumber, read_printed_number

RANKS = {"a": [1, 4], "b": [], "c": [12]}
RELEVANT = {"a": 3, "b": 2, "c": 1}


def one(metric: str, rank: int | None, k: int) -> float:
    """Compute a metric of a user with one relevant item at a rank, by its textbook formula."""
    if rank is None or rank > k:
        return 0.0
    return {"hit_rate": 1.0, "reciprocal_rank": 1 / rank, "ndcg": 1 / math.log2(rank + 1), "precision": 1 / k}[metric]


@pytest.mark.parametrize(
    ("signature", "value"),
    [
        # User a: (1 + 1 / log2(5)) / (1 + 1 / log2(3) + 1 / 2), the others 0.
        ("ndcg@10", (1 + 1 / math.log2(5)) / (1.5 + 1 / math.log2(3)) / 3), ("hit_rate@10", 1 / 3),
        ("average_precision@10", (1 + 2 / 4) / 3 / 3), ("recall@10", 2 / 3 / 3), ("recall@2", 1 / 3 / 3),
        ("recall@2|denominator:min", 1 / 2 / 3), ("precision@10", 2 / 10 / 3), ("reciprocal_rank@20", (1 + 1 / 12) / 3),
        ("recall@10|users:hits", 2 / 3), ("recall@20|pooling:pooled", 3 / 6),
    ],
)  # fmt: skip
def test_ranks_of_hits_determine_a_definition(signature: str, value: float) -> None:
    (found,) = from_ranks(RANKS, RELEVANT, [parse(signature)])
    assert found.low == found.high == pytest.approx(value, abs=1e-12)


UNTOLD = ["precision@10|denominator:shown", "auc", "ndcg@10|gain:linear", "recall@10|relevance:2",
          "ndcg@10|candidates:test_only", "recall@10|users:both"]  # fmt: skip


@pytest.mark.parametrize("signature", UNTOLD)
def test_what_ranks_of_hits_do_not_tell_is_refused(signature: str) -> None:
    with pytest.raises(ConversionError, match="reads more than ranks of hits"):
        from_ranks(RANKS, RELEVANT, [parse(signature)])


@pytest.mark.parametrize(
    ("ranks", "count", "said"), [([0], 1, "from 1 up"), ([2, 2], 2, "different"), ([1, 2], 1, "2 hits of 1")]
)
def test_ranks_that_are_none_are_refused(ranks: list[int], count: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        from_ranks({"x": ranks}, {"x": count}, [parse("ndcg@10")])


def test_the_interval_from_one_mean_is_that_of_its_formula() -> None:
    """A hit counts 1 / 10 to 1 as reciprocal rank, 1 / log2(11) to 1 as NDCG; 0.52 is printed for 0.515 to 0.525."""
    printed = [(parse("hit_rate@10"), read_printed_number("0.52"))]
    ranks, ndcg = from_means(printed, [parse("reciprocal_rank@10"), parse("ndcg@10")])
    assert (ranks.low, ranks.high) == (pytest.approx(0.0515), pytest.approx(0.525))
    assert (ndcg.low, ndcg.high) == (pytest.approx(0.515 / math.log2(11)), pytest.approx(0.525))


METRICS = st.sampled_from(["hit_rate", "reciprocal_rank", "ndcg", "precision"])
POINTS = st.tuples(METRICS, st.integers(1, 4))


@settings(deadline=None, max_examples=40)
@given(
    st.lists(POINTS, min_size=1, max_size=2, unique=True), POINTS, st.lists(st.integers(0, 6), min_size=5, max_size=5)
)
def test_no_users_with_the_printed_means_leave_the_interval_and_some_reach_its_ends(
    printed: list[tuple[str, int]], wanted: tuple[str, int], weights: list[int]
) -> None:
    """Users are drawn; every other composition of twelve users is tried, by textbook formulas."""
    states = [1, 2, 3, 4, None]
    drawn = weights if sum(weights) else [1] * 5

    def mean(point: tuple[str, int], shares: tuple[float, ...] | list[int]) -> float:
        return sum(w * one(point[0], rank, point[1]) for w, rank in zip(shares, states, strict=True)) / sum(shares)

    half = 0.03
    numbers = {point: PrintedNumber("", mean(point, drawn), half) for point in printed}
    (found,) = from_means([(signature(*point), number) for point, number in numbers.items()], [signature(*wanted)])
    assert found.low - 1e-9 <= mean(wanted, drawn) <= found.high + 1e-9
    values = []
    for parts in product(range(13), repeat=4):
        if sum(parts) <= 12:
            shares = (*parts, 12 - sum(parts))
            if all(abs(mean(point, shares) - number.value) <= half for point, number in numbers.items()):
                values.append(mean(wanted, shares))
    assert all(found.low - 1e-9 <= each <= found.high + 1e-9 for each in values)
    # Twelve users come near each end: shares move by less than a twelfth, and at most three of them do.
    assert not values or (min(values) - found.low < 0.25 and found.high - max(values) < 0.25)


def signature(metric: str, k: int) -> Definition:
    return parse(f"{metric}@{k}")


def test_means_that_no_users_have_together_are_refused() -> None:
    printed = [
        (parse("hit_rate@10"), read_printed_number("0.30")),
        (parse("reciprocal_rank@10"), read_printed_number("0.41")),
    ]
    with pytest.raises(ConversionError, match="no users with one relevant item each have these numbers together"):
        from_means(printed, [parse("ndcg@10")])


@pytest.mark.parametrize("of", ["ndcg@5|users:hits", "ndcg@5|mean:geometric"])
def test_what_is_no_mean_over_all_users_is_refused(of: str) -> None:
    with pytest.raises(ConversionError, match="no mean over all users"):
        from_means([(parse("hit_rate@5"), read_printed_number("0.5"))], [parse(of)])


@pytest.mark.parametrize("of", ["precision@5|denominator:shown", "ndcg@5|gain:linear|ideal:none"])
def test_what_means_of_one_relevant_item_do_not_tell_is_refused(of: str) -> None:
    with pytest.raises(ConversionError, match="reads more than ranks of hits"):
        from_means([(parse("hit_rate@5"), read_printed_number("0.5"))], [parse(of)])


def test_gains_that_one_relevant_item_cancels_do_not_matter() -> None:
    printed = [(parse("hit_rate@5"), read_printed_number("0.5"))]
    plain, linear = from_means(printed, [parse("ndcg@5"), parse("ndcg@5|gain:linear")])
    assert (plain.low, plain.high) == pytest.approx((linear.low, linear.high))


def test_too_many_numbers_are_refused_before_they_take_the_memory() -> None:
    printed = [(signature(metric, k), read_printed_number("0.1")) for metric in ("ndcg", "hit_rate") for k in (50, 100)]
    with pytest.raises(ConversionError, match="too many combinations"):
        from_means(printed, [parse("reciprocal_rank@100")])


def test_a_number_of_the_whole_list_may_come_from_below_every_cut_off() -> None:
    """Nobody hits at rank 1; the item is at rank 2 or below, or is missed."""
    (found,) = from_means([(parse("hit_rate@1"), PrintedNumber("0", 0.0, 0.0))], [parse("reciprocal_rank|cutoff:none")])
    assert (found.low, found.high) == (pytest.approx(0), pytest.approx(0.5))


def test_two_numbers_of_the_whole_list_are_refused() -> None:
    whole = [(parse("reciprocal_rank|cutoff:none"), read_printed_number("0.3"))]
    with pytest.raises(ConversionError, match="ranks have no end"):
        from_means(whole, [parse("ndcg|cutoff:none")])
