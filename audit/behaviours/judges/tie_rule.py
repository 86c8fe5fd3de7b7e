"""Judge of ties: by which rule a function orders items that share their score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recsys_metric_audit.audit.behaviours.judges.judge import Judge, unanswered
from recsys_metric_audit.audit.behaviours.responses import Response, Responses, Returned
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
        if missing := _any_unanswered(first, [*cases, second]):
            return missing
        assert isinstance(first, Returned) and isinstance(second, Returned)
        if responses.same(first, second):
            return Behaviour(name="not_askable", text="the answer does not tell whether the hit stands above or below")
        if _reads_scores(responses, scaled):
            return Behaviour(name="not_askable", text="the answer depends on the scores themselves")
        return _rule(responses, first, second, [each for each in cases if isinstance(each, Returned)])

    return Judge((*tied, above, below, *scaled), judge)


def _any_unanswered(base: Response, others: Sequence[Response]) -> Behaviour | None:
    return next((missing for each in others if (missing := unanswered(base, each))), None)


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
