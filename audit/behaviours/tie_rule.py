"""The rule by which a function orders items of the same score, told from four tied cases and two without a tie."""

from __future__ import annotations

from collections.abc import Mapping

from audit.behaviours.judges import Judge, lost
from audit.behaviours.readings import Reading, View
from reports.model.result import Behaviour

TIE_RULES: Mapping[tuple[bool, bool, bool, bool], str] = {
    (True, True, False, False): "row_order",
    (False, False, True, True): "reverse_row_order",
    (True, False, True, False): "lower_item_first",
    (False, True, False, True): "higher_item_first",
    (True, True, True, True): "hits_first",
    (False, False, False, False): "misses_first",
}
"""Whether the hit came first: upper row with lower and higher id, lower row with lower and higher id."""


def ties(tied: tuple[str, str, str, str], above: str, below: str, scaled: tuple[str, str]) -> Judge:
    """The rule of ties: in each tied case the hit came first (as ``above``) or second (as ``below``).

    ``scaled`` are two scenes that differ in the scale of their scores: what reads the scores themselves does not tell.
    """

    def judge(view: View) -> Behaviour:
        first, second = view.at(above), view.at(below)
        cases = [view.at(name) for name in tied]
        for each in cases:
            if said := lost(first, each):
                return said
        if said := lost(first, second):
            return said
        assert isinstance(first, Reading) and isinstance(second, Reading)
        if view.same(first, second):
            return Behaviour(name="not_askable", text="the answer does not tell whether the hit stands above or below")
        plain, times = view.at(scaled[0]), view.at(scaled[1])
        if isinstance(plain, Reading) and isinstance(times, Reading) and not view.same(plain, times):
            return Behaviour(name="not_askable", text="the answer depends on the scores themselves")
        return _tie_rule(view, first, second, [each for each in cases if isinstance(each, Reading)])

    return judge


def _tie_rule(view: View, first: Reading, second: Reading, cases: list[Reading]) -> Behaviour:
    text = f"hit above {first}, below {second}, tied {', '.join(dict.fromkeys(map(str, cases)))}"
    upper, lower = [view.same(each, first) for each in cases], [view.same(each, second) for each in cases]
    if all(one or other for one, other in zip(upper, lower, strict=True)):
        pattern = (upper[0], upper[1], upper[2], upper[3])
        return Behaviour(name=TIE_RULES.get(pattern, "mixed"), text=text)
    alike = all(view.same(each, cases[0]) for each in cases)
    return Behaviour(name="shared" if alike else "mixed", text=text)
