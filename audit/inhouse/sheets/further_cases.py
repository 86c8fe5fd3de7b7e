"""Chooses the few further cases whose answers would settle what a file of answers leaves open.

They are of the kinds of probes that show an axis: order and ties, repeats, relevance, then who is averaged, items seen
in training, and what comes out where nobody is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from recsys_metric_audit.audit.identification.hypotheses.refuting import cover
from recsys_metric_audit.audit.inhouse.summary import Summary
from recsys_metric_audit.audit.observations.evidence import contradictions, gather_evidence
from recsys_metric_audit.audit.observations.observation import Observation, infer_tolerance
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.process.protocol import Measured
from recsys_metric_audit.reference.cases import Kind, Probe, Role
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.observed import Key, are_equal
from recsys_metric_audit.reference.evaluation.evaluate import evaluate
from recsys_metric_audit.reports.wording.meanings import open_cutoff

_VISIBLE = 1e-6
_DECIDE: Mapping[Role, tuple[str, ...]] = {
    "single_user": (),
    "order": ("order", "ties"),
    "duplicates": ("duplicates",),
    "truth_duplicates": ("truth_duplicates",),
    "relevance": ("relevance", "counted_scores"),
    "multi_user": ("users", "pooling", "weight", "mean", "undefined", "no_hit", "no_list", "of", "scope"),
    "seen": ("candidates",),
    "degenerate": ("nobody",),
}
"""The axes that the usual probes of each role decide; those of one user tell other definitions that fit apart."""
_WHOLE: Role = "degenerate"
"""The role whose probes are asked whole: who is averaged, which is not known yet, decides when nobody is left."""


@dataclass(frozen=True)
class FurtherCases:
    """Holds the cases to answer next, and the axes that they would settle."""

    probes: tuple[Probe, ...]
    axes: tuple[str, ...]


def further_cases(summary: Summary, observation: Observation, probes: Sequence[Probe]) -> FurtherCases | None:
    """Choose the unanswered cases that tell what is open; None if no definition was found.

    Args:
        summary: what was identified from the answers.
        observation: the answers.
        probes: all cases.
    """
    if summary.signature is None:
        return None
    found = parse(open_cutoff(summary.signature))
    unknown = tuple(dict.fromkeys((*summary.not_asked, *summary.finding.unknown)))
    answered = {name for name, outcome in observation.probes.items() if isinstance(outcome, Measured)}
    known = [probe for probe in probes if probe.name in answered]
    chosen: list[Probe] = []
    settled: list[str] = []
    for role, decided in _DECIDE.items():
        own = [axis for axis in unknown if axis in decided and axis in found.axes]
        left = [probe for probe in probes if probe.kind == Kind(role) and probe.name not in answered]
        rivals = [found, *(_values(found, own) if own else [])]
        if role == "single_user":
            rivals += [parse(open_cutoff(each)) for each in summary.equivalent]
        picked = _telling(_fitting(rivals, observation, known), left)
        if role == _WHOLE and picked:
            picked = left
        chosen += picked
        settled += own if picked else []
    return FurtherCases(tuple(chosen), tuple(settled))


def _fitting(definitions: list[Definition], observation: Observation, probes: Sequence[Probe]) -> list[Definition]:
    """Return the definitions that no answer to ``probes`` contradicts; all of them if every one is contradicted."""
    if not probes:
        return definitions
    evidence, tolerance = gather_evidence(observation.probes, probes), infer_tolerance(observation.probes.values())
    wrong = [contradictions(each, evidence, tolerance) for each in definitions]
    return [each for each, mask in zip(definitions, wrong, strict=True) if not mask.any()] or definitions


def _values(found: Definition, axes: Sequence[str]) -> list[Definition]:
    """Return the definitions with another value of one of the axes, each once of those that are equal."""
    others = []
    for name in axes:
        for value in found.family.axis(name).names:
            changed = found.with_(**{name: value})
            if value not in (found.axes[name], "other", "unspecified") and not found.family.refusal(changed.axes):
                others.append(changed)
    return list({Key(each): each for each in others if not are_equal(each, found)}.values())


def _telling(rivals: Sequence[Definition], probes: Sequence[Probe]) -> list[Probe]:
    """Choose few probes that tell all rivals apart that any of the probes does, each time what tells most pairs."""
    if len(rivals) < 2 or not probes:
        return []
    problem = problem_of(probes)
    made = [evaluate(each, problem) for each in rivals]
    values = [np.where(each.refused, np.inf, each.mean) for each in made]
    apart = [~np.isclose(*pair, rtol=0, atol=_VISIBLE, equal_nan=True) for pair in combinations(values, 2)]
    return [probes[number] for number in cover(np.array(apart))]
