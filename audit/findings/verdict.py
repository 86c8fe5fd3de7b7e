"""The decision of a verdict: agrees, variant, undocumented, ambiguous, unexplained or unstable."""

from __future__ import annotations

from collections.abc import Sequence

from audit.behaviours.responses import Refused, Response, Returned, response_of, same_values
from audit.libraries.function import Function
from audit.observations.canonical import differing_axes
from audit.observations.observation import Observation, Tolerance
from reference.catalogue import is_documented
from reference.definitions.definition import Definition, parse
from reports.model.result import Verdict


def decide_verdict(
    observation: Observation, tolerance: Tolerance, fitting: Sequence[Definition], function: Function
) -> Verdict:
    """Return the verdict on one function.

    Args:
        observation: The function's answers, those to repeated questions included.
        tolerance: Difference up to which two answers count as equal.
        fitting: The definitions that fit all probes and the data.
        function: The function, which knows its canonical definition.

    Returns:
        `unstable`: a repeated question got another answer. `unexplained`: no definition fits. `ambiguous`: several
        fit. `agrees`: the one that fits is the canonical one. `variant`: it is another, which a text of the catalogue
        states. `undocumented`: it is another, which no text of the catalogue states.
    """
    if is_unstable(observation, tolerance):
        return "unstable"
    if not fitting:
        return "unexplained"
    if len(fitting) > 1:
        return "ambiguous"
    if not differing_axes(fitting[0], function):
        return "agrees"
    return "variant" if is_documented(fitting[0]) else "undocumented"


def is_unstable(observation: Observation, tolerance: Tolerance) -> bool:
    """Return True if a repeated question got another value, or an error only once.

    A timeout does not count as another answer, because a busy machine may be to blame.
    """
    return any(
        _contradict(response_of(observation.probes[name]), response_of(repetition), tolerance)
        for name, repetitions in observation.repeats.items()
        for repetition in repetitions
    )


def _contradict(one: Response, other: Response, tolerance: Tolerance) -> bool:
    if isinstance(one, Returned) and isinstance(other, Returned):
        return not same_values(one, other, tolerance)
    conclusive = [
        isinstance(each, Returned) or (isinstance(each, Refused) and each.how in ("raises", "crashes"))
        for each in (one, other)
    ]
    return all(conclusive) and isinstance(one, Returned) != isinstance(other, Returned)


def matches_claim(claim: str | None, definition: Definition | None) -> bool | None:
    """Return True if ``definition`` has the claimed formula and the claimed value of every other axis it names.

    Args:
        claim: Signature that the library's documentation states; None if it states none.
        definition: The identified definition; None if none was identified.

    Returns:
        None if either is missing.
    """
    if claim is None or definition is None:
        return None
    claimed = parse(claim).simplified()
    if claimed.metric != definition.metric:
        return False
    formula = {axis.name for axis in definition.family.axes}
    compared = formula | set(claimed.differs_on)
    return all(claimed.axes[name] == definition.axes[name] for name in compared)
