"""Pairs of definitions that are equal whatever the input, also by the slow oracle, and pairs that nearly are."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.observed import Key, are_equal, are_equal_on_yes_no_data, is_idle
from recsys_metric_audit.reference.equality.shortest import shortest
from tests.support.equal_definitions import EQUAL
from tests.support.generated_inputs import random_case
from tests.support.oracle_means import evaluate as slow

POOL_RNG = random.Random(5)


POOL = [random_case(POOL_RNG, users=POOL_RNG.choice((1, 1, 2, 3, 4))) for _ in range(200)]


@pytest.mark.parametrize(
    ("signature", "simple"),
    [
        ("ndcg@k|pooling:weighted|weight:relevant|users:all|undefined:1", "ndcg@k|pooling:weighted|weight:relevant"),
        ("auc|pooling:weighted|weight:rated|users:predictions|undefined:half",
         "auc|pooling:weighted|weight:relevant|users:both"),
        ("accuracy@k|pooling:weighted|weight:list_length|users:both", "accuracy@k|pooling:weighted|weight:list_length"),
        ("kendall_tau|pooling:weighted|weight:relevant|truth:first|users:one_relevant", "kendall_tau|truth:first"),
        ("r_precision|pooling:weighted|weight:relevant", "r_precision|pooling:pooled"),
        ("average_precision@k|denominator:r|truth:first", "average_precision@k|truth:first"),
        ("f_score@k|of:means|recall:min|truth:first", "f_score@k|truth:first"),
        ("precision|denominator:shown|cutoff:none", "precision|cutoff:none"),
        ("accuracy@k|no_list:formula", "accuracy@k"),
        ("r_precision|mean:harmonic|no_list:ends_all", "r_precision|mean:harmonic"),
        ("rbp@k|gain:linear|relevance:equal_1", "rbp@k|relevance:equal_1"),
        ("auc|tied_scores:win|order:rows", "auc|order:rows"),
        *EQUAL,
    ],
)  # fmt: skip
def test_equal_whatever_the_input(signature: str, simple: str) -> None:
    assert are_equal(parse(signature), parse(simple)) and Key(parse(signature)) == Key(parse(simple))
    assert len(shortest(parse(signature)).differs_on) <= len(parse(simple).differs_on)


@pytest.mark.parametrize(("signature", "simple"), EQUAL)
def test_equal_by_the_slow_oracle(signature: str, simple: str) -> None:
    """On cases in which the values of a definition's own axes act, at a cut-off of 1, too."""
    one, other = parse(signature), parse(simple)
    for number, case in enumerate(POOL[:60]):
        k = (1, 2, 3)[number % 3]
        first, second = (slow(each.metric, each.axes, case, k if each.k else None) for each in (one, other))
        assert first.refused == second.refused
        assert first.refused or np.isclose(first.mean, second.mean, rtol=1e-9, atol=1e-9, equal_nan=True)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # Half of all orders is not half of the pairs with the k best irrelevant items.
        ("auc@k|list:top_negatives|tied_scores:ranked|ties:average", "auc@k|list:top_negatives"),
        # A base of a logarithm stands alone where there is no ideal, or one of another base.
        ("ndcg@k|discount:ln|ideal_discount:log2", "ndcg@k"), ("ndcg@k|ideal:none|discount:ln", "ndcg@k|ideal:none"),
        ("ndcg@k|discount:reciprocal", "ndcg@k"),
        ("ndcg@k|gain:exp2_plus1|ideal:none|relevance:equal_1", "ndcg@k|ideal:none|relevance:equal_1"),
        ("recall@k|mean:arithmetic|no_list:ends_all", "recall@k"),
        # NaN times a weight of 0 is NaN; of two places of one item both count; a value carried over is somebody's.
        ("ndcg@k|pooling:weighted|weight:relevant|users:all|undefined:nan", "ndcg@k|pooling:weighted|weight:relevant"),
        ("hit_rate@k|counts:hits|truth:first", "hit_rate@k|truth:first"),
        ("ndcg@k|pooling:weighted|weight:relevant|users:all|undefined:1|no_list:previous",
         "ndcg@k|pooling:weighted|weight:relevant|no_list:previous"),
        ("recall@k|pooling:weighted|weight:relevant|no_list:half", "recall@k|pooling:pooled"),
        ("r_precision|mean:harmonic|users:all|undefined:nan|no_list:ends_all",
         "r_precision|mean:harmonic|users:all|undefined:nan"),
        # A score that does not count leaves a target without one; whom r weighs may be put in later.
        ("mae|missing:zero_error|pairs:all_0_1|counted_scores:nonzero", "mae|pairs:all_0_1|counted_scores:nonzero"),
        ("precision@k|pooling:weighted|weight:relevant|truth_duplicates:r_only",
         "precision@k|pooling:weighted|weight:relevant|truth_duplicates:once"),
        ("mae|users:all|undefined:1", "mae"),
        # With whom nobody has a list or relevant items is seen where it is 0 with them and no number without.
        ("auc|scope:stacked|unlisted:dropped|users:all", "auc|scope:stacked|unlisted:dropped|users:predictions"),
        ("auc|scope:stacked|unlisted:dropped|users:both", "auc|scope:stacked|unlisted:dropped"),
        ("auc|scope:stacked|negatives:catalogue|unlisted:dropped|no_list:skip",
         "auc|scope:stacked|negatives:catalogue|unlisted:dropped|users:both"),
        ("auc|scope:stacked|unlisted:dropped|truth:first|no_list:skip",
         "auc|scope:stacked|unlisted:dropped|truth:first|users:both"),
        # A row is tied with itself; who is not relevant is another item; of some orders nothing is left.
        ("auc|negatives:every_row|tied_scores:win|order:rows", "auc|negatives:every_row|order:rows"),
        ("auc|negatives:catalogue|unlisted:dropped|truth_duplicates:r_only",
         "auc|negatives:catalogue|unlisted:dropped|truth_duplicates:once"),
        ("auc@k|scope:stacked|list:topk|no_negatives:nan|ties:average", "auc@k|scope:stacked|list:topk|ties:average"),
        # Whoever has irrelevant rated items only has pairs, too.
        ("nmae|pairs:rated_0_1|users:predictions|relevance:equal_1|candidates:test_only",
         "nmae|pairs:rated_0_1|users:both|no_hit:skip|relevance:equal_1"),
        # Who has gains below the threshold only may have no list, of which nothing is shown; at k - 1 = 0 nothing is.
        ("precision@k|denominator:shown|users:all|undefined:formula|relevance:at_least_t",
         "precision@k|denominator:shown|users:all|undefined:0|relevance:at_least_t"),
        ("precision@k|denominator:shown|cutoff:k_minus_1|users:all|undefined:formula",
         "precision@k|denominator:shown|cutoff:k_minus_1|users:all|undefined:0"),
        ("f_score@k|pooling:pooled|users:both", "f_score@k|pooling:pooled"),
        # Of one half and one, the harmonic mean is not the geometric one.
        ("hit_rate@k|mean:harmonic|no_list:half", "hit_rate@k|mean:geometric|no_list:half"),
        # Of users without relevant items nobody is left, and of no users at all in any case.
        ("recall@k|nobody:0", "recall@k"),
        ("recall@k|users:all|undefined:0|nobody:0", "recall@k|users:all|undefined:0"),
        ("average_precision@k|cutoff:k_minus_1|pooling:weighted|weight:list_length|no_hit:skip|nobody:0",
         "average_precision@k|cutoff:k_minus_1|pooling:weighted|weight:list_length|no_hit:nan|nobody:0"),
        # From whom a value is carried over is seen, who adds nothing to a ratio of sums among them.
        ("kendall_tau|pooling:pooled|no_list:previous", "kendall_tau|pooling:pooled|no_negatives:0|no_list:previous"),
        ("fallout@k|pooling:weighted|weight:relevant|users:all|undefined:formula|candidates:without_train",
         "fallout@k|pooling:weighted|weight:relevant|candidates:without_train"),
    ],
)  # fmt: skip
def test_nearly_equal_is_not_equal(first: str, second: str) -> None:
    assert not are_equal(parse(first), parse(second))
    assert Key(parse(first)) != Key(parse(second))


