"""Hold equality as it is observed: on drawn cases, by axis, and in projections."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.axis_meanings import (
    acts_on_zero_gains_only,
    axis_question,
    takes_one_ranking,
    value_meaning_in,
)
from recsys_metric_audit.reference.equality.drawn_cases import drawn_probes
from recsys_metric_audit.reference.equality.observed import Key, are_equal, are_equal_on_yes_no_data, is_idle
from recsys_metric_audit.reference.equality.projection import formula_of, idle_axes, leaves_somebody, up_to
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE
from recsys_metric_audit.reference.space.levels import by_level, level_of
from tests.support.generated_inputs import SCALE, random_case, sampled
from tests.support.oracle_means import evaluate as slow
from tests.support.slow_parameters import slow_but_first

# Pairs of definitions that are equal whatever the input, also by the slow oracle, and pairs that nearly are.

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
    ],
)  # fmt: skip
def test_equal_whatever_the_input(signature: str, simple: str) -> None:
    assert are_equal(parse(signature), parse(simple)) and Key(parse(signature)) == Key(parse(simple))
    assert len(shortest(parse(signature)).differs_on) <= len(parse(simple).differs_on)


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


# The cases on which equality is observed: any in every run, small, and unusual in all ways.

PROBES = drawn_probes(300)


def test_they_are_drawn_alike_in_every_run() -> None:
    again = drawn_probes(20)
    assert [probe.k for probe in again] == [probe.k for probe in PROBES[:20]]
    for one, other in zip(again, PROBES, strict=False):
        assert one.case.predictions.score.tolist() == other.case.predictions.score.tolist()
        assert one.case.truth.gain.tolist() == other.case.truth.gain.tolist()


def test_they_are_small_and_each_has_rows() -> None:
    assert all(0 < probe.size <= 4 * (7 + 12) and 1 <= probe.k <= 6 for probe in PROBES)


def test_anything_is_unusual_in_some_of_them() -> None:
    shown = set[str]()
    for probe in PROBES:
        rec, truth, train = probe.case.predictions, probe.case.truth, probe.case.train
        pairs, true = [*zip(rec.user, rec.item, strict=True)], [*zip(truth.user, truth.item, strict=True)]
        shown |= {
            name for name, seen in {
                "ties": len(np.unique(rec.score)) < len(rec.score), "repeats": len({*pairs}) < len(pairs),
                "copies": len({*true}) < len(true), "scores below 0": bool((rec.score < 0).any()),
                "gains below 0": bool((truth.gain < 0).any()), "fractions": bool((truth.gain % 1 != 0).any()),
                "unsorted": bool((np.diff(rec.score) > 0).any()), "seen": not {*pairs}.isdisjoint(
                    zip(train.user, train.item, strict=True)),
                "no list": not {*truth.user.tolist()} <= {*rec.user.tolist()},
                "no truth": not {*rec.user.tolist()} <= {*truth.user.tolist()},
                "no hit": bool(pairs) and {*pairs}.isdisjoint(true),
                "all relevant": bool(pairs) and {*pairs} <= {*true},
                "nothing but relevant items": len(probe.case.catalogue) == len(np.unique(truth.item)),
            }.items() if seen
        }  # fmt: skip
    assert len(shown) == 13, shown


# Say what an axis asks in one definition: of one ranking of all rows, of a formula that is defined without a hit.


@pytest.mark.parametrize(
    ("signature", "only"),
    [
        ("ndcg@k|gain:linear", True),  # by hand: a user with a gain and no hit has DCG 0 over an ideal above 0
        ("ndcg@k|gain:exp2", True),
        ("ndcg@k|gain:linear|users:hits", True),
        ("ndcg@k|ideal:retrieved", False),  # 0/0: the DCG of the hits
        ("average_precision@k|denominator:hits", False),
        ("auc@k|list:topk", False),
        ("ndcg@k", False),  # every relevant item has a gain of 1: it acts nowhere
    ],
)
def test_no_hit_of_a_formula_that_is_defined_without_a_hit_is_about_gains_of_0(signature: str, only: bool) -> None:
    definition = parse(signature)
    assert acts_on_zero_gains_only(definition) is only
    assert axis_question(definition, "no_hit").endswith("all their gains are 0" if only else "0/0 without a hit")


@pytest.mark.parametrize("signature", ["mae", "rmse", "r_squared", "log_loss", "auc|scope:stacked"])
def test_an_edge_of_one_ranking_is_about_all_rows(signature: str) -> None:
    definition = parse(signature)
    assert takes_one_ranking(definition)
    for axis in ("undefined", "no_list"):
        assert "a user" not in axis_question(definition, axis)
    assert value_meaning_in(definition, "undefined", "error") == "the library raises"
    assert value_meaning_in(definition, "undefined", "skip") == "NaN", "there is no mean to be left out of"


def test_one_user_without_a_list_does_not_make_a_pooled_error_raise() -> None:
    """By hand: |0.9 - 1| and |0.1 - 5| over two pairs is 2.5; user 2 has a rating, and no list."""
    shown = Predictions(np.array([1, 1]), np.array([1, 2]), np.array([0.9, 0.1]))
    truth = Truth(np.array([1, 1, 2]), np.array([1, 2, 3]), np.array([1.0, 5.0, 5.0]))
    case = Case("user 2 has no list", shown, truth, catalogue=np.array([1, 2, 3]))
    nobody = Case("no list at all", Predictions(), truth, catalogue=np.array([1, 2, 3]))
    definition = parse("mae|undefined:error|no_hit:error|no_list:error")
    made = evaluate(definition, Problem.of([case, nobody], [2, 2]))
    assert made.mean[0] == pytest.approx(2.5) and list(made.refused) == [False, True]
    assert axis_question(definition, "no_list") == "relevant items, and no recommendation to any user"


def test_the_averaged_have_the_axis_meaning_itself() -> None:
    definition = parse("recall@k")
    assert not takes_one_ranking(definition)
    assert axis_question(definition, "undefined") == definition.family.axis("undefined").meaning
    assert value_meaning_in(definition, "undefined", "skip") == "left out of the mean"
    assert value_meaning_in(definition, "undefined", "no such value") == ""


# A definition seen by level: its formula alone, its axes sorted, and the axes that cannot matter.


@pytest.mark.parametrize(
    ("signature", "formula"),
    [
        ("ndcg@20|gain:exp2|users:both|ties:item_desc", "ndcg@20|gain:exp2"),
        ("ndcg@20|users:all|undefined:0|order:rows|truth_duplicates:once", "ndcg@20"),
        ("auc|scope:stacked|unlisted:dropped|users:all|no_list:error", "auc|scope:stacked|unlisted:dropped"),
        ("recall@5|denominator:min|pooling:pooled|relevance:positive", "recall@5|denominator:min|pooling:pooled"),
        ("reciprocal_rank|ranks:mean_hits|cutoff:none|ties:other", "reciprocal_rank|ranks:mean_hits|cutoff:none"),
    ],
)  # fmt: skip
def test_the_formula_alone(signature: str, formula: str) -> None:
    assert formula_of(parse(signature)).signature() == formula


def test_who_counts_keeps_the_formula_and_drops_input_handling() -> None:
    full = parse("recall@10|denominator:min|users:both|ties:item_asc")
    assert up_to(full, "who_counts").signature() == "recall@10|denominator:min|users:both"
    assert up_to(full, "input") == shortest(full)


@pytest.mark.parametrize("metric", METRICS)
def test_the_formula_of_the_canonical_definition_is_canonical(metric: str) -> None:
    assert formula_of(parse(metric)).differs_on == ()


def test_axes_are_sorted_into_levels_in_their_order() -> None:
    found = by_level(("ties", "users", "gain", "undefined", "ideal", "duplicates"))
    assert found == {
        "formula": ("gain", "ideal"),
        "who_counts": ("users", "undefined"),
        "input": ("ties", "duplicates"),
    }


@pytest.mark.parametrize(
    ("signature", "axis", "idle"),
    [
        # Rows that are ranked by their order have no ties.
        ("ndcg@k|order:rows", "ties", True),
        ("ndcg@k", "ties", False),
        # Over k there is no 0/0 for want of a hit; over the hits there is.
        ("average_precision@k|denominator:k", "no_hit", True),
        ("average_precision@k|denominator:hits", "no_hit", False),
        # Both sides of NDCG with one discount: its base cancels, so that another base of the ideal does not.
        ("ndcg@k|ideal:none", "ideal_discount", True),
        ("ndcg@k", "ideal_discount", False),
    ],
)
def test_an_axis_is_idle_where_no_value_of_it_changes_the_definition(signature: str, axis: str, idle: bool) -> None:
    assert (axis in idle_axes(parse(signature))) is idle


def test_axes_that_act_together_are_never_called_idle() -> None:
    # A weight acts where values are weighted; neither moves anything alone.
    assert not {"pooling", "weight"} & set(idle_axes(parse("precision@k")))


@pytest.mark.parametrize("metric", METRICS)
def test_idle_axes_are_axes_of_the_metric(metric: str) -> None:
    definition = parse(metric)
    idle = idle_axes(definition)
    assert set(idle) <= set(definition.axes)
    assert all(level_of(axis) for axis in idle)


@pytest.mark.parametrize(
    ("signature", "somebody"),
    [
        ("recall@k", False), ("recall@k|users:all|undefined:0", True),
        ("recall@k|users:predictions|undefined:0", False),
        ("recall@k|users:predictions|undefined:0|no_list:error", True),
        ("recall@k|users:all|undefined:0|no_list:skip", False),
        ("recall@k|users:truth_rows|undefined:0|relevance:positive", False), ("auc|users:all|undefined:0", False),
        ("auc|users:all|undefined:0|no_negatives:0", True), ("auc|scope:stacked", True),
        ("recall@k|users:one_relevant", False), ("precision@k|users:all|undefined:0|pooling:pooled", True),
        ("recall@k|users:all|undefined:0|pooling:pooled", False), ("f_score@k|of:means|users:all|undefined:0", True),
        ("f_score@k|of:means", False),
    ],
)  # fmt: skip
def test_somebody_is_left_where_no_user_is_left_out(signature: str, somebody: bool) -> None:
    """A ratio of sums may be 0/0 with users, but precision's over k, which is the mean, is not."""
    assert leaves_somebody(parse(signature)) is somebody


