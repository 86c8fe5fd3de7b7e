"""Functions beyond accuracy are asked only what still decides, and are found to be what all questions find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from audit.identification.hypotheses.rivals import differing_axes
from audit.identification.items.item_formulas import asked_of, identify_items, tried_definitions
from audit.identification.items.item_probes_left import item_probes_left
from audit.identification.steps import Step, first_step, next_step
from audit.libraries.function import Function
from audit.observations.evidence import gather_evidence
from audit.observations.fit import Fitting
from audit.observations.observation import Observation, Tolerance
from audit.questions.item_cases import item_questions, names_of_opening
from reference.cases.item_probes import SHOWN_ITEMS
from reference.definitions.definition import Definition, parse
from tests.support.item_answers import DATA, answers, observed, of_definition
from tests.unit.audit.identification.items.test_item_formulas import SIGNATURES


def opened(signature: str) -> tuple[Function, Observation]:
    definition = parse(signature)
    function = Function(name="f", metric=definition.metric, cutoff=definition.k is not None)
    first = [each for each in item_questions() if each.name in names_of_opening(definition.metric)]
    whole = observed(of_definition(signature))
    return function, replace(whole, probes={probe.name: whole.probes[probe.name] for probe in first})


def asked_until_known(signature: str, known: Sequence[Sequence[Definition]] = ()) -> Step:
    function, observation = opened(signature)
    step = first_step(function, observation, known, DATA)
    while step.question is not None:
        assert not {probe.name for probe in step.question.probes} & step.diagnosis.observation.probes.keys()
        found = answers(of_definition(signature), step.question.probes)
        step = next_step(step, Observation("f", found, {}), DATA)
    return step


def known_before(signature: str, what: str) -> list[list[Definition]]:
    """Return groups of known definitions of a function that computes a signature: its pin, or only another one."""
    own, canonical = parse(signature), Definition.of(parse(signature).metric)
    return {"nothing": [], "its pin": [[own]], "another": [[canonical]], "both": [[canonical], [own, canonical]]}[what]


@pytest.mark.slow
@pytest.mark.parametrize("known", ["nothing", "its pin", "another", "both"])
@pytest.mark.parametrize("signature", SIGNATURES)
def test_what_is_found_is_what_all_questions_find(signature: str, known: str) -> None:
    step = asked_until_known(signature, known_before(signature, known))
    function = step.diagnosis.function
    found, wanted = step.diagnosis.fit, identify_items(function, observed(of_definition(signature)), DATA).fit
    assert isinstance(found, Fitting) and isinstance(wanted, Fitting)
    assert found.definitions == wanted.definitions
    assert found.unidentified_axes == wanted.unidentified_axes


@pytest.mark.slow
def test_few_questions_decide() -> None:
    counts = [len(asked_until_known(each).diagnosis.observation.probes) for each in SIGNATURES]
    assert sorted(counts)[len(counts) // 2] < 0.7 * len(item_questions("gini"))


def tried(signature: str, known: Sequence[Sequence[Definition]]) -> tuple[Definition, ...]:
    function, observation = opened(signature)
    ordinary = gather_evidence(observation.probes, *asked_of(function.metric, SHOWN_ITEMS))
    return tried_definitions(function.metric, function, ordinary, Tolerance(1e-9, ""), known).definitions


def test_only_what_is_near_a_known_definition_is_tried_where_that_fits() -> None:
    signature = "new_share@k|users:train|no_list:1"
    near = tried(signature, known_before(signature, "its pin"))
    assert near[0] == parse(signature)
    assert max(len(differing_axes(each, near[0])) for each in near) == 2
    far = "new_share@k|users:train|no_list:1|nobody:0"  # three axes from the canonical one
    assert tried(far, known_before(far, "another")) == tried(far, ())
    assert len(near) < len(tried(far, ()))


def test_where_nothing_fits_all_questions_are_asked() -> None:
    _, observation = opened("gini@k")
    left = item_probes_left(Function(name="f", metric="shannon_entropy"), observation)
    assert len(left) + len(observation.probes) >= len(item_questions("shannon_entropy"))


def test_nothing_is_left_where_everything_was_asked() -> None:
    assert item_probes_left(Function(name="f", metric="gini"), observed(of_definition("gini@k"))) == ()
