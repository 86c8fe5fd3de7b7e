"""Judge of ties: by which rule a function orders items that share their score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recsys_metric_audit.audit.behaviours.judges.judge import Judge, any_unanswered
from recsys_metric_audit.audit.behaviours.responses import Responses, Returned
from recsys_metric_audit.reports.model.result import Behaviour

TIE_RULES: Mapping[tuple[bool, bool, bool, bool], str] = {
    (True, True, False, False): "row_order",
    (False, False, True, True): "reverse_row_order",
    (True, False, True, False): "lower_item_first",
    (False, True, False, True): "higher_item_first",
    (True, True, True, True): "hits_first",
    (False, False, False, False): "misses_first",
}
"""The rule by whether the hit came first: in the upper row with the lower id, in the upper row with the higher id,
in the lower row with the lower id, in the lower row with the higher id."""


def tie_rule(tied: tuple[str, str, str, str], above: str, below: str, scaled: tuple[str, str]) -> Judge:
    """Judge by which rule a function orders a hit and a miss of equal score.

    Args:
        tied: the four tied scenarios, in the order of :data:`TIE_RULES`.
        above: the scenario without a tie in which the hit stands above the miss.
        below: the scenario without a tie in which the hit stands below the miss.
        scaled: two scenarios that differ in the scale of their scores only. A function that computes from the scores
            themselves answers them differently; its tied answers then say nothing about order.
    """

    def judge(responses: Responses) -> Behaviour:
        first, second = responses.to(above), responses.to(below)
        cases = [responses.to(name) for name in tied]
        if missing := any_unanswered(first, [*cases, second]):
            return missing
        assert isinstance(first, Returned) and isinstance(second, Returned)
        if responses.same(first, second):
            return Behaviour(name="not_askable", text="the answer does not tell whether the hit stands above or below")
        if _reads_scores(responses, scaled):
            return Behaviour(name="not_askable", text="the answer depends on the scores themselves")
        return _rule(responses, first, second, [each for each in cases if isinstance(each, Returned)])

    return Judge((*tied, above, below, *scaled), judge)


def precision_of_scores(names: Sequence[str], scaled: tuple[str, str]) -> Judge:
    """Judge whether scores tie that differ in double precision and not in single precision.

    Args:
        names: Scenarios of two scores with the hit below and above, apart in single precision, then only in double.
        scaled: As for :func:`tie_rule`.
    """

    def judge(responses: Responses) -> Behaviour:
        answers = [responses.to(name) for name in names]
        if missing := any_unanswered(answers[0], answers):
            return missing
        below, above, close_below, close_above = [each for each in answers if isinstance(each, Returned)]
        if responses.same(below, above) or _reads_scores(responses, scaled):
            return Behaviour(name="not_askable", text="the answer does not tell which of two scores is higher")
        text = f"hit below {below}, above {above}; a billionth below {close_below}, above {close_above}"
        if responses.same(close_below, below) and responses.same(close_above, above):
            return Behaviour(name="unchanged", text=text)
        return Behaviour(name="tied" if responses.same(close_below, close_above) else "changes", text=text)

    return Judge((*names, *scaled), judge)


def _reads_scores(responses: Responses, scaled: tuple[str, str]) -> bool:
    one, other = responses.to(scaled[0]), responses.to(scaled[1])
    return isinstance(one, Returned) and isinstance(other, Returned) and not responses.same(one, other)


def _rule(responses: Responses, first: Returned, second: Returned, cases: list[Returned]) -> Behaviour:
    text = f"hit above {first}, below {second}, tied {', '.join(dict.fromkeys(map(str, cases)))}"
    upper = [responses.same(each, first) for each in cases]
    lower = [responses.same(each, second) for each in cases]
    if all(one or other for one, other in zip(upper, lower, strict=True)):
        pattern = (upper[0], upper[1], upper[2], upper[3])
        return Behaviour(name=TIE_RULES.get(pattern, "mixed"), text=text)
    alike = all(responses.same(each, cases[0]) for each in cases)
    return Behaviour(name="shared" if alike else "mixed", text=text)
