"""``audit identify``: checks the request, runs the function, and identifies the definition that it computes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit.errors import UserError
from audit.inhouse.contradiction import contradiction, misfit
from audit.inhouse.execution import run_in_child
from audit.inhouse.failure import explain_failure
from audit.inhouse.function_inputs import function_inputs
from audit.inhouse.summary import Summary, summarise
from audit.inhouse.target import (
    Expectation,
    Target,
    check_scores_passed,
    only_cutoff,
    parse_expected,
    parse_target,
)
from audit.libraries.metric_name import known_metric
from audit.process.protocol import Limits
from reference.definitions.definition import parse


@dataclass(frozen=True)
class IdentifyRequest:
    """Names the function to identify, the metric whose name it bears, and the definition that is expected of it.

    ``k`` is the only cut-off to ask at, None for several.
    """

    target: Target
    metric: str
    expected: Expectation | None
    k: int | None
    limits: Limits


@dataclass(frozen=True, eq=False)
class IdentifyResult:
    """The summary of what the function computes, or the error that says why nothing was measured.

    ``python`` is the version that ran it. ``contradiction`` explains in lines why it does not compute what was
    expected; empty if it does, or if nothing was expected. ``misfit`` says how far the nearest definition fits where
    none does.
    """

    request: IdentifyRequest
    python: str
    summary: Summary | None
    error: UserError | None = None
    contradiction: str = ""
    misfit: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return JSON values under keys that do not depend on whether anything was measured."""
        own = self.summary.as_json() if self.summary else _unmeasured(self.request, self.error)
        wanted = self.request.expected.text if self.request.expected else None
        return {**own, "misfit": self.misfit, "k": self.request.k, "python": self.python, "expected": wanted}


def checked_request(
    function: str,
    metric: str | None,
    expect: str | None,
    *,
    k: int | None,
    frames: bool,
    python: Path | None,
    seconds: float,
) -> IdentifyRequest:
    """Check what the user typed.

    Args:
        function: ``FILE.py:FUNCTION``.
        metric: the metric whose name the function bears; None to take it from ``expect``.
        expect: the signature that it should have.
        k: the only cut-off to ask at.
        frames: whether it takes DataFrames of all users.
        python: the interpreter that runs it; None for the one that runs this.
        seconds: how long one call may take.

    Raises:
        UserError: if something is missing, unknown, or contradicts another option.
    """
    wanted = parse_expected(expect) if expect is not None else None
    named = known_metric(metric) if metric is not None else wanted.definition.metric if wanted else None
    if named is None:
        raise UserError("which metric is it meant to be?", "add --metric NAME, for example --metric ndcg")
    only = only_cutoff(wanted, k)
    check_scores_passed(named, frames=frames)
    chosen = parse_target(function, frames=frames, python=python)
    return IdentifyRequest(chosen, named, wanted, only, Limits(seconds=seconds))


def identify_function(request: IdentifyRequest) -> IdentifyResult:
    """Run the function in a child process and identify the definition that it computes."""
    target = request.target
    inputs = function_inputs(frames=target.frames, k=request.k)
    execution = run_in_child(target, inputs, request.limits)
    if (error := explain_failure(target, execution)) is not None:
        return IdentifyResult(request, execution.python, None, error)
    summary = summarise(target.name, request.metric, execution.observation, inputs, frames=target.frames)
    text = contradiction(request.expected, summary, execution.observation, inputs) if request.expected else ""
    nearest = summary.finding.evidence.nearest
    far = misfit(parse(nearest.signature), execution.observation, inputs) if nearest is not None else ""
    return IdentifyResult(request, execution.python, summary, contradiction=text, misfit=far)


def _unmeasured(request: IdentifyRequest, error: UserError | None) -> dict[str, Any]:
    nothing: dict[str, Any] = {"signature": None, "verdict": None, "witness": None, "definition": {}, "equivalent": []}
    reason = error.message if error is not None else ""
    return {
        "function": request.target.name, "metric": request.metric, "status": "failed", "reason": reason, **nothing,
        "formula": None, "differs_on": [], "levels": {}, "unknown": [], "not_asked": [],
    }  # fmt: skip
