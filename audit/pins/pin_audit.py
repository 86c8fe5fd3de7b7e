"""The audit by which pins are made and checked.

It asks the probes and one small synthetic dataset: no download, equal numbers on every machine, seconds instead of
minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.pins.known_definitions import known_definitions
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.run import Progress, Request, run
from recsys_metric_audit.audit.sources.checkout import Checkouts
from recsys_metric_audit.reports.model.result import Library, Result
from recsys_metric_audit.reports.pins.expectation import VersionExpectation, version_expectation

DATASET = "synthetic:100x200"
"""The data of every pin."""
K = 20
"""The cut-off of every pin."""

Chosen = Sequence[tuple[Manifest, Version]]
"""Library versions."""
Audit = Callable[[Chosen], Result]
"""Audits library versions on the data of the pins."""


def audit_for_pins(chosen: Chosen, jobs: int, limits: Limits, progress: Progress, sources: Checkouts) -> Result:
    """Audit library versions on the data of the pins.

    Args:
        chosen: the versions.
        jobs: how many are audited at a time.
        limits: what one call may take.
        progress: is told what happens to each version.
        sources: the folders that the user gave, by library and version.
    """
    known = known_definitions(manifest for manifest, _ in chosen)
    asked = Request(tuple(chosen), data.load(DATASET), (K,), jobs, limits, "", known=known, sources=sources)
    return run(asked, progress)


def expectation_from(result: Result, manifest: Manifest, version: Version) -> VersionExpectation | Library:
    """Return what `result` found of a version in the form of a pin; its row, with the reason, if it did not run."""
    row = next(e for e in result.libraries if (e.library, e.version) == (manifest.name, version.version))
    return version_expectation(result, row.library, row.version) if row.status == "audited" else row