# The shortest definitions: equal in value on cases that equality was not observed on, and not to be shortened.

AT = {k: Problem.of(POOL, k) for k in (1, 2, 3, 8)}


def agree(definition: Definition, k: int) -> bool:
    """Return whether the shortest definition is another one; it gives what the definition gives on all cases."""
    definition = definition.with_(k=k) if definition.k is not None else definition
    simple = shortest(definition)
    if simple == definition:
        return False
    try:
        first, second = evaluate(definition, AT[k]), evaluate(simple, AT[k])
    except TooManyOrdersError:
        return False
    alike = first.refused | np.isclose(first.mean, second.mean, rtol=1e-9, atol=1e-9, equal_nan=True)
    for number in np.flatnonzero((first.refused != second.refused) | ~alike)[:1]:
        case, means = POOL[number], (first.mean[number], second.mean[number])
        pytest.fail(f"{definition}\nwritten {simple}: {means}\n{case.predictions}\n{case.truth}\nt={case.threshold}")
    return True


@pytest.mark.parametrize("name", slow_but_first(METRICS, 2))
def test_the_shortest_is_worth_the_same_and_no_axis_that_it_names_can_be_left_out(name: str) -> None:
    """Definitions far from the canonical one and near it: no axis is idle, neither alone nor with another one."""
    compared = 0
    for seed in range(12 * SCALE):
        drawn = sampled(METRICS[name], seed, (0.1, 0.2, 0.35)[seed % 3])
        compared += agree(drawn, (1, 2, 3, 8)[seed % 4])
        short = shortest(drawn)
        assert shortest(short) == short == parse(short.signature())
        canonical = short.family.canonical
        for axes in (*combinations(short.differs_on, 1), *combinations(short.differs_on, 2)):
            shorter = short.with_(**{axis: canonical[axis] for axis in axes})
            if short.family.refusal(shorter.axes) is None and "cutoff" not in axes:
                assert not are_equal(shorter, short), axes
    assert compared


