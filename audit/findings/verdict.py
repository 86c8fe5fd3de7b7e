"""Decides a verdict: agrees, variant, undocumented, ambiguous, unexplained or unstable.

Before that, the definitions that fit are sorted by level: formulas, and axes that are unknown, cannot matter or do not
apply.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from recsys_metric_audit.audit.behaviours.responses import Refused, Response, Returned, response_of, same_values
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.canonical import canonical_on, differing_axes
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.reference.catalogue import documents_formula
from recsys_metric_audit.reference.definitions.definition import Definition, parse, stated_axes
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.equality.projection import formula_of, idle_axes, leaves_somebody
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.space.averaging import NOBODY
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reference.space.user_outcomes import asked_properties
from recsys_metric_audit.reports.model.result import Documenter, Verdict

PER_USER = "the function gives a value for each user and no mean"
SOMEBODY = "somebody always counts, or all rows are one ranking"
IDLE = "no value of it changes this formula"
LISTED = "only users with recommendations are averaged, and it does not raise"
_MEANS = ("pooling", "weight", "mean", "nobody")


@dataclass(frozen=True)
class ByLevel:
    """Holds the definitions that fit one function, sorted by level.

    ``formulas`` are the distinct formulas among them, the fewest changes first. ``shown`` is the first definition,
    with every axis that is unknown or does not apply at its canonical value; ``stated`` are the axes that it states.
    ``alike`` are further formulas that fit, which no input that the function takes tells from the one of ``formulas``.
    ``assumed`` are the values with which the first definition explains the answers, where what is shown has others.
    """

    formulas: tuple[Definition, ...]
    shown: Definition
    stated: tuple[str, ...]
    unknown: tuple[str, ...]
    cannot_matter: Mapping[str, str]
    does_not_apply: Mapping[str, str]
    assumed: Mapping[str, str]
    alike: tuple[Definition, ...] = ()

    @property
    def definition(self) -> dict[str, str]:
        """Every axis that is stated, with its value."""
        return {name: self.shown.axes[name] for name in self.stated}


def split_by_level(
    fitting: Sequence[Definition],
    unidentified: Collection[str],
    *,
    ruled_out: Mapping[str, str] = MappingProxyType({}),
    per_user: bool = False,
    inseparable: str = "",
    tested: Mapping[str, str] = MappingProxyType({}),
) -> ByLevel:
    """Tell what all of ``fitting`` say, level by level; the first of them is the one that is shown.

    Args:
        fitting: The definitions that fit all answers, at least one, canonical-most first.
        unidentified: Axes of which the answers say nothing.
        ruled_out: Axes that the function's contract or its adapter decides, each with the reason.
        per_user: Whether the function gives users' values and no mean.
        inseparable: Why no input that the function takes can tell several formulas apart; empty if one could.
            Such formulas are one: the first stands for all, and the axes on which they differ cannot matter.
        tested: Values that the first definition was tested with where it now has others.
    """
    first = fitting[0]
    does_not_apply = {axis: reason for axis, reason in ruled_out.items() if axis in first.axes}
    if per_user:
        across = [axis for axis in first.family.across_users if axis in first.axes]
        does_not_apply |= dict.fromkeys((*_MEANS, *across), PER_USER)
    formulas = tuple(dict.fromkeys(formula_of(canonical_on(each, does_not_apply)) for each in fitting))
    cannot_matter: dict[str, str] = {}
    alike: tuple[Definition, ...] = ()
    if inseparable and len(formulas) > 1:
        cannot_matter = {axis: f"between {_listed(axis, formulas)}, {inseparable}" for axis in _apart(formulas)}
        formulas, alike = formulas[:1], formulas[1:]
    unknown = {axis for axis in (*_apart(fitting), *unidentified) if axis in first.axes}
    unknown -= {*does_not_apply, *cannot_matter}
    if NOBODY.name in first.axes and NOBODY.name not in does_not_apply and all(map(leaves_somebody, fitting)):
        cannot_matter[NOBODY.name] = SOMEBODY
        unknown -= {NOBODY.name}
    if first.axes.get("no_hit") == "skip" and first.axes.get(NOBODY.name) not in (None, NOBODY.canonical):
        # It was asked of input without users: what comes out where all were left out for want of a hit may be another
        # thing, as in MS Recommenders' NDCG of raw gains, which gives 0 for the one and NaN for the other.
        unknown |= {NOBODY.name} - {*does_not_apply, *cannot_matter}
    if len(formulas) > 1:
        unknown = {axis for axis in unknown if level_of(axis) != "formula"}
    shown = canonical_on(first, {*unknown, *does_not_apply})
    listed = _of_averaged_users(shown, does_not_apply, unknown)
    idle = (axis for axis in idle_axes(shown) if axis not in unknown and axis not in does_not_apply)
    return ByLevel(
        formulas=formulas,
        shown=shown,
        stated=tuple(name for name in first.axes if name not in unknown and name not in does_not_apply),
        unknown=tuple(name for name in first.axes if name in unknown),
        cannot_matter={**dict.fromkeys(idle, IDLE), **listed, **cannot_matter},
        does_not_apply=does_not_apply,
        alike=alike,
        assumed={name: value for name, value in {**first.axes, **tested}.items() if value != shown.axes[name]},
    )


def _of_averaged_users(shown: Definition, *unstated: Collection[str]) -> dict[str, str]:
    """Return the axis of users without a list if none of them is averaged over, with the reason.

    A library may raise for such a user all the same, whomever it averages over.
    """
    stated = {"users", "no_list"} <= shown.axes.keys() - {name for names in unstated for name in names}
    if not stated or shown.axes["no_list"] == "error":
        return {}
    return {"no_list": LISTED} if {"listed", "hit"} & {*asked_properties(shown.axes["users"])} else {}


def _listed(axis: str, formulas: Sequence[Definition]) -> str:
    """Return the values that an axis has in formulas that no input tells apart; others are told apart."""
    return " and ".join(dict.fromkeys(each.axes[axis] for each in formulas if axis in each.axes))


def _apart(definitions: Sequence[Definition]) -> tuple[str, ...]:
    """Return the axes on which definitions of one metric differ; of several metrics, none."""
    first = definitions[0]
    same = [each for each in definitions if each.metric == first.metric]
    return tuple(name for name in first.axes if any(each.axes[name] != first.axes[name] for each in same))


def decide_verdict(by_level: ByLevel | None, documented_by: Sequence[Documenter], function: Function) -> Verdict:
    """Return the verdict on the formula of one function whose answers are stable.

    Args:
        by_level: The definitions that fit, told by level; None if none fits.
        documented_by: Who states the formula.
        function: The function, which knows its canonical definition.

    Returns:
        `unexplained`: no definition fits. `ambiguous`: several formulas fit, or the canonical one does and an axis of
        it is not known. `agrees`: the formula is the canonical one of the metric that the function is named after.
        `variant`: it is another, which the library's documentation or a source of the catalogue states.
        `undocumented`: it is another, which neither states.
    """
    if by_level is None:
        return "unexplained"
    if len(by_level.formulas) > 1:
        return "ambiguous"
    if by_level.shown.metric == function.metric and not differing_formula_axes(by_level, function):
        return "ambiguous" if any(level_of(axis) == "formula" for axis in by_level.unknown) else "agrees"
    return "variant" if documented_by else "undocumented"


def differing_formula_axes(by_level: ByLevel, function: Function) -> tuple[str, ...]:
    """Return the formula-level axes on which the shown definition differs from the function's canonical one."""
    differing = differing_axes(by_level.shown, function)
    return tuple(axis for axis in differing if level_of(axis) == "formula" and axis in by_level.stated)


