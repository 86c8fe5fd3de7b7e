"""Checkouts of git sources: whether a folder is the pinned commit, and why not.

A checkout with git data is recognised by its commit and a clean tree, an exported tree by the content of the files
that carry the metrics. Those files are compared in both: git can be told to overlook a change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.environments import environment
from audit.errors import UserError
from audit.libraries.manifest import Commit, Manifest, Version
from audit.sources.git import git

# What building or running a checkout leaves in it. Any other new file could be imported by the library.
_PRODUCTS = (".pyc", ".so", ".pyd", ".o", ".obj", ".c", ".cpp", ".html")
_PRODUCT_FOLDERS = ("__pycache__", "build", ".ipynb_checkpoints")
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
        UserError: if there is no such folder, or git refuses to read it.
    """
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder", "--source takes the root of a checkout: NAME=DIR")
    found = []
    if (commit := head(folder)) is not None:
        if commit != pinned.commit:
            found.append(f"it is at commit {commit[:8]}, pinned is {pinned.commit[:8]}")
        if changed := _changed(folder):
            more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
            found.append(f"files were changed: {', '.join(changed[:_SHOWN])}{more}")
    try:
        actual = digest(folder, pinned.files)
    except UserError as error:
        return [*found, error.message]
    if actual != pinned.digest:
        found.append(f"the files that carry the metrics have the digest {actual}, pinned is {pinned.digest}")
    return found


def head(folder: Path) -> str | None:
    """Return the commit that is checked out in `folder`, or None for an exported tree, even inside a repository."""
    if not (folder / ".git").exists():
        return None
    return git(folder, "rev-parse", "HEAD").strip()


def _changed(folder: Path) -> list[str]:
    lines = git(folder, "status", "--porcelain=v1", "--untracked-files=all", "-z").split("\0")
    return [line[3:] for line in lines if line and not (line.startswith("??") and _is_product(line[3:]))]


def _is_product(name: str) -> bool:
    return name.endswith(_PRODUCTS) or any(part in _PRODUCT_FOLDERS for part in name.split("/")[:-1])


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
