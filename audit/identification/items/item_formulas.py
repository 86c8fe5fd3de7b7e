"""Identification of functions of metrics beyond accuracy: which items are shown, and how many users have them.

These definitions are few enough to try all, or those near a known one: what contradicts an answer is eliminated, in
stages. The formula, whose lists are read, and what comes out where nobody is left show on ordinary rows; the
order of rows, repeats, and copies in the truth have probes of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import compress, product
from typing import NamedTuple

import numpy as np

from audit.identification.data_recheck import keep_what_fits_data
from audit.identification.diagnosis import Diagnosis
from audit.identification.given_answers import SINGLE_PRECISION, infer_search_tolerance
from audit.identification.items.item_definitions import STAGES, Space, all_definitions, definitions_near
from audit.libraries.function import Function
from audit.observations.candidates import distinct
from audit.observations.evidence import Evidence, evaluate_cached, gather_evidence, survivors
from audit.observations.fit import Ambiguity, Fit, Fitting, contradicted
from audit.observations.observation import Observation, Tolerance, percent_tolerance
from audit.process.protocol import Errored, Measured, NotOffered, Outcome, Unaskable
from audit.questions.item_cases import item_questions
from reference.cases import Kind, Probe
from reference.cases.item_probes import SHOWN_ITEMS
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem, evaluate
from reference.metrics import ITEM_METRICS
from reference.space.lists import Bools, Floats

LEAST_ANSWERED = 5
"""A function that answers fewer of the ordinary probes with different numbers shows too little for a formula."""
_NEAR = 2
"""Near a definition are those that differ from it on so many axes at most."""
Known = Sequence[Sequence[Definition]]
"""Known definitions in groups, the likeliest group first."""


@cache
def asked_of(metric: str, kind: Kind | None) -> tuple[tuple[Probe, ...], Problem]:
    """Return the questions of a kind, or all, to functions of a metric, and their cases as one problem for all."""
    probes = tuple(probe for probe in item_questions(metric) if kind in (None, probe.kind))
    return probes, Problem.of([probe.case for probe in probes], [probe.k for probe in probes])


class ExpectedMeans(NamedTuple):
    """Holds what n definitions give on the p questions about ordinary rows.

    Attributes:
        definitions: The definitions.
        mean: Their means, shape (n, p).
        refused: Mask of the questions on which they raise an error, shape (n, p).
    """

    definitions: tuple[Definition, ...]
    mean: Floats
    refused: Bools

    @staticmethod
    @lru_cache(maxsize=100)
    def of(definitions: tuple[Definition, ...], metric: str) -> ExpectedMeans:
        """Evaluate definitions on the questions to functions of a metric; kept, since functions of a run share them."""
        asked = asked_of(metric, SHOWN_ITEMS)[1]
        made = [evaluate(each, asked) for each in definitions]
        return ExpectedMeans(
            definitions, np.array([each.mean for each in made]), np.array([each.refused for each in made])
        )

    def only_expected_refusals(self, evidence: Evidence) -> Evidence:
        """Return evidence without the refusals that none of the definitions expects: they do not tell them apart."""
        return replace(evidence, refused=evidence.refused & self.refused.any(axis=0))

    def fitting(self, evidence: Evidence, tolerance: Tolerance) -> tuple[list[Definition], float]:
        """Return the definitions that no answer contradicts, and their largest deviation."""
        wrong = evidence.measured & (self.refused | ~tolerance.close(self.mean, evidence.value))
        return survivors(compress(self.definitions, ~wrong.any(axis=1)), evidence, tolerance, edges_known=True)


def tried_definitions(
    metric: str, function: Function, ordinary: Evidence, tolerance: Tolerance, known: Known
) -> ExpectedMeans:  # fmt: skip
    """Return the definitions that are held against the answers on ordinary rows: near a known one that fits, or all.

    Args:
        metric: Name of the metric whose definitions are tried.
        function: The function.
        ordinary: Its answers on ordinary rows.
        tolerance: Deviations up to which numbers count as equal.
        known: Known definitions.
    """
    space = Space.of(metric, function)
    for group in known:
        own = ExpectedMeans.of(definitions_near(space, tuple(group), 0), function.metric)
        # What is only near a known definition may fit the first answers by chance, and then hide all that is not near.
        if own.definitions and (fitting := own.fitting(own.only_expected_refusals(ordinary), tolerance)[0]):
            return ExpectedMeans.of(definitions_near(space, tuple(fitting), _NEAR), function.metric)
    return ExpectedMeans.of(all_definitions(space), function.metric)


def identify_items(function: Function, observation: Observation, data: Problem, known: Known = ()) -> Diagnosis:
    """Identify a function of a metric beyond accuracy from all its answers, those on the data included.

    Args:
        function: The function.
        observation: Its answers.
        data: The data.
        known: Known definitions: what fits is looked for near them first.
    """
    on_data = observation.data.values()
    if observation.failure() is not None or (on_data and not any(isinstance(each, Measured) for each in on_data)):
        return Diagnosis(function, observation, None)
    tolerance = infer_search_tolerance(observation)
    fit = _identify(function, observation, tolerance, known)
    for coarse in (SINGLE_PRECISION, percent_tolerance(observation.probes.values())):
        if not fit.definitions and coarse is not None and tolerance.width < coarse.width:
            rough = _identify(function, observation, coarse, known)
            fit = rough if rough.definitions else fit
    kept = keep_what_fits_data(fit, observation, data)
    return Diagnosis(function, observation, _with_ambiguity(kept, function, observation))


def _identify(function: Function, observation: Observation, tolerance: Tolerance, known: Known) -> Fit:
    """Search the function's own family, then all others beyond accuracy."""
    own = _family(function.metric, function, observation, tolerance, known)
    if own.definitions:
        return own
    for other in ITEM_METRICS:
        fit = _family(other, function, observation, tolerance, known) if other != function.metric else own
        if fit.definitions:
            return fit
    return own


