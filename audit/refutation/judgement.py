"""The judgement of answers to held-out cases: which of them a definition mispredicts, and which were refused."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from typing import TypeVar

from recsys_metric_audit.audit.observations.evidence import Evidence, contradictions, gather_evidence
from recsys_metric_audit.audit.observations.fit import Fit
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.process.protocol import Errored, Outcome, Unaskable
from recsys_metric_audit.audit.refutation.draft import Draft
from recsys_metric_audit.audit.refutation.held_out_cases import CASES, RARE, held_out_case
from recsys_metric_audit.audit.refutation.unusual_features import Setting, acted_on_by, without
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Bools
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError

Answers = Mapping[str, Outcome]
"""Maps the names of cases to outcomes."""
Result = TypeVar("Result")
Asking = Generator[tuple[Probe, ...], Answers, Result]
"""Yields the probes to ask, is sent their answers, and returns the result."""

_MAX_COMPLETIONS = 300
"""Limits the values of unknown axes that are tried to explain an answer."""


@dataclass(frozen=True, eq=False)
class Variant:
    """Holds a series of held-out cases without some features: as drafts, as probes, and as one problem."""

    drafts: tuple[Draft, ...]
    probes: tuple[Probe, ...]
    problem: Problem


@lru_cache(maxsize=64)
def variant(series: int, removed: frozenset[str], setting: Setting, k: int | None) -> Variant:
    """Return a series of held-out cases without some features; cases of which nobody is left are left out."""
    drafts = (without(held_out_case(series, number, k), removed, setting) for number in range(CASES + RARE))
    kept = tuple(draft for draft in drafts if draft.users)
    left_out = f" without {', '.join(sorted(removed))}" if removed else ""
    probes = tuple(
        draft.probe(f"held-out case {series + 1}.{number}{left_out}") for number, draft in enumerate(kept, start=1)
    )
    return Variant(kept, probes, problem_of(probes))


def evidence_of(answers: Answers, probes: Sequence[Probe], problem: Problem | None = None) -> Evidence:
    """Return the numbers among the answers to some probes as evidence; refusals are judged apart."""
    return gather_evidence(answers, probes, problem).without_refusals()


def is_refused(outcome: Outcome | None) -> bool:
    """Return True if the library or its adapter refused an input."""
    return isinstance(outcome, Errored | Unaskable)


def mispredicted(definition: Definition, fit: Fit, evidence: Evidence) -> Bools:
    """Return a mask of the cases whose answers contradict a definition, whatever the axes are that are not known.

    Raises:
        TooManyOrdersError: if the definition averages over more orders of ties than can be enumerated.
    """
    wrong = contradictions(definition, evidence, fit.tolerance)
    if not wrong.any():
        return wrong
    free = [name for name in fit.unidentified_axes if not acted_on_by({name})]
    for completed in completions(definition, free):
        again = contradictions(completed, evidence, fit.tolerance)
        wrong = wrong & again
    return wrong


def predicts(definition: Definition, fit: Fit, evidence: Evidence) -> bool:
    """Return True if a definition predicts all answers; False too if it has too many orders of ties to tell."""
    try:
        return not mispredicted(definition, fit, evidence).any()
    except TooManyOrdersError:
        return False


def completions(definition: Definition, unknown: Collection[str]) -> list[Definition]:
    """Return a definition with all values of unknown axes; none without such axes."""
    free = [axis for axis in definition.family.all_axes if axis.name in unknown]
    if not free:
        return []
    values = islice(product(*(axis.names for axis in free)), _MAX_COMPLETIONS)
    tried = [definition.with_(**dict(zip([axis.name for axis in free], each, strict=True))) for each in values]
    return [each for each in tried if each.family.refusal(each.axes) is None]
