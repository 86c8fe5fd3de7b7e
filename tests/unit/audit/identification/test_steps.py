"""Steps of a diagnosis with a known definition: what is found is what is found without it."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.identification import steps
from recsys_metric_audit.audit.identification.hypotheses.refuting import Refuting
from recsys_metric_audit.audit.identification.steps import Step, first_step, last_step, next_step
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem
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
    step = first_step(function, observation, [[parse(known)]] if known else [], DATA)
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
        # Six axes away: each change leaves fewer contradictions.
        ("ndcg@k|gain:exp2|discount:reciprocal|ideal:listed|users:both|no_hit:skip|ties:item_asc", "ndcg@k"),
    ],
)
def test_a_refuted_hypothesis_gives_way_to_what_is_near_it(signature: str, known: str) -> None:
    """A search finds it, too."""
    with_known, step = found(signature, known)
    assert with_known == found(signature, "")[0] == [shortest(parse(signature)).signature()]
    assert step.diagnosis.from_few


@pytest.mark.slow
def test_an_error_of_users_whom_a_rule_of_relevance_leaves_without_relevant_items_is_found() -> None:
    """Most probes of several users are refused, since many of their gains are not above the threshold."""
    signature = "f_score@k|beta:0.5|undefined:error|relevance:above_t"
    assert found(signature, "")[0] == [signature]


@pytest.mark.slow
def test_what_is_still_to_be_asked_after_the_last_test_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def left(*given: object, last: bool = False, can_be_asked: bool = True) -> Refuting:
        return Refuting(INITIAL_PROBES[:1]) if not last else Refuting((), unknown=("no_list",))

    monkeypatch.setattr(steps, "refuting_probes", left)
    monkeypatch.setattr(steps, "MAX_TESTS", 1)
    with_nothing_known, step = found("recall@k", "")
    assert with_nothing_known == ["recall@k"] and step.tests == 1
    assert step.diagnosis.fit is not None and step.diagnosis.fit.unidentified_axes == ("no_list",)


@pytest.mark.slow
def test_where_nothing_near_a_hypothesis_fits_all_initial_probes_are_asked() -> None:
    """Of a function that gives 0 and 1, few answers tell too little to look for something near."""
    signature = "hit_rate@k|users:all|undefined:1|no_list:1"
    with_known, step = found(signature, "hit_rate@k|truth_duplicates:once|ties:item_desc")
    assert with_known == found(signature, "")[0] == [shortest(parse(signature)).signature()]
    assert not step.diagnosis.from_few


@pytest.mark.slow
def test_a_hypothesis_that_nothing_refutes_is_found_with_few_probes() -> None:
    with_known, step = found("recall@k|denominator:min", "recall@k|denominator:min")
    assert with_known == ["recall@k|denominator:min"]
    assert step.diagnosis.from_few
    assert len(step.diagnosis.observation.probes) < 30


@pytest.mark.slow
@pytest.mark.parametrize("known", ["", "recall@k|relevance:above_0.5", "recall@k|relevance:1"])
def test_a_threshold_of_the_function_s_own_is_asked_for(known: str) -> None:
    # On the probes, whose gains are 0.5, 1 and more, all that is above 0.5 is 1 and more.
    with_known, step = found("recall@k|relevance:above_0.5", known)
    assert with_known == ["recall@k|relevance:above_0.5"]
    assert step.diagnosis.from_few == bool(known)
    assert step.question is None
