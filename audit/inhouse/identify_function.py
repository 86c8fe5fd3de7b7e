"""``audit identify``: checks the request, runs the function, and identifies the definition that it computes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.inhouse.contradiction import contradiction, misfit
from recsys_metric_audit.audit.inhouse.execution import Execution, run_in_child
from recsys_metric_audit.audit.inhouse.failure import explain_failure
from recsys_metric_audit.audit.inhouse.function_inputs import TRIAL_KINDS, FunctionInputs, function_inputs
from recsys_metric_audit.audit.inhouse.further_cases import FurtherCases, further_cases
from recsys_metric_audit.audit.inhouse.hazards import hazards
from recsys_metric_audit.audit.inhouse.probe_files import case_id, read_answers
from recsys_metric_audit.audit.inhouse.shape_trial import NEARLY_ALL, Trial
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, FRAMES, Shape, shape_named
from recsys_metric_audit.audit.inhouse.summary import Summary, fit_of, summarise
from recsys_metric_audit.audit.inhouse.target import (
    SCORED,
    Expectation,
    Target,
    check_scores_passed,
    only_cutoff,
    parse_expected,
    parse_target,
)
from recsys_metric_audit.audit.inhouse.unit_gains import summary_with_gains_of_1
from recsys_metric_audit.audit.libraries.metric_name import metric_of_relevance
from recsys_metric_audit.audit.observations.evidence import gather_evidence
from recsys_metric_audit.audit.observations.fit import Contradicted, Fit
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.questions.threshold_cases import fit_after_questions, threshold_questions
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.catalogue.everyday_names import metric_in_name
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.metrics import METRICS


@dataclass(frozen=True)
class IdentifyRequest:
    """Names the function to identify, the metric whose name it bears, and the definition that is expected of it.

    ``metric`` is None where every metric is tried; ``k`` is the only cut-off to ask at, None for several.
    """

    target: Target
    metric: str | None
    expected: Expectation | None
    k: int | None
    limits: Limits


@dataclass(frozen=True, eq=False)
class IdentifyResult:
    """The summary of what the function computes, or the error that says why nothing was measured.

    ``python`` is the version that ran it, ``called`` how it was called, ``recognised`` what was not told but
    recognised, in words, and ``hazards`` the sentences on unusual input. ``contradiction`` explains in lines why it
    does not compute what was expected; empty if it does, or if nothing was expected. ``misfit`` says how far the
    nearest definition fits where none does; with ``gains_of_1`` that is so for other gains than 1, and the summary is
    about those of 1.
    """

    request: IdentifyRequest
    python: str
    summary: Summary | None
    error: UserError | None = None
    contradiction: str = ""
    misfit: str = ""
    called: str = ""
    recognised: tuple[str, ...] = ()
    hazards: tuple[str, ...] = ()
    gains_of_1: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return JSON values under keys that do not depend on whether anything was measured."""
        own = self.summary.as_json() if self.summary else _unmeasured(self.request, self.error)
        wanted = self.request.expected.text if self.request.expected else None
        call = {"called": self.called, "recognised": list(self.recognised), "hazards": list(self.hazards)}
        own["gains_of_1"] = self.gains_of_1
        return {**own, **call, "misfit": self.misfit, "k": self.request.k, "python": self.python, "expected": wanted}


def checked_request(
    function: str,
    metric: str | None,
    expect: str | None,
    *,
    k: int | None,
    shape: str | None,
    python: Path | None,
    seconds: float,
) -> IdentifyRequest:
    """Check what the user typed.

    Args:
        function: ``FILE.py:FUNCTION``.
        metric: the metric whose name the function bears; None to take it from ``expect``, or else to try every one.
        expect: the signature that it should have.
        k: the only cut-off to ask at.
        shape: the name of the shape of its call; None to recognise that.
        python: the interpreter that runs it; None for the one that runs this.
        seconds: how long one call may take.

    Raises:
        UserError: if something is missing, unknown, or contradicts another option.
    """
    wanted = parse_expected(expect) if expect is not None else None
    given = metric if metric is not None else wanted.definition.metric if wanted else None
    named = metric_of_relevance(given) if given is not None else None
    only = only_cutoff(wanted, k)
    form = shape_named(shape) if shape is not None else None
    if named is not None:
        check_scores_passed(named, form or (DEFAULT if named in SCORED else None))
    chosen = parse_target(function, shape=form, python=python)
    if named is None and (said := _name_of(chosen)) is not None and said not in METRICS:
        raise UserError(
            f"{function}: its name says {said}, which reads which items are shown, not which are relevant: "
            "this command has no inputs for it",
            f"if it computes another metric, name that with --metric; audit explain {said} tells its definitions",
        )
    return IdentifyRequest(chosen, named, wanted, only, Limits(seconds=seconds))


