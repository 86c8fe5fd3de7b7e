"""Tests what an identified function is asked last: its own threshold, and a small witness."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.identification.last_questions import questions_of_threshold, smaller_witness
from recsys_metric_audit.audit.libraries.contract import Takes
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.questions.whole_gains import has_whole_gains
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from tests.support.answers_of_oracle import oracle_observation

EXACT = Tolerance(1e-9, "float64")


def fitting(signature: str, **given: object) -> Diagnosis:
    definition = parse(signature)
    function = Function.model_validate({"name": "f", "metric": definition.metric, **given})
    return Diagnosis(function, oracle_observation(signature), Fitting((definition,), 0.0, EXACT, 1))


def test_the_canonical_definition_needs_no_witness() -> None:
    assert smaller_witness(fitting("recall@k"), parse("recall@k")) == ()


@pytest.mark.parametrize("signature", ["recall@k|denominator:min", "ndcg@k|gain:exp2|ties:item_desc"])
def test_a_witness_shows_what_is_not_canonical(signature: str) -> None:
    definition, unasked = parse(signature), replace(fitting(signature), observation=Observation("f", {}, {}))
    witness = smaller_witness(unasked, definition)
    assert witness
    for probe in witness:
        problem = Problem.of([probe.case], [probe.k])
        canonical = parse(f"{definition.metric}@k")
        assert evaluate(definition, problem).mean[0] != evaluate(canonical, problem).mean[0]


def test_only_a_number_of_the_function_s_own_is_asked_about() -> None:
    assert questions_of_threshold(fitting("recall@k|relevance:at_least_t")) == ()
    assert questions_of_threshold(fitting("recall@k|relevance:1"))


def test_no_question_has_gains_that_the_contract_rules_out() -> None:
    asked = questions_of_threshold(fitting("recall@k|relevance:1", takes=Takes(gains="whole")))
    assert all(has_whole_gains(probe.case) for probe in asked)
