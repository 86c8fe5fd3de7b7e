"""Hold which definitions give a printed number, and which values no definition gives together."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recsys_metric_audit import which
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reference.input.conversion import case_from_tables
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.value_search import table_relations
from recsys_metric_audit.reference.value_search.bounds import bounds, formulas_above_one
from recsys_metric_audit.reference.value_search.by_value import Found, Printed, definitions_giving
from recsys_metric_audit.reference.value_search.impossible_pairs import CheckedPair, impossible_pairs
from recsys_metric_audit.reference.value_search.moves import formulas, moves
from recsys_metric_audit.reference.value_search.printed_number import PrintedNumberError, read_printed_number
from recsys_metric_audit.reference.value_search.table_relations import ONE, at, bounds_between

# Which definitions give a printed number, on data small enough to compute by hand.
#
# ann has three relevant items and a list of two, of which the first is relevant: recall 1/3, over min(k, r) 1/2.
# bob has one relevant item, the second of two: recall 1. cyd has a relevant item and no list: recall 0.
#
# Definitions one change away are enough here; two changes, the default, are tried in ``audit which`` and in the doctest
# of ``recsys_metric_audit.which``, which takes ten times as long.

ROWS = {"user": ["ann", "ann", "bob", "bob"], "item": [1, 2, 1, 2], "score": [2.0, 1.0, 2.0, 1.0]}
TRUE = {"user": ["ann", "ann", "ann", "bob", "cyd"], "item": [1, 3, 4, 2, 1]}


def found(**printed: str) -> tuple[Found, ...]:
    return which(ROWS, TRUE, {f"{metric}@2": number for metric, number in printed.items()}, changes=1)


@pytest.mark.parametrize(
    ("number", "first"),
    [
        ("0.4444", "recall@2"),  # (1/3 + 1 + 0) / 3
        ("0.5000", "recall@2|denominator:min"),  # (1/2 + 1 + 0) / 3
        ("0.6667", "recall@2|users:both"),  # (1/3 + 1) / 2
        ("0.4000", "recall@2|pooling:pooled"),  # 2 hits of 5 relevant items
    ],
)
def test_the_definitions_with_the_fewest_changes_stand_first(number: str, first: str) -> None:
    (only,) = found(recall=number)
    fewest = [str(match.definition) for match in only.matches if match.changes == only.matches[0].changes]
    assert first in fewest
    assert [match.changes for match in only.matches] == sorted(match.changes for match in only.matches)


def test_every_match_evaluates_to_the_printed_number() -> None:
    problem = Problem.of([case_from_tables(ROWS, TRUE).case], None)
    for number in ("0.50", "0.67", "1.0"):
        (only,) = found(recall=number)
        for match in only.matches:
            value = float(evaluate(match.definition, problem.at(2)).mean[0])
            assert match.values == (value,) and read_printed_number(number).is_printed_for(value)


def test_two_metrics_of_one_table_agree_on_who_counts() -> None:
    (alone,) = found(recall="0.6667")
    # Precision is 1/2 for ann and bob and 0 for cyd; 1/2 comes out where cyd is left out.
    both = found(recall="0.6667", precision="0.5000")
    assert len(both[0].matches) < len(alone.matches)
    chosen = [{match.definition.axes["users"] for match in each.matches} for each in both]
    assert "both" in chosen[0] and chosen[0] <= chosen[1]


def test_numbers_that_go_with_no_one_choice_are_answered_each_by_itself() -> None:
    apart = found(recall="0.4444", precision="0.5000")
    assert all(each.matches for each in apart)


def test_several_cutoffs_narrow_each_other() -> None:
    problem = Problem.of([case_from_tables(ROWS, TRUE).case], None)

    def printed(k: int, text: str) -> Printed:
        return Printed("recall", k, read_printed_number(text))

    def giving(*numbers: Printed) -> Found:
        return definitions_giving(problem, numbers, changes=1)[0]

    # At 1, ann has 1/3 and the others 0: 0.1111. No formula of recall is 0.4444 at 2 and 0.9999 at 1 here.
    one = giving(printed(2, "0.4444"))
    two = giving(printed(2, "0.4444"), printed(1, "0.1111"))
    assert two.matches[0].values == (pytest.approx(4 / 9), pytest.approx(1 / 9))
    assert len(two.matches) <= len(one.matches)
    assert not giving(printed(2, "0.4444"), printed(1, "0.9999")).matches


def test_where_nothing_fits_the_nearest_are_told() -> None:
    (none,) = found(reciprocal_rank="17.25")
    assert none.matches == () and none.nearest
    off = [abs(match.values[0] - 17.25) for match in none.nearest]
    assert off == sorted(off)


def test_what_is_asked_must_have_a_cutoff_that_is_known_and_a_number() -> None:
    with pytest.raises(ValueError, match="recall@20"):
        which(ROWS, TRUE, {"recall@k": "0.5"})
    with pytest.raises(PrintedNumberError, match="comma"):
        which(ROWS, TRUE, {"recall@2": "0,5"})


# Bounds of canonical formulas, and formulas beyond them, on one list: items 1 to 3 of 4 are relevant, k = 3.


@pytest.mark.parametrize(
    ("metric", "lowest", "highest"),
    [
        ("reciprocal_rank", 0.0, 1.0), ("auc", 0.0, 1.0), ("log_loss", 0.0, math.inf), ("rmse", 0.0, math.inf),
        ("kendall_tau", -1.0, 1.0), ("markedness", -1.0, 1.0),
        # 1 - SSE / SST: without a bound below, since predictions can be worse than the mean.
        ("r_squared", -math.inf, 1.0),
    ],
)  # fmt: skip
def test_the_bounds_follow_from_the_formula(metric: str, lowest: float, highest: float) -> None:
    assert bounds(metric) == (lowest, highest)


def test_every_metric_has_bounds() -> None:
    assert all(low < high for low, high in map(bounds, METRICS))


@pytest.mark.parametrize(
    ("metric", "above"),
    [
        # 1/1 + 1/2 + 1/3 > 1; no other formula of reciprocal ranks one change away sums over hits.
        ("reciprocal_rank", ["reciprocal_rank@k|ranks:sum"]),
        ("kendall_tau", []),
        # 3 hits, not 1 for any; over r or over k they are 1.
        ("hit_rate", ["hit_rate@k|counts:hits"]),
        # Hits over all relevant items, or gains over all gains.
        ("recall", []),
        # Gains 5 + 4 + 3 over k = 3.
        ("precision", ["precision@k|numerator:gains"]),
        # No irrelevant item is above: all three at rank 1, (1/1 + 2/1 + 3/1) / 3.
        ("average_precision", ["average_precision@k|positions:negatives_only"]),
    ],
)
def test_formulas_one_change_away_that_exceed_1(metric: str, above: list[str]) -> None:
    assert list(map(str, formulas_above_one(metric))) == above


# Pairs of formulas that could not both have given two numbers, by relations that are written out beside them.


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


# Which choices are a move, and how far each formula is from canonical.


def test_the_canonical_choice_is_first_and_no_axis_of_another_level_moves() -> None:
    found = list(moves("recall", "who_counts", 1))
    assert found[0] == {}
    assert {name for values in found for name in values} == {"users", "undefined", "no_hit", "no_list"}
    assert all(len(values) <= 1 for values in found)


def test_a_weight_comes_with_the_mean_in_which_it_acts() -> None:
    for values in moves("recall", "formula", 2):
        assert ("weight" in values) == (values.get("pooling") == "weighted")


def test_a_documented_formula_is_one_move() -> None:
    known = formulas("ndcg", 1)
    assert known[()] == 0
    assert known[(("gain", "exp2"), ("ideal", "all"))] == 1  # in the catalogue, two axes from canonical
    assert (("gain", "linear"), ("ideal", "ones_shown")) not in known
    assert list(known.values()) == sorted(known.values())


# What a printed number is read as, and which values are printed so.


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("0.1571", 0.15705, 0.15715),
        (".157", 0.1565, 0.1575),
        ("15.7 %", 0.1565, 0.1575),
        ("17%", 0.165, 0.175),
        ("1", 0.5, 1.5),
        ("1e-3", 0.0005, 0.0015),
        ("\N{MINUS SIGN}0.50", -0.505, -0.495),
    ],
)
def test_the_last_digit_says_what_is_rounded_to_it(text: str, low: float, high: float) -> None:
    number = read_printed_number(text)
    assert (number.low, number.high) == (pytest.approx(low), pytest.approx(high))
    assert number.is_printed_for(low + 1e-6) and number.is_printed_for(high - 1e-6)
    assert not number.is_printed_for(low - 1e-4) and not number.is_printed_for(high + 1e-4)


@given(st.floats(-100, 100), st.integers(1, 6))
def test_a_value_is_printed_as_its_own_rounding(value: float, digits: int) -> None:
    assert read_printed_number(f"{value:.{digits}f}").is_printed_for(value)


@pytest.mark.parametrize(
    ("text", "message", "advice"),
    [
        ("0,157", "comma", "write 0.157"),
        ("15,7 %", "comma", "write 15.7%"),
        ("0.17±0.01", "spread", "mean of one run"),
        ("abc", "not a number", "0.1571"),
        ("", "not a number", "0.1571"),
        ("nan", "not a number", "0.1571"),
        ("0.1 0.2", "not a number", "0.1571"),
    ],
)
def test_what_is_not_one_number_says_what_to_type(text: str, message: str, advice: str) -> None:
    with pytest.raises(PrintedNumberError, match=message) as raised:
        read_printed_number(text)
    assert advice in raised.value.advice


def test_percent_is_told() -> None:
    assert read_printed_number("7.3%").note == "7.3% is read as 0.073"
    assert read_printed_number("0.073").note == ""


# Relations between formulas: each holds for every one of hundreds of users, and chains of them are the tightest.


def users(seed: int, *, one_relevant: bool) -> Problem:
    """Return 400 users as one case: lists of 0 to 9 rows, truths of 1 to 12 items (or of one), gains 1 to 5."""
    rng = np.random.default_rng(seed)
    rows: list[tuple[int, int, float]] = []
    truth: list[tuple[int, int, float]] = []
    for user in range(400):
        relevant = rng.permutation(14)[: 1 if one_relevant else rng.integers(1, 13)]
        listed = rng.permutation(14)[: rng.integers(0, 10)]
        rows += [(user, int(item), -float(rank)) for rank, item in enumerate(listed)]
        truth += [(user, int(item), float(rng.integers(1, 6))) for item in sorted(relevant)]
    (user, item, score), (known, wanted, gain) = zip(*rows, strict=True), zip(*truth, strict=True)
    predictions = Predictions(np.array(user), np.array(item), np.array(score))
    return Problem.of([Case("users", predictions, Truth(np.array(known), np.array(wanted), np.array(gain)))], None)


@pytest.mark.parametrize("one_relevant", [False, True])
@pytest.mark.parametrize("ks", [(3, 3), (2, 5), (1, 9)])
@pytest.mark.slow
def test_every_bound_holds_for_every_user(ks: tuple[int, int], one_relevant: bool) -> None:
    problem = users(sum(ks), one_relevant=one_relevant)

    def values(node: tuple[str, int]) -> np.ndarray:
        if node == (ONE, 0):
            return np.ones(400)
        made = evaluate(parse(at(*node)), problem.at(node[1]))
        assert len(made.value) == 400
        # A formula that divides by the hits has no number without one, and 0 by the canonical policy.
        return np.where(made.regular, made.value, 0.0)

    of_node = {node: values(node) for pair in bounds_between(ks, one_relevant=one_relevant) for node in pair}
    for (low, high), bound in bounds_between(ks, one_relevant=one_relevant).items():
        assert (of_node[low] <= bound.factor * of_node[high] + 1e-9).all(), (low, high, bound)


def test_chains_give_the_tightest_bound_with_all_reasons() -> None:
    bounds = bounds_between((5, 10))
    factor, why = bounds[("reciprocal_rank@k", 5), ("hit_rate@k", 10)]
    assert factor == 1
    assert len(why) == 2 and why[0].startswith("reciprocal_rank@5 ≤ ") and "≤ hit_rate@10: " in why[1]
    # HitRate@5 ≤ hits@5 = 5 P@5, and 5 P@5 ≤ 10 P@10.
    assert bounds[("hit_rate@k", 5), ("precision@k", 10)].factor == pytest.approx(10)
    assert bounds[("precision@k", 5), ("precision@k", 10)].factor == pytest.approx(2)
    assert (("precision@k", 10), ("precision@k", 5)) not in bounds


def test_one_relevant_item_makes_formulas_equal() -> None:
    several, one = bounds_between((10, 10)), bounds_between((10, 10), one_relevant=True)
    recall, hit, rank, ap = (
        ("recall@k", 10),
        ("hit_rate@k", 10),
        ("reciprocal_rank@k", 10),
        ("average_precision@k", 10),
    )
    assert (hit, recall) not in several and one[hit, recall].factor == one[recall, hit].factor == 1
    assert several[rank, ap].factor == 10 and one[rank, ap].factor == one[ap, rank].factor == 1
    assert one[hit, ("precision@k", 10)].factor == one[("precision@k", 10), hit].factor ** -1 == pytest.approx(10)
    assert one[hit, ("ndcg@k", 10)].factor == pytest.approx(math.log2(11))


def test_formulas_are_signatures_of_the_reference() -> None:
    relations = (*table_relations._SAME_K, *table_relations._GROWING, *table_relations._ONE_RELEVANT)
    names = {name for each in relations for name in (each.low, each.high) if name != ONE}
    assert "average_precision@k|denominator:r" in names and [parse(name) for name in names]