FAMILIES_OF_RULES = (
    {"truth": "first"}, {"users": "one_relevant"}, {"pooling": "weighted", "weight": "relevant"},
    {"pooling": "weighted", "weight": "rated"}, {"pooling": "weighted", "weight": "list_length"},
    {"undefined": "formula", "users": "all"}, {"no_list": "formula"}, {"mean": "harmonic", "no_list": "ends_all"},
    {"mean": "geometric", "no_hit": "ends_all"}, {"cutoff": "none"}, {"cutoff": "k_minus_1", "no_hit": "ends_all"},
    {"relevance": "equal_1"}, {"order": "rows"}, {"of": "means", "mean": "harmonic"},
    {"cutoff": "k_minus_1", "pooling": "weighted", "weight": "list_length"}, {"pairs": "all_0_1"},
    {"truth_duplicates": "r_only", "pooling": "weighted", "weight": "relevant"},
    {"users": "one_relevant", "truth_duplicates": "once"}, {"pooling": "pooled", "undefined": "error"},
    {"scope": "stacked", "unlisted": "dropped"}, {"scope": "stacked", "list": "topk"}, {"pairs": "rated_0_1"},
    {"missing": "zero_error"}, {"missing": "lowest"}, {"scope": "stacked", "ties": "average"},
    {"negatives": "every_row", "order": "rows"},
    {"negatives": "catalogue", "unlisted": "dropped"}, {"ties": "shared"},
    {"ties": "shared", "positions": "negatives_only"}, {"users": "truth_rows", "relevance": "positive"},
    {"users": "truth_rows", "relevance": "positive", "pooling": "weighted", "weight": "rated"},
    {"ties": "shared", "truth": "first", "duplicates": "last"}, {"nobody": "0"},
    {"nobody": "0", "users": "all", "undefined": "0"}, {"nobody": "0", "cutoff": "k_minus_1", "no_hit": "skip"},
)  # fmt: skip
"""Values under which rules of their own make definitions equal."""


