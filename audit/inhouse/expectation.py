"""An expected signature held against what a function answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from audit.errors import UserError
from audit.inhouse.calling import Questions, call, questions
from audit.inhouse.summary import Identified, identified
from audit.inhouse.target import cutoff, expected, scored
from audit.observations.evidence import against, hear, smallest
from audit.observations.observation import Observation, scalar, tolerance
from audit.process.protocol import Errored, Measured
from reference.cases import Probe
from reference.definitions.definition import Definition, parse
from reference.evaluation.evaluate import Problem, evaluate
from reports.wording.variant_letters import open_cutoff


def unlike(function: Callable[..., Any], signature: str, *, frames: bool = False, k: int | None = None) -> str:
    """Why a function of this process does not compute ``signature``, in lines; empty where it does.

    Raises:
        UserError: for a signature that does not parse, or that says what such a call cannot show.
    """
    wanted = expected(signature)
    scored(wanted.metric, frames=frames)
    asked = questions(frames=frames, k=cutoff(wanted, k))
    heard = call(function, asked, frames=frames)
    made = identified(getattr(function, "__name__", "function"), wanted.metric, heard, asked, frames=frames)
    return contradiction(wanted, made, heard, asked)


def contradiction(expectation: Definition, made: Identified, observation: Observation, asked: Questions) -> str:
    """Why the function does not compute ``expectation``, in lines; empty where that fits all that was asked.

    Raises:
        UserError: where it says something that the call cannot show.
    """
    wanted = expectation.simplified().with_(k="k")
    hidden = [axis for axis in wanted.differs_on if axis in made.not_asked]
    if hidden:
        raise UserError(
            f"{expectation.signature()} cannot be checked: this call does not show {', '.join(hidden)}",
            "leave it out, or let the function take DataFrames (--frames, frames=True)",
        )
    found = made.finding
    fitting = [open_cutoff(each) for each in (found.signature, *found.equivalent) if each]
    if wanted.signature() in fitting:
        return ""
    lines = [f"expected   {wanted.signature()}", f"computes   {fitting[0] if fitting else _nothing(made)}"]
    if fitting:
        lines += [f"differs    {each}" for each in axes_apart(wanted, parse(fitting[0]))]
    return "\n".join([*lines, *_shown(wanted, observation, asked)])


def _nothing(made: Identified) -> str:
    found = made.finding
    if found.verdict is None:
        return f"nothing: {found.reason}"
    if found.verdict == "unstable":
        return "different values when it is asked the same again"
    nearest = found.evidence.nearest
    near = f"; nearest {open_cutoff(nearest.signature)}, off by {nearest.deviation:.3g}" if nearest else ""
    return f"nothing that the definition space holds{near}"


def axes_apart(one: Definition, other: Definition) -> list[str]:
    """The axes on which two definitions differ, with the value of each."""
    if one.metric != other.metric:
        return [f"the metric: {one.metric} expected, {other.metric} found"]
    mine, found = one.simplified().axes, other.simplified().axes
    return [f"{axis}: {mine[axis]} expected, {found[axis]} found" for axis in mine if mine[axis] != found[axis]]


def _shown(wanted: Definition, observation: Observation, asked: Questions) -> list[str]:
    """The smallest case that shows the difference, with both values."""
    problem = Problem.of([probe.case for probe in asked.probes], [probe.k for probe in asked.probes])
    width = tolerance([*observation.probes.values(), *observation.data.values()])
    wrong, _ = against(wanted, hear(observation.probes, asked.probes, problem), width, lone=False)
    probe = smallest(asked.probes, wrong)
    if probe is None:
        return []
    right = float(evaluate(wanted, Problem.of([probe.case], [probe.k])).mean[0])
    said = _said(observation, probe)
    return [f"for example k = {probe.k}, {told(probe)}", f"           {right:.6g} expected, {said}"]


def _said(observation: Observation, probe: Probe) -> str:
    outcome = observation.probes[probe.name]
    if isinstance(outcome, Errored):
        return f"it raised {outcome.error}: {outcome.message}"
    if not isinstance(outcome, Measured):
        return "it gave no answer"
    value = scalar(outcome)
    if value is None and outcome.values is not None:
        return f"it returned {', '.join(f'{each:.6g}' for each in outcome.values)} for its users"
    return f"it returned {value:.6g}"


def told(probe: Probe) -> str:
    """A probe in words: for one user the list and the truth, else the case's own description."""
    rec, rel = probe.case.predictions, probe.case.truth
    if len({*rec.user.tolist(), *rel.user.tolist()}) > 1:
        return probe.case.why
    gains = ", ".join(f"{item}: {gain:g}" for item, gain in zip(rel.item.tolist(), rel.gain.tolist(), strict=True))
    return f"recommended {rec.item.tolist()}, relevant {{{gains}}}"
