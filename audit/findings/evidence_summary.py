"""The evidence that a finding reports: cases, deviation, tolerance, nearest definition and range of the probes."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from recsys_metric_audit.audit.findings.unpredicted_case import stage_words
from recsys_metric_audit.audit.identification.data_recheck import DataRecheck
from recsys_metric_audit.audit.observations.fit import Contradicted, Fit, Fitting
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.reference.cases import PROBES, Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reports.model.result import EvidenceSummary, Nearest

NOT_TRIED = "not tried on held-out inputs"
"""Beginning of the text that says why a finding was not tried."""


def summarise_evidence(
    fit: Fit, recheck: DataRecheck, chosen: Definition | None, trial: Trial | None = None, unpredicted: str = ""
) -> EvidenceSummary:
    """Return the evidence behind a finding.

    Args:
        fit: The outcome of identification on the probes.
        recheck: The comparison of the fitting definitions with the library's answer on the data.
        chosen: The definition that the finding shows: the first that fits, or the nearest.
        trial: What was tried on held-out inputs; None if nothing was.
        unpredicted: The case that no definition predicts, in words.
    """
    nearest, fitting = None, recheck.definitions
    deviation, ambiguity = (fit.deviation, fit.ambiguity) if isinstance(fit, Fitting) else (recheck.deviation, None)
    compared = {"returned as": fit.tolerance.why, "data": recheck.compared}
    if not fitting and chosen is not None:
        residual = recheck.deviation if isinstance(fit, Fitting) or isnan(fit.residual) else fit.residual
        nearest = Nearest(signature=chosen.signature(), deviation=residual)
        if isinstance(fit, Fitting):
            compared["stage"] = "fits every probe, but not the data"
            unpredicted = f"{chosen.signature()} predicts every case, but not the data: off by {residual:.3g}."
    if isinstance(fit, Contradicted):
        failing = f"; smallest probe that shows it: {fit.counterexample.name}" if fit.counterexample else ""
        compared["stage"] = f"{stage_words(fit.stage)}{failing}"
    return EvidenceSummary(
        cases=fit.cases, tolerance=fit.tolerance.width, nearest=nearest, range={**_PROBE_RANGE, **compared},
        blind=fit.unidentified_axes, largest_deviation=max(deviation, recheck.deviation) if fitting else None,
        fitted_value=recheck.value, unpredicted=unpredicted,
        separating_case=ambiguity.text if ambiguity else None, **_held_out(trial),
    )  # fmt: skip


def _held_out(trial: Trial | None) -> dict[str, Any]:
    """Return the fields of the evidence that tell of held-out inputs."""
    if trial is None:
        return {"held_out": f"{NOT_TRIED}: the function was not asked"}
    if trial.why_not:
        return {"held_out": f"{NOT_TRIED}: {trial.why_not}", "refuted": dict(trial.refuted)}
    without = f"without {', '.join(trial.left_out)}" if trial.left_out else ""
    return {
        "held_out_users": trial.users, "held_out_cases": trial.cases, "held_out": without,
        "refuted": dict(trial.refuted),
    }  # fmt: skip


def probe_range(probes: Sequence[Probe]) -> dict[str, str]:
    """Return in words what probes hold: gains, cut-offs, and how long the lists and the truth of a user are."""
    gains = [float(gain) for probe in probes for gain in probe.case.truth.gain]
    of_one = [probe.case for probe in probes if len(probe.users) < 2]
    return {
        "gains": f"{min(gains):g} to {max(gains):g}",
        "k": f"{min(probe.k for probe in probes)} to {max(probe.k for probe in probes)}",
        "list length": f"0 to {max((len(case.predictions.user) for case in of_one), default=0)}",
        "relevant items": f"0 to {max((len(case.truth.user) for case in of_one), default=0)}",
    }


_PROBE_RANGE = probe_range(PROBES)