def _family(
    metric: str, function: Function, observation: Observation, tolerance: Tolerance, known: Known
) -> Fit:  # fmt: skip
    """Search one family: eliminate stage by stage."""
    ordinary = gather_evidence(observation.probes, *asked_of(function.metric, SHOWN_ITEMS))
    asked, tried = len(observation.probes), tried_definitions(metric, function, ordinary, tolerance, known)
    heard = tried.only_expected_refusals(ordinary)
    left, worst = tried.fitting(heard, tolerance)
    if not left:  # input without any row may be refused, whatever nobody counts as
        heard = ordinary.without_refusals()
        left, worst = tried.fitting(heard, tolerance)
    if not left or not shows_a_formula(ordinary):
        return contradicted("formula", heard, tried.definitions, tolerance, asked)
    unknown: list[str] = []
    for kind, shown in STAGES:
        axes = tuple(axis for axis in shown if axis in left[0].axes and axis not in function.ruled_out)
        if not axes:
            continue
        evidence = gather_evidence(observation.probes, *asked_of(function.metric, kind))
        widened = [each for one in left for each in _with_every(one, axes)]
        surviving, gap = survivors(widened, evidence.expected_refusals(widened), tolerance, edges_known=True)
        if surviving and evidence.answered:
            left, worst = surviving, max(worst, gap)
        else:  # not asked, refused, or in a way that no value describes
            unknown += axes
    return Fitting(_merged(left), worst, tolerance, asked, unidentified_axes=tuple(unknown))


def shows_a_formula(evidence: Evidence) -> bool:
    """Return True if the answers to ordinary rows have several different numbers."""
    numbers = evidence.value[evidence.measured & np.isfinite(evidence.value)]
    return len(numbers) >= LEAST_ANSWERED and len(np.unique(np.round(numbers, 6))) > 1


def _with_every(definition: Definition, axes: Iterable[str]) -> Iterator[Definition]:
    """Yield a definition with every combination of values on some axes."""
    names = tuple(axes)
    for chosen in product(*(definition.family.axis(name).names for name in names)):
        yield definition.with_(**dict(zip(names, chosen, strict=True)))


def _merged(definitions: Iterable[Definition]) -> tuple[Definition, ...]:
    """Merge equal definitions; the fewest changes come first."""
    return tuple(sorted(distinct(definitions), key=lambda each: len(each.differs_on)))


def _with_ambiguity(fit: Fit, function: Function, observation: Observation) -> Fit:
    """Return a fit that says, if several definitions are left, which question would tell them apart, or that none does.

    Definitions that differ only on questions that the function refuses, or cannot be put to it, are one to it. Probes
    of what is not known of it, or does not apply to it, tell nothing.
    """
    if not isinstance(fit, Fitting) or len(fit.definitions) < 2:
        return fit
    silent = {*fit.unidentified_axes, *function.ruled_out}
    idle = [
        kind for kind, shown in STAGES if silent.issuperset(axis for axis in shown if axis in fit.definitions[0].axes)
    ]
    every, problem = asked_of(function.metric, None)
    means = np.array([np.nan_to_num(evaluate_cached(each, problem).mean, nan=-1.0) for each in fit.definitions])
    apart = np.ptp(means, axis=0) > fit.tolerance.width
    telling = [probe for probe, told in zip(every, apart, strict=True) if told and probe.kind not in idle]
    if not telling:
        return replace(fit, ambiguity=Ambiguity(f"none of {len(every)} cases tells them apart", inseparable=True))
    outcomes = [observation.probes.get(probe.name) for probe in telling]
    refused = all(isinstance(each, Errored | Unaskable | NotOffered) for each in outcomes)
    text = f"{telling[0].name} (k {telling[0].k}): {_what_became_of(outcomes[0])}"
    return replace(fit, ambiguity=Ambiguity(text, inseparable=refused))


def _what_became_of(outcome: Outcome | None) -> str:
    match outcome:
        case Errored(error, message, _):
            return f"asked; the library refuses it ({error}: {message[:200]})"
        case NotOffered(why) | Unaskable(why):
            return f"asked; {why[:200]}"
        case _:
            return "not answered"
