"""One in-house function, from what was typed to what is said."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit.errors import UserError
from audit.inhouse.calling import ask, questions
from audit.inhouse.expectation import contradiction
from audit.inhouse.failure import failure
from audit.inhouse.summary import Identified, identified
from audit.inhouse.target import Target, cutoff, expected, metric_named, scored, target
from audit.process.protocol import Limits
from reference.definitions.definition import Definition


@dataclass(frozen=True)
class Request:
    """The function, the metric whose name it bears, what it should compute, the only cut-off (``None``: several),
    and its limits."""

    target: Target
    metric: str
    expected: Definition | None
    k: int | None
    limits: Limits


@dataclass(frozen=True, eq=False)
class Answer:
    """What was found, or the error that says why nothing was; ``contradiction`` of what was expected, in lines."""

    request: Request
    python: str
    identified: Identified | None
    error: UserError | None = None
    contradiction: str = ""

    def as_json(self) -> dict[str, Any]:
        """For programs: the same keys, measured or not."""
        own = self.identified.as_json() if self.identified else _unmeasured(self.request, self.error)
        wanted = self.request.expected.signature() if self.request.expected else None
        return {**own, "k": self.request.k, "python": self.python, "expected": wanted}


def request(
    function: str,
    metric: str | None,
    expect: str | None,
    *,
    k: int | None,
    frames: bool,
    python: Path | None,
    seconds: float,
) -> Request:
    """What was typed, checked.

    Raises:
        UserError: for what is missing, unknown, or does not go together.
    """
    wanted = expected(expect) if expect is not None else None
    named = metric_named(metric) if metric is not None else wanted.metric if wanted else None
    if named is None:
        raise UserError("which metric is it meant to be?", "add --metric NAME, for example --metric ndcg")
    only = cutoff(wanted, k)
    scored(named, frames=frames)
    return Request(target(function, frames=frames, python=python), named, wanted, only, Limits(seconds=seconds))


def identify(asked: Request) -> Answer:
    """Ask the function and say what it computes."""
    put = questions(frames=asked.target.frames, k=asked.k)
    heard = ask(asked.target, put, asked.limits)
    if (error := failure(asked.target, heard)) is not None:
        return Answer(asked, heard.python, None, error)
    made = identified(asked.target.name, asked.metric, heard.observation, put, frames=asked.target.frames)
    against = contradiction(asked.expected, made, heard.observation, put) if asked.expected is not None else ""
    return Answer(asked, heard.python, made, contradiction=against)


def _unmeasured(asked: Request, error: UserError | None) -> dict[str, Any]:
    nothing: dict[str, Any] = {"signature": None, "verdict": None, "witness": None, "definition": {}, "equivalent": []}
    reason = error.message if error is not None else ""
    return {
        "function": asked.target.name, "metric": asked.metric, "status": "failed", "reason": reason, **nothing,
        "differs_on": [], "not_asked": [],
    }  # fmt: skip
