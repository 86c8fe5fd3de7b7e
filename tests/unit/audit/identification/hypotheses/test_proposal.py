"""Tests what is proposed from known definitions."""

from __future__ import annotations

from audit.identification.hypotheses.proposal import propose_from_few
from audit.libraries.function import Function
from audit.questions.initial import INITIAL_PROBES
from reference.definitions.definition import parse
from reference.evaluation.evaluate import Problem
from tests.support.answers_of_oracle import oracle_observation

DATA = Problem.of([INITIAL_PROBES[0].case], None)


def test_no_definition_is_proposed_that_its_metric_refuses() -> None:
    computed = parse("rmse|users:both|no_hit:skip")
    refused = parse("rmse").with_(users="hits")  # one ranking of all rows has no lists of users that hold hits
    assert refused.family.refusal(refused.axes) is not None
    function, observation = Function(name="f", metric="rmse", cutoff=False), oracle_observation(computed.signature())
    proposed = propose_from_few([[refused, computed]], function, observation, DATA)
    assert proposed.known and proposed.definitions
    assert refused not in proposed.definitions
