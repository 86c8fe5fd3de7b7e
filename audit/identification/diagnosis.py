"""A diagnosis: the answers of one function so far, and the definitions that fit them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import compress

import numpy as np

from recsys_metric_audit.audit.identification.given_answers import needs_all_listed
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.evidence import evaluate_cached
from recsys_metric_audit.audit.observations.fit import Ambiguity, Fit, Fitting
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Errored, Measured, NotAnswered, NotOffered, Outcome, Unaskable
from recsys_metric_audit.audit.questions import distinguishing, generated_cases, value_comparison
from recsys_metric_audit.audit.questions.contract_probes import is_asked
from recsys_metric_audit.audit.questions.item_cases import asked_of, reads_items
from recsys_metric_audit.reference.cases import Probe

_REFUSALS = 2
"""At least so many refused inputs tell that all with their unusual features are refused."""


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """The answers of one function in all rounds, and what fits.

    Attributes:
        function: The function.
        observation: Its answers.
        fit: What fits them; None if nothing was measured, or nothing on the data.
        misses_data: No definition that fits the inputs asked fits the data.
        from_few: The definition was known, or is near a known one; not all initial probes were asked.
    """

    function: Function
    observation: Observation
    fit: Fit | None
    misses_data: bool = False
    from_few: bool = False


def refused_features(observation: Observation) -> frozenset[str]:
    """Return the features of generated inputs that the function refused several times, and answered never."""
    refusals, answered = Counter[str](), set[str]()
    for name, features in generated_cases.pool().features_of.items():
        match observation.probes.get(name):
            case NotAnswered():
                pass
            case Errored() | NotOffered() | Unaskable():
                refusals.update(features)
            case Measured():
                answered |= features
    return frozenset(name for name, count in refusals.items() if count >= _REFUSALS and name not in answered)


def explain_ambiguity(diagnosis: Diagnosis) -> Ambiguity:
    """Return which input would tell the fitting definitions apart and what became of it, or why there is none."""
    fit, observation = diagnosis.fit, diagnosis.observation
    assert isinstance(fit, Fitting)
    if reads_items(diagnosis.function):
        return _ambiguity_of_items(diagnosis, fit)
    inputs = distinguishing.distinguishing_inputs(
        fit.definitions, frozenset(), per_user=fit.user_values_only, all_listed=needs_all_listed(observation),
        at_most=1, ruled_out=diagnosis.function.ruled_out, whole_gains=diagnosis.function.takes.whole_gains_only,
        refused=refused_features(observation),
    )  # fmt: skip
    if inputs and (reason := _ruled_out_by_contract(diagnosis, fit)):
        return Ambiguity(reason, inseparable=True)
    if not inputs:
        return _why_no_input(diagnosis, fit)
    first = inputs[0]
    became = _what_became_of(observation.probes.get(first.name))
    if first.name not in observation.probes and (
        refused := generated_cases.features_of(first) & refused_features(observation)
    ):
        became = f"not asked; every input asked with {' or '.join(sorted(refused))} is refused"
    text = f"{_input_in_words(first)}: {became}"
    return Ambiguity(text, inseparable=_refuses_all_that_differ(diagnosis, fit))


def _ambiguity_of_items(diagnosis: Diagnosis, fit: Fitting) -> Ambiguity:
    """Return which question to a function beyond accuracy would tell definitions apart, and what became of it."""
    function, outcome_of = diagnosis.function, diagnosis.observation.probes
    probes, problem = asked_of(function.metric)
    means = np.array([np.nan_to_num(evaluate_cached(each, problem).mean, nan=-1.0) for each in fit.definitions])
    apart = compress(probes, np.ptp(means, axis=0) > fit.tolerance.width)
    telling = [probe for probe in apart if is_asked(function, probe)]
    if not telling:
        return Ambiguity(f"none of {len(probes)} cases tells them apart", inseparable=True)
    first, outcomes = telling[0], [outcome_of.get(probe.name) for probe in telling]
    text = f"{_input_in_words(first)}: {_what_became_of(outcomes[0])}"
    return Ambiguity(text, inseparable=all(isinstance(each, Errored | NotOffered | Unaskable) for each in outcomes))


def _differing(diagnosis: Diagnosis, fit: Fitting) -> tuple[tuple[Probe, frozenset[str]], ...]:
    """Return the generated inputs on which the fitting definitions differ and that the contract allows."""
    return distinguishing.differing_inputs(
        fit.definitions, per_user=fit.user_values_only, ruled_out=diagnosis.function.ruled_out,
        whole_gains=diagnosis.function.takes.whole_gains_only,
    )  # fmt: skip


def _ruled_out_by_contract(diagnosis: Diagnosis, fit: Fitting) -> str:
    """Return why the function's contract rules out every input that tells the definitions apart; empty if not."""
    if _differing(diagnosis, fit):
        return ""
    ruled_out = diagnosis.function.ruled_out
    unlisted = ruled_out.get("unlisted", "")
    return unlisted or "; ".join(dict.fromkeys(ruled_out.values())) or "no generated input tells them apart"


def _refuses_all_that_differ(diagnosis: Diagnosis, fit: Fitting) -> bool:
    """Return True if the function refuses every input on which its definitions differ, or its contract rules it out.

    An input that was not asked is taken to be refused as well if it has a feature that the function always refused,
    or all features that several refused inputs share.
    """
    refused = refused_features(diagnosis.observation)
    differing = [(probe, features) for probe, features in _differing(diagnosis, fit) if refused.isdisjoint(features)]
    if not differing:
        return True
    outcome_of = diagnosis.observation.probes
    asked = [(outcome_of[probe.name], features) for probe, features in differing if probe.name in outcome_of]
    if len(asked) < _REFUSALS or not all(isinstance(each, Errored | NotOffered | Unaskable) for each, _ in asked):
        return False
    shared = frozenset[str].intersection(*(features for _, features in asked))
    return bool(shared) and all(shared <= features for _, features in differing)


def _why_no_input(diagnosis: Diagnosis, fit: Fitting) -> Ambiguity:
    if needs_all_listed(diagnosis.observation) and (
        beyond := distinguishing.distinguishing_inputs(
            fit.definitions, frozenset(), per_user=fit.user_values_only, at_most=1
        )
    ):
        if unlisted := diagnosis.function.ruled_out.get("unlisted"):
            return Ambiguity(unlisted, inseparable=True)
        became = "not asked, as the function answers little where relevant items are not listed"
        return Ambiguity(f"{_input_in_words(beyond[0])}: {became}", inseparable=False)
    undescribed = value_comparison.undescribed_features(fit.definitions)
    tried = sum(not features & undescribed for features in generated_cases.pool().features)
    without = f" without {' or '.join(sorted(undescribed))}" if undescribed else ""
    text = f"none of {tried} generated cases{without} tells them apart by {value_comparison.GAP:g}"
    return Ambiguity(text, inseparable=True)


def _input_in_words(probe: Probe) -> str:
    """Return an input in words: what is unusual about it, and its cut-off."""
    return f"an input with {re.sub(r'^separating case [0-9]+: ', '', probe.name)}, k = {probe.k}"


def _what_became_of(outcome: Outcome | None) -> str:
    match outcome:
        case Errored(error, message, _):
            return f"asked; the library refuses it ({error}: {message[:200]})"
        case Measured():
            return "asked; the answer fits several of them"
        case NotOffered(why) | Unaskable(why):
            return f"asked; {why[:200]}"
        case None:
            return "not asked"
        case _:
            return "asked; no answer"
