"""Definitions that fit, rechecked on inputs they were not found on: small lists, and further inputs asked since."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from audit.identification.edge_choices import MULTI_USER_KINDS, with_unshown_policies
from audit.observations import probe_tables
from audit.observations.candidates import distinct
from audit.observations.evidence import Evidence, evidence_on, gather_evidence, survivors
from audit.observations.fit import Contradicted, Fit, Fitting, Stage, contradicted
from audit.observations.observation import Observation, Tolerance
from audit.questions.distinguishing import independent_cases
from audit.questions.initial import INITIAL_PROBES
from reference.cases import Kind, Variant
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import takes_one_ranking
from reference.space.averaged_users import not_asking
from reference.space.edges import UNDEFINED, policies_at


def needs_all_listed(observation: Observation, than: Variant = "usual") -> bool:
    """Return whether the function answered more multi-user probes with all relevant items listed than others.

    Args:
        observation: The answers of the function.
        than: The variant of the other multi-user probes.
    """
    listed, others = (evidence_on(observation, Kind("multi_user", each)) for each in ("all_listed", than))
    return listed.answered > others.answered


def evidence_on_all(observation: Observation) -> Evidence:
    """Collect what a function answered to all inputs, the initial ones first."""
    probes = {probe.name: probe for probe in (*INITIAL_PROBES, *observation.further_probes)}
    return gather_evidence(observation.probes, tuple(probes.values()))


def policies_for_unshown_states(fit: Fitting, observation: Observation) -> tuple[Definition, ...]:
    """Return what fits with every policy for states that no multi-user probe has shown."""
    asked = observation.probes
    kinds = [kind for kind in MULTI_USER_KINDS if any(probe.name in asked for probe in probe_tables.probes(kind))]
    tried = (each for one in fit.definitions for each in with_unshown_policies(one, kinds, fit.unidentified_axes))
    return tuple(distinct(tried, edges_known=True))


def recheck_on_small_lists(fit: Fitting, observation: Observation) -> Fit:
    """Keep what fits every small list; if nothing does, try the policies for states that no probe has shown."""
    small = evidence_on(observation, Kind("exhaustive"))
    for candidates in (fit.definitions, policies_for_unshown_states(fit, observation)):
        evidence = small.refusals_if_any_expected(candidates)
        surviving, gap = survivors(candidates, evidence, fit.tolerance, edges_known=True)
        if surviving:
            return replace(fit, definitions=tuple(surviving), deviation=max(fit.deviation, gap))
    return contradicted_again("every small list", fit, small.refusals_if_any_expected(fit.definitions))


def recheck_on_rated_users(fit: Fitting, observation: Observation) -> Fitting:
    """Decide whether users are averaged over who have truth rows, none of them relevant.

    If no answer fits, the axis ``users`` is unidentified; the fit stays as it is without such answers, and where every
    truth row is relevant.
    """
    evidence = evidence_on(observation, Kind("rated_users"))
    open_ = [each for each in fit.definitions if each.axes.get("relevance", "every_row") != "every_row"]
    if not open_ or not (evidence.measured.any() or evidence.by_user.any()) or any(map(takes_one_ranking, open_)):
        return fit
    tried = [made for each in fit.definitions for made in (each, *_with_truth_rows(each))]
    candidates = distinct(tried, edges_known=True)
    surviving, _ = survivors(candidates, evidence.expected_refusals(candidates), fit.tolerance, edges_known=True)
    if surviving:
        return replace(fit, definitions=tuple(surviving))
    return replace(fit, unidentified_axes=tuple(dict.fromkeys((*fit.unidentified_axes, "users"))))


def _with_truth_rows(definition: Definition) -> list[Definition]:
    """Return the definition averaged over users of truth rows, if it averages over users with relevant items.

    Multi-user probes have users without relevant items only where they have no truth rows either.
    """
    if definition.axes["users"] not in ("truth", "both") or definition.axes["undefined"] == "error":
        return []
    users = not_asking(definition.axes["users"], "relevant")
    policies = policies_at(UNDEFINED, without=("skip",))
    return [definition.with_(users=users, undefined=policy) for policy in policies]


def contradicted_again(stage: Stage, fit: Fitting, evidence: Evidence) -> Contradicted:
    """Return the fit after a stage that none of its definitions survived; unidentified axes stay unidentified."""
    failed = contradicted(stage, evidence, list(fit.definitions), fit.tolerance, fit.cases)
    return replace(failed, unidentified_axes=fit.unidentified_axes)


def narrowed(fit: Fitting, evidence: Evidence) -> Fit:
    """Keep what fits the answers to a question."""
    evidence = evidence.expected_refusals(fit.definitions)
    surviving, gap = survivors(fit.definitions, evidence, fit.tolerance, edges_known=True)
    if surviving:
        return replace(fit, definitions=tuple(surviving), deviation=max(fit.deviation, gap))
    return contradicted_again("distinguishing input", fit, evidence)


def recheck_on_distinguishing_inputs(fit: Fit, observation: Observation) -> Fit:
    """Keep what fits the distinguishing inputs asked so far.

    If nothing does, the policies for states that no probe has shown are tried. A suspended fit was compared already,
    as far as the axes that it leaves open allow.
    """
    if isinstance(fit, Contradicted) or fit.suspended:
        return fit
    for candidates in (fit.definitions, policies_for_unshown_states(fit, observation)):
        surviving, gap = survivors_of_distinguishing_inputs(candidates, fit, observation)
        if surviving:
            return replace(fit, definitions=tuple(surviving), deviation=max(fit.deviation, gap))
    evidence = evidence_on_distinguishing_inputs(observation)
    assert evidence is not None  # without any input, all candidates survive
    evidence = evidence.expected_refusals(fit.definitions)
    return contradicted_again("distinguishing input", fit, evidence)


def fitting_beside_open_axes(
    candidates: Sequence[Definition], evidence: Evidence, open_axes: Collection[str], tolerance: Tolerance, *,
    per_user: bool,
) -> list[Definition]:  # fmt: skip
    """Return the candidates that fit the inputs which do not depend on axes that are still open.

    Args:
        candidates: The definitions.
        evidence: Answers to the inputs.
        open_axes: The axes that are not known yet.
        tolerance: Deviations up to which numbers count as equal.
        per_user: Whether users' values are compared, so that averaging does not matter.
    """
    surviving = list[Definition]()
    for each in candidates:
        usable = independent_cases([each], evidence.problem, open_axes, per_user=per_user)
        heard = evidence.only(usable).expected_refusals([each])
        surviving += survivors([each], heard, tolerance, edges_known=True)[0]
    return surviving


def survivors_of_distinguishing_inputs(
    candidates: Sequence[Definition], fit: Fitting, observation: Observation
) -> tuple[Sequence[Definition], float]:
    """Return the candidates that fit the distinguishing inputs asked so far, and their largest deviation."""
    evidence = evidence_on_distinguishing_inputs(observation)
    if evidence is None:
        return candidates, 0.0
    return survivors(candidates, evidence.expected_refusals(candidates), fit.tolerance, edges_known=True)


def evidence_on_distinguishing_inputs(observation: Observation) -> Evidence | None:
    """Collect what a function answered to inputs that tell definitions apart; None if it was asked none."""
    asked = [probe for probe in observation.further_probes if probe.kind == Kind("distinguishing")]
    return gather_evidence(observation.probes, asked) if asked else None


def recheck_on_all(fit: Fit, observation: Observation) -> Fit:
    """Keep what fits the small lists and the distinguishing inputs asked so far."""
    if isinstance(fit, Contradicted):
        return fit
    return recheck_on_distinguishing_inputs(recheck_on_small_lists(fit, observation), observation)
