"""Holding what fits against what it was not found on: every small list, and what was asked since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from audit.identification.multi_user_stages import KINDS, LISTED, further, unshown
from audit.observations import probe_tables
from audit.observations.evidence import Heard, hear, kept
from audit.observations.fit import Fit, distinct, stopped
from audit.observations.observation import Observation
from audit.questions.distinguishing import decided
from reference.cases import Kind
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem

SMALL_SCOPE, SEPARATING = "every small list", "separating case"
"""The stages at which a fit that is held against those ends."""


def on(observation: Observation, kind: Kind) -> Heard:
    """What was heard on the probes of a kind."""
    return hear(observation.probes, probe_tables.probes(kind, observation.k), probe_tables.problem(kind, observation.k))


def wants_listed(observation: Observation, than: Kind = "crowd") -> bool:
    """Whether more crowds were answered whose relevant items are all listed than of another kind."""
    return on(observation, LISTED).answered > on(observation, than).answered


def everywhere(fit: Fit, observation: Observation) -> Fit:
    """Hold what fits against every small list there is; where none fits those, each is taken with every policy for
    states that no crowd has shown."""
    small = on(observation, "small")
    for candidates in (fit.definitions, with_unshown(fit, observation)):
        staying, gap = kept(candidates, small.spoken(candidates), fit.tolerance, lone=False)
        if staying:
            return replace(fit, definitions=tuple(staying), deviation=max(fit.deviation, gap))
    heard = small.spoken(fit.definitions)
    missed = stopped(SMALL_SCOPE, heard, list(fit.definitions), fit.tolerance, fit.cases)
    return replace(missed, blind=fit.blind)


def on_further(fit: Fit, observation: Observation) -> Fit:
    """Hold what fits against the cases that were asked so far to tell definitions apart; where none fits those, each
    is taken with every policy for states that no crowd has shown. What waits is held against those on which nothing
    decides that is not known yet."""
    if not fit.definitions:
        return fit
    if fit.waiting is not None:
        return _waiting_on(fit, observation)
    for candidates in (fit.definitions, with_unshown(fit, observation)):
        staying, gap = told_apart(candidates, fit, observation)
        if staying:
            return replace(fit, definitions=tuple(staying), deviation=max(fit.deviation, gap))
    said = _asked_since(observation).foreseen(fit.definitions)
    return replace(stopped(SEPARATING, said, list(fit.definitions), fit.tolerance, fit.cases), blind=fit.blind)


def _waiting_on(fit: Fit, observation: Observation) -> Fit:
    if not any(probe.kind == "separating" for probe in observation.further):
        return fit
    said, staying = _asked_since(observation), list[Definition]()
    for each in fit.definitions:
        shown = decided([each], said.problem, fit.blind, per_user=fit.of_users)
        staying += kept([each], said.at(shown).foreseen([each]), fit.tolerance, lone=False)[0]
    if staying:
        return replace(fit, definitions=tuple(staying))
    return replace(stopped(SEPARATING, said, list(fit.definitions), fit.tolerance, fit.cases), blind=fit.blind)


def told_apart(
    candidates: Sequence[Definition], fit: Fit, observation: Observation
) -> tuple[Sequence[Definition], float]:
    """Candidates that fit the cases that were asked so far to tell definitions apart, and the largest deviation."""
    if not any(probe.kind == "separating" for probe in observation.further):
        return candidates, 0.0
    return kept(candidates, _asked_since(observation).foreseen(candidates), fit.tolerance, lone=False)


def _asked_since(observation: Observation) -> Heard:
    asked = [probe for probe in observation.further if probe.kind == "separating"]
    return hear(observation.probes, asked, Problem.of([probe.case for probe in asked], [probe.k for probe in asked]))


def with_unshown(fit: Fit, observation: Observation) -> tuple[Definition, ...]:
    """What fits, with each policy for states that no crowd has shown."""
    crowds = [kind for kind in KINDS if any(probe.name in observation.probes for probe in probe_tables.probes(kind))]
    return tuple(
        distinct((each for one in fit.definitions for each in unshown(one, crowds, fit.blind)), edges_known=True)
    )


def on_all(fit: Fit, observation: Observation) -> Fit:
    """Hold what fits, and is less than before, against what it was too many for: the crowds, and every small list."""
    if fit.waiting is not None:
        fit = further(fit, on(observation, fit.waiting.crowds), on(observation, "sole"))
    return on_further(everywhere(fit, observation), observation) if fit.definitions and fit.waiting is None else fit


def as_they_are(fit: Fit, observation: Observation) -> Fit:
    """Of what is too many to be followed and cannot be made fewer, the canonical-most that can be, else those that fit
    as they are: what else they could be is not known, and ``blind`` says of which axes."""
    while fit.waiting is not None:
        fit = further(fit, on(observation, fit.waiting.crowds), on(observation, "sole"), looked_at=False)
    return on_further(everywhere(fit, observation), observation) if fit.definitions else fit
