"""Judge of users without a list or without truth: with which value such a user enters the mean."""

from __future__ import annotations

from math import isnan

from recsys_metric_audit.audit.behaviours.judges.judge import Judge, name_number, unanswered, with_text
from recsys_metric_audit.audit.behaviours.responses import Responses, Returned
from recsys_metric_audit.reports.model.result import Behaviour


def missing_user(with_user: str, without: str, user: int, others: int) -> Judge:
    """Judge what one unusual user counts as: nothing (``skipped``), ``zero``, ``one``, ``half`` or ``nan``.

    Args:
        with_user: the scenario or probe with the unusual user.
        without: the scenario of the others alone, which gives their mean.
        user: the id of the unusual user, for functions that return values per user.
        others: the number of ordinary users.
    """

    def judge(responses: Responses) -> Behaviour:
        before, after = responses.to(without), responses.to(with_user)
        if missing := unanswered(before, after):
            return missing
        assert isinstance(before, Returned) and isinstance(after, Returned)
        if before.mean is None or after.mean is None:
            return _own_value(after, user)
        return _share_of_mean(responses, before.mean, after.mean, others)

    return Judge((without, with_user), judge)


def _own_value(after: Returned, user: int) -> Behaviour:
    users = after.users or {}
    if user not in users:
        return Behaviour(name="skipped", text="this user has no value")
    return with_text(name_number(users[user]), f"this user's value is {users[user]:.6g}; there is no mean")


def _share_of_mean(responses: Responses, before: float, after: float, others: int) -> Behaviour:
    """Name the value of one more user that moves the mean of ``others`` from ``before`` to ``after``."""
    if _same(responses, before, after):
        return Behaviour(name="skipped", text=f"the mean stays {after:.6g}")
    text = f"the mean of the others is {before:.6g}, with this user {after:.6g}"
    if isnan(after):
        return Behaviour(name="nan", text=text)
    for name, counts in (("zero", 0.0), ("one", 1.0), ("half", 0.5)):
        if _same(responses, (before * others + counts) / (others + 1), after):
            return Behaviour(name=name, text=text)
    return Behaviour(name="changes", text=text)


def _same(responses: Responses, one: float, other: float) -> bool:
    return responses.same(Returned(one, None), Returned(other, None))
