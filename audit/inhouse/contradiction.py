"""Compares a function with the definition that is expected of it, and finds an input that contradicts it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.inhouse.execution import run_here
from recsys_metric_audit.audit.inhouse.function_inputs import FunctionInputs, are_alike, describe_probe, function_inputs
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, Shape
from recsys_metric_audit.audit.inhouse.summary import Summary, canonical_on, fit_of, summarise
from recsys_metric_audit.audit.inhouse.target import Expectation, check_scores_passed, only_cutoff, parse_expected
from recsys_metric_audit.audit.observations.evidence import Evidence, contradictions, gather_evidence, smallest_probe
from recsys_metric_audit.audit.observations.observation import Observation, infer_tolerance, scalar
from recsys_metric_audit.audit.process.protocol import Errored, Measured
from recsys_metric_audit.audit.questions.threshold_cases import fit_after_questions, threshold_questions
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.catalogue import variants_of
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.space.levels import LEVELS, by_level, level_of
from recsys_metric_audit.reports.model.level_meaning import LEVEL_TITLES, LevelMeaning, level_meaning
from recsys_metric_audit.reports.wording.meanings import open_cutoff

_SCALES = (1, 100)
"""Factors by which a definition's values may be multiplied: none, or a hundred for percent."""
_NEAR = 0.5
"""The share of answers that a definition must give to be told as near."""


def mismatch(function: Callable[..., Any], signature: str, *, shape: Shape = DEFAULT, k: int | None = None) -> str:
    """Run a function in this process and explain in lines why it does not compute ``signature``; empty if it does.

    Args:
        function: the function.
        signature: the signature that is expected of it.
        shape: how it is called.
        k: the only cut-off to ask at.

    Raises:
        UserError: for a signature that does not parse, or with an axis that such a call cannot show.
    """
    wanted = parse_expected(signature)
    check_scores_passed(wanted.definition.metric, shape)
    inputs = function_inputs(shape, only_cutoff(wanted, k))
    observation = run_here(function, inputs, shape)
    name = getattr(function, "__name__", "function")
    metric = wanted.definition.metric
    first = fit = fit_of(metric, observation, inputs, shape)
    chosen: list[Probe] = []
    while probes := threshold_questions(fit, gather_evidence(observation.probes, inputs.every), inputs.only_k):
        answers = run_here(function, replace(inputs, probes=probes, further=()), shape).probes
        inputs = replace(inputs, further=(*inputs.further, *probes))
        observation = replace(observation, probes={**observation.probes, **answers}, further_probes=inputs.further)
        chosen += probes
        fit = fit_after_questions(first, observation, inputs.every, chosen)
    summary = summarise(name, metric, observation, inputs, shape, fit=fit)
    return contradiction(wanted, summary, observation, inputs, shape)


def contradiction(
    expectation: Expectation, summary: Summary, observation: Observation, inputs: FunctionInputs, shape: Shape
) -> str:
    """Explain in lines why a function does not compute ``expectation``; empty if it does.

    The formula has to be the expected one. Who counts and input handling have to be so only on the axes that the
    expected signature names.

    Args:
        expectation: the expected definition.
        summary: what the function computes.
        observation: its answers.
        inputs: the inputs of its calls.
        shape: how it was called: no difference is one that such calls cannot show.

    Raises:
        UserError: if ``expectation`` has an axis that the call cannot show.
    """
    wanted = shortest(expectation.definition).with_(k="k")
    hidden = [axis for axis in wanted.differs_on if axis in summary.not_asked]
    if hidden:
        raise UserError(
            f"{expectation.definition.signature()} cannot be checked: this call does not show {', '.join(hidden)}",
            "leave it out, or let the function take DataFrames (--frames, frames=True)",
        )
    found = level_meaning(summary.finding)
    fitting = [parse(formula).with_(**_other_levels(found, parse(formula))) for formula in found.formulas]
    wanted = complete(expectation, found)
    if any(are_equal(wanted, each) for each in fitting):
        return ""
    example = _smallest_example(wanted, observation, inputs)
    if fitting and not example:
        if expectation.named & set(found.unknown):
            return ""  # what it names was not identified, and no answer speaks against it
        if any(are_alike(wanted, each, shape) for each in fitting):
            return ""
    lines = [f"expected   {open_cutoff(expectation.text)}"]
    lines.append(f"computes   {found.signature if fitting else _no_definition(summary)}")
    if fitting:
        lines += [f"differs    {each}" for each in differing_axes(wanted, fitting[0])]
    return "\n".join([*lines, *example])


def complete(expectation: Expectation, found: LevelMeaning) -> Definition:
    """Return the expected definition, with every axis of another level that it does not name as it was found."""
    wanted = expectation.definition.with_(k="k")
    others = {axis: value for axis, value in _other_levels(found, wanted).items() if axis not in expectation.named}
    completed = wanted.with_(**others)
    return wanted if completed.family.refusal(completed.axes) else completed


