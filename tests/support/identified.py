"""Identifies a function from given answers, asking nothing more."""

from __future__ import annotations

from dataclasses import replace

from recsys_metric_audit.audit.identification.steps import identify
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.fit import Fit
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES
from recsys_metric_audit.reference.evaluation.evaluate import Problem


def identified(observation: Observation, metric: str, *, has_k: bool = True) -> Fit:
    """Return the fit of a function under the name of a metric, without what it answered on data."""
    function = Function(name="f", metric=metric, cutoff=has_k)
    nothing = Problem.of([INITIAL_PROBES[0].case], None)
    fit = identify(function, replace(observation, data={}), nothing).fit
    assert fit is not None
    return fit
