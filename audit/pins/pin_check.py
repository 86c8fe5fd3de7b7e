"""Holding library versions against their pins, and making new pins out of what was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from audit.environments.package_index import nearest
from audit.libraries.discovery import whole
from audit.libraries.manifest import Manifest, Version
from audit.pins import pin as pins
from reports.model.result import Library, Result
from reports.pins.drift import Drift
from reports.pins.expectation import VersionExpectation

Chosen = Sequence[tuple[Manifest, Version]]


@dataclass(frozen=True)
class Checked:
    """All drift, one line in words for each version, and the libraries that were checked by name."""

    drifts: tuple[Drift, ...]
    summary: tuple[str, ...]
    manifests: Mapping[str, Manifest]

    def file_of(self, drift: Drift) -> Path:
        """The expectation that has to follow, or to be looked at; it need not exist."""
        return self.manifests[drift.library].folder / "expected" / f"{drift.version}.json"


def check(chosen: Chosen, audit: Callable[[Chosen], Result]) -> Checked:
    """Compare every chosen version with its expectation; ``audit`` runs those that have something to compare with.

    A version without one is compared with the nearest accepted version of its library, and is drift all the same.
    """
    known = {(m.name, v.version): (pins.read(m, v), _neighbour(m, v)) for m, v in chosen}
    runs = [pair for pair in chosen if pair[1].unavailable is None]
    asked = [pair for pair in runs if any(known[pair[0].name, pair[1].version])]
    result = audit(asked) if asked else None
    drifts: list[Drift] = []
    lines = [f"{m.name} {v.version}: not to be had: {v.unavailable}" for m, v in chosen if v.unavailable]
    for manifest, version in runs:
        own, other = known[manifest.name, version.version]
        found = [] if own else [_unaccepted(manifest, version, other)]
        against = own or other
        if result is not None and against is not None:
            found += pins.held(against, manifest, version, result)
        drifts += found
        lines.append(_line(manifest, version, own, found))
    drifts += [each for manifest in whole(chosen) for each in map(partial(_orphan, manifest), pins.orphans(manifest))]
    return Checked(tuple(drifts), tuple(lines), {m.name: m for m, _ in chosen})


def _neighbour(manifest: Manifest, version: Version) -> VersionExpectation | None:
    others = [v for v in manifest.versions if v != version and manifest.expected_path(v).is_file()]
    near = nearest(version.version, [v.version for v in others])
    return next((pins.read(manifest, v) for v in others if v.version == near), None)


def _unaccepted(manifest: Manifest, version: Version, other: VersionExpectation | None) -> Drift:
    path = manifest.expected_path(version)
    against = f"; compared with {other.version} below" if other else ""
    return Drift(
        manifest.name, version.version, "", "unaccepted",
        old=f"there is no {path}{against}",
        new=f"look at it and accept it: audit accept -l {manifest.name}=={version.version} --yes",
    )  # fmt: skip


def _orphan(manifest: Manifest, path: Path) -> Drift:
    return Drift(
        manifest.name, path.stem, "", "stale", old=f"{path} is there", new="no such version is pinned: remove the file"
    )


def _line(manifest: Manifest, version: Version, own: VersionExpectation | None, found: Sequence[Drift]) -> str:
    who = f"{manifest.name} {version.version}"
    if not found and own is not None:
        return f"{who}: {len(own.functions)} functions as expected"
    return f"{who}: {len(found)} {'thing is' if len(found) == 1 else 'things are'} not as expected"


@dataclass(frozen=True)
class Offer:
    """What could be accepted of one version: ``found`` is ``None`` where it did not run."""

    manifest: Manifest
    version: Version
    found: VersionExpectation | None
    drifts: tuple[Drift, ...]
    differs: bool

    @property
    def heading(self) -> str:
        """Whose offer it is, and whether there is anything to accept."""
        who = f"{self.manifest.name} {self.version.version}"
        if self.found is None:
            return f"{who}: cannot be accepted"
        words = "differs from what is accepted" if self.drifts else "nothing was accepted before"
        return f"{who}: {words if self.differs else 'as accepted'}"

    def write(self) -> Path:
        """Make it what is expected; returns the file."""
        assert self.found is not None
        return pins.write(self.manifest, self.version, self.found)


def offers(chosen: Chosen, result: Result) -> list[Offer]:
    """What ``result`` offers to accept of each version that can be installed, with what would change by that."""
    return [_offer(manifest, version, result) for manifest, version in chosen if version.unavailable is None]


def _offer(manifest: Manifest, version: Version, result: Result) -> Offer:
    own, found = pins.read(manifest, version), pins.found(result, manifest, version)
    if isinstance(found, Library):
        reason = f"{found.status}: {found.reason}"
        broken = Drift(manifest.name, version.version, "", "broken", new=reason)
        return Offer(manifest, version, None, (broken,), False)
    if own is None:
        return Offer(manifest, version, found, (), True)
    return Offer(manifest, version, found, tuple(pins.held(own, manifest, version, result)), own != found)
