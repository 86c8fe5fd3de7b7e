"""Tests what is proposed from known definitions, and from what is near the canonical one."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.identification.hypotheses import proposal
from recsys_metric_audit.audit.identification.hypotheses.proposal import propose, propose_from_few
from recsys_metric_audit.audit.identification.hypotheses.starting_formulas import Nearest
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem
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


@pytest.mark.parametrize("signature", ["recall@k", "recall@k|denominator:min"])
def test_no_formula_is_looked_for_where_one_near_the_canonical_one_explains_all(
    signature: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    function, observation = Function(name="f", metric="recall"), oracle_observation(signature)
    wanted = propose((), function, observation, DATA, every_metric=True)

    def fails(*_: object, **__: object) -> Nearest:
        raise AssertionError("formulas were looked for")

    monkeypatch.setattr(proposal, "nearest_formulas", fails)
    found = propose((), function, observation, DATA, every_metric=True)
    assert found.definitions == wanted.definitions and found.definitions[0] == parse(signature)
    with pytest.raises(AssertionError, match="formulas were looked for"):
        propose(
            (),
            function,
            oracle_observation("recall@k|denominator:min|users:all|ties:item_asc"),
            DATA,
            every_metric=True,
        )
