"""The probes of each kind, and their cases as one problem, made once and shared by all functions of a run."""

from __future__ import annotations

from functools import cache

from recsys_metric_audit.audit.observations.rescale import rescale
from recsys_metric_audit.reference.cases import Kind, Probe, of_kind
from recsys_metric_audit.reference.evaluation.evaluate import Problem


@cache
def probes(kind: Kind, k: int | None = None) -> tuple[Probe, ...]:
    """Return the probes of one kind, rescaled to cut-off ``k`` if it is given."""
    return of_kind(kind) if k is None else rescale(of_kind(kind), k)


@cache
def problem(kind: Kind, k: int | None = None) -> Problem:
    """Return the cases of :func:`probes` as one problem."""
    chosen = probes(kind, k)
    return Problem.of([probe.case for probe in chosen], [probe.k for probe in chosen])
