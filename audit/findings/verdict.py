"""The decision of a verdict: agrees, variant, undocumented, ambiguous, unexplained or unstable."""

from __future__ import annotations

from collections.abc import Sequence

from audit.behaviours.responses import Refused, Response, Returned, response_of, same_values
from audit.findings.by_level import ByLevel
from audit.libraries.function import Function
from audit.observations.canonical import differing_axes
from audit.observations.observation import Observation, Tolerance
from reference.catalogue.documented_formulas import documents_formula
from reference.definitions.definition import parse
from reference.definitions.projection import formula_of
from reference.space.levels import level_of
from reports.model.result import Documenter, Verdict


def decide_verdict(by_level: ByLevel | None, documented_by: Sequence[Documenter], function: Function) -> Verdict:
    """Return the verdict on the formula of one function whose answers are stable.

    Args:
        by_level: The definitions that fit, told by level; None if none fits.
        documented_by: Who states the formula.
        function: The function, which knows its canonical definition.

    Returns:
        `unexplained`: no definition fits. `ambiguous`: several formulas fit. `agrees`: the formula is the canonical
        one of the metric that the function is named after. `variant`: it is another, which the library's documentation
        or a source of the catalogue states. `undocumented`: it is another, which neither states.
    """
    if by_level is None:
        return "unexplained"
    if len(by_level.formulas) > 1:
        return "ambiguous"
    if by_level.shown.metric == function.metric and not differing_formula_axes(by_level, function):
        return "agrees"
    return "variant" if documented_by else "undocumented"


def differing_formula_axes(by_level: ByLevel, function: Function) -> tuple[str, ...]:
    """Return the formula-level axes on which the shown definition differs from the function's canonical one."""
    differing = differing_axes(by_level.shown, function)
    return tuple(axis for axis in differing if level_of(axis) == "formula" and axis in by_level.stated)


def who_documents(by_level: ByLevel, claim: str | None) -> tuple[Documenter, ...]:
    """Return who states the formula: the library's own documentation, a source of the catalogue, both or neither."""
    formula = by_level.formulas[0]
    library = claim is not None and formula_of(parse(claim)).with_(k="k") == formula.with_(k="k")
    found: list[Documenter] = ["library"] if library else []
    return (*found, "catalogue") if documents_formula(formula) else tuple(found)


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


def matches_claim(claim: str | None, by_level: ByLevel | None) -> bool | None:
    """Return True if a definition has the claimed formula and the claimed value of every other axis that is named.

    A claim is compared on the axes that it speaks of: its formula, and whatever else it names. Axes that do not apply
    to the function, or that cannot matter, are not compared.

    Args:
        claim: Signature that the library's documentation states; None if it states none.
        by_level: The identified definition by level; None if none was identified.

    Returns:
        None if either is missing, several formulas fit, or only an unknown axis could decide.
    """
    if claim is None or by_level is None or len(by_level.formulas) > 1:
        return None
    claimed, shown = parse(claim).simplified(), by_level.shown
    if claimed.metric != shown.metric:
        return False
    named = {*claimed.differs_on, *(axis for axis in shown.axes if level_of(axis) == "formula")}
    compared = named - {*by_level.does_not_apply, *by_level.cannot_matter, *by_level.unknown}
    if any(claimed.axes[axis] != shown.axes[axis] for axis in compared):
        return False
    return None if named & set(by_level.unknown) else True
