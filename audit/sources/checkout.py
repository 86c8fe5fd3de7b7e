"""Checkouts of git sources: whether a folder is the pinned commit, and why not.

A checkout with git data is recognised by its commit and a clean tree, an exported tree by the content of the files
that carry the metrics. Nothing of a folder is executed before it is known to be what is pinned.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Commit, Manifest, Version
from recsys_metric_audit.audit.sources.changed_files import changed_files
from recsys_metric_audit.audit.sources.git_data import head

_SHOWN = 3


@dataclass(frozen=True)
class Checkout:
    """A folder that a version is imported from; ``unpinned`` says why it is not the pinned commit."""

    folder: Path
    unpinned: str | None = None


Checkouts = Mapping[tuple[str, str], Checkout]
"""The checkouts of a run, by library and version."""


def fetched_folder(manifest: Manifest, version: Version) -> Path:
    """Return where ``audit fetch`` puts a clone and runs look for it; it may be missing."""
    return environment.root().with_name("sources") / f"{manifest.name}-{version.version}"


def digest(folder: Path, patterns: Sequence[str]) -> str:
    """Return ``sha256:…`` over the names and contents of the files in `folder` that match the glob `patterns`.

    It is the SHA-256 of what ``sha256sum`` prints for them, sorted by name.

    Raises:
        UserError: if a pattern matches no file.
    """
    found: set[Path] = set()
    for pattern in patterns:
        matching = {path for path in folder.glob(pattern) if path.is_file()}
        if not matching:
            raise UserError(f"{folder}: there is no {pattern} in it", "give the root of the checkout")
        found |= matching
    lines = {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}
    text = "".join(f"{lines[name]}  {name}\n" for name in sorted(lines))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def mismatches(folder: Path, pinned: Commit) -> list[str]:
    """Return in words why `folder` is not the pinned commit; empty if it is.

    Raises:
        UserError: if there is no such folder, or its git data cannot be read.
    """
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder", "--source takes the root of a checkout: NAME=DIR")
    found = []
    if (commit := head(folder)) is not None:
        if commit != pinned.commit:
            found.append(f"it is at commit {commit[:8]}, pinned is {pinned.commit[:8]}")
        if changed := changed_files(folder, commit):
            more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
            found.append(f"files were changed: {', '.join(changed[:_SHOWN])}{more}")
    try:
        actual = digest(folder, pinned.files)
    except UserError as error:
        return [*found, error.message]
    if actual != pinned.digest:
        found.append(f"the files that carry the metrics have the digest {actual}, pinned is {pinned.digest}")
    return found


def find_fetched(manifest: Manifest, version: Version) -> Checkout | None:
    """Return the clone that ``audit fetch`` made of `version`, or None if there is none.

    Raises:
        UserError: if it is no longer the pinned commit.
    """
    folder = fetched_folder(manifest, version)
    if version.git is None or not folder.is_dir():
        return None
    if wrong := mismatches(folder, version.git):
        raise UserError(
            f"{folder} is not what is pinned any more: {', '.join(wrong)}",
            f"remove it, and `audit fetch {manifest.name}=={version.version}` makes it again",
        )
    return Checkout(folder)
