"""Pairs of definitions that are equal whatever the input, also by the slow oracle, and pairs that nearly are."""

from __future__ import annotations

import random

import numpy as np
import pytest

from reference.definitions.definition import parse
from reference.equality.observed import are_equal, is_idle, key
from reference.equality.shortest import shortest
from tests.support.generated_inputs import random_case
from tests.support.oracle_means import evaluate as slow

POOL_RNG = random.Random(5)


POOL = [random_case(POOL_RNG, users=POOL_RNG.choice((1, 1, 2, 3, 4))) for _ in range(200)]


EQUAL = (
    ("reciprocal_rank@k|ranks:best_gain|truth:first|no_hit:nan", "reciprocal_rank@k|truth:first|no_hit:nan"),
    ("f_score@k|cutoff:k_minus_1|users:all|undefined:formula|no_list:formula",
     "f_score@k|cutoff:k_minus_1|users:all|undefined:formula"),
    ("f_score@k|of:means|operands:average_precision_recall|mean:harmonic|users:both",
     "f_score@k|operands:average_precision_recall|mean:harmonic|users:both"),
    ("f_score@k|of:means|truth:first|no_list:ends_all", "f_score@k|truth:first|no_list:ends_all"),
    ("nmae|users:all|undefined:error", "nmae|undefined:error"),
    ("rmse|users:one_relevant|truth_duplicates:once", "rmse|users:one_relevant"),
    ("rbp@k|users:one_relevant|truth_duplicates:r_only", "rbp@k|users:one_relevant"),
    ("recall@k|pooling:weighted|weight:relevant|truth:first|users:all|undefined:formula",
     "recall@k|truth:first|users:all|undefined:nan"),
    ("precision@k|pooling:weighted|weight:relevant|truth_duplicates:r_only",
     "precision@k|pooling:weighted|weight:rated|truth_duplicates:once"),
    ("auc|scope:stacked|unlisted:dropped|truth:first|users:all|undefined:1",
     "auc|scope:stacked|truth:first|users:all|undefined:1"),
    ("average_precision@k|pooling:weighted|weight:list_length|cutoff:k_minus_1|no_hit:skip|no_list:formula",
     "average_precision@k|pooling:weighted|weight:list_length|cutoff:k_minus_1|no_hit:nan"),
    ("ndcg@k|miss_gain:-1|ideal_discount:log2_clipped|truth:first|users:all|undefined:0",
     "ndcg@k|miss_gain:-1|truth:first|users:all|undefined:0"),
    ("bpref|no_list:formula", "bpref"),
    ("auc|pooling:pooled|no_negatives:0|users:both", "auc|pooling:pooled"),
    ("kendall_tau|pooling:pooled|no_negatives:0", "kendall_tau|pooling:pooled"),
    ("recall@k|pooling:weighted|weight:rated|no_list:half|truth_duplicates:r_only",
     "recall@k|pooling:weighted|weight:relevant|no_list:half|truth_duplicates:r_only"),
    ("auc|unlisted:dropped|truth:first|users:all|undefined:nan", "auc|truth:first|users:all|undefined:nan"),
    ("recall@k|mean:harmonic|no_list:ends_all|ties:average", "recall@k|mean:harmonic|ties:average"),
    ("average_precision@k|cutoff:k_minus_1|no_hit:1/k", "average_precision@k|cutoff:k_minus_1|no_hit:1"),
    ("rmse|users:both|undefined:error|no_hit:error", "rmse|undefined:error|no_hit:error|no_list:error"),
    ("mae|users:predictions|undefined:error", "mae|undefined:error|no_list:error"),
    # One ranking of all rows, of which listed items count only.
    ("auc|scope:stacked|unlisted:dropped|users:both|undefined:error|no_hit:skip",
     "auc|scope:stacked|unlisted:dropped|undefined:error|no_hit:skip|no_list:error"),
    ("auc|scope:stacked|unlisted:dropped|no_list:skip", "auc|scope:stacked|unlisted:dropped|users:both"),
    ("auc|scope:stacked|unlisted:dropped|users:all|undefined:error|no_hit:error|no_list:error",
     "auc|scope:stacked|unlisted:dropped|users:predictions|undefined:error|no_hit:error"),
    ("auc@k|scope:stacked|list:topk|users:all|no_hit:skip|no_list:skip",
     "auc@k|scope:stacked|list:topk|users:predictions|no_hit:skip"),
    ("log_loss|pairs:rated_0_1|users:all|undefined:error|no_hit:error|no_list:error|relevance:at_least_t",
     "log_loss|pairs:rated_0_1|users:predictions|undefined:error|no_hit:error|relevance:at_least_t"),
    ("log_loss|pairs:rated_0_1|users:predictions|undefined:formula|relevance:at_least_t",
     "log_loss|pairs:rated_0_1|users:predictions|relevance:at_least_t"),
    ("rmse|pairs:all_0_1|users:predictions|undefined:error", "rmse|pairs:all_0_1|users:all|undefined:error"),
    ("rmse|pairs:all_0_1|users:both|undefined:error|relevance:at_least_t",
     "rmse|pairs:all_0_1|undefined:error|relevance:at_least_t"),
    ("r_squared|users:all|undefined:error|no_list:error|candidates:test_only",
     "r_squared|undefined:error|no_list:error|candidates:test_only"),
    ("mae|missing:zero_error|users:predictions|undefined:error", "mae|missing:zero_error|users:both|undefined:error"),
    ("mse|missing:zero_error|users:all|undefined:error|relevance:at_least_t",
     "mse|missing:zero_error|undefined:error|relevance:at_least_t"),
    # The same is done with users in every state that there can be.
    ("auc|unlisted:dropped|users:hits|undefined:error|no_hit:error",
     "auc|unlisted:dropped|users:both|undefined:error|no_hit:error"),
    ("reciprocal_rank@k|users:both|no_hit:skip", "reciprocal_rank@k|users:hits"),
    ("f_score@k|users:hits|no_hit:previous|no_list:formula", "f_score@k|users:hits"),
    ("r_precision|pooling:weighted|weight:list_length|users:predictions|undefined:nan",
     "r_precision|pooling:weighted|weight:list_length|users:all|undefined:nan"),
    ("fallout@k|pooling:weighted|weight:relevant|users:all|undefined:formula",
     "fallout@k|pooling:weighted|weight:relevant"),
    ("spearman_rho|pooling:pooled|users:both|no_hit:skip", "spearman_rho|pooling:pooled"),
    ("spearman_rho|users:all|undefined:formula", "spearman_rho|users:all|undefined:nan"),
    ("markedness@k|pooling:pooled|users:both|no_hit:skip", "markedness@k|pooling:pooled"),
    ("inverse_recall@k|pooling:pooled|users:both|no_negatives:0", "inverse_recall@k|pooling:pooled"),
    ("accuracy@k|mean:geometric|no_list:ends_all", "accuracy@k|mean:geometric"),
    ("f_score@k|mean:geometric|no_hit:previous|no_list:ends_all", "f_score@k|mean:geometric|no_hit:previous"),
    ("average_precision@k|cutoff:k_minus_1|no_hit:ends_all|no_list:ends_all",
     "average_precision@k|cutoff:k_minus_1|no_list:ends_all"),
    ("ndcg@k|ideal:none|truth:first", "ndcg@k|truth:first"),
    ("f_score@k|operands:average_precision_recall|recall:min|truth:first",
     "f_score@k|operands:average_precision_recall|truth:first"),
    ("recall@k|numerator:gains|truth:first|relevance:positive", "recall@k|truth:first|relevance:positive"),
    ("f_score@k|precision:shown|recall:k|users:all|undefined:formula",
     "f_score@k|precision:shown|recall:k|users:all|undefined:0"),
    ("precision@k|denominator:shown|users:all|undefined:formula",
     "precision@k|denominator:shown|users:all|undefined:0"),
    # Without a hit average precision and recall are both 0: such a user adds nothing to a ratio of sums.
    ("f_score@k|operands:average_precision_recall|pooling:pooled|users:predictions|undefined:1|no_hit:skip",
     "f_score@k|operands:average_precision_recall|pooling:pooled"),
    ("f_score@k|operands:average_precision_recall|pooling:pooled|users:hits",
     "f_score@k|operands:average_precision_recall|pooling:pooled"),
    ("ndcg@k|gain:linear|miss_gain:-1|users:all|undefined:0|candidates:test_only",
     "ndcg@k|gain:linear|users:all|undefined:0|candidates:test_only"),
    ("auc|mean:geometric|no_list:ends_all", "auc|mean:geometric"),
    # No denominator is 0 at a cut-off of 0 that it does not read.
    ("recall@k|cutoff:k_minus_1|no_hit:previous", "recall@k|cutoff:k_minus_1"),
    ("recall@k|denominator:k|pooling:pooled", "recall@k|denominator:k"),
    ("f_score@k|of:means|recall:k", "f_score@k|recall:k"),
    ("f_score@k|of:means|pooling:pooled", "f_score@k|pooling:pooled"),
    ("average_recall|cutoff:none|ties:reversed|order:rows", "average_recall|cutoff:none"),
    ("hit_rate@k|pooling:weighted|weight:relevant|mean:harmonic", "hit_rate@k|mean:geometric"),
    # No hit shares its rank with another, or only what is above them counts, which is not tied.
    ("ndcg@k|positions:negatives_only|ties:shared", "ndcg@k|positions:negatives_only|ties:best"),
    ("reciprocal_rank@k|ties:shared", "reciprocal_rank@k|ties:best"),
    ("hit_rate@k|ties:shared", "hit_rate@k|ties:best"),
    ("bpref|ties:shared", "bpref|ties:best"),
    ("recall@k|denominator:hits|ties:shared", "recall@k|denominator:hits|ties:best"),
    ("average_precision@k|truth:first|ties:shared|duplicates:last",
     "average_precision@k|truth:first|ties:best|duplicates:last"),
    ("auc|tied_scores:ranked|ties:shared", "auc|tied_scores:win"),
    ("recall@k|users:truth_rows|undefined:0", "recall@k"),
    ("recall@k|users:truth_rows|relevance:positive", "recall@k|relevance:positive"),
    ("recall@k|pooling:weighted|weight:rated|users:truth_rows|undefined:0|relevance:positive",
     "recall@k|pooling:weighted|weight:rated|users:all|undefined:0|relevance:positive"),
    ("rmse|users:truth_rows|relevance:positive", "rmse|relevance:positive"),
    ("reciprocal_rank|ranks:normalised_shown|cutoff:none", "reciprocal_rank|ranks:normalised|cutoff:none"),
    ("precision|users:predictions|pooling:weighted|weight:relevant|undefined:formula|cutoff:none",
     "precision|pooling:weighted|weight:relevant|cutoff:none|users:both"),
    ("precision|users:predictions|undefined:formula|cutoff:none",
     "precision|cutoff:none|users:predictions|undefined:0"),
    ("rbp@k|normalised:shown|truth:first", "rbp@k|normalised:yes|truth:first"),
    ("ndcg|ideal:ones_shown|cutoff:none", "ndcg|ideal:ones|cutoff:none"),
    # One ranking of which nobody is left is at an edge.
    ("auc|scope:stacked|nobody:error", "auc|scope:stacked"),
    ("mean_average_markedness@k|pooling:weighted|weight:relevant", "mean_average_markedness@k|pooling:pooled"),
    # Of one relevant item the first k hold as many as the first r, which is 1.
    ("r_precision@k|cut:min|truth:first|users:hits", "r_precision|truth:first|users:hits"),
    # Among the first k no relevant item is unlisted, and the irrelevant items are those that are shown.
    ("auc@k|list:topk|unlisted:dropped|negatives:catalogue", "auc@k|list:topk"),
    # LAUC orders its first k by rank, whatever a tied pair is worth.
    ("auc@k|list:limited|tied_scores:win", "auc@k|list:limited"),
    # A tied pair is won in half of all orders of the tie, in the best order, and not in the worst.
    ("auc|tied_scores:ranked|ties:average", "auc"),
    ("auc|tied_scores:ranked|ties:best", "auc|tied_scores:win"),
    ("auc|tied_scores:ranked|ties:worst", "auc|tied_scores:lose"),
    # Scores that are not read are never equal, except a row's to its own.
    ("auc|tied_scores:lose|order:rows", "auc|order:rows"),
    ("auc|tied_scores:ranked|negatives:every_row|order:rows", "auc|tied_scores:lose|negatives:every_row|order:rows"),
    # log_b(x) = log2(x) / log2(b), above and below, also where the base is given as a number.
    ("ndcg@k|discount:ln|ideal_discount:ln", "ndcg@k"),
    ("ndcg@k|discount:4", "ndcg@k"),
    # An ideal of no gains or of ones reads no gain, and one of nothing no discount.
    ("ndcg@k|ideal:none|ideal_discount:ln|ideal_gain:exp2", "ndcg@k|ideal:none"),
    ("ndcg@k|ideal:ones|ideal_gain:exp2", "ndcg@k|ideal:ones"),
    ("ndcg@k|gain:exp2|ideal_gain:exp2", "ndcg@k|gain:exp2"),
    # 2^1 - 1 = 1; 2^2 - 1 = 3 in DCG and in its ideal, which cancels.
    ("ndcg@k|gain:exp2|relevance:equal_1", "ndcg@k|relevance:equal_1"),
    ("ndcg@k|gain:exp2_plus1|relevance:equal_1", "ndcg@k|relevance:equal_1"),
    # A mean weighted by r is a ratio of sums; one 0 makes a harmonic mean 0.
    ("recall@k|pooling:weighted|weight:relevant", "recall@k|pooling:pooled"),
    ("recall@k|mean:harmonic|no_list:ends_all", "recall@k|mean:harmonic"),
    ("recall@k|no_list:formula", "recall@k"),
    # One relevant row has no copy, and all weights of r are 1.
    ("recall@k|users:one_relevant|truth_duplicates:r_only", "recall@k|users:one_relevant"),
    ("recall@k|truth:first|pooling:weighted|weight:relevant", "recall@k|truth:first"),
    # A list that is not cut is a set.
    ("precision|cutoff:none|ties:reversed|order:rows", "precision|cutoff:none"),
    ("recall@k|users:both|no_list:1", "recall@k|users:both"),
)  # fmt: skip


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
    assert are_equal(parse(signature), parse(simple)) and key(parse(signature)) == key(parse(simple))
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
    assert key(parse(first)) != key(parse(second))


def test_metrics_are_never_equal_though_their_values_are() -> None:
    assert not are_equal(parse("hit_rate@k|truth:first"), parse("recall@k|truth:first"))


def test_cut_offs_do_not_make_two_definitions_differ() -> None:
    assert are_equal(parse("ndcg@5"), parse("ndcg@20")) and key(parse("ndcg@5")) == key(parse("ndcg@20"))


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
    assert not are_equal(parse(first), parse(second)) and key(parse(first)) != key(parse(second))


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