def identify_function(request: IdentifyRequest) -> IdentifyResult:
    """Run the function in a child process and identify the definition that it computes."""
    target, fit = request.target, cache(partial(_fit, request))
    read = cache(partial(_read, request, fit))

    def next_inputs(execution: Execution) -> Sequence[Probe]:
        if explain_failure(target, execution) is not None:
            return ()
        known = _Known.of(execution, request, fit)
        evidence = gather_evidence(known.observation.probes, known.inputs.every)
        return threshold_questions(known.fit, evidence, known.inputs.only_k)

    def explains(execution: Execution) -> bool:
        if request.expected is not None or explain_failure(target, execution) is not None:
            return False  # what contradicts the expected definition may be any input
        summary = read(execution)[1]
        return summary.signature is not None and not summary.refusals

    likely, told = request.metric or _name_of(target), request.metric is not None
    execution = run_in_child(target, request.k, request.limits, likely, explains, next_inputs, sure=told)
    if (error := explain_failure(target, execution)) is not None:
        return IdentifyResult(request, execution.python, None, error)
    shape, (known, summary) = execution.shape or DEFAULT, read(execution)
    observation, inputs, of_1 = known.observation, known.inputs, None
    text = contradiction(request.expected, summary, observation, inputs, shape) if request.expected else ""
    far = _misfit(summary, known)
    if request.expected is None and isinstance(known.fit, Contradicted):
        cutoff = execution.cutoff or request.k is not None
        of_1 = summary_with_gains_of_1(target.name, known.metric, observation, inputs, shape, cutoff=cutoff)
    recognised = tuple(_recognised(request, execution, known.metric))
    return IdentifyResult(
        request,
        execution.python,
        of_1 or summary,
        None,
        text,
        far,
        shape.call,
        recognised,
        tuple(hazards(shape, execution.hazards)),
        of_1 is not None,
    )


_Fitted = Callable[[Observation, FunctionInputs, Shape, bool], tuple[str, Fit]]


class _Known(NamedTuple):
    """Holds what is known of a function: all its answers, with the inputs, and what fits them."""

    metric: str
    observation: Observation
    inputs: FunctionInputs
    fit: Fit

    @staticmethod
    def of(execution: Execution, request: IdentifyRequest, fitted: _Fitted) -> _Known:
        """Add the answers to chosen inputs to what the others say."""
        observation, inputs, shape = execution.observation, execution.inputs, execution.shape or DEFAULT
        metric, fit = fitted(observation, inputs, shape, execution.cutoff or request.k is not None)
        if not execution.chosen:
            return _Known(metric, observation, inputs, fit)
        inputs = replace(inputs, further=(*inputs.further, *execution.chosen))
        answers = {probe.name: outcome for probe, outcome in execution.chosen.items()}
        probes = {**observation.probes, **answers}
        observation = replace(observation, probes=probes, further_probes=inputs.further)
        fit = fit_after_questions(fit, observation, inputs.every, tuple(execution.chosen))
        return _Known(metric, observation, inputs, fit)


def _fit(
    request: IdentifyRequest, observation: Observation, inputs: FunctionInputs, shape: Shape, cutoff: bool
) -> tuple[str, Fit]:
    """Return the metric that the answers are compared with, and what fits them."""
    metric = request.metric or _metric_of(request.target, observation, inputs, shape)
    return metric, fit_of(metric, observation, inputs, shape, cutoff=cutoff)


