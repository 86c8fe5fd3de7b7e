"""The summary of one in-house function: the definition that it computes, and what it could not be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from recsys_metric_audit.audit.findings.evidence_summary import probe_range
from recsys_metric_audit.audit.findings.finding import Subject, make_finding
from recsys_metric_audit.audit.identification.steps import identify
from recsys_metric_audit.audit.inhouse.function_inputs import FunctionInputs, are_alike, describe_probe
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, Shape
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.candidates import distinct
from recsys_metric_audit.audit.observations.evidence import gather_evidence
from recsys_metric_audit.audit.observations.fit import Contradicted, Fit, Fitting
from recsys_metric_audit.audit.observations.nobody_left import with_rule_for_nobody
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Crashed, Errored, Measured, Outcome, TimedOut
from recsys_metric_audit.audit.questions.threshold_cases import Bracket, own_threshold
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import Key
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.wording.meanings import open_cutoff


@dataclass(frozen=True, eq=False)
class Summary:
    """The finding about a function, and the axes that its calls could not show.

    ``refusals`` counts the calls that gave no number, by what happened; ``refused_inputs`` has the first input of each.
    ``one_k`` tells that the function was asked at a single cut-off; ``threshold`` where the function's own one lies,
    if it has one.
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
        own = self.finding.model_dump(mode="json")
        names = (
            "status",
            "reason",
            "verdict",
            "formula",
            "definition",
            "differs_on",
            "levels",
            "unknown",
            "classes",
            "witness",
            "evidence",
        )
        return {
            "function": self.finding.function, "metric": self.finding.metric, "signature": self.signature,
            **{name: own[name] for name in names}, "equivalent": list(self.equivalent),
            "not_asked": list(self.not_asked), "refusals": dict(self.refusals),
            "threshold": self.threshold._asdict() if self.threshold is not None else None,
            "refused_inputs": dict(self.refused_inputs),
        }  # fmt: skip


def summarise(
    name: str,
    metric: str,
    observation: Observation,
    inputs: FunctionInputs,
    shape: Shape = DEFAULT,
    *,
    cutoff: bool = True,
    fit: Fit | None = None,
) -> Summary:
    """Tell what a function computes.

    Args:
        name: the function's name.
        metric: the metric whose name it bears.
        observation: its answers.
        inputs: the inputs of its calls.
        shape: how it was called.
        cutoff: whether it was given a cut-off, or asked at the only one that it has.
        fit: the definitions that fit its answers; None to identify them.
    """
    subject = Subject("in-house", "", _function(name, metric, shape, cutoff=cutoff))
    k = inputs.k if cutoff else None
    refused = _refused_inputs(observation, inputs)
    known, without_data = _known(observation, inputs, cutoff=cutoff), _refusal(observation.data.get(inputs.k))
    data = Problem.of([inputs.data], k)
    fit = fit or fit_of(metric, observation, inputs, shape, cutoff=cutoff)
    unseen = _unseen(fit, metric, shape)
    made = make_finding(subject, k, known, _as_shown(fit, unseen, shape), data)
    told = {**made.evidence.range, **probe_range(inputs.every)}
    if not known.data:
        why = f"on it, the function {without_data}" if without_data else "nothing larger was asked"
        told |= {"data": f"not compared: {why}"}
    made = made.model_copy(update={"evidence": made.evidence.model_copy(update={"range": told})})
    counts = {words: len(where) for words, where in refused.items()}
    between = own_threshold(fit, gather_evidence(observation.probes, inputs.every))
    return Summary(made, unseen, counts, inputs.one_k, {words: where[0] for words, where in refused.items()}, between)


def fit_of(
    metric: str, observation: Observation, inputs: FunctionInputs, shape: Shape = DEFAULT, *, cutoff: bool = True
) -> Fit:
    """Identify the definitions that fit the answers of a function; see :func:`summarise`."""
    known, data = _known(observation, inputs, cutoff=cutoff), Problem.of([inputs.data], inputs.k if cutoff else None)
    function = _function("", metric, shape, cutoff=cutoff)
    fit = identify(function, known, data).fit
    assert fit is not None
    return with_rule_for_nobody(fit, known) if isinstance(fit, Fitting) else fit


def _function(name: str, metric: str, shape: Shape, *, cutoff: bool) -> Function:
    about = {"name": name or "function", "metric": metric, "cutoff": cutoff, **_contract(shape)}
    return Function.model_validate(about)


def _known(observation: Observation, inputs: FunctionInputs, *, cutoff: bool) -> Observation:
    """Return the answers, with the larger input under its cut-off; without it where the function refused only that."""
    if not any(isinstance(outcome, Measured) for outcome in observation.probes.values()):
        return observation
    if _refusal(observation.data.get(inputs.k)):
        return replace(observation, data={})  # what the probes tell stands
    return (
        observation if cutoff or not observation.data else replace(observation, data={None: observation.data[inputs.k]})
    )


def _contract(shape: Shape) -> dict[str, Any]:
    """Return the contract of a function that no call of this shape can show some axes of."""
    if not shape.not_shown:
        return {}
    return {"called_with": [{"what": shape.call, "decides": shape.not_shown}]}


def _unseen(fit: Fit, metric: str, shape: Shape) -> tuple[str, ...]:
    """Return the axes that no call showed, in signature order: of the metric found, else of the one named."""
    names = {*fit.unidentified_axes, *shape.not_shown, *_alike_with_one(fit, shape)}
    family = fit.definitions[0].family if fit.definitions else Definition.of(metric).family
    return tuple(axis.name for axis in family.all_axes if axis.name in names)


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
    """Return the fit with unseen axes at their canonical values, and without definitions that are not told apart."""
    if isinstance(fit, Contradicted):
        return replace(fit, unidentified_axes=unseen)
    shown = tuple(distinct(canonical_on(each, unseen) for each in fit.definitions))
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


def canonical_on(definition: Definition, axes: tuple[str, ...]) -> Definition:
    """Return the definition with ``axes`` at their canonical values."""
    canonical = definition.family.canonical
    return definition.with_(**{axis: canonical[axis] for axis in axes if axis in canonical})


def _refused_inputs(observation: Observation, inputs: FunctionInputs) -> dict[str, list[str]]:
    """Return the inputs on which a function gave no number, in words, by what happened, in the order asked."""
    found: dict[str, list[str]] = {}
    probes = {probe.name: f"k = {probe.k}, {describe_probe(probe)}" for probe in inputs.every}
    for name, outcome in observation.probes.items():
        if words := _refusal(outcome):
            found.setdefault(words, []).append(probes[name])
    if words := _refusal(observation.data.get(inputs.k)):
        found.setdefault(words, []).append(f"k = {inputs.k}, {inputs.data.why or 'a larger input of several users'}")
    return found


def _refusal(outcome: Outcome | None) -> str:
    match outcome:
        case Errored(error, message, _):
            return f"{error}: {message}"
        case Crashed(code, _, True):
            return f"ended its process (exit code {code})"
        case TimedOut(seconds, True):
            return f"gave no answer within {seconds:g} s"
        case Crashed() | TimedOut():
            return "was not asked any more: it had ended its process or given no answer too often"
        case _:
            return ""
