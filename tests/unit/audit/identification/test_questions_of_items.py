"""Functions beyond accuracy are asked only what still decides, and are found to be what all questions find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

import pytest

from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.identification.steps import first_step, last_step, next_step
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Measured
from recsys_metric_audit.audit.questions.item_cases import item_questions, names_of_opening
from recsys_metric_audit.reference.cases.item_probes import ITEM_PROBES, SHOWN_ITEMS
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.shortest import shortest
from tests.support.item_answers import DATA, answers, function_of, observed, of_definition
from tests.unit.audit.identification.test_identified_items import SIGNATURES


def opened(signature: str) -> Observation:
    """Return the answers to what a function of which definitions are known is asked first, and on the data."""
    names, whole = names_of_opening(parse(signature).metric), observed(of_definition(signature))
    return replace(whole, probes={name: whole.probes[name] for name in whole.probes if name in names})


def asked_until_known(signature: str, known: Sequence[Sequence[Definition]] = ()) -> Diagnosis:
    step = first_step(function_of(signature), opened(signature), known, DATA)
    while step.question is not None:
        assert not {probe.name for probe in step.question.probes} & step.diagnosis.observation.probes.keys()
        found = answers(of_definition(signature), step.question.probes)
        step = next_step(step, Observation("f", found, {}), DATA)
    return last_step(step, DATA)


def known_before(signature: str, what: str) -> list[list[Definition]]:
    """Return groups of known definitions of a function that computes a signature: its pin, or only another one."""
    own, canonical = parse(signature), Definition.of(parse(signature).metric)
    return {"nothing": [], "its pin": [[own]], "another": [[canonical]], "both": [[canonical], [own, canonical]]}[what]


@pytest.mark.slow
@pytest.mark.parametrize("known", ["nothing", "its pin", "another", "both"])
@pytest.mark.parametrize("signature", SIGNATURES)
def test_what_is_found_does_not_depend_on_what_is_known(signature: str, known: str) -> None:
    found = asked_until_known(signature, known_before(signature, known)).fit
    assert isinstance(found, Fitting)
    assert found.definitions == (shortest(parse(signature)),)
    assert not found.unidentified_axes


@pytest.mark.slow
def test_few_questions_decide_where_the_pin_is_known() -> None:
    for signature in SIGNATURES:
        diagnosis = asked_until_known(signature, known_before(signature, "its pin"))
        opening, asked = names_of_opening(parse(signature).metric), diagnosis.observation.probes
        assert len(asked) - len(opening) <= 2 or not shows_a_formula_at_first(signature), signature


def shows_a_formula_at_first(signature: str) -> bool:
    """Return True if at least five of the first answers on ordinary rows are numbers."""
    first, metric = opened(signature).probes, parse(signature).metric
    ordinary = [first.get(probe.name) for probe in item_questions(metric) if probe.kind == SHOWN_ITEMS]
    values = [each.mean for each in ordinary if isinstance(each, Measured) and each.mean is not None]
    return sum(map(isfinite, values)) >= 5


def test_nearly_all_signatures_show_a_formula_at_first() -> None:
    assert sum(not shows_a_formula_at_first(each) for each in SIGNATURES) == 1


def test_a_smaller_input_that_shows_the_difference_is_asked_last() -> None:
    signature = "intra_list_diversity@k|direction:similarity|denominator:one"
    diagnosis = asked_until_known(signature, known_before(signature, "its pin"))
    own, canonical = of_definition(signature), of_definition("intra_list_diversity@k")
    ordinary = [probe for probe in ITEM_PROBES if probe.kind == SHOWN_ITEMS]
    differing = [each for each in ordinary if abs(own(each.case, each.k) - canonical(each.case, each.k)) > 1e-3]
    asked = [each for each in differing if each.name in diagnosis.observation.probes]
    assert min(each.size for each in asked) == min(each.size for each in differing)


def test_where_nothing_fits_all_questions_are_asked() -> None:
    function = Function(name="f", metric="shannon_entropy")
    step = first_step(function, opened("gini@k"), [[parse("shannon_entropy@k")]], DATA)
    assert step.question is not None
    asked = {probe.name for probe in step.question.probes} | step.diagnosis.observation.probes.keys()
    assert asked >= {probe.name for probe in item_questions("shannon_entropy")}


def test_nothing_is_left_where_everything_was_asked() -> None:
    assert first_step(function_of("gini@k"), observed(of_definition("gini@k")), (), DATA).question is None
