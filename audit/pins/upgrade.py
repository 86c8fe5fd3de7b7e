"""The newest release of a library against the last one that is pinned: does anything mean something else?"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.environments import package_index
from audit.errors import UserError
from audit.libraries import discovery
from audit.libraries.manifest import FILE, Manifest, Version
from audit.pins import pin as pins
from audit.pins.releases_history import latest, meant
from reports.model.result import Result
from reports.pins.drift import Drift

Chosen = Sequence[tuple[Manifest, Version]]


@dataclass(frozen=True)
class Upgrade:
    """``last`` is pinned, ``newest`` is what the index has; ``same`` counts the functions that did not move."""

    manifest: Manifest
    last: str
    newest: str
    lock: Path
    drifts: tuple[Drift, ...]
    same: int

    @property
    def title(self) -> str:
        """Which step it is."""
        return f"{self.manifest.title} {self.last} → {self.newest}"


def upgrade(manifest: Manifest, audit: Callable[[Chosen], Result]) -> Upgrade | None:
    """Lock and audit the newest release and compare; ``None`` where the newest is pinned already.

    Raises :class:`UserError` where the index does not answer, the release cannot be locked, or the last pinned
    version neither was accepted nor runs.
    """
    _, last = latest([(manifest, version) for version in manifest.versions if version.git is None])
    newest = package_index.ordered([*package_index.pinned(manifest), *package_index.on_index(manifest, last.python)])[
        -1
    ]
    if newest in package_index.pinned(manifest):
        return None
    tried, version = package_index.trial(manifest, newest)
    before = meant(manifest, last, audit)
    result = audit([(tried, version)])
    drifts = tuple(pins.held(before, tried, version, result))
    moved = {drift.function for drift in drifts}
    same = 0 if "" in moved else sum(name not in moved for name in before.functions)
    return Upgrade(manifest, last.version, newest, tried.lock_path(version), drifts, same)


def pin(found: Upgrade) -> tuple[Path, Path]:
    """Pin the release: a ``[[version]]`` like that of the last one in ``library.toml``, and its lock.

    Returns both files. Raises :class:`UserError` for an installed package, and for a file that it cannot add to.
    """
    manifest = found.manifest
    discovery.refuse_installed(manifest.folder)
    toml = manifest.folder / FILE
    text = with_version(toml.read_text(encoding="utf-8"), found.last, found.newest, toml)
    lock = manifest.folder / "locks" / found.lock.name
    _replace(lock, found.lock.read_text(encoding="utf-8"))
    _replace(toml, text)
    return toml, lock


def with_version(text: str, last: str, newest: str, path: Path) -> str:
    """``library.toml`` with a block for ``newest`` above that for ``last``, comments and all else as they were."""
    lines = text.splitlines(keepends=True)
    starts = [i for i, line in enumerate(lines) if line.strip() == "[[version]]"]
    for start in starts:
        end = next((i for i in range(start + 1, len(lines)) if _ends(lines[i])), len(lines))
        block = lines[start:end]
        if f'version = "{last}"\n' in block:
            added = [line for line in block if not line.startswith(("#", "exclude_newer"))]
            added[added.index(f'version = "{last}"\n')] = f'version = "{newest}"\n'
            made = "".join([*lines[:start], *added, *lines[start:]])
            if _versions(made) == [name for v in _versions(text) for name in ([newest, v] if v == last else [v])]:
                return made
    raise UserError(f"{path}: [[version]] {last} is not written as expected", f"add version {newest} to it by hand")


def _ends(line: str) -> bool:
    return line.startswith("[") and not line.startswith("[version.")


def _versions(text: str) -> list[str]:
    return [entry["version"] for entry in tomllib.loads(text)["version"]]


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        aside.write_text(text, encoding="utf-8")
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
