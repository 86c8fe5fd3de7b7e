"""Hold means of merged blocks equal to sums worked out in the order of the users."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.engines.merged_values import MergedValues
from recsys_metric_audit.reference.engines.user_block import BlockValues, CompactTerms, PartialValues, evaluate_block
from recsys_metric_audit.reference.evaluation.prepared import InputRefusedError, Values
from tests.support.generated_inputs import many, one
from tests.support.hand_computed.shorthand import LOG3

PLAIN = (CompactTerms(None, None, False, False),)


def block(users: list[int], values: list[float], counted: list[bool] | None = None) -> BlockValues:
    mask = None if counted is None else np.array(counted)
    return BlockValues(np.array(users), (PartialValues(np.array(values), mask, PLAIN),))


def test_sums_are_taken_in_the_order_of_users() -> None:
    """1e16 + 1 is 1e16 in floating point, so 1 + 1e16 - 1e16 is 0 and 1e16 - 1e16 + 1 is 1."""
    merged = MergedValues([parse("ndcg@2")], np.array([2, 3, 5, 9]))
    merged.add(block([5], [1.0]))
    merged.add(block([2, 9], [1e16, 3.0]))
    merged.add(block([3], [-1e16]))
    (made,) = merged.results()
    assert isinstance(made, Values)
    assert made.mean == (1e16 - 1e16 + 1.0 + 3.0) / 4 == 1.0
    assert made.by_user() == {2: 1e16, 3: -1e16, 5: 1.0, 9: 3.0}


def test_users_who_do_not_count_have_terms_of_zero() -> None:
    merged = MergedValues([parse("ndcg@2")], np.array([0, 1, 2]))
    merged.add(block([1, 2], [0.5], [False, True]))
    merged.add(block([0], [1.0]))
    (made,) = merged.results(np.array(["a", "b", "c"], dtype=object))
    assert isinstance(made, Values) and made.terms is not None
    assert made.mean == 0.75
    assert made.by_user() == {"a": 1.0, "c": 0.5}
    assert made.terms.users.tolist() == ["a", "b", "c"]
    assert made.terms.terms[0].numerator.tolist() == [1.0, 0.0, 0.5]
    assert made.terms.terms[0].denominator.tolist() == [1.0, 0.0, 1.0]


def test_terms_of_their_own_are_joined_with_terms_that_follow_from_values() -> None:
    weighted = (CompactTerms(np.array([6.0]), np.array([3.0]), False, False),)
    merged = MergedValues([parse("ndcg@2")], np.array([1, 4]))
    merged.add(block([1], [1.0]))
    merged.add(BlockValues(np.array([4]), (PartialValues(np.array([2.0]), None, weighted),)))
    (made,) = merged.results()
    assert isinstance(made, Values) and made.terms is not None
    assert made.mean == (1.0 + 6.0) / (1.0 + 3.0)


def test_a_refusal_of_one_block_is_the_answer_of_that_definition_only() -> None:
    refusal = ValueError("refused")
    merged = MergedValues([parse("ndcg@2"), parse("recall@2")], np.array([1, 2]))
    part = PartialValues(np.array([1.0]), None, PLAIN)
    merged.add(BlockValues(np.array([1]), (part, part)))
    merged.add(BlockValues(np.array([2]), (refusal, part)))
    first, second = merged.results()
    assert first is refusal
    assert isinstance(second, Values) and second.mean == 1.0


def test_a_user_in_two_blocks_is_an_error() -> None:
    merged = MergedValues([parse("ndcg@2")], np.array([1, 2]))
    merged.add(block([1], [1.0]))
    with pytest.raises(ValueError, match="two blocks"):
        merged.add(block([1], [0.0]))
    with pytest.raises(ValueError, match="1 users are in no block"):
        merged.results()


def test_equal_columns_are_held_once() -> None:
    merged = MergedValues([parse("ndcg@2"), parse("recall@2")], np.array([1, 2]))
    part = PartialValues(np.array([0.25]), np.array([True, False]), PLAIN)
    merged.add(BlockValues(np.array([1, 2]), (part, part)))
    first, second = merged.results()
    assert isinstance(first, Values) and isinstance(second, Values)
    assert first.users is second.users
    assert first.terms is not None and second.terms is not None
    assert first.terms.terms[0].denominator is second.terms.terms[0].denominator


def test_nobody_is_left_only_if_no_block_holds_anybody() -> None:
    rules = ("nan", "0", "error")
    merged = MergedValues([parse(f"ndcg@2|nobody:{rule}") for rule in rules], np.array([1, 11, 12]))
    empty, half = (evaluate_block(case, merged.definitions) for case in (one("00", 0), many(("00", 0), ("01", 1))))
    apart = BlockValues(half.users + 10, half.parts)
    merged.add(empty)
    merged.add(apart)
    assert [each.mean for each in merged.results() if isinstance(each, Values)] == [pytest.approx(1 / LOG3)] * 3
    alone = MergedValues(merged.definitions, np.array([1]))
    alone.add(empty)
    nan, zero, error = alone.results()
    assert isinstance(nan, Values) and np.isnan(nan.mean)
    assert isinstance(zero, Values) and zero.mean == 0
    assert isinstance(error, InputRefusedError) and "nobody is left" in str(error)
