"""Faults of an adapter are told from peculiarities of single functions, on answers written by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from recsys_metric_audit.audit.behaviours.adapter_check import SUSPECTED, adapter_fault, suspected_fault
from recsys_metric_audit.audit.behaviours.responses import FunctionUnderTest
from recsys_metric_audit.audit.behaviours.scenarios import HIT_PLACES, single_hit_name
from recsys_metric_audit.audit.process.protocol import Crashed, NotOffered
from tests.support.behaviour_samples import ERROR, Given, subject

# One of two relevant items is listed; cut-off 4. By hand: recall sees a hit up to place 4, whatever its place;
# the reciprocal rank is 1 / place up to 4.
RECALL: dict[int | None, Given] = {None: 0.0, 1: 0.5, 3: 0.5, 4: 0.5, 5: 0.0, 8: 0.0}
RANK: dict[int | None, Given] = {None: 0.0, 1: 1.0, 3: 1 / 3, 4: 0.25, 5: 0.0, 8: 0.0}


def under_test(metric: str, answers: Mapping[int | None, Given], name: str = "") -> FunctionUnderTest:
    by_name = {single_hit_name(place): answers[place] for place in (None, *HIT_PLACES)}
    return subject(by_name, f"lib.{name or metric}", metric)


def constant(value: Given) -> dict[int | None, Given]:
    return dict.fromkeys((None, *HIT_PLACES), value)


def test_right_functions_are_not_suspected() -> None:
    assert adapter_fault([under_test("recall", RECALL), under_test("reciprocal_rank", RANK)]) is None


UNCUT: dict[int | None, Given] = {None: 0.0, 1: 0.5, 3: 0.5, 4: 0.5, 5: 0.5, 8: 0.5}
ASCENDING: dict[int | None, Given] = {None: 0.0, 1: 0.0, 3: 0.0, 4: 0.0, 5: 0.5, 8: 1.0}
CUT_AT_5: dict[int | None, Given] = {None: 0.0, 1: 1.0, 3: 1 / 3, 4: 0.25, 5: 0.2, 8: 0.0}
CUT_AT_3: dict[int | None, Given] = {None: 0.0, 1: 1.0, 3: 1 / 3, 4: 0.0, 5: 0.0, 8: 0.0}


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (constant(ERROR), "a list with its hit on top is refused"),
        (constant(0.25), "no hit is seen at any place"),
        (UNCUT, "the place of a hit is never seen"),
        (ASCENDING, "the order is ascending"),
        (CUT_AT_5, "lists are cut one place beside the cut-off"),
        (CUT_AT_3, "lists are cut one place beside the cut-off"),
    ],
)
def test_a_fault_that_functions_of_two_metrics_share_is_the_adapters(
    answers: Mapping[int | None, Given], words: str
) -> None:
    fault = adapter_fault([under_test("recall", answers), under_test("reciprocal_rank", answers)])
    assert fault is not None
    assert words in fault
    assert fault.endswith("(2 of the 2 functions that can tell)")


@pytest.mark.parametrize("answers", [constant(ERROR), constant(0.25), UNCUT, CUT_AT_5])
def test_one_metric_alone_convicts_nobody(answers: Mapping[int | None, Given]) -> None:
    alone = [under_test("recall", answers, "one"), under_test("recall", answers, "two")]
    assert adapter_fault(alone) is None
    assert adapter_fault([*alone, under_test("reciprocal_rank", RANK)]) is None


def test_half_of_the_functions_are_not_most() -> None:
    wrong = [under_test("recall", constant(0.25)), under_test("reciprocal_rank", constant(0.25))]
    assert adapter_fault([*wrong, under_test("precision", RECALL), under_test("hit_rate", RECALL)]) is None


def test_a_wrong_cutoff_needs_metrics_that_nobody_contradicts() -> None:
    wrong = [under_test("recall", CUT_AT_5), under_test("reciprocal_rank", CUT_AT_5), under_test("precision", CUT_AT_5)]
    assert adapter_fault(wrong) is not None
    two_right: Sequence[FunctionUnderTest] = (under_test("hit_rate", RECALL), under_test("ndcg", RANK))
    assert adapter_fault([*wrong, *two_right]) is None


@pytest.mark.parametrize("none", [NotOffered("not here"), Crashed(-9, "", asked=False)])
def test_functions_that_are_not_offered_or_were_not_asked_do_not_count(none: Given) -> None:
    assert adapter_fault([under_test("recall", constant(none)), under_test("reciprocal_rank", constant(none))]) is None


def test_the_reason_is_marked_as_a_suspicion() -> None:
    wrong = {each.function.name: each for each in (under_test("recall", UNCUT), under_test("reciprocal_rank", UNCUT))}
    assert (suspected_fault(wrong) or "").startswith(SUSPECTED + "the place of a hit")
    assert suspected_fault({}) is None
