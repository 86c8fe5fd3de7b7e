"""Judges: pure functions that name the behaviour which a function's responses show.

A judge takes the :class:`~audit.behaviours.responses.Responses` of one function and returns a ``Behaviour``; it says
which scenarios and probes it reads, so that no other is asked. What the names of behaviours mean is written in
:mod:`reports.tables.behaviour_matrix`; the text of a behaviour holds the numbers and the library's own words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, isinf, isnan

from recsys_metric_audit.audit.behaviours.responses import Refused, Response, Responses, Returned, by_original_user
from recsys_metric_audit.reference.evaluation.readable_number import told_apart
from recsys_metric_audit.reports.model.result import Behaviour


@dataclass(frozen=True)
class Judge:
    """Names the behaviour that responses show.

    Attributes:
        reads: The scenarios and probes whose responses it reads, first those whose answers its text shows.
        judge: Names the behaviour.
    """

    reads: tuple[str, ...]
    judge: Callable[[Responses], Behaviour]

    def __call__(self, responses: Responses) -> Behaviour:
        """Return the behaviour that the responses of one function show."""
        return self.judge(responses)


def of_answers(names: Sequence[str], judge: Callable[..., Behaviour], base: int | None = 0) -> Judge:
    """Return the judge of the answers to scenarios or probes; where one gave no value, it says so.

    Args:
        names: The scenarios or probes.
        judge: Names the behaviour, given the responses, and what was returned for each name.
        base: The place of the one before every change; None if nothing is changed.
    """

    def judged(responses: Responses) -> Behaviour:
        answers = [responses.to(name) for name in names]
        before = _ANSWERED if base is None else answers[base]
        for number, each in enumerate(answers):
            if number != base and (missing := unanswered(before, each)):
                return missing
        return judge(responses, *answers)

    return Judge(tuple(names), judged)


def unanswered(base: Response, changed: Response) -> Behaviour | None:
    """Return the behaviour to report if either scenario gave no value, None if both gave one.

    Args:
        base: the response before the change.
        changed: the response after the change.
    """
    if base is None or changed is None:
        return Behaviour(name="not_asked")
    if isinstance(base, Refused):
        if isinstance(changed, Refused) and changed.how == base.how:
            return Behaviour(name="not_askable", text=f"without the change, too: {base.words}")
        return Behaviour(name="not_askable", text=f"refused even without the change: {base.words}")
    if isinstance(changed, Refused):
        name = "not_askable" if changed.how == "not_offered" else changed.how
        return Behaviour(name=name, text=changed.words)
    return None


def compare(responses: Responses, before: Returned, after: Returned) -> Behaviour:
    """Name the change of a value: ``unchanged``, ``nan`` or ``changes``, the last two with both numbers."""
    if responses.same(before, after):
        return Behaviour(name="unchanged")
    if after.number is not None and isnan(after.number):
        return Behaviour(name="nan", text=f"{before} becomes nan")
    if before.number is None or after.number is None:
        return Behaviour(name="changes", text=f"{before} becomes {after}")
    return Behaviour(name="changes", text=" becomes ".join(told_apart(before.number, after.number)))


def name_number(number: float) -> Behaviour:
    """Name a number: ``nan``, ``infinite``, ``zero``, ``one``, or ``number`` with its digits."""
    if isnan(number):
        return Behaviour(name="nan")
    if isinf(number):
        return Behaviour(name="infinite", text=str(number))
    # Rounding in float32, or a sum taken in another order, moves the last digit: that is no other behaviour.
    whole = {0.0: "zero", 1.0: "one"}.get(round(number, 6))
    return Behaviour(name=whole) if whole else Behaviour(name="number", text=f"{number:.6g}")


def with_text(behaviour: Behaviour, text: str) -> Behaviour:
    """Return a copy of the behaviour with another text."""
    return behaviour.model_copy(update={"text": text})


WITH_OTHERS = "asked together with other changes"


def invariance(base: str, changed: str, *, renamed: bool = False) -> Judge:
    """Judge whether a change of the input leaves the answer as it was.

    Args:
        base: the scenario or probe before the change (the source case).
        changed: the scenario after the change (the follow-up case).
        renamed: whether the change renamed the users; values are then matched by the original ids.
    """

    def judge(responses: Responses, before: Returned, after: Returned) -> Behaviour:
        found = compare(responses, before, by_original_user(after) if renamed else after)
        return with_text(found, WITH_OTHERS) if responses.asked_with_others(changed) else found

    return of_answers((base, changed), judge)


def truth_row_counts(with_row: str, without: str) -> Judge:
    """Judge whether a row of the truth is ignored (``skipped``: the answer stays without it) or counted."""

    def judge(responses: Responses, before: Returned, after: Returned) -> Behaviour:
        if responses.same(before, after):
            return Behaviour(name="skipped", text=f"{after} with and without it")
        name = "nan" if after.number is not None and isnan(after.number) else "counted"
        return Behaviour(name=name, text=f"{before} without it, {after} with it")

    return of_answers((without, with_row), judge)


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

    def judge(responses: Responses, rising: Returned, falling: Returned, low: Returned, high: Returned) -> Behaviour:
        if responses.same(low, high):
            return Behaviour(name="not_askable", text=f"{low}, whatever the gain is")
        alone = {"low": low, "high": high}
        read = [next((gain for gain in alone if responses.same(each, alone[gain])), "") for each in (rising, falling)]
        text = f"{low} with the low gain, {high} with the high one; low, high {rising}; high, low {falling}"
        name = _COPIES.get((read[0], read[1]), "changes")
        return Behaviour(name=name if any(read) or responses.same(rising, falling) else "changes", text=text)

    return of_answers(names, judge, len(names) - 1)


def alternatives(base: str, changed: str, like: Mapping[str, str], more: str = "changes") -> Judge:
    """Judge which of several plain scenarios the changed one is answered like.

    Args:
        base: the scenario or probe before the change.
        changed: the scenario after the change.
        like: the plain scenarios, each with the behaviour's name where the answers are equal.
        more: the behaviour's name where the answer equals none of them and is larger than each.
    """

    def judge(responses: Responses, _: Returned, after: Returned) -> Behaviour:
        plain = [(name, responses.to(scenario)) for scenario, name in like.items()]
        fitting = [name for name, other in plain if isinstance(other, Returned) and responses.same(other, after)]
        if len(fitting) == len(plain) and len(plain) > 1:
            return Behaviour(name="unchanged", text=f"{after}, whichever way it is read")
        text = f"{after}; " + ", ".join(f"{name} would be {_words(other)}" for name, other in plain)
        numbers = [other.number for _, other in plain if isinstance(other, Returned) and other.number is not None]
        larger = after.number is not None and all(after.number > number for number in numbers)
        return Behaviour(name=fitting[0] if fitting else more if larger else "changes", text=text)

    return replace(of_answers((base, changed), judge), reads=(base, changed, *like))


def _words(response: Response) -> str:
    match response:
        case None:
            return "not asked"
        case Refused(words=words):
            return words
        case Returned():
            return str(response)


_UNUSUAL_USER, _OTHERS = 1, 2
"""The id of an unusual user, and the number of ordinary ones beside it."""


def missing_user(with_user: str, without: str) -> Judge:
    """Judge what one unusual user counts as: nothing (``skipped``), ``zero``, ``one``, ``half`` or ``nan``.

    Args:
        with_user: the scenario or probe with the unusual user.
        without: the scenario of the others alone, which gives their mean.
    """

    def judge(responses: Responses, before: Returned, after: Returned) -> Behaviour:
        if before.mean is None or after.mean is None:
            return _own_value(after)
        return _share_of_mean(responses, before.mean, after.mean)

    return of_answers((without, with_user), judge)


def _own_value(after: Returned) -> Behaviour:
    value = (after.users or {}).get(_UNUSUAL_USER)
    if value is None:
        return Behaviour(name="skipped", text="this user has no value")
    return with_text(name_number(value), f"this user's value is {value:.6g}; there is no mean")


def _share_of_mean(responses: Responses, before: float, after: float) -> Behaviour:
    """Name the value of one more user that moves the mean of the others from ``before`` to ``after``."""
    if _same(responses, before, after):
        return Behaviour(name="skipped", text=f"the mean stays {after:.6g}")
    text = f"the mean of the others is {before:.6g}, with this user {after:.6g}"
    if isnan(after):
        return Behaviour(name="nan", text=text)
    for name, counts in (("zero", 0.0), ("one", 1.0), ("half", 0.5)):
        if _same(responses, (before * _OTHERS + counts) / (_OTHERS + 1), after):
            return Behaviour(name=name, text=text)
    return Behaviour(name="changes", text=text)


def _same(responses: Responses, one: float, other: float) -> bool:
    return responses.same(Returned(one, None), Returned(other, None))


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
    """Return the first change or error; without one ``unchanged`` if any says so, else that nothing was answered."""
    telling = [each for each in found if each.name not in ("unchanged", "not_askable", "not_asked")]
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


Bounds = tuple[float, float]
"""The lowest and the highest value that a metric can take."""

_ANSWERED = Returned(0.0, None)


def value(scenario: str) -> Judge:
    """Judge the number that one scenario gives: 0, 1, NaN, an infinity, another number, or an error."""

    def judge(_: Responses, returned: Returned) -> Behaviour:
        if returned.number is None or (returned.mean is None and returned.rows == 0):
            return Behaviour(name="skipped", text="no user has a value")
        return name_number(returned.number)

    return of_answers((scenario,), judge, None)


def per_user_values(scenario: str, users: Sequence[int]) -> Judge:
    """Judge whether each of ``users`` has exactly one value, and nobody else has any."""

    def judge(_: Responses, returned: Returned) -> Behaviour:
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

    return of_answers((scenario,), judge, None)


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


def tie_rule(tied: Sequence[str], untied: Sequence[str], scaled: tuple[str, str]) -> Judge:
    """Judge by which rule a function orders a hit and a miss of equal score.

    Args:
        tied: the four tied scenarios, in the order of :data:`TIE_RULES`.
        untied: the scenario without a tie in which the hit stands above the miss, and the one in which it stands below.
        scaled: two scenarios that differ in the scale of their scores only. A function that computes from the scores
            themselves answers them differently; its tied answers then say nothing about order.
    """

    def judge(responses: Responses, *answers: Returned) -> Behaviour:
        *cases, first, second = answers
        if responses.same(first, second):
            return Behaviour(name="not_askable", text="the answer does not tell whether the hit stands above or below")
        if _reads_scores(responses, scaled):
            return Behaviour(name="not_askable", text="the answer depends on the scores themselves")
        return _rule(responses, first, second, cases)

    return replace(of_answers((*tied, *untied), judge, len(tied)), reads=(*tied, *untied, *scaled))


def precision_of_scores(names: Sequence[str], scaled: tuple[str, str]) -> Judge:
    """Judge whether scores tie that differ in double precision and not in single precision.

    Args:
        names: Scenarios of two scores with the hit below and above, apart in single precision, then only in double.
        scaled: As for :func:`tie_rule`.
    """

    def judge(responses: Responses, *answers: Returned) -> Behaviour:
        below, above, close_below, close_above = answers
        if responses.same(below, above) or _reads_scores(responses, scaled):
            return Behaviour(name="not_askable", text="the answer does not tell which of two scores is higher")
        text = f"hit below {below}, above {above}; a billionth below {close_below}, above {close_above}"
        if responses.same(close_below, below) and responses.same(close_above, above):
            return Behaviour(name="unchanged", text=text)
        return Behaviour(name="tied" if responses.same(close_below, close_above) else "changes", text=text)

    return replace(of_answers(names, judge), reads=(*names, *scaled))


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
