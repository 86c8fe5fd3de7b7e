"""The probes of each kind, and their cases as one problem, made once and shared by all functions of a run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from recsys_metric_audit.audit.observations.rescale import rescale
from recsys_metric_audit.reference.cases import Kind, Probe, of_kind
from recsys_metric_audit.reference.evaluation.evaluate import Problem


def problem_of(probes: Sequence[Probe]) -> Problem:
    """Return the cases of some probes, each at its cut-off, as one problem."""
    return Problem.of([probe.case for probe in probes], [probe.k for probe in probes])


@cache
def table(kind: Kind, k: int | None = None) -> tuple[tuple[Probe, ...], Problem]:
    """Return the probes of one kind, rescaled to cut-off ``k`` if it is given, and their cases as one problem."""
    probes = of_kind(kind) if k is None else rescale(of_kind(kind), k)
    return probes, problem_of(probes)


def probes(kind: Kind, k: int | None = None) -> tuple[Probe, ...]:
    """Return the probes of :func:`table`."""
    return table(kind, k)[0]


def problem(kind: Kind, k: int | None = None) -> Problem:
    """Return the cases of :func:`table`."""
    return table(kind, k)[1]
