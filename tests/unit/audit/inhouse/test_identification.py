"""Test what is told of one's own function as a library's finding is tested, or say what was not."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from recsys_metric_audit.audit.findings.verdict import is_unstable
from recsys_metric_audit.audit.inhouse.shapes import SHAPES
from recsys_metric_audit.audit.inhouse.summary import summarise
from tests.support.own_functions import identified_here

pytestmark = pytest.mark.slow  # whole identifications

Gains = dict[int, float]


def recall(recommended: list[int], relevant: Gains, k: int) -> float:
    return len(set(recommended[:k]) & relevant.keys()) / len(relevant) if relevant else 0.0


def precision(recommended: list[int], relevant: Gains, k: int) -> float:
    return sum(item in relevant for item in recommended[:k]) / k


def test_a_verdict_is_given_where_held_out_inputs_and_larger_data_were_predicted() -> None:
    found = identified_here(precision, "precision")
    told = summarise("precision", found)
    assert (told.signature, told.finding.verdict, told.finding.unchecked) == ("precision@k", "agrees", ())
    assert told.finding.evidence.held_out_users is not None and told.finding.evidence.held_out_users > 1_000


def test_without_held_out_inputs_and_larger_data_no_verdict_is_given() -> None:
    """It takes no list of more than eight items, as all held-out ones have some and the larger data."""

    def short_lists_only(recommended: list[int], relevant: Gains, k: int) -> float:
        if len(recommended) > 8:
            raise ValueError("too long")
        return precision(recommended, relevant, k)

    told = summarise("short", identified_here(short_lists_only, "precision"))
    assert told.finding.verdict is None
    assert any("held-out inputs" in each for each in told.finding.unchecked)
    assert any("larger data" in each for each in told.finding.unchecked)


@pytest.mark.parametrize(
    ("function", "scope"),
    [
        (lambda *given: 1 - recall(*given), "1 − the definition"),
        (lambda *given: 100 * precision(*given), "100 times the definition"),
        (lambda *given: -precision(*given), "− the definition"),
    ],
)
def test_a_definition_turned_round_or_scaled_is_told_with_its_scope(function: Callable[..., float], scope: str) -> None:
    metric = "recall" if scope.startswith("1 ") else "precision"
    told = summarise("f", identified_here(function, metric))
    # 1 − recall has a name of its own, the miss rate.
    named = {"recall": ("miss_rate", ""), "precision": ("precision", scope)}[metric]
    assert told.signature is not None and (told.signature.partition("@")[0], str(told.finding.scope)) == named
    assert told.finding.verdict != "agrees"


def test_ties_that_follow_no_rule_are_told_so_with_a_case() -> None:
    """Tied pairs count 1/4: neither won, lost, half, nor by rank."""

    def auc(labels: Any, scores: Any) -> float:
        pairs = [
            1.0 if one > other else 0.25 if one == other else 0.0
            for one, good in zip(scores, labels, strict=True) if good > 0
            for other, bad in zip(scores, labels, strict=True) if bad <= 0
        ]  # fmt: skip
        return sum(pairs) / len(pairs) if pairs else math.nan

    told = summarise("auc", identified_here(auc, "auc", SHAPES["scores"]))
    assert set(told.finding.no_rule) == {"tied_scores"} and "it returned" in told.finding.no_rule["tied_scores"]


def test_a_stable_sort_orders_items_of_one_score_by_the_rows() -> None:
    """Ascending, the row of two that is given first is the worse one: as the list has them, in reverse."""

    def auc(labels: Any, scores: Any) -> float:
        seen = won = 0
        for _, label in sorted(zip(scores, labels, strict=True), key=lambda row: row[0]):
            won += seen * (label > 0)
            seen += label <= 0
        good = sum(label > 0 for label in labels)
        return won / (good * seen) if good * seen else math.nan

    told = summarise("auc", identified_here(auc, "auc", SHAPES["scores"]))
    assert told.signature == "auc|no_negatives:nan|tied_scores:ranked|ties:reversed" and not told.finding.no_rule


def test_pairs_in_the_right_order_are_named_where_no_list_orders_them() -> None:
    """Of FCP pairs of one score have no rule of the list, and nobody is without irrelevant items."""

    def fcp(predictions: Any, truth: Any) -> float:
        both = predictions.merge(truth, on=["user", "item"])
        right = wrong = 0.0
        for _, own in both.groupby("user"):
            rows = own[["score", "gain"]].to_numpy()
            pairs = [(a, b) for a in rows for b in rows if a[1] > b[1]]
            right += sum(a[0] > b[0] for a, b in pairs)
            wrong += sum(a[0] < b[0] for a, b in pairs)
        return float(right / (right + wrong)) if right + wrong else math.nan

    told = summarise("fcp", identified_here(fcp, "fcp", SHAPES["frames"]))
    assert told.finding.metric == "fcp"


@pytest.mark.parametrize("every_input", [False, True])
def test_a_function_that_is_wrong_on_every_fiftieth_call_is_unstable_however_it_is_asked(every_input: bool) -> None:
    calls = 0

    def wrong_at_times(recommended: list[int], relevant: Gains, k: int) -> float:
        nonlocal calls
        calls += 1
        return precision(recommended, relevant, k) + (calls % 50 == 0)

    found = identified_here(wrong_at_times, "precision", every_input=every_input)
    assert is_unstable(found.observation, found.fit.tolerance)
    assert summarise("wrong", found).finding.verdict == "unstable"


def test_a_function_of_matrices_is_called_for_one_user_at_a_time() -> None:
    """Lists of unequal length raise, as numpy does: of one user there are none."""

    def precision_of_matrix(recommended: list[list[int]], relevant: list[list[int]], k: int) -> float:
        if len({len(each) for each in recommended}) > 1 or len({len(each) for each in relevant}) > 1:
            raise ValueError("inhomogeneous shape")
        pairs = zip(recommended, relevant, strict=True)
        return sum(len(set(one[:k]) & set(other)) / k for one, other in pairs) / len(recommended)

    found = identified_here(precision_of_matrix, "precision", SHAPES["recommended-users"])
    assert found.call.shape == SHAPES["recommended-each"] and found.unchecked == ()
    assert [each.with_(duplicates="counted").signature() for each in found.fit.definitions] == ["precision@k"]
