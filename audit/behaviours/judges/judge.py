"""The type of a judge, and the comparisons that all judges share.

A judge takes the :class:`~audit.behaviours.responses.Responses` of one function and returns a ``Behaviour``; it says
which scenarios and probes it reads, so that no other is asked. What the names of behaviours mean is written in
:mod:`reports.tables.behaviour_matrix`; the text of a behaviour holds the numbers and the library's own words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isinf, isnan

from recsys_metric_audit.audit.behaviours.responses import Refused, Response, Responses, Returned
from recsys_metric_audit.reference.evaluation.readable_number import told_apart
from recsys_metric_audit.reports.model.result import Behaviour


@dataclass(frozen=True)
class Judge:
    """Names the behaviour that responses show.

    Attributes:
        reads: The scenarios and probes whose responses it reads.
        judge: Names the behaviour.
    """

    reads: tuple[str, ...]
    judge: Callable[[Responses], Behaviour]

    def __call__(self, responses: Responses) -> Behaviour:
        """Return the behaviour that the responses of one function show."""
        return self.judge(responses)


def any_unanswered(base: Response, others: Sequence[Response]) -> Behaviour | None:
    """Return the behaviour to report if ``base`` or one of ``others`` gave no value, None if all gave one."""
    return next((missing for each in others if (missing := unanswered(base, each))), None)


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
