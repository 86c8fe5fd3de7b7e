"""Holding library versions against their pins, and making new pins out of what was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from audit import expected as pins
from audit.manifest import Manifest, Version
from audit.releases import nearest
from reports.drift import Drift
from reports.expected import Expected
from reports.result import Library, Result

Chosen = Sequence[tuple[Manifest, Version]]


@dataclass(frozen=True)
class Checked:
    """All drift, one line in words for each version, and the file that each version's pin is in."""

    drifts: tuple[Drift, ...]
    summary: tuple[str, ...]
    files: Mapping[tuple[str, str], Path]

    def file_of(self, drift: Drift) -> Path:
        """The file that has to follow, or to be looked at."""
        return self.files[drift.library, drift.version]


def check(chosen: Chosen, audit: Callable[[Chosen], Result]) -> Checked:
    """Compare every chosen version with its expectation; ``audit`` runs those that have something to compare with.

    A version without one is compared with the nearest accepted version of its library, and is drift all the same.
    """
    accepted = {(m.name, v.version): (pins.read(m, v), _neighbour(m, v)) for m, v in chosen}
    asked = [pair for pair in chosen if any(accepted[pair[0].name, pair[1].version])]
    result = audit(asked) if asked else None
    drifts: list[Drift] = []
    lines: list[str] = []
    files = {(m.name, v.version): m.expected_path(v) for m, v in chosen}
    for manifest, version in chosen:
        own, other = accepted[manifest.name, version.version]
        found = [] if own else [_unaccepted(manifest, version, other)]
        if result is not None and (own or other):
            found += pins.held(own or other, manifest, version, result)  # type: ignore[arg-type]
        drifts += found
        lines.append(_line(manifest, version, own, found))
    for manifest in {m.name: m for m, _ in chosen}.values():
        if all((manifest.name, v.version) in accepted for v in manifest.versions):
            for path in pins.orphans(manifest):
                drifts.append(_orphan(manifest, path))
                files[manifest.name, path.stem] = path
    return Checked(tuple(drifts), tuple(lines), files)


def _neighbour(manifest: Manifest, version: Version) -> Expected | None:
    others = [v for v in manifest.versions if v != version and manifest.expected_path(v).is_file()]
    near = nearest(version.version, [v.version for v in others])
    return next((pins.read(manifest, v) for v in others if v.version == near), None)


def _unaccepted(manifest: Manifest, version: Version, other: Expected | None) -> Drift:
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


def _line(manifest: Manifest, version: Version, own: Expected | None, found: Sequence[Drift]) -> str:
    who = f"{manifest.name} {version.version}"
    if not found and own is not None:
        return f"{who}: {len(own.functions)} functions as expected"
    return f"{who}: {len(found)} {'thing is' if len(found) == 1 else 'things are'} not as expected"


@dataclass(frozen=True)
class Offer:
    """What could be accepted of one version: ``found`` is ``None`` where it did not run."""

    manifest: Manifest
    version: Version
    found: Expected | None
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
    """What ``result`` offers to accept of each version, with its difference from what is accepted."""
    return [_offer(manifest, version, result) for manifest, version in chosen]


def _offer(manifest: Manifest, version: Version, result: Result) -> Offer:
    own, found = pins.read(manifest, version), pins.found(result, manifest, version)
    if isinstance(found, Library):
        reason = f"{found.status}: {found.reason}"
        broken = Drift(manifest.name, version.version, "", "broken", new=reason)
        return Offer(manifest, version, None, (broken,), False)
    if own is None:
        return Offer(manifest, version, found, (), True)
    return Offer(manifest, version, found, tuple(pins.held(own, manifest, version, result)), own != found)
