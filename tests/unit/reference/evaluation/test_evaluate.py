"""Evaluation of definitions on small cases, by fractions."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate, takes_one_ranking
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from tests.support.generated_inputs import make, many, one, value

TWO = many(("10", 1), ("01", 2))
"""User 1 has its one item first; user 2 has one of two items second."""


def test_values_and_mean() -> None:
    made = evaluate(parse("recall@2"), Problem.of([TWO], 2))
    assert made.value.tolist() == [1.0, 0.5] and made.counted.all() and made.mean.tolist() == [0.75]


def test_each_case_has_its_own_cut_off() -> None:
    made = evaluate(parse("recall@k"), Problem.of([TWO, TWO], [1, 2]))
    assert made.mean.tolist() == [0.5, 0.75]


def test_another_cut_off_shares_placements() -> None:
    problem = Problem.of([TWO], 2)
    assert problem.at(1).placement is problem.placement
    assert evaluate(parse("recall@1"), problem.at(1)).mean.tolist() == [0.5]


def test_lists_are_cached() -> None:
    problem = Problem.of([TWO], 2)
    assert problem.lists({}) is problem.lists({"ties": "given"})
    assert problem.lists({}) is not problem.lists({"duplicates": "first_in_place"})


def test_a_rule_of_ties_makes_lists_of_its_own_only_where_scores_tie() -> None:
    without = Problem.of([TWO], 2)
    assert without.lists({"ties": "best"}) is without.lists({})
    tied = Problem.of([one("01", scores="11")], 2)
    assert tied.lists({"ties": "best"}) is not tied.lists({})


def test_one_ranking_of_all_rows_has_one_value_a_case() -> None:
    definition = parse("auc|scope:stacked")
    assert takes_one_ranking(definition) and not takes_one_ranking(parse("auc"))
    assert len(evaluate(definition, Problem.of([TWO], None)).value) == 1


def test_averaged_ties_give_the_mean_over_orders() -> None:
    """The hit is at rank 1, 2 or 3 with equal chances."""
    assert value("reciprocal_rank@3|ties:average", one("100", scores="555")) == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)


def test_a_repeated_item_is_refused_where_the_definition_says_so() -> None:
    twice = make([(1, 10, 2.0), (1, 10, 1.0)], [(1, 10, 1.0)])
    assert evaluate(parse("recall@2|duplicates:error"), Problem.of([twice, TWO], 2)).refused.tolist() == [True, False]
    truth = make([(1, 10, 2.0)], [(1, 10, 1.0), (1, 10, 1.0)])
    assert evaluate(parse("recall@2|truth_duplicates:error"), Problem.of([truth], 2)).refused.tolist() == [True]


def test_a_0_by_convention_is_told_from_a_computed_one() -> None:
    made = evaluate(parse("reciprocal_rank@1"), Problem.of([TWO], 1))
    assert made.value.tolist() == [1.0, 0.0] and made.conventional.tolist() == [False, True]
    assert not evaluate(parse("recall@1"), Problem.of([TWO], 1)).conventional.any()


def test_f_of_means_has_f_of_each_user_and_f_of_the_two_means() -> None:
    """At k = 2: P = 1/2, 1/2 and R = 1, 1/2. F of each 2/3 and 1/2; F of 1/2 and 3/4 is (3/4) / (5/4) = 3/5."""
    made = evaluate(parse("f_score@2|of:means"), Problem.of([TWO], 2))
    assert made.value.tolist() == pytest.approx([2 / 3, 1 / 2])
    assert made.mean.tolist() == pytest.approx([3 / 5])


def test_concordance_of_means_has_the_share_of_each_user() -> None:
    """User 1 wins 1 of 1 pair, user 2 wins 1 of 3; mean of pairs won 1, of pairs lost (over who has some) 2: 1/3."""
    case = make(
        [(1, 10, 2.0), (1, 11, 1.0), (2, 10, 3.0), (2, 11, 2.0), (2, 12, 1.0)],
        [(1, 10, 2.0), (1, 11, 1.0), (2, 10, 2.0), (2, 11, 1.0), (2, 12, 3.0)],
    )
    made = evaluate(parse("fcp|of:means"), Problem.of([case], None))
    assert made.value.tolist() == pytest.approx([1, 1 / 3])
    assert made.mean.tolist() == pytest.approx([1 / 3])


def test_no_cases_users_or_rows_give_no_number() -> None:
    assert np.isnan(evaluate(parse("recall@2"), Problem.of([make([], [])], 2)).mean).all()


@pytest.mark.parametrize(
    "signature", ["precision@k|cutoff:k_plus_1", "ndcg@k|ties:average", "auc@k|list:topk", "rbp@k"]
)
def test_lists_shared_by_cut_offs_give_what_each_gives_alone(signature: str) -> None:
    rng = np.random.default_rng(2)
    user, item = np.repeat(np.arange(6), 5), np.tile(np.arange(5), 6)
    case = Case("shared", Predictions(user, item, rng.integers(0, 4, 30).astype(float)),
                Truth(user[::4], rng.integers(0, 6, 8), rng.integers(0, 3, 8).astype(float)))  # fmt: skip
    whole = Problem.of([case], None)
    for k in (3, 1, 4, 3):
        point = parse(signature).with_(k=k)
        shared, alone = evaluate(point, whole.at(k)), evaluate(point, Problem.of([case], k))
        assert shared.mean.tolist() == alone.mean.tolist() and shared.value.tolist() == alone.value.tolist()
