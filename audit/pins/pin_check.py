"""Checking library versions against their pins, and accepting what they compute today."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from recsys_metric_audit.audit.environments.package_index import nearest
from recsys_metric_audit.audit.libraries.discovery import whole
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.pins.pin_drift import Audit, Chosen, drift_from, expectation_from
from recsys_metric_audit.audit.pins.pin_file import is_written, orphan_pins, read_pin, write_pin
from recsys_metric_audit.audit.run import AuditInterrupted
from recsys_metric_audit.reports.model.result import Library, Result
from recsys_metric_audit.reports.pins.drift import Drift
from recsys_metric_audit.reports.pins.expectation import VersionExpectation
from recsys_metric_audit.reports.wording.labels import count


@dataclass(frozen=True)
class CheckedPins:
    """The outcome of a check.

    Attributes:
        drifts: Everything that differs from the pins.
        summary: One line of text for each version.
        manifests: The libraries that were checked, by name.
        is_interrupted: Whether an interrupt ended it before all versions were checked.
    """

    drifts: tuple[Drift, ...]
    summary: tuple[str, ...]
    manifests: Mapping[str, Manifest]
    is_interrupted: bool = False

    def fails(self, *, strict: bool) -> bool:
        """Return True if the formula or who counts changed anywhere; if `strict`, if anything differs."""
        return any(strict or not drift.is_warning for drift in self.drifts)

    def file_of(self, drift: Drift) -> Path:
        """Return the pin file that `drift` is about; it need not exist."""
        return self.manifests[drift.library].folder / "expected" / f"{drift.version}.json"


def check_pins(chosen: Chosen, audit: Audit) -> CheckedPins:
    """Compare every chosen version with its pin.

    A version without a pin is compared with the nearest pinned version of its library, and its missing pin is drift.

    Args:
        chosen: the versions; versions that cannot be installed are only mentioned.
        audit: audits versions; called once, with the versions that have a pin to compare with. Where an interrupt
            ends it, the versions that were finished are compared.
    """
    pins = {(m.name, v.version): (read_pin(m, v), _nearest_pin(m, v)) for m, v in chosen}
    installable = [pair for pair in chosen if pair[1].unavailable is None]
    comparable = [pair for pair in installable if any(pins[pair[0].name, pair[1].version])]
    is_interrupted = False
    try:
        result = audit(comparable) if comparable else None
    except AuditInterrupted as interrupt:
        result, is_interrupted = interrupt.finished(), True
        finished = {(row.library, row.version) for row in result.libraries}
        chosen = installable = [(m, v) for m, v in comparable if (m.name, v.version) in finished]
    drifts: list[Drift] = []
    lines = [f"{m.name} {v.version}: not to be had: {v.unavailable}" for m, v in chosen if v.unavailable]
    for manifest, version in installable:
        own, other = pins[manifest.name, version.version]
        found = [] if own else [_missing_pin(manifest, version, other)]
        against = own or other
        if result is not None and against is not None:
            found += drift_from(against, manifest, version, result)
        drifts += found
        lines.append(_summary_line(manifest, version, own, found))
    hint = "no such version is pinned: remove the file"
    drifts += [
        Drift(manifest.name, path.stem, "", "stale", old=f"{path} is there", new=hint)
        for manifest in whole(chosen)
        for path in orphan_pins(manifest)
    ]
    return CheckedPins(tuple(drifts), tuple(lines), {m.name: m for m, _ in chosen}, is_interrupted)


def _nearest_pin(manifest: Manifest, version: Version) -> VersionExpectation | None:
    others = [v for v in manifest.versions if v != version and manifest.expected_path(v).is_file()]
    near = nearest(version.version, [v.version for v in others])
    return next((read_pin(manifest, v) for v in others if v.version == near), None)


def _missing_pin(manifest: Manifest, version: Version, other: VersionExpectation | None) -> Drift:
    against = f"; compared with {other.version} below" if other else ""
    old = f"there is no {manifest.expected_path(version)}{against}"
    new = f"look at it and accept it: audit accept -l {manifest.name}=={version.version} --yes"
    return Drift(manifest.name, version.version, "", "unaccepted", old=old, new=new)


def _summary_line(manifest: Manifest, version: Version, own: VersionExpectation | None, found: Sequence[Drift]) -> str:
    name = f"{manifest.name} {version.version}"
    if not found and own is not None:
        return f"{name}: {len(own.functions)} functions as expected"
    warnings = sum(drift.is_warning for drift in found)
    only = f" ({count(warnings, 'warning')})" if warnings else ""
    return f"{name}: {len(found)} {'thing is' if len(found) == 1 else 'things are'} not as expected{only}"


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
