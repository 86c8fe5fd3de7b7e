"""Hold values of metrics against those worked out by hand and against slow counts; refusals and limits."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.metrics import FAMILIES, METRICS
from recsys_metric_audit.reference.metrics.contingency import Table, accuracy, fallout, markedness, matthews_correlation
from recsys_metric_audit.reference.metrics.f_score import combine
from recsys_metric_audit.reference.metrics.ndcg import discounts, gains
from recsys_metric_audit.reference.space.lists import Places, Ratio
from recsys_metric_audit.reference.space.metric import Values
from tests.support.generated_inputs import examples, make, one, value
from tests.support.hand_computed import ALL_ROWS
from tests.support.hand_computed.ndcg_rows import INVERTED
from tests.support.hand_computed.shorthand import A, B, C, Row

# Values worked out by hand.


@pytest.mark.parametrize("row", ALL_ROWS, ids=[row[0] for row in ALL_ROWS])
def test_values_worked_out_by_hand(row: Row) -> None:
    signature, case, expected, source = row
    assert value(signature, case) == pytest.approx(float(expected), rel=1e-12, abs=1e-12, nan_ok=True), source


def test_each_metric_is_worked_out_but_bpref_that_has_a_slow_count_below() -> None:
    assert {parse(signature).metric for signature, *_ in ALL_ROWS} == FAMILIES.keys() - {"bpref"}


# AUC: pairs of a relevant and an irrelevant item.


def won(ranked: str, scores: str, tie: float) -> float:
    """Share of (relevant, irrelevant) pairs in the right order, pair by pair; ``tie`` is worth a pair of equals."""
    relevant = [int(score) for hit, score in zip(ranked, scores, strict=True) if hit == "1"]
    others = [int(score) for hit, score in zip(ranked, scores, strict=True) if hit == "0"]
    pairs = [1.0 if mine > other else tie if mine == other else 0.0 for mine in relevant for other in others]
    return sum(pairs) / len(pairs)


@examples(60)
@given(rows=st.lists(st.tuples(st.sampled_from("01"), st.sampled_from("1234")), min_size=2, max_size=9))
@pytest.mark.slow
def test_every_pair_is_counted_once(rows: list[tuple[str, str]]) -> None:
    ranked, scores = ("".join(column) for column in zip(*rows, strict=True))
    if len(set(ranked)) == 2:
        for name, tie in (("half", 0.5), ("win", 1.0), ("lose", 0.0)):
            found = value(f"auc|tied_scores:{name}", one(ranked, scores=scores))
            assert found == pytest.approx(won(ranked, scores, tie)), (ranked, scores, name)


# Average precision and average recall.


@pytest.mark.parametrize(
    ("signature", "printed", "case"),
    [
        ("average_precision@5|denominator:cumulative", ".071", C),
        ("average_precision@3|indicator:dropped|denominator:k", ".611", A),
        ("ndcg@2|ideal:all", ".339", B),
        ("ndcg@2", ".613", B),
        ("ndcg@3|ideal:ones", ".469", A),
        ("ndcg@5", ".390", C),
        ("ndcg@2|gain:linear", ".797", INVERTED),
        ("ndcg@2|gain:exp2", ".710", INVERTED),
        ("ndcg@2", ".631", one("01", 1)),
        ("ndcg@2|discount:log2_off_by_one", ".792", one("01", 1)),
    ],
)
def test_the_separating_experiments_print_what_the_taxonomy_says(signature: str, printed: str, case: Case) -> None:
    assert f"{value(signature, case):.3f}".lstrip("0") == printed


# Binary preference against a slow count over the rated items of one user.


def slow_bpref(ranked: list[int], relevant: set[int], irrelevant: set[int], bound: str) -> Fraction:
    """Buckley & Voorhees 2004 with their bound r or r + 10, or trec_eval's min(r, N), one relevant item after another.

    Items of ``ranked`` in neither set are not rated and are skipped.
    """
    r = len(relevant)
    most = r + 10 if bound == "r_plus_10" else r
    over = min(r, len(irrelevant)) if bound == "min" else most
    total, above = Fraction(0), 0
    for item in ranked:
        if item in irrelevant:
            above += 1
        if item in relevant:
            total += 1 - (Fraction(min(above, most), over) if above else 0)
    return total / r


@pytest.mark.parametrize("bound", ["min", "r", "r_plus_10"])
@examples(30)
@given(labels=st.lists(st.sampled_from("10-"), min_size=1, max_size=9), unlisted=st.lists(st.booleans(), max_size=3))
def test_it_counts_rated_irrelevant_items_above_each_relevant_one(
    bound: str, labels: list[str], unlisted: list[bool]
) -> None:
    items = range(10, 10 + len(labels))
    gains = {item: float(label) for item, label in zip(items, labels, strict=True) if label != "-"}
    gains |= {500 + number: float(relevant) for number, relevant in enumerate(unlisted)}
    relevant = {item for item, gain in gains.items() if gain}
    if not relevant or not set(items) & set(gains):
        return  # another edge: nothing relevant, or no rated item in the list
    case = make([(1, item, -float(item)) for item in items], [(1, item, gain) for item, gain in gains.items()])
    expected = slow_bpref(list(items), relevant, set(gains) - relevant, bound)
    assert value(f"bpref|bound:{bound}", case) == pytest.approx(float(expected))


def test_other_candidates_than_rated_items_are_refused() -> None:
    with pytest.raises(ValueError, match="reads rated items only"):
        value("bpref|candidates:all", make([(1, 1, 1.0)], [(1, 1, 1.0)]))


@pytest.mark.parametrize(
    ("users", "expected"),
    [
        ("both", Fraction(1, 2)),  # users 1 and 2: 1 and 0
        ("both_rows", Fraction(1, 3)),  # user 4 besides, who has no relevant item: 0
        ("truth", Fraction(1, 3)),  # user 3 besides, who has no list: 0
        ("predictions", Fraction(1, 4)),  # users 1, 2, 4 and 5
    ],
)
def test_a_list_without_any_rated_item_is_a_list(users: str, expected: Fraction) -> None:
    """trec_eval skips unrated items one by one: it does not skip a query for which nothing else is retrieved."""
    case = make(
        [(1, 10, 2.0), (1, 11, 1.0), (2, 20, 1.0), (4, 40, 1.0), (5, 50, 1.0)],
        [(1, 10, 1.0), (1, 11, 0.0), (2, 21, 1.0), (3, 30, 1.0), (4, 41, 0.0)],
    )
    assert value(f"bpref|users:{users}|undefined:0", case) == pytest.approx(float(expected))


# The contingency table at k and its ratios.


def test_ratios_of_a_table_of_ten_items() -> None:
    cells = Table(*(np.array([float(count)]) for count in (2, 1, 3, 4)))  # tp, fp, fn, tn
    assert fallout(cells).value == pytest.approx([1 / 5])
    assert accuracy(cells).value == pytest.approx([6 / 10])
    assert markedness(cells).value == pytest.approx([2 / 3 + 4 / 7 - 1])
    assert matthews_correlation(cells).value == pytest.approx([(2 * 4 - 1 * 3) / (5 * 5 * 3 * 7) ** 0.5])


def test_a_ratio_without_anything_to_divide_by_is_nan() -> None:
    nothing_shown = Table(*(np.array([float(count)]) for count in (0, 0, 2, 3)))
    assert np.isnan(markedness(nothing_shown).value).all() and np.isnan(matthews_correlation(nothing_shown).value).all()


# Which rows count as recommended: those with a score of one half and more, or the first k.

CASE = make([(1, 1, 0.9), (1, 2, 0.5), (1, 3, 0.49), (1, 4, -2.0)], [(1, 1, 1.0), (1, 4, 1.0)])
"""Two rows of one half and more, one of them relevant; of the two others, one is relevant too."""


def value_of_decision(signature: str) -> float:
    return float(evaluate(parse(signature), Problem.of([CASE], None)).mean[0])


@pytest.mark.parametrize(
    ("metric", "expected"),
    [("accuracy", 2 / 4), ("fallout", 1 / 2), ("inverse_precision", 1 / 2), ("f_score", 2 / (2 + 2))],
)
def test_scores_of_one_half_and_more_are_recommended(metric: str, expected: float) -> None:
    assert value_of_decision(f"{metric}|decision:at_half") == pytest.approx(expected)


def test_no_cut_off_acts_where_scores_decide() -> None:
    assert shortest(parse("accuracy@1|decision:at_half")) == shortest(parse("accuracy@5|decision:at_half")).with_(k=1)


def refusal(metric: str, values: Values) -> str | None:
    family = METRICS[metric]
    return family.refusal({**family.canonical, "decision": "at_half", **values})


@pytest.mark.parametrize("metric", ["accuracy", "f_score"])
def test_scores_that_are_not_read_decide_nothing(metric: str) -> None:
    assert refusal(metric, {}) is None
    assert "order:rows" in str(refusal(metric, {"order": "rows"}))


def test_f_has_one_reading_where_scores_decide() -> None:
    assert "one reading" in str(refusal("f_score", {"precision": "min"}))


# Expected reciprocal rank.


@pytest.mark.parametrize("metric", ["err@2", "pfound@2", "nerr@2"])
def test_gains_of_1_as_probabilities_are_refused(metric: str) -> None:
    with pytest.raises(ValueError, match="every hit satisfy for certain"):
        value(f"{metric}|satisfaction:gain|relevance:equal_1", one("1", 1))


# F-score: per user and of means, with every denominator.


def test_f_of_two_values_weighs_recall_by_beta_squared() -> None:
    ones = np.ones(3)
    first, second = Ratio(np.array([1 / 2, 1.0, 0.0]), ones), Ratio(np.array([1 / 4, 1.0, 0.0]), ones)
    by_one, by_two = combine(first, second, 1.0).value, combine(first, second, 2.0).value
    assert by_one[:2] == pytest.approx([2 * (1 / 8) / (3 / 4), 1])
    assert by_two[:2] == pytest.approx([5 * (1 / 8) / (4 / 2 + 1 / 4), 1])
    assert np.isnan([by_one[2], by_two[2]]).all(), "0/0 where both are 0"


def test_swapping_the_denominators_is_the_inverse_of_beta() -> None:
    assert are_equal(parse("f_score@k|precision:min|recall:k|beta:2"), parse("f_score@k|recall:min|beta:0.5"))
    assert not are_equal(parse("f_score@k|precision:min|recall:k|beta:2"), parse("f_score@k|recall:min|beta:2"))


# Hit rate: whether there is a hit, and the counts that libraries report in its place.


def test_two_copies_of_the_only_relevant_item_are_one_hit() -> None:
    assert are_equal(parse("hit_rate@k|counts:only|truth_duplicates:r_only"), parse("hit_rate@k|counts:only"))
    assert not are_equal(parse("hit_rate@k|counts:hits|truth_duplicates:r_only"), parse("hit_rate@k|counts:hits"))


# Interpolated precision.


@pytest.mark.parametrize("needed", ["nearest", "plus_0.9"])
def test_recall_0_half_and_1_need_one_number_of_items_however_it_is_rounded(needed: str) -> None:
    for at in ("0", "0.5", "1.0"):
        rounded = shortest(parse(f"interpolated_precision|at:{at}|needed:{needed}"))
        assert rounded == shortest(parse(f"interpolated_precision|at:{at}"))
    # Of 3 items 1.05 are needed: one, or two if that is rounded up.
    assert shortest(parse(f"interpolated_precision|at:0.35|needed:{needed}")).axes["needed"] == needed


def test_one_relevant_item_is_found_or_not_at_any_recall() -> None:
    one = shortest(parse("interpolated_precision|at:0.3|needed:nearest|users:one_relevant"))
    assert one == shortest(parse("interpolated_precision|users:one_relevant"))


# NDCG: gains, discounts, ideals.


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("log2", [1, 1 / math.log2(3), 1 / 2]), ("ln", [1 / math.log(2), 1 / math.log(3), 1 / math.log(4)]),
        ("log10", [1 / math.log10(2), 1 / math.log10(3), 1 / math.log10(4)]),
        ("log2_clipped", [1, 1, 1 / math.log2(3)]), ("log2_off_by_one", [1 / math.log2(3), 1 / 2, 1 / math.log2(5)]),
        ("4", [2, 1 / math.log(3, 4), 1]),
    ],
)  # fmt: skip
def test_discounts_of_the_first_three_ranks(name: str, expected: list[float]) -> None:
    assert discounts(np.array([1, 2, 3]), name) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("binary", [1, 1]), ("linear", [1, 3]), ("exp2", [1, 7]), ("exp2_plus1", [3, 15]), ("square_minus_1", [0, 8]),
        ("linear_whole", [1, 3]), ("exp2_whole", [1, 7]),
        ("exp2_threshold", [0, 3]),
    ],
)  # fmt: skip
def test_gain_terms_of_gains_one_and_three_at_a_threshold_of_two(name: str, expected: list[float]) -> None:
    places = Places(np.array([0, 0]), np.array([1, 2]), np.array([1.0, 3.0]), 1)
    assert gains(places, np.array([2.0]), name) == pytest.approx(expected)


# Precision: H over k and over the other denominators.


def test_gains_of_one_are_hits() -> None:
    gains = parse("precision@k|numerator:gains")
    assert are_equal(gains.with_(relevance="equal_1"), parse("precision@k|relevance:equal_1"))
    assert not are_equal(gains.with_(relevance="positive"), parse("precision@k|relevance:positive"))


def test_what_a_rank_counts_does_not_act_on_an_uncut_list() -> None:
    assert are_equal(parse("precision|cutoff:none|positions:negatives_only"), parse("precision|cutoff:none"))
    assert not are_equal(parse("precision@k|positions:negatives_only"), parse("precision@k"))


# R-precision: precision at a cut-off of r.


@pytest.mark.parametrize("users", ["truth:first", "users:one_relevant", "truth:first|users:hits"])
def test_min_of_k_and_r_is_one_for_a_single_relevant_item(users: str) -> None:
    assert are_equal(parse(f"r_precision@k|cut:min|{users}"), parse(f"r_precision|{users}"))
    assert not are_equal(parse("r_precision@k|cut:min"), parse("r_precision"))


# Kendall's tau and Spearman's rho.


@examples(40)
@given(ranked=st.text("01", min_size=2, max_size=8))
def test_tau_is_concordant_minus_discordant_pairs_over_all_unequal_ones(ranked: str) -> None:
    signs = [1 if first > second else -1 for first, second in combinations(ranked, 2) if first != second]
    if signs:
        assert value("kendall_tau", one(ranked)) == pytest.approx(sum(signs) / len(signs))


# Rating errors.


@pytest.mark.parametrize(
    ("metric", "values", "reason"),
    [
        ("mae", {"pairs": "all_0_1", "candidates": "test_only"}, "pairs:rated_0_1"),
        ("r_squared", {"pairs": "rated_0_1", "relevance": "every_row"}, "do not vary"),
        ("log_loss", {"clip": "0.5"}, "how far a probability stays"),
    ],
)
def test_combinations_that_mean_nothing_are_refused(metric: str, values: dict[str, str], reason: str) -> None:
    known = METRICS[metric]
    assert known.refusal(known.canonical) is None
    assert reason in (known.refusal({**known.canonical, **values}) or "")


# Recall: H over r and over the other denominators.


def test_hits_over_hits_do_not_see_what_a_rank_counts() -> None:
    assert are_equal(parse("recall@k|denominator:hits|positions:negatives_only"), parse("recall@k|denominator:hits"))
    assert not are_equal(parse("recall@k|positions:negatives_only"), parse("recall@k"))


# Reciprocal rank: of the first hit and of the other hits.


def test_above_the_first_hit_all_rows_are_irrelevant() -> None:
    assert are_equal(parse("reciprocal_rank@k|positions:negatives_only"), parse("reciprocal_rank@k"))
    of_all = parse("reciprocal_rank@k|ranks:sum")
    assert not are_equal(of_all.with_(positions="negatives_only"), of_all)


def test_where_all_gains_are_one_the_first_hit_is_the_best() -> None:
    best = parse("reciprocal_rank@k|ranks:best_gain")
    assert are_equal(best.with_(relevance="equal_1"), parse("reciprocal_rank@k|relevance:equal_1"))
    assert not are_equal(best.with_(relevance="positive"), parse("reciprocal_rank@k|relevance:positive"))
