"""Steps of a diagnosis with a known definition: what is found is what is found without it."""

from __future__ import annotations

import pytest

from audit.identification import steps
from audit.identification.search import OnSuspension
from audit.identification.steps import Step, first_step, last_step, next_step
from audit.libraries.function import Function
from audit.observations.fit import Contradicted, Fit, Fitting
from audit.observations.observation import Observation, Tolerance
from audit.process.protocol import Errored, Measured, Outcome
from audit.questions.initial import INITIAL_PROBES
from reference.cases import Probe, User
from reference.cases.probe import case_from_users
from reference.definitions.definition import Definition, parse
from reference.evaluation.evaluate import Problem
from tests.support.oracle_means import evaluate as slow

DATA = Problem.of([INITIAL_PROBES[0].case], None)


def outcome(definition: Definition, probe: Probe) -> Outcome:
    made = slow(definition.metric, definition.axes, probe.case, probe.k if definition.k else None)
    return Errored("ValueError", "", "") if made.refused else Measured(made.mean, None, None, "float", 0.0)


def found(signature: str, known: str) -> tuple[list[str], Step]:
    """Return what is found of a function that computes a signature, and the last step."""
    definition = parse(signature)
    function = Function(name="f", metric=definition.metric, cutoff=definition.k is not None)
    asked = INITIAL_PROBES[:14] if known else INITIAL_PROBES
    observation = Observation("f", {probe.name: outcome(definition, probe) for probe in asked}, {})
    step = first_step(function, observation, [parse(known)] if known else [], DATA)
    for _ in range(12):
        if step.question is None:
            break
        answers = {probe.name: outcome(definition, probe) for probe in step.question.probes}
        step = next_step(step, Observation("f", answers, {}), DATA)
    fit = last_step(step, DATA).fit
    assert fit is not None
    return [each.signature() for each in fit.definitions], step


@pytest.mark.slow  # the first search makes what the whole process then shares
@pytest.mark.parametrize(
    ("signature", "known"),
    [
        ("recall@k|users:all|undefined:0", "recall@k"),
        ("ndcg@k|gain:exp2|no_list:skip", "ndcg@k|gain:exp2"),
        # Edges of one ranking are asked about late: inputs that refuted the hypothesis must not be held against them.
        ("auc|scope:stacked|users:all|no_hit:skip|no_list:error", "auc|scope:stacked"),
    ],
)
def test_a_refuted_hypothesis_leaves_no_trace(signature: str, known: str) -> None:
    with_known, step = found(signature, known)
    assert with_known == found(signature, "")[0] == [parse(signature).simplified().signature()]
    assert not step.diagnosis.from_hypothesis


@pytest.mark.slow
def test_a_hypothesis_that_nothing_refutes_is_found_with_few_probes() -> None:
    with_known, step = found("recall@k|denominator:min", "recall@k|denominator:min")
    assert with_known == ["recall@k|denominator:min"]
    assert step.diagnosis.from_hypothesis
    assert len(step.diagnosis.observation.probes) < 30


@pytest.mark.parametrize(("value", "searches"), [(1.0, 1), (0.25, 2)])
def test_nothing_is_searched_again_unless_the_data_ruled_something_out(
    monkeypatch: pytest.MonkeyPatch, value: float, searches: int
) -> None:
    # A list whose only item is relevant: recall is 1. Data are asked of definitions whose ties follow no rule.
    data = Problem.of([case_from_users("one", [User((2,))])], 1)
    recall = Fitting((parse("recall@k|ties:other"),), 0.0, Tolerance(1e-9, "float64"), 1)
    asked = []

    def identify(observation: Observation, metric: str, *, on_suspension: OnSuspension, **others: object) -> Fit:
        asked.append(on_suspension(recall))
        return Contradicted("formula", recall.tolerance, recall.cases)

    monkeypatch.setattr(steps, "identify", identify)
    outcomes: dict[int | None, Outcome] = {1: Measured(value, None, None, "float", 0.0)}
    found = steps.identify_with_data(Function(name="f", metric="recall"), Observation("f", {}, outcomes), data)
    assert found.fit is not None and not found.fit.definitions
    assert [bool(each.definitions) for each in asked] == ([True] if searches == 1 else [False, True])
