"""Judges of metamorphic tests: what one change of the input does to the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan

from recsys_metric_audit.audit.behaviours.judges.judge import Judge, any_unanswered, compare, unanswered, with_text
from recsys_metric_audit.audit.behaviours.responses import Refused, Response, Responses, Returned, by_original_user
from recsys_metric_audit.reports.model.result import Behaviour

WITH_OTHERS = "asked together with other changes"


def invariance(base: str, changed: str, *, renamed: bool = False) -> Judge:
    """Judge whether a change of the input leaves the answer as it was.

    Args:
        base: the scenario or probe before the change (the source case).
        changed: the scenario after the change (the follow-up case).
        renamed: whether the change renamed the users; values are then matched by the original ids.
    """

    def judge(responses: Responses) -> Behaviour:
        before, after = responses.to(base), responses.to(changed)
        if missing := unanswered(before, after):
            return missing
        after = by_original_user(after) if renamed else after
        assert isinstance(before, Returned) and isinstance(after, Returned)
        found = compare(responses, before, after)
        return with_text(found, WITH_OTHERS) if responses.asked_with_others(changed) else found

    return Judge((base, changed), judge)


def truth_row_counts(with_row: str, without: str) -> Judge:
    """Judge whether a row of the truth is ignored (``skipped``: the answer stays without it) or counted."""

    def judge(responses: Responses) -> Behaviour:
        before, after = responses.to(without), responses.to(with_row)
        if missing := unanswered(before, after):
            return missing
        assert isinstance(before, Returned) and isinstance(after, Returned)
        if responses.same(before, after):
            return Behaviour(name="skipped", text=f"{after} with and without it")
        name = "nan" if after.number is not None and isnan(after.number) else "counted"
        return Behaviour(name=name, text=f"{before} without it, {after} with it")

    return Judge((without, with_row), judge)


_COPIES: Mapping[tuple[str, str], str] = {
    ("low", "high"): "first_copy", ("high", "low"): "last_copy", ("high", "high"): "largest_copy",
    ("low", "low"): "smallest_copy", ("", ""): "both_copies",
}  # fmt: skip
"""The row that counts, by the gain as which the rows count: in the order low, high, and in the order high, low."""


def copy_that_counts(names: Sequence[str]) -> Judge:
    """Judge which row counts of an item that the truth lists with two gains.

    Args:
        names: The scenarios with a low and a high gain, the other way round, with the low one, and with the high one.
    """

    def judge(responses: Responses) -> Behaviour:
        answers = [responses.to(name) for name in names]
        if missing := any_unanswered(answers[-1], answers):
            return missing
        given = [each for each in answers if isinstance(each, Returned)]
        rising, falling, low, high = given
        if responses.same(low, high):
            return Behaviour(name="not_askable", text=f"{low}, whatever the gain is")
        alone = {"low": low, "high": high}
        read = [next((gain for gain in alone if responses.same(each, alone[gain])), "") for each in (rising, falling)]
        text = f"{low} with the low gain, {high} with the high one; low, high {rising}; high, low {falling}"
        name = _COPIES.get((read[0], read[1]), "changes")
        return Behaviour(name=name if any(read) or responses.same(rising, falling) else "changes", text=text)

    return Judge(tuple(names), judge)


def alternatives(base: str, changed: str, like: Mapping[str, str], more: str = "changes") -> Judge:
    """Judge which of several plain scenarios the changed one is answered like.

    Args:
        base: the scenario or probe before the change.
        changed: the scenario after the change.
        like: the plain scenarios, each with the behaviour's name where the answers are equal.
        more: the behaviour's name where the answer equals none of them and is larger than each.
    """

    def judge(responses: Responses) -> Behaviour:
        before, after = responses.to(base), responses.to(changed)
        if missing := unanswered(before, after):
            return missing
        assert isinstance(before, Returned) and isinstance(after, Returned)
        plain = [(name, responses.to(scenario)) for scenario, name in like.items()]
        fitting = [name for name, other in plain if isinstance(other, Returned) and responses.same(other, after)]
        if len(fitting) == len(plain) and len(plain) > 1:
            return Behaviour(name="unchanged", text=f"{after}, whichever way it is read")
        text = f"{after}; " + ", ".join(f"{name} would be {_words(other)}" for name, other in plain)
        numbers = [other.number for _, other in plain if isinstance(other, Returned) and other.number is not None]
        larger = after.number is not None and all(after.number > number for number in numbers)
        return Behaviour(name=fitting[0] if fitting else more if larger else "changes", text=text)

    return Judge((base, changed, *like), judge)


def _words(response: Response) -> str:
    match response:
        case None:
            return "not asked"
        case Refused(words=words):
            return words
        case Returned():
            return str(response)
