"""Upgrades: what the newest release of a library computes differently from its last pinned version."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from recsys_metric_audit.audit.environments import package_index
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries import discovery
from recsys_metric_audit.audit.libraries.manifest import FILE, Manifest
from recsys_metric_audit.audit.pins.pin_audit import Audit
from recsys_metric_audit.audit.pins.pin_drift import drift_from
from recsys_metric_audit.audit.pins.releases_history import newest_version, pinned_or_audited
from recsys_metric_audit.reports.model.atomic_write import replace_file
from recsys_metric_audit.reports.pins.drift import Drift


@dataclass(frozen=True)
class Upgrade:
    """The newest release of a library, compared with its last pinned version.

    Attributes:
        manifest: The library.
        last: The last pinned version.
        newest: The newest release on the package index.
        lock: The lock of the newest release, in the cache.
        drifts: The differences of the newest release from the last pinned version.
        same: The number of functions without a difference.
    """

    manifest: Manifest
    last: str
    newest: str
    lock: Path
    drifts: tuple[Drift, ...]
    same: int

    @property
    def title(self) -> str:
        """Return the library with both versions, as a heading."""
        return f"{self.manifest.title} {self.last} → {self.newest}"


def try_upgrade(manifest: Manifest, audit: Audit) -> Upgrade | None:
    """Lock and audit the newest release and compare it with the last pinned version; None if it is pinned already.

    Raises:
        UserError: if the index does not answer, the release cannot be locked, or the last pinned version was never
            accepted and does not run.
    """
    _, last = newest_version([(manifest, version) for version in manifest.versions if version.git is None])
    pinned = package_index.pinned(manifest)
    newest = package_index.ordered([*pinned, *package_index.on_index(manifest, last.python)])[-1]
    if newest in pinned:
        return None
    tried, version = package_index.trial(manifest, newest)
    before = pinned_or_audited(manifest, last, audit)
    result = audit([(tried, version)])
    drifts = tuple(drift_from(before, tried, version, result))
    drifted = {drift.function for drift in drifts}
    same = 0 if "" in drifted else sum(name not in drifted for name in before.functions)
    return Upgrade(manifest, last.version, newest, tried.lock_path(version), drifts, same)


def add_version(found: Upgrade) -> tuple[Path, Path]:
    """Add the newest release to ``library.toml``, with its lock, and return both files.

    Its ``[[version]]`` is a copy of the last pinned version's.

    Raises:
        UserError: if the adapter lies in an installed package, or its file is not written as expected.
    """
    manifest = found.manifest
    discovery.refuse_installed(manifest.folder)
    toml = manifest.folder / FILE
    text = with_version(toml.read_text(encoding="utf-8"), found.last, found.newest, toml)
    lock = manifest.folder / "locks" / found.lock.name
    replace_file(lock, found.lock.read_text(encoding="utf-8"))
    replace_file(toml, text)
    return toml, lock


def with_version(text: str, last: str, newest: str, path: Path) -> str:
    """Return the text of ``library.toml`` with a block for `newest` above the one for `last`, else unchanged.

    Args:
        text: the present text.
        last: the version whose block is copied, less comments and ``exclude_newer``.
        newest: the version to add.
        path: the file, for the error.

    Raises:
        UserError: if there is no such block, or the new text would not parse as intended.
    """
    lines = text.splitlines(keepends=True)
    starts = [i for i, line in enumerate(lines) if line.strip() == "[[version]]"]
    for start in starts:
        end = next((i for i in range(start + 1, len(lines)) if _starts_other_block(lines[i])), len(lines))
        block = lines[start:end]
        if f'version = "{last}"\n' in block:
            added = [line for line in block if not line.startswith(("#", "exclude_newer"))]
            added[added.index(f'version = "{last}"\n')] = f'version = "{newest}"\n'
            made = "".join([*lines[:start], *added, *lines[start:]])
            if _versions(made) == [name for v in _versions(text) for name in ([newest, v] if v == last else [v])]:
                return made
    raise UserError(f"{path}: [[version]] {last} is not written as expected", f"add version {newest} to it by hand")


def _starts_other_block(line: str) -> bool:
    return line.startswith("[") and not line.startswith("[version.")


def _versions(text: str) -> list[str]:
    return [entry["version"] for entry in tomllib.loads(text)["version"]]