def test_metrics_are_never_equal_though_their_values_are() -> None:
    assert not are_equal(parse("hit_rate@k|truth:first"), parse("recall@k|truth:first"))


def test_cut_offs_do_not_make_two_definitions_differ() -> None:
    assert are_equal(parse("ndcg@5"), parse("ndcg@20")) and Key(parse("ndcg@5")) == Key(parse("ndcg@20"))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # Lists of a dozen rows and gains up to 5 show neither; between two shares of the relevant items none may lie.
        ("recall@k|cutoff:50", "recall@k|cutoff:60"), ("recall@k|cutoff:50", "recall|cutoff:none"),
        ("recall@k|relevance:7", "recall@k|relevance:8"), ("recall@k|relevance:above_7", "recall@k|relevance:above_8"),
        ("interpolated_precision|at:0.3", "interpolated_precision|at:0.30001"),
    ],
)  # fmt: skip
def test_thresholds_that_no_input_tells_apart_are_not_equal(first: str, second: str) -> None:
    assert not are_equal(parse(first), parse(second)) and Key(parse(first)) != Key(parse(second))


def test_a_threshold_that_cannot_act_is_idle() -> None:
    # Every target of a pair of labels is 0 or 1, and no list of one relevant item is cut within it.
    first = parse("interpolated_precision|at:0.3|users:one_relevant")
    assert are_equal(first, parse("interpolated_precision|at:0.7|users:one_relevant"))


