"""Tells what a function computes where every relevant item has a gain of 1, as in most recommender datasets."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from recsys_metric_audit.audit.inhouse.function_inputs import FunctionInputs
from recsys_metric_audit.audit.inhouse.shapes import Shape
from recsys_metric_audit.audit.inhouse.summary import Summary, canonical_on, fit_of, summarise
from recsys_metric_audit.audit.observations.candidates import distinct
from recsys_metric_audit.audit.observations.evidence import are_one_number, gather_evidence
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.observations.probe_tables import probes
from recsys_metric_audit.reference.cases import KINDS, Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space.levels import level_of


def with_gains_of_1(definition: Definition) -> Definition:
    """Return the definition with each axis of its formula canonical that changes no value where every gain is 1.

    Equality is observed on all probes whose gains and threshold are 1.

    >>> from recsys_metric_audit.reference.definitions.definition import parse
    >>> with_gains_of_1(parse("ndcg@k|gain:linear|ideal_discount:ln")).signature()
    'ndcg@k|ideal_discount:ln'
    """
    short, values = shortest(definition), _values(definition)
    for axis in definition.differs_on:
        if level_of(axis) != "formula" or axis not in short.axes:
            continue
        other = short.with_(**{axis: short.family.canonical[axis]})
        if other.family.refusal(other.axes) is None and np.array_equal(_values(other), values, equal_nan=True):
            short = shortest(other)
    return short


def summary_with_gains_of_1(
    name: str, metric: str, observation: Observation, inputs: FunctionInputs, shape: Shape, *, cutoff: bool
) -> Summary | None:
    """Return what a function computes where every gain is 1; None if nothing fits there, or the gains are ratings.

    A function that takes sums of labels for numbers of relevant items computes a metric on such inputs only. They do
    not show which gains are relevant, nor what a gain adds. See :func:`audit.inhouse.summary.summarise`.
    """
    probes, further = (tuple(filter(_has_unit_gains, each)) for each in (inputs.probes, inputs.further))
    held = replace(inputs, probes=probes, further=further)
    answers = {probe.name: observation.probes[probe.name] for probe in held.every if probe.name in observation.probes}
    family = METRICS[metric]
    if not answers or "relevance" not in family.canonical or family.axis("relevance").numeric is None:
        return None
    known = replace(observation, probes=answers, data={}, repeats={}, further_probes=further)
    if are_one_number([gather_evidence(answers, held.every)]):
        return None  # its own threshold may be above 1
    fit = fit_of(metric, known, held, shape, cutoff=cutoff)
    if not isinstance(fit, Fitting):
        return None
    shown = (with_gains_of_1(canonical_on(each, ("relevance",))) for each in fit.definitions)
    fit = replace(fit, definitions=tuple(distinct(shown)))
    return summarise(name, metric, known, held, shape, cutoff=cutoff, fit=fit)


def _has_unit_gains(probe: Probe) -> bool:
    return bool((probe.case.truth.gain == 1).all())


def _values(definition: Definition) -> np.ndarray:
    """Return the mean on each probe, to ten decimals."""
    return np.round(evaluate(definition, _problem()).mean, 10)


@cache
def _problem() -> Problem:
    chosen = [probe for kind in KINDS if kind.variant == "unit_gains" for probe in probes(kind)]
    return Problem.of([probe.case for probe in chosen], [probe.k for probe in chosen])