def who_documents(by_level: ByLevel, function: Function) -> tuple[Documenter, ...]:
    """Return who states the formula: the library's own documentation, a source of the catalogue, both or neither.

    Sources state formulas at a cut-off. A function that takes none is held against them as if its whole list were the
    first k.
    """
    formula, claim = by_level.formulas[0], function.claims
    library = claim is not None and formula_of(parse(claim)).with_(k="k") == formula.with_(k="k")
    found: list[Documenter] = ["library"] if library else []
    whole = not function.cutoff and formula.axes.get("cutoff") == "none"
    stated = documents_formula(formula) or (whole and documents_formula(formula.with_(cutoff="k")))
    return (*found, "catalogue") if stated else tuple(found)


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
    """Return whether the identified definition is the claimed one, on the axes that the claim states.

    A claim states its metric and each axis that it names, also at the canonical value. Axes that do not apply to the
    function, or of which no value changes the formula, are not compared. Of formulas that no input tells apart, it may
    state any: what it states of an axis that cannot matter has to be the value of one of them.

    Args:
        claim: Signature of what the library's documentation states; None if it states nothing.
        by_level: The identified definition by level; None if none was identified.

    Returns:
        False if every formula that fits contradicts what the claim states. True if the formula is the claimed one and
        no stated axis differs. None in all other cases: nothing is claimed or identified, several formulas fit, a
        stated axis is unknown, or the formula differs only where the claim states nothing.
    """
    if claim is None or by_level is None:
        return None
    if all(contradicted_axes(claim, by_level, formula) for formula in (*by_level.formulas, *by_level.alike)):
        return False
    claimed, stated = shortest(parse(claim)), stated_axes(claim)
    if len(by_level.formulas) > 1 or claimed.metric != by_level.shown.metric:
        return None
    compared = {*claimed.differs_on, *(axis for axis in claimed.axes if level_of(axis) == "formula")}
    known = {*by_level.stated} - {*by_level.cannot_matter}
    if any(claimed.axes[axis] != by_level.shown.axes[axis] for axis in compared & known):
        return None
    return None if (compared | stated) & {*by_level.unknown} else True


