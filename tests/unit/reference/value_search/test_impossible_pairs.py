"""Pairs of formulas that could not both have given two numbers, by relations that are written out beside them."""

from __future__ import annotations

from recsys_metric_audit.reference.value_search.by_value import Printed
from recsys_metric_audit.reference.value_search.impossible_pairs import CheckedPair, impossible_pairs
from recsys_metric_audit.reference.value_search.printed_number import read_printed_number


def printed(metric: str, k: int | None, text: str) -> Printed:
    return Printed(metric, k, read_printed_number(text))


def ruled_out(pair: CheckedPair) -> set[tuple[str, ...]]:
    return {tuple(each.signature() for each in (found.first, found.second) if each) for found in pair.impossible}


def left(pair: CheckedPair) -> set[tuple[str, str]]:
    return {(one.signature(), other.signature()) for one, other in pair.possible}


def test_a_reciprocal_rank_above_the_hit_rate_sums_over_hits() -> None:
    (pair,) = impossible_pairs([printed("hit_rate", 10, "0.30"), printed("reciprocal_rank", 10, "0.41")])
    assert ("hit_rate@10", "reciprocal_rank@10") in ruled_out(pair)
    assert ("hit_rate@10", "reciprocal_rank@10|ranks:sum") in left(pair)
    assert ruled_out(pair).isdisjoint(left(pair))


def test_rounding_is_allowed_for() -> None:
    # 0.305 and more is printed as 0.31, and 0.305 as 0.30 or 0.31: both can be 0.305.
    (pair,) = impossible_pairs([printed("hit_rate", 10, "0.30"), printed("reciprocal_rank", 10, "0.31")])
    assert not pair.impossible
    (pair,) = impossible_pairs([printed("hit_rate", 10, "0.300"), printed("reciprocal_rank", 10, "0.310")])
    assert ("hit_rate@10", "reciprocal_rank@10") in ruled_out(pair)


def test_recall_falls_with_k_only_where_it_divides_by_less() -> None:
    (pair,) = impossible_pairs([printed("recall", 5, "0.31"), printed("recall", 10, "0.25")])
    assert ruled_out(pair) == {("recall@5", "recall@10"), ("recall@5", "recall@10|denominator:min")}
    assert left(pair) == {
        ("recall@5|denominator:min", "recall@10"), ("recall@5|denominator:min", "recall@10|denominator:min"),
    }  # fmt: skip


def test_one_relevant_item_rules_out_more() -> None:
    table = [printed("hit_rate", 10, "0.30"), printed("recall", 10, "0.25"), printed("precision", 10, "0.03")]
    hit_recall, hit_precision, recall_precision = impossible_pairs(table)
    assert ("hit_rate@10", "recall@10") in left(hit_recall)
    hit_recall, hit_precision, recall_precision = impossible_pairs(table, one_relevant=True)
    assert ("hit_rate@10", "recall@10") in ruled_out(hit_recall)
    assert ("hit_rate@10", "precision@10") in left(hit_precision)  # 0.30 / 10
    assert ("recall@10", "precision@10") in left(recall_precision)  # 0.25 / 10 is printed as 0.03


def test_a_number_that_no_formula_gives_by_itself_is_told_once() -> None:
    (pair,) = impossible_pairs([printed("hit_rate", 5, "1.2"), printed("recall", 5, "0.4")])
    assert [each for each in ruled_out(pair) if len(each) == 1 and "recall" not in each[0]] == [("hit_rate@5",)]
    assert ("hit_rate@5|counts:hits", "recall@5") in left(pair)


def test_numbers_without_a_cut_off_are_not_compared() -> None:
    assert impossible_pairs([printed("auc", None, "0.8"), printed("recall", 5, "0.4")]) == ()
