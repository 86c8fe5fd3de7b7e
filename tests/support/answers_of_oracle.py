"""Observations of functions that compute a definition, answered by the slow oracle: no code of the search is shared."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome
from recsys_metric_audit.reference.cases import PROBES, Probe
from recsys_metric_audit.reference.definitions.definition import parse
from tests.support.oracle_means import evaluate as slow

Numbers = Callable[[float], float]


def measured(mean: float, dtype: str = "float") -> Measured:
    """Return a mean without values of users."""
    return Measured(mean, None, None, dtype, 0.0)


def oracle_outcome(signature: str, probe: Probe) -> Outcome:
    """Return the oracle's mean of one probe; an error where the definition refuses the case, as a library would."""
    definition = parse(signature)
    made = slow(definition.metric, definition.axes, probe.case, probe.k)
    return Errored("ValueError", "", "") if made.refused else measured(made.mean)


@cache
def answers_of_oracle(signature: str) -> dict[str, Outcome]:
    """Return the oracle's outcomes on all probes, by name; not to be changed."""
    return {probe.name: oracle_outcome(signature, probe) for probe in PROBES}


def oracle_observation(
    signature: str, change: Numbers = float, dtype: str = "float", name: str = "f", further: Iterable[Probe] = ()
) -> Observation:
    """Return what a function answers to all probes, and to some more, that computes ``change`` of the number."""
    outcomes = answers_of_oracle(signature) | {probe.name: oracle_outcome(signature, probe) for probe in further}
    changed = {
        probe: measured(change(outcome.mean), dtype)
        if isinstance(outcome, Measured) and outcome.mean is not None
        else outcome
        for probe, outcome in outcomes.items()
    }
    return Observation(name, changed, {}, further_probes=tuple(further))
