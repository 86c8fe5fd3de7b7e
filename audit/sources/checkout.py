"""Checkouts of git sources: is this folder the commit that is pinned?

A checkout with git data is known by its commit and a clean tree, an exported one by the content of the files that
carry the metrics. Those files are compared in both: git can be told to overlook a change.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.environments import environment
from audit.errors import UserError
from audit.libraries.manifest import Commit, Manifest, Version

# What building or running a checkout leaves in it; everything else that is new there could be imported.
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


@dataclass(frozen=True)
class Given:
    """One ``--source NAME[==VERSION]=DIR`` as typed; ``version`` is ``None`` where the commit is to decide."""

    library: str
    version: str | None
    folder: Path


def fetched_folder(manifest: Manifest, version: Version) -> Path:
    """Where ``audit fetch`` puts a clone, and a run looks for one; it need not exist."""
    return environment.root().with_name("sources") / f"{manifest.name}-{version.version}"


def digest(folder: Path, patterns: Sequence[str]) -> str:
    """``sha256:…`` over the names and contents of the files that match, whatever their order on the disk.

    It is the SHA-256 of what ``sha256sum`` prints for them, sorted by name. Raises :class:`UserError` where a
    pattern matches nothing.
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
    """Why ``folder`` is not the pinned commit, in words; nothing where it is.

    Raises :class:`UserError` for a folder that is not there, and where git refuses to look at it.
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
    """The commit that ``folder`` is the root of; ``None`` for an exported tree, wherever that lies."""
    if not (folder / ".git").exists():
        return None
    return git(folder, "rev-parse", "HEAD").strip()


def _changed(folder: Path) -> list[str]:
    lines = git(folder, "status", "--porcelain=v1", "--untracked-files=all", "-z").split("\0")
    return [line[3:] for line in lines if line and not (line.startswith("??") and _is_product(line[3:]))]


def _is_product(name: str) -> bool:
    return name.endswith(_PRODUCTS) or any(part in _PRODUCT_FOLDERS for part in name.split("/")[:-1])


def git(folder: Path, *arguments: str) -> str:
    """What git prints; raises :class:`UserError` with its own words where it fails or is not there.

    Nothing that a stranger's repository configures is run, and nothing is written to it.
    """
    quiet = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
    try:
        done = subprocess.run(
            ["git", *quiet, *arguments], cwd=folder, env=_environ(), capture_output=True, encoding="utf-8",
            errors="surrogateescape", check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except FileNotFoundError as error:
        raise UserError("git is not there", "install git, or export the tree and give that") from error
    if done.returncode != 0:
        raise UserError(f"{folder}: git says: {done.stderr.strip()[-500:]}", "git itself has to be content first")
    return done.stdout


def _environ() -> dict[str, str]:
    # GIT_DIR and its like would point git to another repository than the folder.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


def resolve(given: Sequence[Given], chosen: Sequence[tuple[Manifest, Version]], *, unpinned: bool = False) -> Checkouts:
    """The checkout of each (library, version) that one was given for.

    A folder without a version serves the version whose commit it is. ``unpinned`` lets one through that is not
    what is pinned. Raises :class:`UserError` for every other, and for two folders for one version.
    """
    found: dict[tuple[str, str], Checkout] = {}
    for each in given:
        version, checkout = _matched(each, chosen, unpinned)
        key = (each.library, version.version)
        if key in found:
            raise UserError(
                f"--source {each.library}: two folders for {version.version}: {found[key].folder} and {each.folder}",
                f"say which is for which: --source {each.library}==VERSION=DIR",
            )
        found[key] = checkout
    return found


def _matched(given: Given, chosen: Sequence[tuple[Manifest, Version]], unpinned: bool) -> tuple[Version, Checkout]:
    wrong = {version.version: mismatches(given.folder, _commit(version)) for version in _candidates(given, chosen)}
    versions = {version.version: version for version in _candidates(given, chosen)}
    right = [name for name, found in wrong.items() if not found]
    say = f"say what it stands for: --source {given.library}==VERSION={given.folder}"
    if len(right) > 1:
        raise UserError(f"{given.folder} has the metrics of {given.library} {' and '.join(right)} alike", say)
    if right:
        return versions[right[0]], Checkout(given.folder.absolute())
    if unpinned and len(versions) == 1:
        ((name, found),) = wrong.items()
        return versions[name], Checkout(given.folder.absolute(), "; ".join(found))
    said = "; ".join(f"{name}: {', '.join(found)}" for name, found in wrong.items())
    hint = f"audit fetch {given.library} clones what is pinned; --unpinned audits this folder as it is"
    raise UserError(f"{given.folder} is no pinned version of {given.library}: {said}", say if unpinned else hint)


def _commit(version: Version) -> Commit:
    assert version.git is not None
    return version.git


def _candidates(given: Given, chosen: Sequence[tuple[Manifest, Version]]) -> list[Version]:
    own = [version for manifest, version in chosen if manifest.name == given.library]
    if not own:
        raise UserError(f"--source {given.library}: it is not among the libraries of this run", "-l names them")
    versions = [each for each in own if each.git is not None and given.version in (None, each.version)]
    if not versions:
        wanted = f"{given.library} {given.version or ''}".strip()
        known = ", ".join(each.version for each in own if each.git)
        hint = f"from there: {known}" if known else "those of the package index need no checkout: leave --source away"
        raise UserError(f"--source {wanted}: not a version from a repository in this run", hint)
    return versions


def find_fetched(manifest: Manifest, version: Version) -> Checkout | None:
    """The clone that ``audit fetch`` made of ``version``, ``None`` where there is none.

    Raises :class:`UserError` where it is no longer what is pinned.
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
