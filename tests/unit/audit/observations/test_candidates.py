"""Candidates: merged where they are equal, or differ on nothing that is asked."""

from __future__ import annotations

from recsys_metric_audit.audit.observations.candidates import (
    distinct,
    merged,
    one_of_each,
)
from recsys_metric_audit.reference.catalogue import CATALOGUE
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.observed import Key


def test_equal_definitions_are_merged_and_the_canonical_most_comes_first() -> None:
    # The base of the logarithm cancels in a ratio of two sums.
    found = distinct(map(parse, ("ndcg@k|gain:exp2", "ndcg@k|discount:ln", "ndcg@k", "ndcg@k|discount:log10")))
    assert [each.signature() for each in found] == ["ndcg@k", "ndcg@k|gain:exp2"]


def test_no_two_definitions_that_are_left_are_equal() -> None:
    definitions = [variant.definition for variant in CATALOGUE]
    left = distinct(definitions)
    assert len(left) == len({Key(each) for each in left}) <= len(set(definitions))


def test_of_definitions_that_differ_where_nothing_is_asked_the_first_is_kept() -> None:
    first, second = parse("recall@k|duplicates:last"), parse("recall@k|duplicates:counted|ties:reversed")
    third = parse("recall@k|ties:reversed|duplicates:error")
    assert one_of_each([first, second, third], {"duplicates"}) == [first, second]
    assert one_of_each([first, second, third], ()) == [first, second, third]


def test_of_equal_definitions_the_one_written_with_less_stands_where_the_first_stood() -> None:
    # Users without a list are left out, be it by their policy or since they are not averaged over.
    given = [parse(each) for each in ("recall@k|no_list:skip", "recall@k", "recall@k|users:both|no_list:1")]
    assert [each.signature() for each in merged(given)] == ["recall@k|users:both", "recall@k"]