@pytest.mark.slow
@pytest.mark.parametrize("fixed", FAMILIES_OF_RULES, ids=lambda fixed: ",".join(f"{a}:{v}" for a, v in fixed.items()))
def test_each_family_of_rules_is_worth_the_same(fixed: dict[str, str]) -> None:
    rng, compared = random.Random(str(fixed)), 0
    for number in range(8 * SCALE):
        metric = METRICS[rng.choice([name for name, known in METRICS.items() if set(fixed) <= set(known.canonical)])]
        values = {**sampled(metric, rng.randrange(2**32), rng.choice((0.05, 0.15))).axes, **fixed}
        if metric.refusal(values) is None:
            compared += agree(Definition.of(metric.name, values), (1, 2, 3, 8)[number % 4])
    assert compared


@pytest.mark.slow
@pytest.mark.parametrize("name", METRICS)
def test_definitions_that_are_equal_have_one_shortest_form(name: str) -> None:
    compared = 0
    for seed in range(2 * SCALE):
        short = shortest(sampled(METRICS[name], seed, 0.15).with_(k="k"))
        for axis in (axis for axis in short.family.all_axes if axis.name != "cutoff"):
            for other in (short.with_(**{axis.name: value}) for value in axis.names if value not in WITHOUT_RULE):
                if short.family.refusal(other.axes) is None and are_equal(other, short):
                    compared += other != short
                    assert shortest(other) == short
    assert compared


@pytest.mark.parametrize(
    ("signature", "shortened"),
    [
        # Users whom an edge leaves out are not averaged, and a policy for nobody is no policy.
        ("recall@k|no_list:skip", "recall@k|users:both"),
        ("reciprocal_rank@k|users:both|no_hit:skip", "reciprocal_rank@k|users:hits"),
        ("recall@k|users:both|no_list:1", "recall@k|users:both"),
        # A number is clearer than that the formula gives it, and no cut-off than one that does not act.
        ("precision@k|users:all|undefined:formula", "precision@k|users:all|undefined:0"),
        ("accuracy@k|decision:at_half", "accuracy|decision:at_half|cutoff:none"),
        # A ratio of sums is shorter than a mean and its weights.
        ("recall@k|pooling:weighted|weight:relevant", "recall@k|pooling:pooled"),
        # What raises names each of its states.
        ("mae|users:both|undefined:error|no_hit:error", "mae|undefined:error|no_hit:error|no_list:error"),
        # The cut-off that is written stays.
        ("ndcg@20|discount:ln|gain:exp2", "ndcg@20|gain:exp2"),
    ],
)
def test_of_equal_definitions_the_clearest_is_told(signature: str, shortened: str) -> None:
    assert shortest(parse(signature)).signature() == shortened
