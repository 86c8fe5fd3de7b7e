"""A contract is asked only what can contradict it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from recsys_metric_audit.audit.behaviours.contract_promises import PROMISES, promises, read_by_contract
from recsys_metric_audit.audit.behaviours.scenarios import (
    CONTRACT,
    EXCHANGED,
    ONLY_LISTED,
    SCENARIOS,
    SEPARATE_CHANGES,
    TURNED,
)
from recsys_metric_audit.audit.libraries.contract import Made, Takes
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.space.contract_words import RULED_OUT

OF_CONTRACTS = {each.name for each in CONTRACT}


def function(takes: Mapping[str, str], *decides: str) -> Function:
    made = (Made(what="labels", decides=decides),) if decides else ()
    return Function(name="f", metric="ndcg", takes=Takes.model_validate(takes), called_with=made)


@pytest.mark.parametrize(
    ("takes", "asked"),
    [
        ({}, {ONLY_LISTED, TURNED}),
        ({"input": "ranked", "truth": "graded"}, {ONLY_LISTED, TURNED}),
        ({"input": "ranked", "truth": "set"}, {ONLY_LISTED, TURNED, EXCHANGED}),
        ({"input": "ranks", "truth": "list"}, {ONLY_LISTED, TURNED, EXCHANGED}),
        ({"input": "matrix"}, {ONLY_LISTED, TURNED}),
        ({"input": "labels"}, {ONLY_LISTED, TURNED, EXCHANGED}),
        ({"input": "pairs"}, set()),
    ],
)
def test_scenarios_of_a_contract(takes: Mapping[str, str], asked: set[str]) -> None:
    assert read_by_contract(function(takes)) & OF_CONTRACTS == asked


def test_labels_that_the_adapter_makes_are_asked_about_gains() -> None:
    assert read_by_contract(function({}, "relevance")) & OF_CONTRACTS == {ONLY_LISTED, TURNED, EXCHANGED}
    assert [declares for declares, _ in promises(function({}, "relevance"))] == ['that it makes "labels"']


def test_of_a_list_whose_scores_change_nothing_else_does() -> None:
    cases = {each.name: each.case for each in (*SCENARIOS, *CONTRACT)}
    for promise in PROMISES["ranked"]:
        one, other = cases[promise.one], cases[promise.other]
        assert one.predictions.item.tolist() == other.predictions.item.tolist()
        assert one.predictions.user.tolist() == other.predictions.user.tolist()
        assert one.predictions.score.tolist() != other.predictions.score.tolist()
        assert one.truth.item.tolist() == other.truth.item.tolist()


def test_every_promise_is_of_inputs_that_exist_and_of_a_word_that_is_known() -> None:
    known = {probe.name for probe in PROBES} | {each.name for each in (*SCENARIOS, *SEPARATE_CHANGES, *CONTRACT)}
    for word, own in PROMISES.items():
        assert RULED_OUT[word], word
        assert {name for promise in own for name in (promise.one, promise.other)} <= known