def test_a_value_without_a_rule_is_equal_to_others_only_where_its_axis_cannot_act() -> None:
    assert not are_equal(parse("ndcg@k|ties:other"), parse("ndcg@k"))
    assert are_equal(parse("precision|cutoff:none|ties:other"), parse("precision|cutoff:none"))


@pytest.mark.parametrize(
    ("signature", "axis", "with_users", "idle"),
    [
        ("recall@k|users:all|undefined:0", "nobody", False, False),  # there may be no user at all
        ("recall@k|users:all|undefined:0", "nobody", True, True),
        ("recall@k", "nobody", True, False), ("precision@k", "weight", False, True),
        ("ndcg@k|order:rows|ties:other", "ties", False, True), ("ndcg@k|ties:other", "ties", False, False),
    ],
)  # fmt: skip
def test_an_idle_axis_changes_no_result(signature: str, axis: str, with_users: bool, idle: bool) -> None:
    assert is_idle(parse(signature), axis, with_users=with_users) is idle


@pytest.mark.parametrize(
    ("signature", "equal"),
    [
        ("ndcg@k|gain:linear", True),
        ("ndcg@k|gain:exp2", True),
        ("ndcg@k|gain:linear|ideal:all", False),
        ("ndcg@k|discount:log2_clipped", False),
        ("ndcg@k|gain:linear|ideal:rows", False),  # its ideal is that of the rows listed
        ("recall@k", False),
    ],
)
def test_formulas_that_differ_in_gains_alone_are_equal_on_yes_no_data(signature: str, equal: bool) -> None:
    assert are_equal_on_yes_no_data(parse(signature), parse("ndcg@k")) is equal
    assert not are_equal(parse(signature), parse("ndcg@k"))


def test_on_yes_no_data_a_metric_of_unequal_gains_has_no_value_to_be_equal() -> None:
    assert not are_equal_on_yes_no_data(parse("fcp|of:means"), parse("fcp"))


@pytest.mark.parametrize("signature", ["ndcg@k|gain:linear", "ndcg@k|gain:exp2"])
def test_equal_on_yes_no_data_by_the_slow_oracle(signature: str) -> None:
    for number, case in enumerate(POOL[:60]):
        ones = replace(case, truth=replace(case.truth, gain=np.ones(len(case.truth.gain))), threshold=1.0)
        first, second = (
            slow(each.metric, each.axes, ones, (1, 2, 3)[number % 3]) for each in (parse(signature), parse("ndcg@k"))
        )
        assert np.isclose(first.mean, second.mean, rtol=1e-9, atol=1e-9, equal_nan=True)
