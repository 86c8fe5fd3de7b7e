"""Identification of functions of metrics beyond accuracy: which items are shown, and how many users have them.

The space of these definitions is small and every question is asked at first: what contradicts an answer is eliminated,
in stages. The formula, whose lists are read, and what comes out where nobody is left show on ordinary rows; the
order of rows, repeats, and copies in the truth have probes of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import compress, product
from typing import NamedTuple

import numpy as np

from audit.identification.data_recheck import keep_what_fits_data
from audit.identification.diagnosis import Diagnosis
from audit.identification.given_answers import SINGLE_PRECISION, infer_search_tolerance
from audit.libraries.function import Function
from audit.observations.candidates import Values, distinct
from audit.observations.evidence import Evidence, evaluate_cached, gather_evidence, survivors
from audit.observations.fit import Ambiguity, Fit, Fitting, contradicted
from audit.observations.observation import Observation, Tolerance, percent_tolerance
from audit.process.protocol import Errored, Measured, NotOffered, Outcome, Unaskable
from audit.questions.item_cases import item_questions
from reference.cases import Kind, Probe
from reference.cases.item_probes import SHOWN_ITEMS
from reference.definitions.definition import Definition
from reference.equality.observed import Key
from reference.evaluation.evaluate import Problem, evaluate
from reference.metrics import FAMILIES, ITEM_METRICS
from reference.space.lists import Bools, Floats

_SHOWING_SETTINGS = 3
"""Under so many formulas of a family two ways to choose and to average users must be equal to be one."""
LEAST_ANSWERED = 5
"""A function that answers fewer of the ordinary probes with different numbers shows too little for a formula."""
_STAGES: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    (Kind("order", "shown_items"), ("order", "ties")),
    (Kind("duplicates", "shown_items"), ("duplicates",)),
    (Kind("truth_duplicates", "shown_items"), ("truth_duplicates",)),
)
"""The stages after the first: the kind of probes that each reads, and the axes that they show."""


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


def identify_items(function: Function, observation: Observation, data: Problem) -> Diagnosis:
    """Identify a function of a metric beyond accuracy from all its answers, those on the data included."""
    on_data = observation.data.values()
    if observation.failure() is not None or (on_data and not any(isinstance(each, Measured) for each in on_data)):
        return Diagnosis(function, observation, None)
    tolerance = infer_search_tolerance(observation)
    fit = _identify(function, observation, tolerance)
    for coarse in (SINGLE_PRECISION, percent_tolerance(observation.probes.values())):
        if not fit.definitions and coarse is not None and tolerance.width < coarse.width:
            rough = _identify(function, observation, coarse)
            fit = rough if rough.definitions else fit
    kept = keep_what_fits_data(fit, observation, data)
    return Diagnosis(function, observation, _with_ambiguity(kept, function, observation))


def _identify(function: Function, observation: Observation, tolerance: Tolerance) -> Fit:
    """Search the function's own family, then all others beyond accuracy."""
    own = _family(function.metric, function, observation, tolerance)
    if own.definitions:
        return own
    for other in ITEM_METRICS:
        fit = _family(other, function, observation, tolerance) if other != function.metric else own
        if fit.definitions:
            return fit
    return own


def _family(metric: str, function: Function, observation: Observation, tolerance: Tolerance) -> Fit:
    """Search one family: eliminate stage by stage."""
    ordinary = gather_evidence(observation.probes, *asked_of(function.metric, SHOWN_ITEMS))
    asked, tried = len(observation.probes), ExpectedMeans.of(points(metric, function), function.metric)
    heard = tried.only_expected_refusals(ordinary)
    left, worst = tried.fitting(heard, tolerance)
    if not left:  # input without any row may be refused, whatever nobody counts as
        heard = ordinary.without_refusals()
        left, worst = tried.fitting(heard, tolerance)
    if not left or not shows_a_formula(ordinary):
        return contradicted("formula", heard, tried.definitions, tolerance, asked)
    unknown: list[str] = []
    for kind, shown in _STAGES:
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


def points(metric: str, function: Function) -> tuple[Definition, ...]:
    """Return every definition of a family as far as ordinary rows tell them apart, canonical-most first."""
    family = FAMILIES[metric]
    later = {axis for _, shown in _STAGES for axis in shown}
    fixed = {axis: value for axis, value in function.takes.fixed_values.items() if axis in family.canonical}
    free = [axis.name for axis in family.all_axes if axis.name not in later and axis.name not in function.ruled_out]
    return _definitions(metric, tuple(free), tuple(fixed.items()), function.cutoff)


@lru_cache(maxsize=500)
def _definitions(
    metric: str, free: tuple[str, ...], fixed: tuple[tuple[str, str], ...], has_k: bool
) -> tuple[Definition, ...]:  # fmt: skip
    """Return the definitions with every value of the ``free`` axes; kept, since the functions of a run share them.

    Formulas that are equal are one, and so are equal ways to choose and to average users, whatever the formula.
    """
    family = FAMILIES[metric]
    own = {axis.name for axis in family.axes}
    whole = {} if has_k or "cutoff" not in family.canonical else {"cutoff": "none"}
    start = {**family.canonical, **whole, **dict(fixed)}

    def definition(*changed: Values) -> Definition | None:
        values = start.copy()
        for each in changed:
            values |= each
        cut = values.get("cutoff") == "none" or has_k or "cutoff" not in values
        return Definition.of(metric, values) if cut and not family.refusal(values) else None

    formulas = _first_of_equals(
        {axis: family.axis(axis).names for axis in free if axis in own}, lambda point: (definition(point),)
    )
    some = formulas[:: max(1, len(formulas) // _SHOWING_SETTINGS)]
    settings = _first_of_equals(
        {axis: family.axis(axis).names for axis in free if axis not in own},
        lambda point: tuple(definition(each, point) for each in some),
    )
    made = (definition(*each) for each in product(formulas, settings))
    return tuple(sorted(filter(None, made), key=lambda each: len(each.differs_on)))


def _first_of_equals(
    names: Mapping[str, Sequence[str]], making: Callable[[Values], tuple[Definition | None, ...]]
) -> list[Values]:
    """Return combinations of values, of those that make equal definitions the first; none that makes no definition."""
    first: dict[object, Values] = {}
    for chosen in product(*names.values()):
        point = dict(zip(names, chosen, strict=True))
        made = making(point)
        if any(made):
            first.setdefault(tuple(each and Key(each) for each in made), point)
    return list(first.values())


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
        kind for kind, shown in _STAGES if silent.issuperset(axis for axis in shown if axis in fit.definitions[0].axes)
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
