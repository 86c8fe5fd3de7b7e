"""Functions beyond accuracy are asked only what still decides, and are found to be what all questions find."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.identification.items.item_formulas import identify_items
from audit.identification.items.item_probes_left import item_probes_left
from audit.identification.steps import Step, first_step, next_step
from audit.libraries.function import Function
from audit.observations.fit import Fitting
from audit.observations.observation import Observation
from audit.questions.item_cases import item_questions, names_of_opening
from reference.definitions.definition import parse
from tests.support.item_answers import DATA, answers, observed, of_definition
from tests.unit.audit.identification.items.test_item_formulas import SIGNATURES


def opened(signature: str) -> tuple[Function, Observation]:
    definition = parse(signature)
    function = Function(name="f", metric=definition.metric, cutoff=definition.k is not None)
    first = [each for each in item_questions() if each.name in names_of_opening(definition.metric)]
    whole = observed(of_definition(signature))
    return function, replace(whole, probes={probe.name: whole.probes[probe.name] for probe in first})


def asked_until_known(signature: str) -> Step:
    function, observation = opened(signature)
    step = first_step(function, observation, (), DATA)
    while step.question is not None:
        assert not {probe.name for probe in step.question.probes} & step.diagnosis.observation.probes.keys()
        found = answers(of_definition(signature), step.question.probes)
        step = next_step(step, Observation("f", found, {}), DATA)
    return step


@pytest.mark.slow
@pytest.mark.parametrize("signature", SIGNATURES)
def test_what_is_found_is_what_all_questions_find(signature: str) -> None:
    step = asked_until_known(signature)
    function = step.diagnosis.function
    found, wanted = step.diagnosis.fit, identify_items(function, observed(of_definition(signature)), DATA).fit
    assert isinstance(found, Fitting) and isinstance(wanted, Fitting)
    assert found.definitions == wanted.definitions
    assert found.unidentified_axes == wanted.unidentified_axes


@pytest.mark.slow
def test_few_questions_decide() -> None:
    counts = [len(asked_until_known(each).diagnosis.observation.probes) for each in SIGNATURES]
    assert sorted(counts)[len(counts) // 2] < 0.7 * len(item_questions("gini"))


def test_where_nothing_fits_all_questions_are_asked() -> None:
    _, observation = opened("gini@k")
    left = item_probes_left(Function(name="f", metric="shannon_entropy"), observation)
    assert len(left) + len(observation.probes) >= len(item_questions("shannon_entropy"))


def test_nothing_is_left_where_everything_was_asked() -> None:
    assert item_probes_left(Function(name="f", metric="gini"), observed(of_definition("gini@k"))) == ()
