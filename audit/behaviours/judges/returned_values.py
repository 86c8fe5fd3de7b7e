"""Judges of what a function returns at all: one number, one value per user, and the range of its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isinf, isnan

from recsys_metric_audit.audit.behaviours.judges.judge import Judge, name_number, unanswered
from recsys_metric_audit.audit.behaviours.responses import Response, Responses, Returned
from recsys_metric_audit.reports.model.result import Behaviour

Bounds = tuple[float, float]
"""The lowest and the highest value that a metric can take."""

_ANSWERED = Returned(0.0, None)


def value(scenario: str) -> Judge:
    """Judge the number that one scenario gives: 0, 1, NaN, an infinity, another number, or an error."""

    def judge(responses: Responses) -> Behaviour:
        response = responses.to(scenario)
        if missing := unanswered(_ANSWERED, response):
            return missing
        assert isinstance(response, Returned)
        if response.number is None or (response.mean is None and response.rows == 0):
            return Behaviour(name="skipped", text="no user has a value")
        return name_number(response.number)

    return Judge((scenario,), judge)


def per_user_values(scenario: str, users: Sequence[int]) -> Judge:
    """Judge whether each of ``users`` has exactly one value, and nobody else has any."""

    def judge(responses: Responses) -> Behaviour:
        response = responses.to(scenario)
        if missing := unanswered(_ANSWERED, response):
            return missing
        assert isinstance(response, Returned)
        return _users_covered(response, users)

    return Judge((scenario,), judge)


def _users_covered(returned: Returned, users: Sequence[int]) -> Behaviour:
    if returned.users is None:
        return Behaviour(name="mean_only")
    strangers, missing = sorted(set(returned.users) - set(users)), sorted(set(users) - set(returned.users))
    if strangers:
        return Behaviour(name="unknown", text=f"users {_join(strangers)} are not in the input")
    if returned.rows > len(returned.users):
        return Behaviour(name="repeated", text=f"{returned.rows} values for {len(returned.users)} users")
    if missing:
        return Behaviour(name="skipped", text=f"no value for users {_join(missing)} of {len(users)}")
    return Behaviour(name="complete")


def _join(users: Sequence[int]) -> str:
    return ", ".join(map(str, users))


def judge_range(bounds: Bounds, responses: Mapping[str, Response], slack: float) -> Behaviour:
    """Judge whether every returned value is finite and lies within ``bounds``, up to ``slack``.

    Args:
        bounds: where the metric can lie.
        responses: what the function answered, by scenario or probe.
        slack: how far outside a value may lie and still count as inside.
    """
    worst: tuple[str, float] | None = None
    for name, response in responses.items():
        for number in _numbers(response):
            if isinf(number):
                return Behaviour(name="infinite", text=f"{number} on {name}")
            beyond = _beyond(bounds, number)
            if not isnan(number) and beyond > slack and (worst is None or beyond > _beyond(bounds, worst[1])):
                worst = name, number
    if worst is None:
        return Behaviour(name="within", text=f"{bounds[0]:g} to {bounds[1]:g}")
    return Behaviour(name="outside", text=f"{worst[1]:.6g} on {worst[0]}; it can be {bounds[0]:g} to {bounds[1]:g}")


def _beyond(bounds: Bounds, number: float) -> float:
    return max(bounds[0] - number, number - bounds[1])


def _numbers(response: Response) -> list[float]:
    if not isinstance(response, Returned):
        return []
    return [*([] if response.mean is None else [response.mean]), *(response.users or {}).values()]
