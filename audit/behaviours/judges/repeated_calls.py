"""Judges of repeated calls: the input is called several times, after other calls, or in another process."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from recsys_metric_audit.audit.behaviours.judges.judge import Judge, compare, unanswered, with_text
from recsys_metric_audit.audit.behaviours.responses import Response, Responses, Returned
from recsys_metric_audit.reports.model.result import Behaviour


def repeated_call(base: str, scenario: str) -> Judge:
    """Judge whether repeated calls on the same prepared data give the answer of a single call.

    Args:
        base: the scenario or probe that was called once.
        scenario: the scenario whose calls were repeated.
    """

    def judge(responses: Responses) -> Behaviour:
        return _all_alike(responses, [responses.to(base), *responses.repeats(scenario)])

    return Judge((base, scenario), judge)


def other_hash_seed(probes: Sequence[str]) -> Judge:
    """Judge whether a process with another hash seed gives the same answers to ``probes``."""

    def judge(responses: Responses) -> Behaviour:
        return _most_telling(
            [_all_alike(responses, [responses.to(name), responses.under_other_seed(name)]) for name in probes]
        )

    return Judge(tuple(probes), judge)


def other_cutoffs(alone: str, after: str, ks: Sequence[int]) -> Judge:
    """Judge whether answers at ``ks`` stay when other cut-offs were asked before on the same prepared data.

    Args:
        alone: the scenario in which each cut-off is asked on fresh data.
        after: the scenario in which the data was used for other cut-offs before.
        ks: the cut-offs of both scenarios.
    """

    def judge(responses: Responses) -> Behaviour:
        if not responses.has_k:
            return Behaviour(name="not_askable", text="it takes no cut-off")
        return _most_telling([_at_cutoff(responses, responses.to(alone, k), responses.to(after, k), k) for k in ks])

    return Judge((alone, after), judge)


def _most_telling(found: Sequence[Behaviour]) -> Behaviour:
    """Return the first change or error; without one ``unchanged`` if any says so, else ``not_askable``."""
    telling = [each for each in found if each.name not in ("unchanged", "not_askable")]
    return telling[0] if telling else min(found, key=lambda each: each.name != "unchanged")


def _all_alike(responses: Responses, answers: Sequence[Response]) -> Behaviour:
    first, *others = answers
    for other in others:
        if missing := unanswered(first, other):
            return missing
        assert isinstance(first, Returned) and isinstance(other, Returned)
        if not responses.same(first, other):
            return Behaviour(name="changes", text=f"{', '.join(map(str, answers))}{_spread(answers)}")
    return Behaviour(name="unchanged") if others else Behaviour(name="not_asked")


def _spread(answers: Sequence[Response]) -> str:
    numbers = [each.number for each in answers if isinstance(each, Returned) and each.number is not None]
    finite = [number for number in numbers if isfinite(number)]
    return f": a spread of {max(finite) - min(finite):.6g}" if len(finite) > 1 else ""


def _at_cutoff(responses: Responses, before: Response, after: Response, k: int) -> Behaviour:
    if missing := unanswered(before, after):
        return missing
    assert isinstance(before, Returned) and isinstance(after, Returned)
    found = compare(responses, before, after)
    return with_text(found, f"k = {k}: {found.text}") if found.text else found