def _other_levels(found: LevelMeaning, definition: Definition) -> dict[str, str]:
    return {axis: value for axis, value in (found.who_counts | found.input).items() if axis in definition.axes}


def _no_definition(summary: Summary) -> str:
    found = summary.finding
    if found.verdict is None:
        return f"nothing: {found.reason}"
    if found.verdict == "unstable":
        return "different values when it is asked the same again"
    nearest = found.evidence.nearest
    near = f"; nearest {open_cutoff(nearest.signature)}, off by {nearest.deviation:.3g}" if nearest else ""
    return f"nothing that the definition space holds{near}"


def differing_axes(expected: Definition, found: Definition) -> list[str]:
    """Return a line for each axis on which two definitions differ, with both values and the level."""
    if expected.metric != found.metric:
        return [f"the metric: {expected.metric} expected, {found.metric} found"]
    one, other = shortest(expected).axes, shortest(found).axes
    differing = sorted(
        (axis for axis in one if one[axis] != other[axis]), key=lambda axis: LEVELS.index(level_of(axis))
    )
    return [f"{axis}: {one[axis]} expected, {other[axis]} found ({LEVEL_TITLES[level_of(axis)]})" for axis in differing]


def misfit(nearest: Definition | None, metric: str, observation: Observation, inputs: FunctionInputs) -> str:
    """Say how many answers the best definition gives, and show the smallest input on which it gives another one.

    Args:
        nearest: the nearest definition of the search, by what plain inputs show; None if it had none.
        metric: the metric whose documented formulas are held against the answers, too.
        observation: the answers.
        inputs: the inputs of the calls.
    """
    documented = (_formula_alone(variant.definition).with_(k="k") for variant in variants_of(metric))
    tried = list(dict.fromkeys([*([nearest.with_(k="k")] if nearest is not None else []), *documented]))
    problem = Problem.of([probe.case for probe in inputs.every], [probe.k for probe in inputs.every])
    held = [
        (each, scale, *_held_against(each, observation, inputs, problem, scale))
        for each in tried for scale in _SCALES
    ]  # fmt: skip
    best, scale, evidence, wrong = min(held, key=lambda each: (each[3].sum(), each[1], len(each[0].differs_on)))
    fitting = evidence.answered - int(wrong.sum())
    name = f"{'' if scale == 1 else f'{scale} times '}{open_cutoff(best.signature())}"
    near = fitting >= _NEAR * evidence.answered
    cases = f"{fitting} of {evidence.answered} cases"
    text = f"{cases} as {name}" if near else f"nothing well, {cases} as {name} at best"
    probe = smallest_probe(inputs.every, wrong)
    if probe is None:
        return text
    right = scale * float(evaluate(best, Problem.of([probe.case], [probe.k])).mean[0])
    example = f"k = {probe.k}, {describe_probe(probe)}: {right:.6g} by that, {_answer(observation, probe)}"
    return f"{text}; the smallest that does not: {example}"


def _formula_alone(definition: Definition) -> Definition:
    """Return a definition that is canonical in who counts and in input, not written shortest, which takes long."""
    axes = by_level(definition.axes)
    return canonical_on(definition, (*axes["who_counts"], *axes["input"]))


def _held_against(
    definition: Definition,
    observation: Observation,
    inputs: FunctionInputs,
    problem: Problem | None = None,
    scale: int = 1,
) -> tuple[Evidence, NDArray[np.bool_]]:
    """Return all answers, over a scale, and a mask of the probes that contradict a definition."""
    problem = problem or Problem.of([probe.case for probe in inputs.every], [probe.k for probe in inputs.every])
    width = infer_tolerance([*observation.probes.values(), *observation.data.values()])
    evidence = gather_evidence(observation.probes, inputs.every, problem)
    if scale != 1:
        evidence = replace(evidence, value=evidence.value / scale, user_value=evidence.user_value / scale)
    return evidence, contradictions(definition, evidence, width)[0]


def _smallest_example(wanted: Definition, observation: Observation, inputs: FunctionInputs) -> list[str]:
    """Return lines with the smallest case that contradicts ``wanted``, and both values."""
    _, wrong = _held_against(wanted, observation, inputs)
    probe = smallest_probe(inputs.every, wrong)
    if probe is None:
        return []
    right = float(evaluate(wanted, Problem.of([probe.case], [probe.k])).mean[0])
    answer = _answer(observation, probe)
    return [f"for example k = {probe.k}, {describe_probe(probe)}", f"           {right:.6g} expected, {answer}"]


def _answer(observation: Observation, probe: Probe) -> str:
    outcome = observation.probes[probe.name]
    if isinstance(outcome, Errored):
        return f"it raised {outcome.error}: {outcome.message}"
    if not isinstance(outcome, Measured):
        return "it gave no answer"
    value = scalar(outcome)
    if value is None and outcome.values is not None:
        return f"it returned {', '.join(f'{each:.6g}' for each in outcome.values)} for its users"
    return f"it returned {value:.6g}"
