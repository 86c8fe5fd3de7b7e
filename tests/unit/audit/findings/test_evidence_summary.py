"""The evidence that a finding reports, for a definition that fits and for none."""

from __future__ import annotations

from recsys_metric_audit.audit.findings.evidence_summary import summarise_evidence
from recsys_metric_audit.audit.identification.data_recheck import DataRecheck
from recsys_metric_audit.audit.observations.fit import Ambiguity, Contradicted, Fitting
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.model.result import Nearest

RECALL = parse("recall@k")
WIDTH = Tolerance(1e-9, "float64")


def test_what_fits_has_the_larger_deviation_of_probes_and_data() -> None:
    fit = Fitting((RECALL,), 1e-16, WIDTH, 12, ambiguity=Ambiguity("a short list", inseparable=True))
    seen = summarise_evidence(fit, DataRecheck((RECALL,), 2e-16, 0.25, "the mean"), RECALL)
    assert (seen.cases, seen.tolerance, seen.largest_deviation, seen.fitted_value) == (12, 1e-9, 2e-16, 0.25)
    assert (seen.nearest, seen.separating_case) == (None, "a short list")
    assert (seen.range["returned as"], seen.range["data"]) == ("float64", "the mean")
    assert "stage" not in seen.range


def test_what_fits_the_probes_and_not_the_data_is_the_nearest_with_its_gap_on_the_data() -> None:
    seen = summarise_evidence(Fitting((RECALL,), 0.0, WIDTH, 12), DataRecheck((), 0.2, None, "the mean"), RECALL)
    assert seen.nearest == Nearest(signature="recall@k", deviation=0.2)
    assert seen.range["stage"] == "fits every probe, but not the data"
    assert seen.unpredicted == "recall@k predicts every case, but not the data: off by 0.2."
    assert seen.largest_deviation is None


def test_what_fits_no_probe_names_the_stage_and_the_smallest_probe_that_shows_it() -> None:
    fit = Contradicted("single_user", WIDTH, 12, RECALL, 0.5, PROBES[0])
    seen = summarise_evidence(fit, DataRecheck((), 0.0, None, "the mean"), RECALL, unpredicted="ties")
    assert (seen.nearest, seen.unpredicted) == (Nearest(signature="recall@k", deviation=0.5), "ties")
    assert seen.range["stage"] == (
        f"lists of one user without ties and repeats; smallest probe that shows it: {PROBES[0].name}"
    )


def test_the_range_is_that_of_the_probes() -> None:
    seen = summarise_evidence(Fitting((RECALL,), 0.0, WIDTH, 12), DataRecheck((RECALL,), 0.0, None, ""), RECALL)
    assert seen.range["k"] == f"1 to {max(probe.k for probe in PROBES)}"
    assert seen.range["list length"].startswith("0 to ")
