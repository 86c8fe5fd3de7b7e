"""``audit identify``: checks the request, runs the function, and identifies the definition that it computes."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.inhouse.call import ONE_RELEVANT, Call
from recsys_metric_audit.audit.inhouse.contradiction import contradiction
from recsys_metric_audit.audit.inhouse.identification import Identified, identified
from recsys_metric_audit.audit.inhouse.own_cutoff import own_cutoff
from recsys_metric_audit.audit.inhouse.running import Running, running_here, running_in_child
from recsys_metric_audit.audit.inhouse.several_users import of_several_users
from recsys_metric_audit.audit.inhouse.shape_trial import (
    NEARLY_ALL,
    ShapeAnswers,
    Trial,
    recognised_shape,
    trial_probes,
)
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, FRAMES, Shape, shape_named
from recsys_metric_audit.audit.inhouse.summary import Summary, summarise
from recsys_metric_audit.audit.inhouse.target import (
    SCORED,
    Expectation,
    Target,
    check_scores_passed,
    only_cutoff,
    parse_expected,
    parse_target,
)
from recsys_metric_audit.audit.inhouse.telling.failure import UnknownCallError, explain_failure, unknown_call
from recsys_metric_audit.audit.inhouse.telling.hazards import CHANGES, K, hazard_cases, hazards
from recsys_metric_audit.audit.libraries.metric_name import metric_of_relevance
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.process.protocol import Limits, Outcome
from recsys_metric_audit.audit.refutation.refute import prepare_cases
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.catalogue.everyday_names import metric_in_name
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space.axis import is_number
from recsys_metric_audit.reports.model.statement import WELL, WHOLE, Scope
from recsys_metric_audit.reports.wording.meanings import open_cutoff

_SURE_SHARE = 0.9
"""A call that was guessed is the right one if a definition gives so many of the answers."""
_LEAST_SHARE = 0.35
"""A call that was guessed is looked into if a documented definition gives so many of its trial answers."""


@dataclass(frozen=True)
class IdentifyRequest:
    """Names the function to identify, the metric whose name it bears, and the definition that is expected of it.

    ``metric`` is None where every metric is tried; ``k`` is the only cut-off to ask at, None for several. Nothing is
    asked outside ``scope``.
    """

    target: Target
    metric: str | None
    expected: Expectation | None
    k: int | None
    limits: Limits
    scope: Scope = WHOLE


@dataclass(frozen=True, eq=False)
class IdentifyResult:
    """The summary of what the function computes, or the error that says why nothing was measured.

    ``python`` is the version that ran it, ``called`` how it was called, ``recognised`` what was not told but
    recognised, in words, and ``hazards`` the sentences on unusual input. ``several`` says what it gives of several
    users in one call, if that is neither their values nor the mean. ``contradiction`` explains in lines why it does not
    compute what was expected; empty if it does, or if nothing was expected.
    """

    request: IdentifyRequest
    python: str
    summary: Summary | None
    error: UserError | None = None
    contradiction: str = ""
    called: str = ""
    recognised: tuple[str, ...] = ()
    hazards: tuple[str, ...] = ()
    several: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return JSON values under keys that do not depend on whether anything was measured."""
        own = self.summary.as_json() if self.summary else _unmeasured(self.request, self.error)
        wanted = self.request.expected.text if self.request.expected else None
        call = {"called": self.called, "recognised": list(self.recognised), "hazards": list(self.hazards)}
        return {**own, **call, "several": self.several, "k": self.request.k, "python": self.python, "expected": wanted}


