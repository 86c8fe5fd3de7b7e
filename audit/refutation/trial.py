"""The outcome of a trial: what held-out cases left of a diagnosis, and the inputs that it tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.identification.hypotheses.pool_answers import axes_of_averaging
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.process.protocol import Outcome
from recsys_metric_audit.audit.refutation.judgement import Asking
from recsys_metric_audit.audit.refutation.unusual_features import Setting, acted_on_by, features_of_probe
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.input.case import Bools
from recsys_metric_audit.reference.space.averaging import NOBODY
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE


@dataclass(frozen=True, eq=False)
class Trial:
    """Holds the outcome of one function's trial: the part of its diagnosis that was not refuted.

    Attributes:
        diagnosis: The diagnosis without the refuted values.
        users: Number of users of all cases that were answered and predicted.
        cases: Number of those cases.
        left_out: The features that the function was not asked about.
        why_not: Why nothing was tried; empty if something was.
        refuted: The axes whose value was refuted, and the features of which no definition says what comes out, each
            with the case that shows it.
    """

    diagnosis: Diagnosis
    users: int = 0
    cases: int = 0
    left_out: tuple[str, ...] = ()
    why_not: str = ""
    refuted: Mapping[str, str] = field(default_factory=dict)

    @property
    def confirmed(self) -> Definition | None:
        """Return the only fitting definition if it predicted held-out cases; None if there is no such definition.

        None too if an axis is not known that acts on no feature which was left out, but for how users' values are
        averaged where no mean is given, and for an average over nobody.
        """
        fit = self.diagnosis.fit
        if not isinstance(fit, Fitting) or len(fit.definitions) != 1 or not self.users:
            return None
        definition = fit.definitions[0]
        hidden = axes_of_averaging(definition) if fit.user_values_only else ()
        without_rule = (axis for axis, value in definition.axes.items() if value in WITHOUT_RULE)
        open_axes = {*fit.unidentified_axes, *without_rule}.difference(hidden, [NOBODY.name])
        features = [acted_on_by({axis}) for axis in open_axes]
        return definition if all(own and own.issubset(self.left_out) for own in features) else None

    def tells(self, probes: Sequence[Probe]) -> Bools:
        """Return a mask of the inputs that the confirmed definition tells: none of their features was left out.

        A feature counts as asked if an axis acts on it that the contract or the adapter decides: all answers fit the
        definition with what was decided.
        """
        definition = self.confirmed
        if definition is None:
            return np.zeros(len(probes), dtype=np.bool_)
        setting = Setting.of(definition, cutoff=self.diagnosis.function.cutoff)
        barred = {*self.left_out} - acted_on_by(self.diagnosis.function.ruled_out.keys())
        return np.array([barred.isdisjoint(features_of_probe(probe, setting)) for probe in probes], dtype=np.bool_)


Trying = Asking[Trial]
"""Yields the probes to ask, is sent their outcomes by name, and returns how the trial ended."""


def with_answer(diagnosis: Diagnosis, probe: Probe, outcome: Outcome | None) -> Diagnosis:
    """Return the diagnosis with the answer to the case that refutes its formula, if there is one."""
    if outcome is None:
        return diagnosis
    observation = diagnosis.observation
    further = (*observation.further_probes, probe)
    probes = {**observation.probes, probe.name: outcome}
    return replace(diagnosis, observation=replace(observation, probes=probes, further_probes=further))
