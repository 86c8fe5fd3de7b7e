"""Definitions that fit, rechecked on inputs they were not found on: small lists, and further inputs asked since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from audit.identification.edge_choices import with_unshown_policies
from audit.identification.multi_user_stages import (
    MULTI_USER_KINDS,
    MultiUserEvidence,
    force_stages,
    resume_stages,
)
from audit.observations import probe_tables
from audit.observations.candidates import distinct
from audit.observations.evidence import Evidence, evidence_on, gather_evidence, survivors
from audit.observations.fit import Contradicted, Fit, Fitting, Stage, contradicted, is_suspended
from audit.observations.observation import Observation
from audit.questions.distinguishing import independent_cases
from audit.questions.initial import INITIAL_PROBES
from reference.cases import Kind, Variant
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import takes_one_ranking
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
    users = {"truth": "truth_rows", "both": "both_rows"}.get(definition.axes["users"])
    if users is None or definition.axes["undefined"] == "error":
        return []
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

    If nothing does, the policies for states that no probe has shown are tried. A suspended fit is compared only on
    inputs that do not depend on an unidentified axis.
    """
    if isinstance(fit, Contradicted):
        return fit
    if fit.suspended is not None:
        return _recheck_suspended(fit, observation)
    for candidates in (fit.definitions, policies_for_unshown_states(fit, observation)):
        surviving, gap = survivors_of_distinguishing_inputs(candidates, fit, observation)
        if surviving:
            return replace(fit, definitions=tuple(surviving), deviation=max(fit.deviation, gap))
    evidence = _distinguishing_evidence(observation).expected_refusals(fit.definitions)
    return contradicted_again("distinguishing input", fit, evidence)


def _recheck_suspended(fit: Fitting, observation: Observation) -> Fit:
    if not _was_asked_distinguishing_inputs(observation):
        return fit
    evidence, surviving = _distinguishing_evidence(observation), list[Definition]()
    for each in fit.definitions:
        usable = independent_cases([each], evidence.problem, fit.unidentified_axes, per_user=fit.user_values_only)
        usable_evidence = evidence.only(usable).expected_refusals([each])
        surviving += survivors([each], usable_evidence, fit.tolerance, edges_known=True)[0]
    if surviving:
        return replace(fit, definitions=tuple(surviving))
    return contradicted_again("distinguishing input", fit, evidence)


def survivors_of_distinguishing_inputs(
    candidates: Sequence[Definition], fit: Fitting, observation: Observation
) -> tuple[Sequence[Definition], float]:
    """Return the candidates that fit the distinguishing inputs asked so far, and their largest deviation."""
    if not _was_asked_distinguishing_inputs(observation):
        return candidates, 0.0
    evidence = _distinguishing_evidence(observation).expected_refusals(candidates)
    return survivors(candidates, evidence, fit.tolerance, edges_known=True)


def _was_asked_distinguishing_inputs(observation: Observation) -> bool:
    return any(probe.kind == Kind("distinguishing") for probe in observation.further_probes)


def _distinguishing_evidence(observation: Observation) -> Evidence:
    asked = [probe for probe in observation.further_probes if probe.kind == Kind("distinguishing")]
    return gather_evidence(observation.probes, asked)


def _multi_user_evidence(fit: Fitting, observation: Observation) -> MultiUserEvidence:
    """Return the evidence of the stages at which a fit was suspended."""
    assert fit.suspended is not None
    multi_user = evidence_on(observation, fit.suspended.multi_user_kind)
    degenerate = evidence_on(observation, Kind("degenerate"))
    return MultiUserEvidence(multi_user, degenerate, fit.tolerance, fit.cases)


def resume_and_recheck(fit: Fit, observation: Observation) -> Fit:
    """Resume a suspended fit, now that fewer definitions are left; recheck it on all other inputs if it completes."""
    if isinstance(fit, Fitting) and fit.suspended is not None:
        fit = resume_stages(fit, _multi_user_evidence(fit, observation))
    return fit if is_suspended(fit) else _recheck_complete(fit, observation)


def force_and_recheck(fit: Fit, observation: Observation) -> Fit:
    """Complete a suspended fit although no further input would leave fewer definitions; then recheck it.

    The canonical-most definitions are followed, or else all as they are; what else they may be is not known, and the
    axes are reported as unidentified.
    """
    while isinstance(fit, Fitting) and fit.suspended is not None:
        fit = force_stages(fit, _multi_user_evidence(fit, observation))
    return _recheck_complete(fit, observation)


def _recheck_complete(fit: Fit, observation: Observation) -> Fit:
    if isinstance(fit, Contradicted):
        return fit
    return recheck_on_distinguishing_inputs(recheck_on_small_lists(fit, observation), observation)