def claimed_definition(claim: str, identified: Definition) -> Definition:
    """Return ``identified`` with what the claim states in its place: the two differ in nothing else."""
    claimed = parse(claim)
    if claimed.metric != identified.metric:
        return claimed
    return identified.with_(**{axis: claimed.axes[axis] for axis in stated_axes(claim)})


def contradicted_axes(claim: str, by_level: ByLevel, formula: Definition | None = None) -> tuple[str, ...]:
    """Return the axes that a claim states otherwise than the identified definition; ``metric`` if it is of another one.

    Args:
        claim: Signature of what the library's documentation states.
        by_level: The identified definition by level.
        formula: The formula to compare with, if it is not the shown one.
    """
    claimed, shown = parse(claim), by_level.shown
    found = shown if formula is None else _with_formula(shown, formula)
    if claimed.metric != found.metric:
        return ("metric",)
    first = by_level.formulas[0].axes
    between = {axis for each in by_level.alike for axis, value in each.values if value != first.get(axis)}
    stated = stated_axes(claim) - {*by_level.unknown, *by_level.does_not_apply}
    stated -= by_level.cannot_matter.keys() - between
    differing = {axis: claimed.axes[axis] for axis in found.axes if axis in stated}
    differing = {axis: value for axis, value in differing.items() if value != found.axes[axis]}
    # Documentation may say that users are weighted without saying by what, which alone moves nothing.
    if "pooling" not in differing and not _moves(found, differing):
        return ()
    return tuple(axis for axis, value in differing.items() if _moves(found, {axis: value})) or tuple(differing)


def _with_formula(shown: Definition, formula: Definition) -> Definition:
    """Return ``shown`` with the formula of ``formula``; that alone if it is of another metric."""
    if shown.metric != formula.metric:
        return formula
    return shown.with_(**{axis: value for axis, value in formula.values if level_of(axis) == "formula"})


def _moves(definition: Definition, values: Mapping[str, str]) -> bool:
    """Return True unless the definition is the same with ``values``, as with another base that cancels."""
    return not are_equal(definition.with_(**values), definition)
