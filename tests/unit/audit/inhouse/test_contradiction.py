"""The words of a contradiction: axes that differ, and a probe as a person reads it."""

from __future__ import annotations

import sys
import threading
from dataclasses import replace

import pytest

from recsys_metric_audit.audit.inhouse import running
from recsys_metric_audit.audit.inhouse.contradiction import complete, differing_axes
from recsys_metric_audit.audit.inhouse.function_inputs import describe_probe
from recsys_metric_audit.audit.inhouse.identify_function import mismatch
from recsys_metric_audit.audit.inhouse.target import parse_expected
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.model.level_meaning import meaning_of_signatures
from tests.support.generated_inputs import make


def test_differing_axes_have_both_values() -> None:
    assert differing_axes(parse("ndcg@k|ideal:all"), parse("ndcg@k|gain:exp2")) == [
        "gain: binary expected, exp2 found (formula)",
        "ideal: all expected, k found (formula)",
    ]
    assert differing_axes(parse("ndcg@k|ties:best|users:both"), parse("ndcg@k")) == [
        "users: both expected, truth found (who counts)",
        "ties: best expected, given found (input handling)",
    ]
    assert differing_axes(parse("ndcg@k"), parse("recall@k")) == ["the metric: ndcg expected, recall found"]
    assert differing_axes(parse("ndcg@k"), parse("ndcg@k")) == []


def test_one_users_probe_is_its_list_and_truth() -> None:
    case = make([(1, 10, 2.0), (1, 11, 1.0)], [(1, 11, 4.5), (1, 12, 1.0)])
    assert describe_probe(replace(PROBES[0], case=case)) == "recommended [10, 11], relevant {11: 4.5, 12: 1}"


@pytest.mark.parametrize(
    ("expected", "completed"),
    [
        ("ndcg@k", "ndcg@k|no_list:skip|duplicates:first_in_place"),
        ("ndcg@k|no_list:0", "ndcg@k|duplicates:first_in_place"),
        ("ndcg@k|no_list:0|duplicates:counted", "ndcg@k"),
        ("ndcg@k|ideal:all", "ndcg@k|ideal:all|no_list:skip|duplicates:first_in_place"),
    ],
)
def test_what_an_expectation_does_not_name_is_taken_as_found(expected: str, completed: str) -> None:
    found = meaning_of_signatures(("ndcg@k|gain:exp2|no_list:skip|duplicates:first_in_place",))
    assert complete(parse_expected(expected), found) == parse(completed)


def precision(recommended: list[int], relevant: dict[int, float], k: int) -> float:
    return len(set(recommended[:k]) & relevant.keys()) / k


@pytest.mark.slow
def test_an_expectation_of_a_formula_is_met_whatever_is_done_with_repeated_items() -> None:
    """A set counts an item once that stands twice in the list; the canonical precision counts the second row too."""
    assert mismatch(precision, "precision@k") == ""


@pytest.mark.slow
def test_another_formula_and_a_named_axis_are_told_with_their_level() -> None:
    said = mismatch(precision, "precision@k|denominator:shown").splitlines()
    assert said[:1] == ["expected   precision@k|denominator:shown"]
    assert "differs    denominator: shown expected, k found (formula)" in said
    assert any(line.startswith("for example k = ") for line in said)
    named = mismatch(precision, "precision@k|no_list:1").splitlines()
    assert [line for line in named if line.startswith("differs")] == [
        "differs    no_list: 1 expected, 0 found (who counts)"
    ]


@pytest.mark.slow
def test_an_axis_that_is_named_and_follows_no_rule_is_a_difference() -> None:
    def odd(recommended: list[int], relevant: set[int], k: int) -> float:
        return 0.4 if not recommended else precision(recommended, relevant, k)

    assert mismatch(odd, "precision@k") == ""  # an empty list is not spoken of
    named = mismatch(odd, "precision@k|no_list:0")
    assert "no_list: 0 expected, the answers follow none of the known rules (who counts); k = " in named


