"""Sums up one own function: the definition that it computes, in what scope, and what is not known of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.findings.finding import Subject, make_finding, probe_range
from recsys_metric_audit.audit.inhouse.function_inputs import are_alike, describe_probe
from recsys_metric_audit.audit.inhouse.identification import Identified
from recsys_metric_audit.audit.inhouse.near_fit import (
    contradicting,
    misfit_example,
    scaled_evidence,
)
from recsys_metric_audit.audit.inhouse.shapes import Shape
from recsys_metric_audit.audit.observations.candidates import distinct
from recsys_metric_audit.audit.observations.canonical import canonical_on
from recsys_metric_audit.audit.observations.evidence import evaluate_cached, gather_evidence, smallest_probe
from recsys_metric_audit.audit.observations.fit import Contradicted, Fit
from recsys_metric_audit.audit.observations.user_states import undescribed_axes
from recsys_metric_audit.audit.process.protocol import Crashed, Errored, Outcome, TimedOut
from recsys_metric_audit.audit.questions.threshold_cases import Bracket, own_threshold
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import Key
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reference.space.metric import Metric
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.model.statement import WHOLE, AxisStatement, Scope
from recsys_metric_audit.reports.wording.meanings import open_cutoff

Bools = NDArray[np.bool_]
_UNCONFIRMED = ("agrees", "variant", "undocumented", "ambiguous")
"""The verdicts that need all checks."""
NOT_ASKED = "was not asked any more: it had ended its process or given no answer too often"
_VISIBLE = 1e-6
_REFUSED, _NAN = -7.0, -6.0  # no value is as low


@dataclass(frozen=True, eq=False)
class Summary:
    """Holds the finding about a function, and how far it goes.

    Attributes:
        finding: The finding.
        not_asked: The axes that no answer shows: they are taken as canonical.
        refusals: How many calls gave no number, by what happened.
        one_k: Whether the function was asked at a single cut-off.
        refused_inputs: The first input of each refusal, in words.
        threshold: Where the function's own threshold lies, if it has one.
    """

    finding: Finding
    not_asked: tuple[str, ...]
    refusals: Mapping[str, int]
    one_k: bool = False
    refused_inputs: Mapping[str, str] = field(default_factory=dict)
    threshold: Bracket | None = None

    @property
    def signature(self) -> str | None:
        """Return the signature, with ``@k`` left open if several cut-offs were asked; None if none fits."""
        return self._with_cutoff(self.finding.signature) if self.finding.signature else None

    @property
    def equivalent(self) -> tuple[str, ...]:
        """Return the other signatures that fit as well."""
        return tuple(self._with_cutoff(each) for each in self.finding.equivalent)

    def _with_cutoff(self, signature: str) -> str:
        opened = open_cutoff(signature)
        return opened.replace("@k", f"@{self.finding.k}", 1) if self.one_k else opened

    def as_json(self) -> dict[str, Any]:
        """Return the summary as JSON values."""
        own = self.finding
        whole = {"evidence", "near", "reason", "status", "unchecked", "verdict", "witness"}
        near = {} if own.near is None else {"near": own.near.model_dump(mode="json") | {"scope": str(own.near.scope)}}
        return {
            "function": own.function, "metric": own.metric, "signature": self.signature,
            **own.model_dump(mode="json", include=whole), **near, "formula": own.formula, "definition": own.definition,
            "differs_on": list(own.differs_on), "levels": own.levels, "unknown": list(own.unknown),
            "classes": list(own.classes), "no_rule": own.no_rule, "scope": str(own.scope),
            "equivalent": list(self.equivalent), "not_asked": list(self.not_asked), "refusals": dict(self.refusals),
            "threshold": self.threshold._asdict() if self.threshold is not None else None,
            "refused_inputs": dict(self.refused_inputs),
        }  # fmt: skip


def summarise(name: str, found: Identified) -> Summary:
    """Tell what a function computes.

    Args:
        name: The function's name.
        found: What was identified.
    """
    call, shape, inputs, observation = found.call, found.call.shape, found.inputs, found.observation
    k = inputs.k if call.cutoff else None
    subject = Subject("in-house", "", call.function(name, found.metric))
    acting = _acting(found)
    unseen = _unseen(found)
    trial = replace(found.trial, diagnosis=replace(found.trial.diagnosis, fit=_as_shown(found.fit, unseen, shape)))
    made = make_finding(subject, k, observation, trial.diagnosis.fit, Problem.of([found.data], k), trial)
    told = {**made.evidence.range, **probe_range(inputs.every)} | ({"gains": "1"} if call.scope.gains_of_1 else {})
    if not observation.data:
        told |= {"data": "not compared: the function gave no number on it"}
    made = made.model_copy(update={"evidence": made.evidence.model_copy(update={"range": told})})
    unchecked = found.unchecked if made.verdict in _UNCONFIRMED else ()
    axes = {
        axis: made.axes.get(axis, AxisStatement(kind="unknown")).model_copy(update={"no_rule": case})
        for axis, case in _without_rule(found, acting).items()
    }
    said = {"scope": call.scope, "near": found.near, "unchecked": unchecked, "axes": {**made.axes, **axes}}
    made = made.model_copy(update=said | _in_scope(made, call.scope) | ({"verdict": None} if unchecked else {}))
    refused = _refused_inputs(found)
    counts = {words: len(where) for words, where in refused.items()}
    between = own_threshold(found.fit, gather_evidence(observation.probes, found.asked))
    hidden = {*unseen, *_hidden_misses(found)}
    not_asked = tuple(axis.name for axis in _family(found).all_axes if axis.name in hidden and axis.name not in acting)
    return Summary(
        made, not_asked, counts, inputs.one_k, {words: where[0] for words, where in refused.items()}, between
    )


def _in_scope(finding: Finding, scope: Scope) -> dict[str, Any]:
    """Return what of a finding is told otherwise in a scope: what it says of numbers was compared in it only."""
    if scope == WHOLE or finding.signature is None:
        return {}
    numbers = {"witness": None, "effect": None, "value": None, "decomposition": ()}
    # No source states a definition turned round or scaled.
    return (
        {**numbers, "verdict": "undocumented"} if scope.times and finding.verdict in ("agrees", "variant") else numbers
    )


def _acting(found: Identified) -> dict[str, Bools]:
    """Return the axes without a value though answers show them, each with a mask of misfits to all its values.

    An axis acts on an input where two of its values have two results; it is shown by inputs on which no other open
    axis acts, where one of its values contradicts the answer.
    """
    fit = found.fit
    if not fit.definitions:
        return {}
    definition = fit.definitions[0]
    asked = tuple(each for each in found.asked if each.name in found.observation.probes)
    evidence = scaled_evidence(found.observation, asked)
    others: dict[str, list[Definition]] = {}
    for axis in (*fit.unidentified_axes, *undescribed_axes(definition)):
        if axis in definition.axes and axis not in found.call.shape.not_shown:
            values = (value for value in definition.family.axis(axis).names if value not in WITHOUT_RULE)
            made = (definition.with_(**{axis: value}) for value in values)
            others[axis] = [each for each in made if not each.family.refusal(each.axes)]
    acts = {axis: _differ(own, evidence.problem) for axis, own in others.items()}
    number = np.sum(list(acts.values()), axis=0)
    shown = dict[str, Bools]()
    for axis, own in others.items():
        alone = acts[axis] & (number == 1)
        wrong = np.array([contradicting(each, evidence, found.observation) & alone for each in own])
        if wrong.any():
            shown[axis] = wrong
    return shown


def _differ(definitions: Sequence[Definition], problem: Problem) -> Bools:
    """Return a mask of the cases on which two of some definitions have two results."""
    made = [evaluate_cached(each, problem) for each in definitions]
    results = np.array([np.where(each.refused, _REFUSED, np.nan_to_num(each.mean, nan=_NAN)) for each in made])
    out: Bools = np.abs(results - results[:1]).max(axis=0) > _VISIBLE
    return out


def _without_rule(found: Identified, acting: Mapping[str, Bools]) -> dict[str, str]:
    """Return the axes of which every value misfits an answer, each with the smallest case that shows it, in words."""
    fit, told = found.fit, dict[str, str]()
    asked = tuple(each for each in found.asked if each.name in found.observation.probes)
    for axis, wrong in acting.items():
        definition = canonical_on(fit.definitions[0], [axis])
        if wrong.any(axis=1).all():
            of_all: Bools = np.all(wrong, axis=0)
            of_first: Bools = wrong[0]
            probe = smallest_probe(asked, of_all if of_all.any() else of_first)
            assert probe is not None
            told[axis] = misfit_example(definition, WHOLE, probe, found.observation)
    return told


def _family(found: Identified) -> Metric:
    """Return the family of the metric found, else of the one named."""
    fit = found.fit
    return fit.definitions[0].family if fit.definitions else Definition.of(found.metric).family


def _unseen(found: Identified) -> tuple[str, ...]:
    """Return the axes that no call showed, in signature order."""
    fit, shape = found.fit, found.call.shape
    names = {*fit.unidentified_axes, *shape.not_shown, *_alike_with_one(fit, shape)}
    return tuple(axis.name for axis in _family(found).all_axes if axis.name in names)


def _hidden_misses(found: Identified) -> tuple[str, ...]:
    """Return the axis of users without a hit where no call can have one: labels of whole lists hold all hits."""
    whole = bool(found.fit.definitions) and all(each.axes.get("cutoff") == "none" for each in found.fit.definitions)
    return ("no_hit",) if whole and not found.call.shape.unlisted else ()


def _alike_with_one(fit: Fit, shape: Shape) -> set[str]:
    """Return the axes that one relevant item does not show: another value fits all inputs as the canonical one does.

    Its gain over the ideal, the relevant items and those found are the same number.
    """
    if not shape.one:
        return set()
    own = {Key(each) for each in fit.definitions}
    unknown = {axis for axis in fit.unidentified_axes if level_of(axis) == "formula"}
    return unknown | {
        axis
        for each in fit.definitions
        for axis in shortest(each).differs_on
        if Key(canonical_on(shortest(each), (axis,))) in own
    }


def _as_shown(fit: Fit, unseen: tuple[str, ...], shape: Shape) -> Fit:
    """Return the fit with unseen axes at their canonical values, and without definitions that are not told apart.

    Identification left an axis of order or edges whose value it does not know canonical unless that is refuted.
    """
    if isinstance(fit, Contradicted):
        return replace(fit, unidentified_axes=unseen)
    first, kept = fit.definitions[0], {*fit.unidentified_axes}.difference(shape.not_shown)
    kept = {axis.name for axis in first.family.all_axes if axis.name in kept and axis.part in ("edges", "order")}
    kept = {axis for axis in kept if first.axes[axis] not in WITHOUT_RULE}
    shown = tuple(distinct(canonical_on(each, tuple({*unseen} - kept)) for each in fit.definitions))
    unknown = tuple(axis for axis in unseen if axis not in _alike_with_one(fit, shape))
    told = _told_apart(shown, shape)
    ambiguity = fit.ambiguity if len(told) > 1 else None
    return replace(fit, definitions=told, unidentified_axes=unknown, ambiguity=ambiguity)


def _told_apart(definitions: Sequence[Definition], shape: Shape) -> tuple[Definition, ...]:
    """Return the first of all definitions that no call of this shape tells apart."""
    told: list[Definition] = []
    for each in definitions:
        if not any(are_alike(each, other, shape) for other in told):
            told.append(each)
    return tuple(told)


def _refused_inputs(found: Identified) -> dict[str, list[str]]:
    """Return the inputs on which a function gave no number, in words, by what happened, in the order asked."""
    refused: dict[str, list[str]] = {}
    asked = [probe for probe in found.asked if refusal_words(found.observation.probes.get(probe.name))]
    for probe in asked:
        words = refusal_words(found.observation.probes[probe.name])
        refused.setdefault(words, []).append(f"k = {probe.k}, {describe_probe(probe)}")
    if words := refusal_words(found.on_data):
        why = found.data.why or "a larger input of several users"
        refused.setdefault(words, []).append(f"k = {found.inputs.k}, {why}")
    return refused


def refusal_words(outcome: Outcome | None) -> str:
    """Say why there is no number; empty if there is one."""
    match outcome:
        case Errored(error, message, _):
            return f"{error}: {message}"
        case Crashed(code, _, True):
            return f"ended its process (exit code {code})"
        case TimedOut(seconds, True):
            return f"gave no answer within {seconds:g} s"
        case Crashed() | TimedOut():
            return NOT_ASKED
        case _:
            return ""
