"""The evidence that a finding reports: cases, deviation, tolerance, nearest definition and range of the probes."""

from __future__ import annotations

from math import isnan

from audit.identification.data_recheck import DataRecheck
from audit.observations.fit import Fit
from reference.cases import PROBES
from reference.definitions.definition import Definition
from reports.model.result import Evidence, Nearest


def summarise_evidence(fit: Fit, recheck: DataRecheck, chosen: Definition | None) -> Evidence:
    """Return the evidence behind a finding.

    Args:
        fit: The outcome of identification on the probes.
        recheck: The comparison of the fitting definitions with the library's answer on the data.
        chosen: The definition that the finding shows: the first that fits, or the nearest.
    """
    nearest, note, fitting = None, fit.note, recheck.definitions
    if not fitting and chosen is not None:
        residual = fit.residual if not isnan(fit.residual) else recheck.deviation
        nearest = Nearest(signature=chosen.signature(), deviation=residual)
        note = note or "fits every probe, but not the data"
    compared = {"returned as": fit.tolerance.why, "data": recheck.compared}
    if note and (fit.counterexample is not None or not fitting):
        failing = f"; smallest probe that shows it: {fit.counterexample.name}" if fit.counterexample else ""
        compared["stage"] = f"{note}{failing}"
    return Evidence(
        cases=fit.cases, tolerance=fit.tolerance.width, nearest=nearest, range={**_PROBE_RANGE, **compared},
        blind=fit.unidentified_axes, largest_deviation=max(fit.deviation, recheck.deviation) if fitting else None,
        fitted_value=recheck.value, separating_case=fit.ambiguity.text if fit.ambiguity else None,
    )  # fmt: skip


def _probe_range() -> dict[str, str]:
    gains = [float(gain) for probe in PROBES for gain in probe.case.truth.gain]
    longest = max(len(probe.case.predictions.user) for probe in PROBES if len(probe.users) < 2)
    return {
        "gains": f"{min(gains):g} to {max(gains):g}",
        "k": f"1 to {max(probe.k for probe in PROBES)}",
        "list length": f"0 to {longest}",
        "relevant items": f"0 to {max(len(probe.case.truth.user) for probe in PROBES if len(probe.users) < 2)}",
    }


_PROBE_RANGE = _probe_range()
