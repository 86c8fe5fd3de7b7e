"""Inputs that tell from which gain on an item is relevant, where a function has a threshold of its own.

The probes hold few gains: what fits "1 and more" on them fits "more than 0.5" as well. So gains between the highest
that is known to be irrelevant and the lowest that is known to be relevant are asked: first beside these two, since most
thresholds are round; then the numbers between with one more decimal, until what is left is narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor, inf, log10
from typing import NamedTuple

import numpy as np

from recsys_metric_audit.audit.observations.evidence import Evidence, contradictions, survivors
from recsys_metric_audit.audit.observations.fit import Fit, Fitting
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.observations.user_states import undescribed_axes, undescribed_cases
from recsys_metric_audit.audit.questions.value_comparison import GAP
from recsys_metric_audit.reference.cases import Kind, Probe
from recsys_metric_audit.reference.cases.probe import case_from_rows
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import evaluate
from recsys_metric_audit.reference.space.axis import is_number, more_than

_BESIDE = 1e-5
"""How far beside a gain another one is asked, as a share of the first digit's place."""
_REACHED = 4.0
"""Four in ten gains of the generated cases are at least this high, and almost none is higher."""
_WHY = "is an item"
"""Why such an input is asked: how it begins."""
_MISSED = 500
"""Number of the first relevant item that is not in the list."""


class Bracket(NamedTuple):
    """Holds the highest gain known to be irrelevant, and the lowest known to be relevant."""

    irrelevant: float
    relevant: float

    @property
    def is_narrow(self) -> bool:
        """Return True if nothing more can be told of the threshold."""
        return self.relevant - self.irrelevant <= 2.5 * _beside(self.relevant)

    @property
    def rule(self) -> str:
        """Return the value of the axis that fits: above the one gain where that is rounder, else from the other up."""
        low, high = (f"{each:.10g}" for each in self)
        rounder = self.is_narrow and len(low) < len(high)
        return f"above_{low}" if rounder or self.relevant == inf else high

    def gains(self) -> tuple[float, ...]:
        """Return the gains to ask about next, ascending; none if the bracket is narrow."""
        if self.is_narrow or self.relevant == inf:
            return ()
        step = 10.0 ** floor(log10(self.relevant - self.irrelevant))
        beside = _beside(self.relevant)
        ends = [self.irrelevant + beside] if _is_multiple(self.irrelevant, step) else []
        ends += [self.relevant - beside] if _is_multiple(self.relevant, step) else []
        between = [place * step for place in range(ceil(self.irrelevant / step), ceil(self.relevant / step))]
        return tuple(float(f"{each:.10g}") for each in ends or between if self.irrelevant < each < self.relevant)


def has_own_threshold(definition: Definition) -> bool:
    """Return True if a number that is no part of the input decides what is relevant."""
    rule = definition.axes.get("relevance", "")
    acts = definition.family.reads == "relevance" and definition.family.canonical.get("relevance") is not None
    return acts and (is_number(rule) or more_than(rule) is not None)


def with_reached_threshold(definition: Definition) -> Definition:
    """Return a definition with a threshold of its own lowered to a gain that many items of generated cases have."""
    if not has_own_threshold(definition):
        return definition
    rule, number = definition.axes["relevance"], more_than(definition.axes["relevance"])
    is_above = float(rule) > _REACHED if number is None else number >= _REACHED
    return definition.with_(relevance=f"{_REACHED:g}") if is_above else definition


def threshold_bracket(definition: Definition, evidence: Evidence, tolerance: Tolerance) -> Bracket:
    """Return the gains of the answered probes between which the threshold of a definition that fits them lies.

    A gain is known to be irrelevant if the answers contradict the definition to which it is relevant, and vice versa.
    """
    rule, evidence = definition.axes["relevance"], _described(definition, evidence)
    above = more_than(rule)
    answered = [probe for probe, known in zip(evidence.probes, evidence.measured, strict=True) if known]
    gains = sorted({gain for probe in answered for gain in probe.case.truth.gain.tolist() if gain > 0})
    relevant = [gain for gain in gains if (gain >= float(rule) if above is None else gain > above)]

    def is_wrong(other: str) -> bool:
        wrong = contradictions(definition.with_(relevance=other), evidence, tolerance)
        return bool(wrong.any())

    low = next((each for each in gains[: len(gains) - len(relevant)][::-1] if is_wrong(f"{each:.10g}")), 0.0)
    return Bracket(low, next((each for each in relevant if is_wrong(f"above_{each:.10g}")), inf))


def _described(definition: Definition, evidence: Evidence) -> Evidence:
    """Leave out the cases with ties or repeats of which the definition has no rule: its value there says nothing."""
    return evidence.only(~undescribed_cases(undescribed_axes(definition), evidence.problem))


