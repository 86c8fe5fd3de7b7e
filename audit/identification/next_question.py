"""The question that a diagnosis asks next: for which purpose, and with which probes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from audit.identification.diagnosis import Diagnosis, inputs_between
from audit.identification.recheck import (
    evidence_on_all,
    policies_for_unshown_states,
    survivors_of_distinguishing_inputs,
)
from audit.identification.search_limits import Purpose
from audit.observations.canonical import canonical_definition, definitions_under_contract
from audit.observations.counterexample import (
    expected_difference,
    expected_difference_on_probes,
    other_formula,
    smallest_difference,
)
from audit.observations.fit import Contradicted, Fit, Fitting
from audit.questions.contract_probes import allows_gains_of
from audit.questions.distinguishing import confirming_inputs
from audit.questions.initial import INITIAL_PROBES
from audit.questions.threshold_cases import has_own_threshold, threshold_questions
from reference.cases import DEGENERATE, PROBES, Probe, split_batch
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import takes_one_ranking


class Question(NamedTuple):
    """Probes to be put to a function, and their purpose."""

    purpose: Purpose
    probes: tuple[Probe, ...]


def next_question(diagnosis: Diagnosis) -> Question | None:
    """Return the first useful question that has probes not asked yet; None if nothing is left to ask."""
    for purpose, probes in _questions(diagnosis):
        if allowed := tuple(probe for probe in probes if allows_gains_of(diagnosis.function, probe)):
            return Question(purpose, allowed)
    return None


def _questions(diagnosis: Diagnosis) -> Iterator[Question]:
    fit, asked = diagnosis.fit, frozenset(diagnosis.observation.probes)
    if fit is None:
        return
    if _is_unexplained(diagnosis, fit) or diagnosis.misses_data:
        # What a contract left unasked may still tell which formula it is.
        variants = (probe for probe in PROBES if probe.kind.variant != "usual")
        left = {probe.name: probe for probe in (*variants, *INITIAL_PROBES) if probe.name not in asked}
        yield Question("variants", tuple(left.values()))
    if any(map(takes_one_ranking, fit.definitions)):
        yield Question("degenerate", tuple(probe for probe in DEGENERATE if probe.name not in asked))
    if isinstance(fit, Contradicted):
        if fit.stage == "every small list" and fit.counterexample is not None and len(fit.counterexample.users) > 1:
            single_lists = split_batch(fit.counterexample)
            yield Question("single_list", tuple(probe for probe in single_lists if probe.name not in asked))
    elif len(fit.definitions) > 1:
        yield Question("distinguishing", inputs_between(diagnosis, fit.definitions))
    else:
        (only,) = fit.definitions
        yield Question("edges", inputs_between(diagnosis, policy_alternatives(diagnosis)))
        yield Question("threshold", questions_of_threshold(diagnosis))
        confirming = confirming_inputs(only, asked, diagnosis.function.ruled_out)
        yield Question("confirming", (*confirming, *smaller_witness(diagnosis, only)))


def questions_of_threshold(diagnosis: Diagnosis) -> tuple[Probe, ...]:
    """Return inputs that tell from which gain on an item is relevant, where that is a number of the function's own."""
    fit = diagnosis.fit
    if fit is None or not has_own_threshold(fit.definitions[0]):
        return ()
    probes = threshold_questions(fit, evidence_on_all(diagnosis.observation))
    return tuple(probe for probe in probes if allows_gains_of(diagnosis.function, probe))


def _is_unexplained(diagnosis: Diagnosis, fit: Fit) -> bool:
    """Return whether no formula of the function's own family fits, though none was refuted by a later input."""
    if isinstance(fit, Contradicted):
        return fit.stage not in ("every small list", "distinguishing input")
    return any(each.metric != diagnosis.function.metric for each in fit.definitions)


def policy_alternatives(diagnosis: Diagnosis) -> tuple[Definition, ...]:
    """Return the fitting definitions with every policy, for states not shown so far, that fits all inputs asked."""
    fit, observation = diagnosis.fit, diagnosis.observation
    assert isinstance(fit, Fitting)
    tried = policies_for_unshown_states(fit, observation)
    return tuple(survivors_of_distinguishing_inputs(tried, fit, observation)[0]) or fit.definitions


def smaller_witness(diagnosis: Diagnosis, fitted: Definition) -> tuple[Probe, ...]:
    """Return an input that shows the difference to the canonical definition, if none asked so far shows it as well.

    One that shows the formula is better than one that shows something else; of equals, the smaller one is.
    """
    right = canonical_definition(diagnosis.function)
    if not fitted.differs_on and fitted.metric == right.metric:
        return ()
    others = definitions_under_contract(right, diagnosis.function, fitted)
    formula = other_formula(fitted, right)
    seen = smallest_difference(diagnosis.observation, right, others, formula)
    expected = expected_difference(formula or fitted, right, others)
    if expected is None and seen is None:
        expected = expected_difference_on_probes(formula or fitted, right, others)
    if expected is None or expected.name in diagnosis.observation.probes:
        return ()
    if seen is None or (formula is not None and not seen.by_formula):
        return (expected,)
    return (expected,) if expected.size < seen.probe.size else ()