def test_an_axis_that_is_named_with_its_canonical_value_has_to_have_it() -> None:
    def skips(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        return precision(recommended, relevant, k) if recommended else 1.0

    assert mismatch(skips, "precision@k") == ""
    assert "no_list: 0 expected, 1 found (who counts)" in mismatch(skips, "precision@k|no_list:0")


def recall_in_part(recommended: list[int], relevant: dict[int, float], k: int) -> float:
    """Count an item of gain 1 and more as one, of 0.5 and less as none, and between them as its gain."""
    weight = {item: min(gain, 1) if gain > 0.5 else 0 for item, gain in relevant.items()}
    total = sum(weight.values())
    return sum(weight.get(item, 0) for item in recommended[:k]) / total if total else 0.0


@pytest.mark.slow
def test_a_threshold_is_no_explanation_where_none_gives_all_answers() -> None:
    """No usual input has a gain between 1/2 and 1: what is asked there fits neither a relevant item nor another."""
    told = mismatch(recall_in_part, "recall@k|relevance:1")
    assert "computes   nothing that the definition space holds; nearest " in told
    assert "called     as function(recommended items, relevant items, k) for each user" in told


@pytest.mark.slow
def test_a_number_that_is_missing_where_the_expected_definition_has_one_is_a_contradiction() -> None:
    """It gives None for a user without a hit, where precision is 0."""

    def precision_or_none(recommended: list[int], relevant: dict[int, float], k: int) -> float | None:
        return precision(recommended, relevant, k) or None

    told = mismatch(precision_or_none, "precision@k")
    assert "no number  in " in told and "0 expected, BadAnswer: no number: None" in told


@pytest.mark.slow
@pytest.mark.parametrize("error", [ValueError, AssertionError])
def test_a_function_that_raises_where_the_definition_has_a_number_is_not_the_definition(error: type[Exception]) -> None:
    def of_full_lists(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        if len(recommended) < k:
            raise error("a short list")
        return precision(recommended, relevant, k)

    told = mismatch(of_full_lists, "precision@k")
    assert "no number  in " in told and f"expected, {error.__name__}: " in told


@pytest.mark.slow
def test_a_refusal_that_the_expected_signature_names_is_none_that_is_missing() -> None:
    def of_items(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        if not recommended:
            raise ValueError("no list")
        return precision(recommended, relevant, k)

    assert "expected, ValueError: no list" in mismatch(of_items, "precision@k")
    assert mismatch(of_items, "precision@k|no_list:error") == ""


@pytest.mark.slow
def test_what_was_not_answered_on_larger_data_is_not_taken_as_computed() -> None:
    """No small input has a k of 16 or more."""

    def of_small(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        if k > 15:
            raise ValueError("a large k")
        return precision(recommended, relevant, k)

    told = mismatch(of_small, "precision@k")
    assert "no number  held-out inputs were not answered (it refuses them: a large k)" in told
    assert "no number  no larger data were answered" in told


@pytest.mark.slow
def test_a_hang_and_an_exit_are_named_with_their_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "SECONDS_HERE", 0.05)

    def hangs(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        while len(relevant) > 2:
            threading.Event().wait(0.05)
        return precision(recommended, relevant, k)

    def exits(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        return sys.exit(4) if len(relevant) > 2 else precision(recommended, relevant, k)

    for function, what in ((hangs, "gave no answer within 0.05 s"), (exits, "ended the process (exit code 4)")):
        told = mismatch(function, "precision@k").splitlines()
        assert f"{what} on k = 3, recommended [11, 12, 10, 14, 15], relevant {{" in told[1]


@pytest.mark.slow
def test_a_definition_turned_round_is_not_the_definition() -> None:
    """A loss, 1 − precision, is told as such, and does not meet the expectation."""
    told = mismatch(lambda recommended, relevant, k: 1 - precision(recommended, relevant, k), "precision@k")
    assert "computes   1 − precision@k" in told


@pytest.mark.slow
def test_a_call_is_recognised_as_the_command_does() -> None:
    def precision_of_actual(y_true: list[int], y_reco: list[int], k: int) -> float:
        return len(set(y_reco[:k]) & set(y_true)) / k

    assert mismatch(precision_of_actual, "precision@k") == ""
