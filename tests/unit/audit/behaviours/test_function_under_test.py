"""Functions that the library does not offer, or that are not built, are not judged."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.behaviours.experiment_answers import ExperimentAnswers
from recsys_metric_audit.audit.behaviours.function_under_test import functions_under_test, not_built
from recsys_metric_audit.audit.behaviours.scenarios import ORDINARY
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Errored, NotOffered, Outcome
from tests.support.behaviour_samples import outcome

HALF = outcome(0.5)
NO_MODULE = Errored("ModuleNotFoundError", "no module named fast", "")


def observation(name: str, answer: Outcome) -> Observation:
    return Observation(name, {ORDINARY: answer}, {})


@pytest.mark.parametrize(
    ("built", "answer", "why"),
    [
        ("make fast", NO_MODULE, "no module named fast"),
        ("make fast", NotOffered("not compiled"), "not compiled"),
        ("make fast", Errored("ValueError", "bad", ""), ""),
        ("make fast", HALF, ""),
        (None, NO_MODULE, ""),
    ],
)
def test_a_function_to_be_compiled_says_why_it_cannot_be_imported(built: str | None, answer: Outcome, why: str) -> None:
    function = Function.model_validate({"name": "f", "metric": "recall", **({"built": built} if built else {})})
    assert not_built(function, observation("f", answer)) == why


def test_only_functions_that_are_offered_and_built_are_tested() -> None:
    names = ("f", "g", "h")
    functions = [Function(name=name, metric="recall") for name in names]
    found = {"f": (observation("f", HALF), None), "g": (observation("g", NotOffered("no")), None)}
    answers = ExperimentAnswers({"f": {"a scene": {3: (HALF,)}}}, {"f": {ORDINARY: HALF}})
    tested = functions_under_test(functions, answers, found)
    assert list(tested) == ["f"]
    assert tested["f"].scenarios == {"a scene": {3: (HALF,)}}
    assert tested["f"].responses.under_other_seed(ORDINARY) == tested["f"].responses.to(ORDINARY)