def checked_request(
    function: str,
    metric: str | None,
    expect: str | None,
    *,
    k: int | None,
    shape: str | None,
    python: Path | None,
    seconds: float,
    one_relevant: bool = False,
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
        one_relevant: ask only about users with one relevant item.

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
    if named is None and (said := _name_of(chosen.function)) is not None and said not in METRICS:
        raise UserError(
            f"{function}: its name says {said}, which reads which items are shown, not which are relevant: "
            "this command has no inputs for it",
            f"if it computes another metric, name that with --metric; audit explain {said} tells its definitions",
        )
    return IdentifyRequest(chosen, named, wanted, only, Limits(seconds=seconds), _scope(one_relevant))


def identify_function(request: IdentifyRequest) -> IdentifyResult:
    """Run the function in a child process and identify the definition that it computes."""
    prepare_cases(with_items=False)  # while the function is loaded
    with running_in_child(request.target, request.limits) as running:
        return _result(request, running)


def _scope(one_relevant: bool) -> Scope:
    return ONE_RELEVANT if one_relevant else WHOLE


def identify_here(
    function: Callable[..., Any], metric: str | None, shape: Shape | None, k: int | None, *, one_relevant: bool = False
) -> IdentifyResult:
    """Run a function in this process and identify the definition that it computes."""
    request = IdentifyRequest(_target_here(function, shape), metric, None, k, Limits(), _scope(one_relevant))
    return _result(request, running_here(function, shape))


def _result(request: IdentifyRequest, running: Running) -> IdentifyResult:
    if request.k is None and running.cutoff == "uncut":
        request = replace(request, k=_cutoff_of_entry(request.target.function))
    try:
        told = identify_running(running, request)
    except UserError as error:
        return IdentifyResult(request, running.python, None, error)
    shape, request = told.found.call.shape, replace(request, k=told.found.call.k)
    cases = {name: (told.found.call.given(case), request.k or K) for name, case in hazard_cases(shape).items()}
    answers = running.outcomes(shape, cases, "[everyone]")
    answers |= running.outcomes(shape, {CHANGES: (hazard_cases(shape)["plain"], request.k or K)}, "[changes]")
    return IdentifyResult(
        request, running.python, told.summary, None, told.contradiction, shape.call, told.recognised,
        tuple(hazards(shape, answers)), told.several,
    )  # fmt: skip


def _target_here(function: Callable[..., Any], shape: Shape | None) -> Target:
    code = getattr(function, "__code__", None)
    file = Path(code.co_filename) if code is not None else Path(type(function).__name__)
    return Target(file, getattr(function, "__name__", "function"), Path(sys.executable), shape)


@dataclass(frozen=True, eq=False)
class Told:
    """Holds what is told of a function that runs: see :class:`IdentifyResult`."""

    found: Identified
    summary: Summary
    contradiction: str
    recognised: tuple[str, ...]
    several: str | None


def identify_running(running: Running, request: IdentifyRequest) -> Told:
    """Recognise how a function is called, identify what it computes, and compare that with what is expected.

    Args:
        running: The function.
        request: What is asked of it.

    Raises:
        UserError: if it cannot be asked, or if it is not known how it is called.
    """
    target, metric, expected = request.target, request.metric, request.expected
    if running.failed is not None:
        raise explain_failure(target, running, running.failed)
    tried, every = _tried(running, request)
    if tried is None:
        raise unknown_call(target, running, every)
    call = Call(running, tried.shape, request.k, asked=request.scope).within(request.scope)
    metric = metric or _metric_of(target.function, tried)
    if target.shape is None and not _is_named_by_parameters(call) and _agrees_too_little(tried, metric):
        raise unknown_call(target, running, every, f"called as {tried.shape.call} it computes nothing that is known")
    # What is expected at any cut-off does not hold of a function that has one of its own.
    # In a form that was guessed, that the cut-off changes nothing says that it is the wrong one.
    certain = target.shape is not None or not running.takes_cutoff(call.shape) or _is_named_by_parameters(call)
    own = own_cutoff(call) if request.k is None and expected is None and certain else None
    found = identified(replace(call, k=own), metric, None) if own is not None else None
    if found is None or not found.explains or found.unchecked:
        found, own = identified(call, metric, tried, every_input=expected is not None), None
    several = of_several_users(found.call, found.fit.tolerance.width)
    if several and target.shape is None and found.call.shape.name.endswith("-each"):
        raise unknown_call(target, running, every, f"called as {found.call.shape.call}: {several}")
    if (why := _misread(found, target)) is not None:
        raise unknown_call(target, running, every, f"called as {tried.shape.call} it {why}")
    summary = summarise(target.name, found)
    text = contradiction(expected, summary, found, several) if expected is not None else ""
    return Told(found, summary, text, tuple(_recognised(found, request, own)), several)


def _agrees_too_little(tried: ShapeAnswers, metric: str) -> bool:
    """Return True if few trial answers are those of a metric: too few of any, or most, but not all, of another."""
    own, of_any = (Trial.of(*tried, each).agreement for each in (metric, None))
    return of_any < _LEAST_SHARE or (own < _LEAST_SHARE and WELL <= of_any < 1)


def _misread(found: Identified, target: Target) -> str | None:
    """Return why the call that was recognised is probably another one; None if nothing says so, or if it was named.

    A definition of another metric, or none, is no finding about a function unless the names of its parameters speak for
    the call; what does not read the scores is none of scores.
    """
    shape, near, fit = found.call.shape, found.near, found.fit
    if target.shape is not None:
        return None
    first = fit.definitions[0] if isinstance(fit, Fitting) else None
    if shape.scores and first is not None and first.axes.get("order") == "rows":
        return "does not read what would be scores"
    if not found.explains and 2 * found.answered < len(found.asked):
        return "raises on most inputs"
    if _is_named_by_parameters(found.call):
        return None
    if not found.explains and (near is None or near.share < _SURE_SHARE):
        return "computes nothing that is known"
    if found.explains and not (shape.one or shape.batch_of_one):
        return None  # so many answers do not agree by chance
    if found.explains and found.unchecked:
        return "computes nothing that held-out inputs could confirm"
    cut = first.axes.get("cutoff", "") if first is not None else ""
    if found.call.running.takes_cutoff(shape) and (cut == "none" or is_number(cut)):
        return "does not read the cut-off"
    if found.explains and first is not None and first.metric != found.metric:
        return f"computes {open_cutoff(first.signature())}, not {found.metric}"
    return None


def _is_named_by_parameters(call: Call) -> bool:
    """Return True if the names of all parameters speak for a call; the place of the relevant item may be another."""
    by_place = call.shape.scores and call.shape.one and call.shape.name != "positive-negatives"
    weak = call.shape.batch_of_one or by_place
    return call.running.speaks_for(call.shape) and not weak


def mismatch(
    function: Callable[..., Any], signature: str, *, shape: Shape | None = None, k: int | None = None,
    one_relevant: bool = False,
) -> str:  # fmt: skip
    """Run a function in this process and explain in lines why it does not compute ``signature``; empty if it does.

    Args:
        function: The function.
        signature: The signature that is expected of it.
        shape: The shape of its call; None to recognise it, as the command does.
        k: The only cut-off to ask at.
        one_relevant: Ask only about users with one relevant item.

    Raises:
        UserError: for a signature that does not parse, or with an axis that such a call cannot show.
    """
    wanted = parse_expected(signature)
    check_scores_passed(wanted.definition.metric, shape)
    try:
        request = IdentifyRequest(
            _target_here(function, shape), wanted.definition.metric, wanted, only_cutoff(wanted, k), Limits(),
            _scope(one_relevant),
        )  # fmt: skip
        told = identify_running(running_here(function, shape), request)
    except UnknownCallError as error:
        return f"expected   {open_cutoff(signature)}\ncomputes   nothing: {error.message}\n           {error.hint}"
    call = f"called     as {told.found.call.shape.call}; shape= names another"
    return f"{told.contradiction}\n{call}" if told.contradiction else ""


def _tried(running: Running, request: IdentifyRequest) -> tuple[ShapeAnswers | None, tuple[ShapeAnswers, ...]]:
    """Return the answers in the shape in which a function is called, None if that is not known; and all tried ones."""
    k = request.k

    def ask(shape: Shape, probes: Sequence[Probe]) -> dict[str, Outcome]:
        return Call(running, shape, k).within(request.scope).outcomes(probes)

    shapes = [Call(running, each, k).within(request.scope).shape for each in running.shapes]
    if request.target.shape is None:
        likely, sure = request.metric or _name_of(request.target.function), request.metric is not None
        return recognised_shape(ask, shapes, k, likely, sure=sure, speaks=running.speaks_for, forms=running.forms)
    (named,) = shapes
    probes = trial_probes(named, k)
    answers = ShapeAnswers(named, probes, ask(named, probes))
    return (answers if Trial.of(*answers, "ndcg").taken else None), (answers,)


def _metric_of(name: str, tried: ShapeAnswers) -> str:
    """Return the metric that the function's name says, or else the one whose documented definitions give most answers.

    Another metric than the name says has to give nearly all answers, and more than that one.
    """
    trial = Trial.of(*tried, None)
    named = _name_of(name)
    own = Trial.of(*tried, named) if named else None
    better = own is None or own.agreement < trial.agreement
    if named is not None and (not better or trial.agreement < NEARLY_ALL):
        return named
    return trial.metric or named or "ndcg"


def _name_of(function: str) -> str | None:
    """Return the metric, maybe one beyond accuracy, that the entry asked for or the function's own name says."""
    name, _, entry = function.partition("[")
    return metric_in_name(entry.partition("]")[0].strip("'\"")) or metric_in_name(name.split(".")[-1].strip("()_"))


def _cutoff_of_entry(function: str) -> int | None:
    """Return the cut-off in the name of the entry that is picked, as 5 of ``[ndcg@5]``; None without one."""
    named = re.search(r"@([1-9]\d{0,3})'?\"?\]$", function)
    return int(named[1]) if named else None


def _recognised(found: Identified, request: IdentifyRequest, own_cut: int | None) -> Iterator[str]:
    """Yield in words what of the shape, the cut-off and the metric was not told but recognised."""
    call, target = found.call, request.target
    if target.shape is None:
        names, _, columns = call.running.parameters.partition("; columns")
        shown = call.running.parameters if columns and call.shape.name.startswith(FRAMES.name) else names
        own = f" (its parameters: {shown})" if shown not in ("", "?") else ""
        yield f"called as {call.shape.call}{own}; --shape names another"
    if own_cut is not None:
        told = (
            "its cut-off was not seen to change anything"
            if call.running.takes_cutoff(call.shape)
            else "it takes no cut-off"
        )
        yield f"{told}: it reads the first {own_cut} rows, and is asked at k = {own_cut}; -k N names another"
    elif not call.running.takes_cutoff(call.shape):
        own = "where it cuts at some N by itself: -k N"
        yield f"it takes no cut-off; {own if call.k is None else f'asked as if it cut at {call.k}; -k N names another'}"
    if request.metric is None:
        said = _name_of(target.function)
        wrong = f"; its name says {said}" if said is not None else ""
        why = "as its name says" if said == found.metric else f"whose definitions give most of its answers{wrong}"
        yield f"compared with {found.metric}, {why}; --metric names another"


def _unmeasured(request: IdentifyRequest, error: UserError | None) -> dict[str, Any]:
    nothing: dict[str, Any] = {"signature": None, "verdict": None, "witness": None, "definition": {}, "equivalent": []}
    reason = error.message if error is not None else ""
    return {
        "function": request.target.name, "metric": request.metric or "", "status": "failed", "reason": reason,
        **nothing, "formula": None, "differs_on": [], "levels": {}, "unknown": [], "not_asked": [],
        "scope": "", "near": None, "no_rule": {}, "unchecked": [],
    }  # fmt: skip
