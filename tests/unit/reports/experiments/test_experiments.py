"""Hold each kind of experiment on a claim with cases and findings worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.input.case import Case, Predictions, Train, Truth
from recsys_metric_audit.reports.experiments.audited_functions import (
    FunctionGap,
    LibraryAgreement,
    UndocumentedMeanings,
)
from recsys_metric_audit.reports.experiments.kinds import AnyExperiment
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, DataMissingError, Outcome
from recsys_metric_audit.reports.experiments.recommender_order import changed, with_codes
from recsys_metric_audit.reports.experiments.small_lists import (
    NegativeLabels,
    ReachableValues,
    ValueAbove,
    change,
    formulas_of,
    hit_values,
    values_in,
)
from recsys_metric_audit.reports.model.result import Finding
from tests.support import result_samples as samples
from tests.support.paper_findings import audited, identified

# Hold experiments on claims: gaps between functions, agreement of libraries, labels, possible values.

# Two functions of one name on the same predictions, by the definitions that an audit found.

LOG3 = math.log2(3)
CASE = Case(
    "one list", Predictions(np.zeros(3, int), np.arange(3), np.array([3.0, 2.0, 1.0])),
    Truth(np.zeros(2, int), np.array([1, 2]), np.array([1.0, 1.0])),
)  # fmt: skip
"""One user with hits at ranks 2 and 3 of three."""
CANONICAL = (1 / LOG3 + 1 / 2) / (1 + 1 / LOG3)
CLIPPED = (1 + 1 / LOG3) / (1 + 1)
"""NDCG by hand, with the discount 1 / log2(j + 1) and with 1 / log2(max(j, 2))."""


def gap(findings: tuple[Finding, ...], shows: str, percent: float = 0.0, second: str = "other") -> Outcome:
    made = FunctionGap.model_validate(
        {"kind": "function_gap", "shows": shows, "percent": percent, "datasets": ["any"], "recommenders": ["one"],
         "cutoffs": [3], "first": {"library": "one", "version": "1", "function": "ndcg"},
         "second": {"library": second, "version": "1", "function": "ndcg"}}
    )  # fmt: skip
    return made.run(Bench(audited(*findings), lambda dataset, name: CASE))


def both(one: str, other: str) -> tuple[Finding, Finding]:
    return identified("one", "1", one), identified("other", "1", other)


DIFFERENT = both("ndcg@3|discount:log2_clipped", "ndcg@3")


def test_different_formulas_are_told_with_their_values_by_hand() -> None:
    made = gap(DIFFERENT, "differ")
    assert made.answer is Answer.yes and "log2(max(j, 2))" in made.reason and "the canonical formula" in made.reason
    percent = 100 * (CLIPPED / CANONICAL - 1)
    assert made.lines[-1] == (
        f"one 1 and other 1 for one on any at k = 3: {CLIPPED:.4f} and {CANONICAL:.4f} by the formulas alone "
        f"({percent:+.1f} %)"
    )


def test_one_formula_does_not_differ_whatever_is_done_with_unusual_rows() -> None:
    made = gap(both("ndcg@3|ties:worst", "ndcg@3"), "differ")
    assert made.answer is Answer.no and "both compute ndcg@k" in made.reason


def test_formulas_that_this_data_does_not_tell_apart() -> None:
    assert gap(both("ndcg@3|gain:linear", "ndcg@3"), "differ").answer is Answer.yes_but


@pytest.mark.parametrize(("percent", "answer"), [(1.0, Answer.yes), (90.0, Answer.in_part)])
def test_a_quoted_gap_is_explained_whole_or_in_part(percent: float, answer: Answer) -> None:
    assert gap(DIFFERENT, "explains", percent).answer is answer


def test_definitions_that_pull_the_other_way_explain_nothing() -> None:
    made = gap(both("ndcg@3", "ndcg@3|discount:log2_clipped"), "explains", 18)
    assert made.answer is Answer.no and f"{100 * (CANONICAL / CLIPPED - 1):+.1f} % of the quoted +18 %" in made.reason


def test_a_function_that_was_not_audited_leaves_the_claim_unknown() -> None:
    made = gap(DIFFERENT, "differ", second="nobody")
    assert made.answer is Answer.unknown and made.reason == "nobody 1 is not identified in this audit"


def undocumented(*findings: Finding, libraries: tuple[str, ...] = ("one", "other")) -> Outcome:
    made = UndocumentedMeanings.model_validate({"kind": "undocumented_meanings", "libraries": libraries})
    return made.run(Bench(audited(*findings)))


def found(name: str, **changes: Any) -> Finding:
    return identified(name, "1", "recall@20|denominator:min", **changes)


def test_a_formula_is_counted_if_no_source_states_it_or_its_documentation_another() -> None:
    nowhere, wrong = found("one", verdict="undocumented"), found("other", matches_claim=False)
    made = undocumented(nowhere, wrong)
    assert made.answer is Answer.yes and "1 of 1 formulas (Recall)" in made.reason
    assert any("stated nowhere" in line for line in made.lines)
    assert any("which contradicts its documentation" in line for line in made.lines)
    assert undocumented(nowhere, found("other")).answer is Answer.in_part
    assert undocumented(found("one"), found("other")).answer is Answer.no


def test_libraries_that_were_not_audited_are_named() -> None:
    made = undocumented(found("one", verdict="undocumented"))
    assert made.answer is Answer.in_part and made.reason.endswith("other is not in this audit")
    assert undocumented(found("one"), libraries=("nobody",)).answer is Answer.unknown


def test_unusual_users_and_rows_are_told_and_decide_nothing() -> None:
    made = undocumented(found("one", levels={"who_counts": ("users",)}), libraries=("one",))
    assert made.answer is Answer.no and "1 functions that treat unusual users" in made.reason
    assert "differs besides on users" in made.lines[0]


# It is told, level by level, whether one library gives another's scores.

CLAIM = LibraryAgreement.model_validate({"kind": "library_agreement", "first": "own", "second": "other"})


def held(own: tuple[str, ...], other: tuple[str, ...]) -> Outcome:
    findings = [identified("own", "1", each, function=f"own.{each}") for each in own]
    findings += [identified("other", "1", each, function=f"other.{each}") for each in other]
    return CLAIM.run(Bench(audited(*findings)))


def test_the_same_definitions_agree_on_every_level() -> None:
    made = held(("ndcg@20", "recall@20"), ("recall@20", "ndcg@20", "precision@20"))
    assert made.answer is Answer.yes and made.reason.startswith(
        "2 of 2 formulas are the same; who counts is the same in 2"
    )
    assert made.lines[0] == "own.ndcg@20 and other.ndcg@20: the same on every level"


def test_other_ties_or_users_leave_the_formulas_alike() -> None:
    made = held(("ndcg@20|ties:text_desc", "recall@20|undefined:0"), ("ndcg@20", "recall@20"))
    assert made.answer is Answer.yes_but
    assert "who counts is the same in 1 of these (undefined:0/skip)" in made.reason
    assert "the handling of unusual rows is the same in 1 of these (ties:text_desc/given)" in made.reason


def test_some_formulas_or_none() -> None:
    made = held(("ndcg@20", "average_precision@20|denominator:r"), ("ndcg@20", "average_precision@20"))
    assert made.answer is Answer.in_part and made.reason.startswith("1 of 2 formulas are the same (not MAP)")
    assert held(("ndcg@20|gain:exp2",), ("ndcg@20",)).answer is Answer.no


def test_the_nearest_of_several_functions_counts() -> None:
    made = held(("ndcg@20|gain:linear",), ("ndcg@20", "ndcg@20|gain:linear|ties:worst", "ndcg@20|gain:linear"))
    assert made.answer is Answer.yes and "and other.ndcg@20|gain:linear: the same" in made.lines[0]


def test_functions_without_a_counterpart_decide_nothing() -> None:
    assert held(("ndcg@20", "hit_rate@20"), ("ndcg@20",)).answer is Answer.yes
    made = held(("hit_rate@20",), ("ndcg@20",))
    assert made.answer is Answer.unknown and made.reason == "own and other have no metric in common"


def test_libraries_that_were_not_audited_are_named_of_library_agreement() -> None:
    assert held(("ndcg@20",), ()).reason == "other is not in this audit"
    assert CLAIM.run(Bench(audited())).reason == "own and other are not in this audit"


def test_the_findings_of_both_libraries_are_needed() -> None:
    findings: list[Finding] = [identified(name, "1", "ndcg@20") for name in ("own", "other", "third")]
    assert {each.library for each in CLAIM.needs(audited(*findings))} == {"own", "other"}


# An item that does harm is shown first, before the one relevant item at rank 3.

IDEAL = 1 + 1 / math.log2(3)


@pytest.mark.parametrize(
    ("signature", "before", "after"),
    [
        # Every row of the truth is relevant: the harm is a hit at rank 1.
        ("reciprocal_rank@3", 1 / 3, 1.0),
        ("average_precision@3", 1 / 3, (1 + 2 / 3) / 2),
        ("ndcg@3", 1 / 2, (1 + 1 / 2) / IDEAL),
        # Of gain -1 it is subtracted: in DCG 1/2 - 1, and in the ideal -1 stands second.
        ("ndcg@3|gain:linear|ideal:none", 1 / 2, 1 / 2 - 1),
        ("ndcg@3|gain:linear", 1 / 2, (1 / 2 - 1) / (1 - 1 / math.log2(3))),
        # 2^-1 - 1 = -1/2.
        ("ndcg@3|gain:exp2|ideal:none", 1 / 2, 1 / 2 - 1 / 2),
        ("ndcg@3|gain:linear|relevance:positive", 1 / 2, 1 / 2),
        ("average_precision@3|relevance:positive", 1 / 3, 1 / 3),
    ],
)
def test_a_negative_label_by_hand(signature: str, before: float, after: float) -> None:
    made = change(parse(signature), -1.0)
    assert (made.before, made.after) == pytest.approx((before, after))


def run(*metrics: str) -> Outcome:
    made = NegativeLabels.model_validate({"kind": "negative_labels", "metrics": metrics})
    return made.run(Bench(samples.result()))


def test_graded_gains_alone_take_the_harm_off() -> None:
    made = run("ndcg")
    assert made.answer is Answer.yes_but
    assert "with positive gains alone relevant 0 of" in made.reason
    assert f"(ndcg@3 0.500 to {1.5 / IDEAL:.3f})" in made.reason
    assert "ndcg@3|gain:linear|ideal:none 0.500 to −0.500" in made.reason


def test_metrics_without_gains_never_fall() -> None:
    made = run("reciprocal_rank", "average_precision")
    assert made.answer is Answer.yes and "reciprocal_rank@3 0.333 to 1.000" in made.reason
    assert made.reason.endswith("and 0 fall")


def test_a_metric_that_there_is_not() -> None:
    with pytest.raises(ValidationError, match="popularity is no metric"):
        run("popularity")


# Values that cannot be are told, and values that fall where a hit is added.


def run_of_possible_values(experiment: AnyExperiment) -> Outcome:
    return experiment.run(Bench(samples.result(), lambda dataset, name: CASE))


def above(metric: str, bound: float, k: int) -> Outcome:
    return run_of_possible_values(
        ValueAbove.model_validate({"kind": "value_above", "metric": metric, "bound": bound, "k": k})
    )


def test_a_sum_of_reciprocal_ranks_can_be_above_one_and_no_other_can() -> None:
    made = above("reciprocal_rank", 1, 4)
    harmonic = float(sum(Fraction(1, rank) for rank in range(1, 5)))
    assert made.answer is Answer.yes_but
    assert f"reciprocal_rank@4|ranks:sum (up to {harmonic:.3f})" in made.reason and made.reason.startswith("1 of ")
    assert made.reason.endswith("reciprocal_rank@4 cannot")
    assert any(line.startswith("reciprocal_rank@4|ranks:mean_hits: up to 1.000") for line in made.lines)


def test_a_bound_that_nothing_or_everything_is_above() -> None:
    assert above("reciprocal_rank", 4, 4).answer is Answer.no
    assert above("reciprocal_rank", 0.5, 4).answer is Answer.yes


def test_hits_are_counted_above_one() -> None:
    assert "hit_rate@3|counts:hits (up to 3.000)" in above("hit_rate", 1, 3).reason


def test_a_metric_that_there_is_not_of_possible_values() -> None:
    with pytest.raises(ValidationError, match="is no metric"):
        above("popularity", 1, 4)


def test_the_canonical_formula_comes_first() -> None:
    found = formulas_of("reciprocal_rank")
    assert found[0] == parse("reciprocal_rank@k") and len(set(found)) == len(found) > 5


def by_hand(hits: tuple[int, ...], *, retrieved: bool, k: int, relevant: int) -> float:
    ideal = len(hits) if retrieved else min(k, relevant)
    gain = sum(1 / math.log2(rank + 1) for rank in hits)
    return gain / sum(1 / math.log2(rank + 1) for rank in range(1, ideal + 1)) if ideal else 0.0


@pytest.mark.parametrize("retrieved", [True, False])
def test_values_of_hit_lists_by_hand(retrieved: bool) -> None:
    every = [tuple(r for r, hit in enumerate(row, start=1) if hit) for row in product((0, 1), repeat=3)]
    found = hit_values(parse("ndcg@3|ideal:retrieved" if retrieved else "ndcg@3"), [(4, hits) for hits in every], 3)
    assert found == pytest.approx([by_hand(hits, retrieved=retrieved, k=3, relevant=4) for hits in every])


# Hold the values that measures of the items shown can have, by hand.


@pytest.mark.parametrize(
    ("signature", "low", "high"),
    [
        # Two users with two of four items each: all alike (1/4 each), or the same two (0, 0, 1/2, 1/2):
        # (-3 * 0 - 1 * 0 + 1 / 2 + 3 / 2) / 3 = 2/3.
        ("gini", 0, 2 / 3),
        ("gini|direction:diversity", 1 / 3, 1),
        ("catalogue_coverage", 1 / 2, 1),
        ("shannon_entropy", 1, 2),
    ],
)
def test_two_lists_of_two_of_four_items(signature: str, low: float, high: float) -> None:
    values = values_in(parse(signature), 2, 4, 2)
    assert len(values) == 6 * 6 and (values.min(), values.max()) == pytest.approx((low, high))


def run_reachable_values(*signatures: str, worlds: tuple[tuple[int, int, int], ...]) -> Outcome:
    made = ReachableValues.model_validate(
        {"kind": "reachable_values", "metrics": ["gini", "catalogue_coverage"], "worlds": worlds}
    )
    return made.run(Bench(audited(*(identified("one", "1", each) for each in signatures))))


def test_functions_fall_short_of_0_to_1_or_not() -> None:
    # Four users with one of four items each can show all alike, or one alone: Gini 0 to 1, coverage 1/4 to 1.
    assert run_reachable_values("gini@1", worlds=((4, 4, 1),)).answer is Answer.no
    made = run_reachable_values("gini@1", "catalogue_coverage@1", worlds=((4, 4, 1),))
    assert made.answer is Answer.in_part and made.reason == (
        "1 of 2 pairs of a function and a world go from 0 to 1; of 2 functions 1 begin at 0 in no world, 0 end at "
        "1 in none, and 0 have no value for some lists"
    )
    assert made.lines[1].endswith("is 0.250 to 1.000 with 4 users, 4 items, k = 1")
    assert run_reachable_values("gini@1", worlds=((4, 4, 1), (2, 4, 2))).answer is Answer.yes


def test_a_value_that_some_lists_do_not_have() -> None:
    # Of the items shown alone: one item has no other to differ from.
    made = run_reachable_values("gini@1|over:shown", worlds=((2, 2, 1),))
    assert made.answer is Answer.yes and "0.000 to 0.000 (undefined for 2 of 4 ways)" in made.lines[0]
    assert made.reason.endswith("and 1 have no value for some lists")


def test_functions_that_were_not_audited() -> None:
    made = run_reachable_values("ndcg@1", worlds=((2, 2, 1),))
    assert made.answer is Answer.unknown and "no function of gini, catalogue_coverage is identified" in made.reason


# Hold the changes that experiments make to predictions and truth, by hand.


def rows_of(case: Case) -> list[tuple[int, int, float]]:
    of = case.predictions
    return list(zip(of.user.tolist(), of.item.tolist(), of.score.tolist(), strict=True))


FOUR = Case(
    "four items",
    Predictions(np.array([0, 0, 0, 0, 1, 1]), np.array([4, 3, 2, 1, 1, 2]), np.array([9, 8, 3, 1, 5, 4.0])),
    Truth(np.array([0, 0, 1]), np.array([1, 2, 2]), np.array([1.0, 1, 1])),
    train=Train(np.array([5, 6, 5, 6, 7]), np.array([3, 3, 1, 1, 4])),
)  # fmt: skip


def test_codes_stand_where_their_items_stood_and_a_label_is_counted_once() -> None:
    made = with_codes(FOUR, {1: 0, 2: 0, 3: 1, 4: 1})
    assert made.predictions.item.tolist() == [1, 1, 0, 0, 0, 0]
    assert list(zip(made.truth.user.tolist(), made.truth.item.tolist(), strict=True)) == [(0, 0), (1, 0)]


def test_alike_items_share_a_code() -> None:
    # Items 1 and 3 were seen by the same two users; 4 by another one and 2 by nobody.
    made = changed(FOUR, ["alike_codes:2"])
    code = dict(zip(FOUR.predictions.item.tolist(), made.predictions.item.tolist(), strict=True))
    assert code[1] == code[3] and code[2] == code[4] and code[1] != code[2]
    with pytest.raises(DataMissingError, match="no train data"):
        changed(replace(FOUR, train=Train()), ["alike_codes:2"])


@pytest.mark.parametrize("seed", [0, 1])
def test_drawn_codes_hold_so_many_items_each(seed: int) -> None:
    made = changed(FOUR, [f"drawn_codes:2:{seed}"])
    pairs = set(zip(FOUR.predictions.item.tolist(), made.predictions.item.tolist(), strict=True))
    assert len(pairs) == 4 and sorted(code for _, code in pairs) == [0, 0, 1, 1]


def test_coarse_scores_and_the_place_of_relevant_items() -> None:
    # User 0: from 1 to 9 in levels of 4; user 1: from 4 to 5.
    assert [score for _, _, score in rows_of(changed(FOUR, ["coarse_scores:2"]))] == [1, 1, 0, 0, 1, 0]
    assert {score for _, _, score in rows_of(changed(FOUR, ["coarse_scores:1"]))} == {0}
    first = rows_of(changed(FOUR, ["relevant_given_first"]))
    assert [(user, item) for user, item, _ in first] == [(0, 2), (0, 1), (0, 4), (0, 3), (1, 2), (1, 1)]
    last = rows_of(changed(FOUR, ["relevant_given_last"]))
    assert [(user, item) for user, item, _ in last] == [(0, 4), (0, 3), (0, 2), (0, 1), (1, 1), (1, 2)]
    shuffled = rows_of(changed(FOUR, ["given_shuffled:1"]))
    assert sorted(shuffled) == sorted(rows_of(FOUR)) and [user for user, _, _ in shuffled] == [0, 0, 0, 0, 1, 1]


def test_lost_labels() -> None:
    assert changed(FOUR, ["labels:1"]).truth.item.tolist() == [1, 2, 2]
    assert changed(FOUR, ["labels:0"]).truth.item.tolist() == []
