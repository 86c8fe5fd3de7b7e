"""Compares a function with the definition that is expected of it, and finds an input that contradicts it."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.inhouse.call import was_asked
from recsys_metric_audit.audit.inhouse.function_inputs import are_alike, describe_probe
from recsys_metric_audit.audit.inhouse.identification import Identified
from recsys_metric_audit.audit.inhouse.near_fit import answer, apart, contradicting, scaled_evidence
from recsys_metric_audit.audit.inhouse.summary import Summary, refusal_words
from recsys_metric_audit.audit.inhouse.target import Expectation
from recsys_metric_audit.audit.observations.evidence import smallest_probe
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import evaluate
from recsys_metric_audit.reference.space.levels import LEVELS, level_of
from recsys_metric_audit.reports.model.level_meaning import LEVEL_TITLES, LevelMeaning, level_meaning
from recsys_metric_audit.reports.wording.meanings import open_cutoff


def contradiction(expectation: Expectation, summary: Summary, found: Identified, several: str | None) -> str:
    """Explain in lines why a function does not compute ``expectation``; empty if it does.

    The formula has to be the expected one, for every input as it stands, on larger data and held-out inputs too. Who
    counts and input handling have to be so only on the axes that the expected signature names, but a number has to
    come wherever the definition has one, unless it names the refusal (``no_list:error``). A function that takes a batch
    of users has to give their values or the mean.

    Args:
        expectation: The expected definition.
        summary: What the function computes.
        found: Its answers, and the inputs of its calls.
        several: What it gives of several users in one call, if that is neither their values nor the mean.

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
    meaning = level_meaning(summary.finding)
    lines = (
        _missing(complete(expectation, meaning, errors=False), found)
        or _difference(expectation, summary, found, meaning)
        or _no_rule(expectation, summary)
        or ([f"several    {several}"] if several else [])
        or [f"no number  {each}" for each in summary.finding.unchecked]
    )
    return "\n".join([f"expected   {open_cutoff(expectation.text)}", *lines]) if lines else ""


def _difference(expectation: Expectation, summary: Summary, found: Identified, meaning: LevelMeaning) -> list[str]:
    """Return lines on what a function computes instead of the expected definition; empty if it computes that."""
    wanted = complete(expectation, meaning)
    fitting = [parse(formula).with_(**_other_levels(meaning, parse(formula))) for formula in meaning.formulas]
    fitting = fitting if found.call.is_as_asked else []
    if any(are_equal(wanted, each) for each in fitting):
        return []
    example = _smallest_example(wanted, found) if found.call.is_as_asked else []
    if fitting and not example:
        if expectation.named & set(meaning.unknown):
            return []  # what it names was not identified, and no answer speaks against it
        if any(are_alike(wanted, each, found.call.shape) for each in fitting):
            return []
    lines = [f"computes   {meaning.signature if fitting else _no_definition(summary)}"]
    if fitting:
        told = {each: each.partition(":")[0] for each in differing_axes(wanted, fitting[0])}
        lines += [
            f"differs    {each}"
            for each, axis in told.items()
            if axis not in wanted.axes or axis in expectation.named or level_of(axis) == "formula"
        ]
    return [*lines, *example]


def _no_rule(expectation: Expectation, summary: Summary) -> list[str]:
    """Return lines on the axes that the expectation names and for which the answers follow none of the known rules."""
    rules = summary.finding.no_rule
    return [
        f"differs    {axis}: {expectation.definition.axes[axis]} expected, the answers follow none of the known rules"
        f" ({LEVEL_TITLES[level_of(axis)]}); {rules[axis]}"
        for axis in sorted(expectation.named & rules.keys())
    ]


def _missing(wanted: Definition, found: Identified) -> list[str]:
    """Return lines on the inputs for which the expected definition has a number and the function gives none.

    Users without relevant items do not count where a call has one user: who calls it decides whether it is asked.
    """
    observation, shape = found.observation, found.call.shape
    silent = [
        probe
        for probe in found.asked
        if refusal_words(observation.probes.get(probe.name)) and (shape.users or _all_have_gains(probe))
    ]
    problem = problem_of(silent)
    made = evaluate(wanted, problem) if silent else None
    values = [] if made is None else np.where(made.refused, np.nan, made.mean).tolist()
    missing = [(probe, value) for probe, value in zip(silent, values, strict=True) if value == value]
    if not missing:
        return []
    probe, right = min(missing, key=lambda each: (not was_asked(observation.probes[each[0].name]), each[0].size))
    return [
        f"no number  in {len(missing)} cases in which it has one",
        f"for example k = {probe.k}, {describe_probe(probe)}",
        f"           {right:.6g} expected, {refusal_words(observation.probes[probe.name])}",
    ]


def _all_have_gains(probe: Probe) -> bool:
    """Return True if every user has a relevant item: without one, most formulas are 0/0."""
    case = probe.case
    return {*case.truth.user[case.truth.gain > 0].tolist()} >= {
        *case.predictions.user.tolist(),
        *case.truth.user.tolist(),
    }


def complete(expectation: Expectation, found: LevelMeaning, *, errors: bool = True) -> Definition:
    """Return the expected definition, with every axis of another level that it does not name as it was found.

    Args:
        expectation: The expected definition.
        found: What the function computes.
        errors: Whether it may refuse inputs by an axis that is not named; without, such an axis is canonical.
    """
    wanted = expectation.definition.with_(k="k")
    others = {
        axis: value
        for axis, value in _other_levels(found, wanted).items()
        if axis not in expectation.named and (errors or value != "error")
    }
    completed = wanted.with_(**others)
    return wanted if completed.family.refusal(completed.axes) else completed


def _other_levels(found: LevelMeaning, definition: Definition) -> dict[str, str]:
    return {axis: value for axis, value in (found.who_counts | found.input).items() if axis in definition.axes}


def _no_definition(summary: Summary) -> str:
    found = summary.finding
    if found.verdict == "unstable":
        return "different values when it is asked the same again"
    if summary.signature is not None:
        return summary.finding.scope.of(summary.signature)
    near = f"; nearest {summary.finding.near.words()}" if summary.finding.near is not None else ""
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


def _smallest_example(wanted: Definition, found: Identified) -> list[str]:
    """Return lines with the smallest case that contradicts ``wanted``, and both values."""
    observation = found.observation
    asked = tuple(probe for probe in found.asked if probe.name in observation.probes)
    wrong = contradicting(wanted, scaled_evidence(observation, asked), observation)
    probe = smallest_probe(asked, wrong)
    return _example(wanted, probe, found) if probe is not None else []


def _example(wanted: Definition, probe: Probe, found: Identified) -> list[str]:
    right = float(evaluate(wanted, problem_of([probe])).mean[0])
    told = answer(found.observation, probe, right)
    return [
        f"for example k = {probe.k}, {describe_probe(probe)}",
        f"           {apart(right, found.observation, probe)} expected, {told}",
    ]
