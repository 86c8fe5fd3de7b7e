"""Accepting what library versions compute today: what would become their new pins, and what would change."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.pins.pin_audit import Chosen, expectation_from
from recsys_metric_audit.audit.pins.pin_drift import drift_from
from recsys_metric_audit.audit.pins.pin_file import is_written, read_pin, write_pin
from recsys_metric_audit.reports.model.result import Library, Result
from recsys_metric_audit.reports.pins.drift import Drift
from recsys_metric_audit.reports.pins.expectation import VersionExpectation


@dataclass(frozen=True)
class Proposal:
    """A new pin for one version, for a person to accept.

    Attributes:
        manifest: The library.
        version: The version.
        found: The new pin; None if the version did not run.
        drifts: What differs from the present pin, or why there is no new one.
        differs: True if writing `found` would change the file of the present pin, or if there is none.
        renews: True if there is a present pin.
    """

    manifest: Manifest
    version: Version
    found: VersionExpectation | None
    drifts: tuple[Drift, ...]
    differs: bool
    renews: bool = False

    @property
    def heading(self) -> str:
        """Return which version it is of, and whether there is anything to accept."""
        name = f"{self.manifest.name} {self.version.version}"
        if self.found is None:
            return f"{name}: cannot be accepted"
        if not self.differs:
            return f"{name}: as accepted"
        if self.drifts:
            return f"{name}: differs from what is accepted"
        return f"{name}: {'as accepted, written otherwise' if self.renews else 'nothing was accepted before'}"

    def write(self) -> Path:
        """Write the new pin and return its file."""
        assert self.found is not None
        return write_pin(self.manifest, self.version, self.found)


def propose_pins(chosen: Chosen, result: Result) -> list[Proposal]:
    """Return the new pin that `result` makes of each version that can be installed, with what would change."""
    return [_propose(manifest, version, result) for manifest, version in chosen if version.unavailable is None]


def _propose(manifest: Manifest, version: Version, result: Result) -> Proposal:
    present, found = read_pin(manifest, version), expectation_from(result, manifest, version)
    if isinstance(found, Library):
        reason = f"{found.status}: {found.reason}"
        broken = Drift(manifest.name, version.version, "", "broken", new=reason)
        return Proposal(manifest, version, None, (broken,), False)
    if present is None:
        return Proposal(manifest, version, found, (), True)
    drifts = tuple(drift_from(present, manifest, version, result))
    return Proposal(manifest, version, found, drifts, not is_written(manifest, version, found), renews=True)
