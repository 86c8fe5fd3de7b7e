"""Chooses what an identified function is asked last: its own threshold of relevance, and a small witness."""

from __future__ import annotations

from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.identification.given_answers import evidence_on_all
from recsys_metric_audit.audit.observations import counterexample
from recsys_metric_audit.audit.observations.canonical import canonical_definition, definitions_under_contract
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.questions.contract_probes import allows_gains_of
from recsys_metric_audit.audit.questions.item_cases import reads_items
from recsys_metric_audit.audit.questions.threshold_cases import has_own_threshold, threshold_questions
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import Definition


def questions_of_threshold(diagnosis: Diagnosis) -> tuple[Probe, ...]:
    """Return inputs that tell from which gain on an item is relevant, where that is a number of the function's own."""
    fit = diagnosis.fit
    assert isinstance(fit, Fitting)
    if not has_own_threshold(fit.definitions[0]):
        return ()
    observation = diagnosis.observation
    probes = threshold_questions(fit, evidence_on_all(diagnosis.function, observation), observation.k)
    return tuple(probe for probe in probes if allows_gains_of(diagnosis.function, probe))


def smaller_witness(diagnosis: Diagnosis, fitted: Definition) -> tuple[Probe, ...]:
    """Return an input that shows the difference to the canonical definition, if none asked so far shows it as well.

    One that shows the formula is better than one that shows something else; of equals, the smaller one is.
    """
    right = canonical_definition(diagnosis.function)
    if not fitted.differs_on and fitted.metric == right.metric:
        return ()
    others = definitions_under_contract(right, diagnosis.function, fitted)
    formula = counterexample.other_formula(fitted, right)
    asked = diagnosis.observation.probes
    seen = counterexample.smallest_difference(diagnosis.observation, right, others, formula)
    of_items = reads_items(diagnosis.function)
    expected = None if of_items else counterexample.expected_difference(formula or fitted, right, others)
    if expected is None and (seen is None or of_items):
        expected = counterexample.expected_difference_on_probes(formula or fitted, right, others, asked)
    if expected is None or expected.name in asked:
        return ()
    if seen is None or (formula is not None and not seen.by_formula):
        return (expected,)
    return (expected,) if expected.size < seen.probe.size else ()
