"""A function that refuses unlisted relevant items is put through the experiments without them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from recsys_metric_audit.audit.behaviours.experiment_answers import ExperimentAnswers
from recsys_metric_audit.audit.behaviours.function_behaviours import behaviours, functions_under_test
from recsys_metric_audit.audit.behaviours.scenarios import LISTED_WORDS, ORDINARY
from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Conversation, Measured, Outcome, Unaskable
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.audit.run.asking import InitialAnswers, ask_experiments
from recsys_metric_audit.reference.cases import PROBES, Kind
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.input.case import Case

FUNCTION = Function(name="lib.scored", metric="recall")
NOTHING = InitialAnswers(Conversation(None, (), 0.0), {}, ExperimentAnswers())


def scored(case: Case) -> Outcome:
    """Sum the scores of relevant items, through a sigmoid if one is not in 0..1; refuse items without a score."""
    rec = case.predictions
    scores = dict(zip(zip(rec.user.tolist(), rec.item.tolist(), strict=True), rec.score.tolist(), strict=True))
    truth = list(zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True))
    if not scores.keys() >= set(truth):
        return Unaskable("every item has a score")
    values = np.array([scores[pair] for pair in truth])
    outside = any(not 0 <= score <= 1 for score in scores.values())
    return Measured(float((1 / (1 + np.exp(-values)) if outside else values).sum()), None, None, "float64", 0.0)


def library(cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int = 0) -> Conversation:
    answers = (
        Answer(ask.id, name, k, scored(cases[ask.case])) for ask in asks for name in ask.functions for k in ask.ks
    )
    return Conversation(None, tuple(answers), 0.0)


def test_who_refuses_unlisted_items_is_judged_by_the_same_changes_without_them() -> None:
    asked = [each for each in PROBES if each.name == ORDINARY or each.kind == Kind("multi_user", "all_listed")]
    observation = Observation(FUNCTION.name, {each.name: scored(each.case) for each in asked}, {})
    assert isinstance(observation.probes[ORDINARY], Unaskable)
    fit = Fitting((parse("recall@k"),), 0.0, Tolerance(1e-9, "float64"), 1)
    trial = Trial(Diagnosis(FUNCTION, observation, fit), 1000, 12)
    answers = ask_experiments([FUNCTION], NOTHING, {FUNCTION.name: trial}, library, predict=True)
    found = behaviours(functions_under_test([FUNCTION], answers, {FUNCTION.name: (observation, None)})[FUNCTION.name])
    assert found["score_scale"].name == "changes" and LISTED_WORDS in found["score_scale"].text
    assert found["item_ids"].name == found["user_ids"].name == found["repeated_call"].name == "unchanged"
    for name in ("perfect", "close_scores", "hash_seed"):
        assert LISTED_WORDS not in found[name].text, "the inputs whose answers it shows have no unlisted item"
    for name in ("no_list", "truth_beyond_k"):
        assert found[name].name == "not_askable" and "every item has a score" in found[name].text