def own_threshold(fit: Fit, evidence: Evidence) -> Bracket | None:
    """Return where the threshold of a function's own lies; None unless all fitting definitions agree on one."""
    if not isinstance(fit, Fitting) or len({each.axes.get("relevance") for each in fit.definitions}) > 1:
        return None
    if not has_own_threshold(fit.definitions[0]):
        return None
    return threshold_bracket(fit.definitions[0], evidence, fit.tolerance)


def threshold_questions(fit: Fitting, evidence: Evidence, k: int | None = None) -> tuple[Probe, ...]:
    """Return the next inputs that tell where the threshold of a function's own lies; none if nothing is left to ask.

    Args:
        fit: The definitions that fit the answers.
        evidence: All inputs asked, with the answers.
        k: The only cut-off to ask at; None for several.
    """
    bracket, asked = own_threshold(fit, evidence), {probe.name for probe in evidence.probes}
    if bracket is None:
        return ()
    return tuple(each for each in threshold_probes(fit.definitions[0], bracket, k) if each.name not in asked)


def with_told_threshold(fit: Fitting, evidence: Evidence) -> Fitting:
    """Return the fit with the threshold that the answers tell; as it is where no threshold gives them.

    Args:
        fit: The fit to the answers before those to :func:`threshold_questions`.
        evidence: All inputs asked, with the answers.
    """
    if own_threshold(fit, evidence) is None:
        return fit
    before, evidence = fit.definitions[0], _described(fit.definitions[0], evidence)
    chosen = (probe for probe in evidence.probes if probe.case.why.startswith(_WHY))
    asked = sorted({gain for each in chosen for gain in each.case.truth.gain.tolist() if gain > 0})
    rules = (before.axes["relevance"], *(f"{rule}{gain:.10g}" for gain in asked for rule in ("", "above_")))
    fitting = survivors([before.with_(relevance=rule) for rule in rules], evidence, fit.tolerance)[0]
    if not fitting:
        return fit
    rule = threshold_bracket(fitting[0], evidence, fit.tolerance).rule
    return replace(fit, definitions=tuple(each.with_(relevance=rule) for each in fit.definitions))


def threshold_probes(definition: Definition, bracket: Bracket, k: int | None = None) -> tuple[Probe, ...]:
    """Return an input for each gain to ask about next, whose answer tells if it is relevant; none where none tells.

    Args:
        definition: The definition, but for its threshold.
        bracket: Where its threshold lies.
        k: The only cut-off to ask at; None for several.
    """
    probes = [_probe(definition, gain, bracket.relevant, k) for gain in bracket.gains()]
    return tuple(probe for probe in probes if probe is not None)


def _probe(definition: Definition, gain: float, relevant: float, k: int | None) -> Probe | None:
    """Return the first input on which the definition's value tells if a gain is relevant."""
    included, left_out = (definition.with_(relevance=f"{rule}{gain:.10g}") for rule in ("", "above_"))
    for probe in _inputs(gain, 2 * relevant, k):
        problem = problem_of([probe])
        one, two = (evaluate(each, problem) for each in (included, left_out))
        if np.isfinite([*one.mean, *two.mean]).all() and abs(one.mean[0] - two.mean[0]) > GAP:
            return probe
    return None


def _inputs(gain: float, larger: float, k: int | None) -> Sequence[Probe]:
    """Return inputs of one user with an item of the gain, beside others that are relevant by any rule."""
    rows = (
        ((larger, gain, 0, 0), 2), ((0, gain, 0, larger), 3), ((gain, 0, 0), 1), ((0, gain, larger, 0), 2),
        ((larger, 0, 0), 1),
    )  # fmt: skip
    return [_of_rows(gain, ranked, larger, cut, k) for ranked, cut in rows]


def _of_rows(gain: float, ranked: tuple[float, ...], larger: float, cut: int, k: int | None) -> Probe:
    """Return the input with a list of these gains, and with relevant items that are not in it.

    Where the list lacks the gain in question, an item of it is missed. For a larger cut-off than ``cut``, irrelevant
    items are put on top.
    """
    top = max(0, (k or cut) - cut)
    row = (*(0.0,) * top, *ranked)
    rec = [(1, 10 + place, 1 - place / (len(row) + 1)) for place in range(len(row))]
    missed = (larger,) if gain in ranked else (larger, gain)
    truth = [(1, 10 + place, value) for place, value in enumerate(row) if value]
    truth += [(1, _MISSED + place, value) for place, value in enumerate(missed)]
    name = f"is a gain of {gain:.10g} relevant, {' '.join(f'{each:.10g}' for each in row)}, k {k or cut}"
    case = case_from_rows(name, rec, truth, why=f"{_WHY} of gain {gain:.10g} relevant?")
    return Probe(Kind("distinguishing"), case, k or cut)


def _beside(gain: float) -> float:
    return _BESIDE * 10.0 ** max(0, floor(log10(gain))) if 0 < gain < inf else 0.0


def _is_multiple(number: float, step: float) -> bool:
    return abs(number / step - round(number / step)) < 1e-6