def _read(request: IdentifyRequest, fitted: _Fitted, execution: Execution) -> tuple[_Known, Summary]:
    """Return what is known of the function, and what that says."""
    cutoff, shape = execution.cutoff or request.k is not None, execution.shape or DEFAULT
    known = _Known.of(execution, request, fitted)
    metric, observation, inputs, fit = known
    return known, summarise(request.target.name, metric, observation, inputs, shape, cutoff=cutoff, fit=fit)


def _misfit(summary: Summary, known: _Known) -> str:
    """Say how far the nearest definition is where none fits; empty where one does, or where nothing can."""
    if summary.finding.verdict != "unexplained":
        return ""
    near = summary.finding.evidence.nearest
    nearest = parse(near.signature) if near is not None else None
    return misfit(nearest, known.metric, known.observation, known.inputs)


@dataclass(frozen=True, eq=False)
class AnswersResult:
    """Holds what gave the answers in a file, and the further cases that would settle what they leave open."""

    summary: Summary
    further: FurtherCases | None

    def as_json(self) -> dict[str, Any]:
        """Return the summary as JSON values, with the ids of the further cases."""
        probes = self.further.probes if self.further is not None else ()
        cases = [{"case": case_id(probe), "k": probe.k, "why": probe.case.why} for probe in probes]
        return {**self.summary.as_json(), "would_settle": cases}


def identify_answers(path: Path, metric: str, k: int | None) -> AnswersResult:
    """Identify what gave the answers in a file; see :func:`audit.inhouse.probe_files.read_answers`.

    Args:
        path: the file.
        metric: the metric whose name the answers bear.
        k: the only cut-off that the cases were written at; None for several.
    """
    inputs = function_inputs(FRAMES, k)
    observation = read_answers(path, inputs)
    summary = summarise(str(path), metric_of_relevance(metric), observation, inputs, FRAMES)
    return AnswersResult(summary, further_cases(summary, observation, inputs.probes))


def _metric_of(target: Target, observation: Observation, inputs: FunctionInputs, shape: Shape) -> str:
    """Return the metric that the function's name says, or else the one whose documented definitions give most answers.

    Another metric than the name says has to give nearly all answers, and more than that one.
    """
    probes = [probe for probe in inputs.probes if probe.kind in TRIAL_KINDS]
    trial = Trial.of(shape, probes, observation.probes, None)
    named = _name_of(target)
    own = Trial.of(shape, probes, observation.probes, named) if named else None
    better = own is None or own.agreement < trial.agreement
    if named is not None and (not better or trial.agreement < NEARLY_ALL):
        return named
    return trial.metric or named or "ndcg"


def _name_of(target: Target) -> str | None:
    """Return the metric, maybe one beyond accuracy, that the entry asked for or the function's own name says."""
    name, _, entry = target.function.partition("[")
    return metric_in_name(entry.strip("]'\"")) or metric_in_name(name.split(".")[-1].strip("()_"))


def _recognised(request: IdentifyRequest, execution: Execution, metric: str) -> Iterator[str]:
    if request.target.shape is None and execution.shape is not None:
        names, _, columns = execution.parameters.partition("; columns")
        shown = execution.parameters if columns and execution.shape.name.startswith(FRAMES.name) else names
        own = f" (its parameters: {shown})" if shown not in ("", "?") else ""
        yield f"called as {execution.shape.call}{own}; --shape names another"
    if not execution.cutoff:
        own = "asked as if it cut at -k N" if request.k is not None else "where it cuts at some N by itself: -k N"
        yield f"it takes no cut-off; {own}"
    if request.metric is None:
        said = _name_of(request.target)
        wrong = f"; its name says {said}" if said is not None else ""
        why = "as its name says" if said == metric else f"whose definitions give most of its answers{wrong}"
        yield f"compared with {metric}, {why}; --metric names another"


def _unmeasured(request: IdentifyRequest, error: UserError | None) -> dict[str, Any]:
    nothing: dict[str, Any] = {"signature": None, "verdict": None, "witness": None, "definition": {}, "equivalent": []}
    reason = error.message if error is not None else ""
    return {
        "function": request.target.name, "metric": request.metric or "", "status": "failed", "reason": reason,
        **nothing, "formula": None, "differs_on": [], "levels": {}, "unknown": [], "not_asked": [],
    }  # fmt: skip
