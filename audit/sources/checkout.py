"""Checkouts of git sources: whether a folder is the pinned commit, folders given with ``--source``, and clones.

A checkout with git data is recognised by its commit and a clean tree, an exported tree by the content of the files
that carry the metrics. Nothing of a folder is executed before it is known to be what is pinned. Clones have no history,
submodules, hooks or filters.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Commit, Manifest, Version
from recsys_metric_audit.audit.sources.git import changed_files, git, head

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


@dataclass(frozen=True)
class GivenFolder:
    """One ``--source NAME[==VERSION]=DIR`` as typed; without a version its commit decides which it is."""

    library: str
    version: str | None
    folder: Path


def resolve(
    given: Sequence[GivenFolder], chosen: Sequence[tuple[Manifest, Version]], *, unpinned: bool = False
) -> Checkouts:
    """Return the checkout of each (library, version) that a folder was given for.

    Args:
        given: folders as typed; one without a version serves the version whose commit it is.
        chosen: the versions of this run.
        unpinned: accept a folder that is not the commit that is pinned, if its version is clear.

    Raises:
        UserError: for a folder that fits no version or several, and for two folders for one version.
    """
    found: dict[tuple[str, str], Checkout] = {}
    for each in given:
        version, checkout = _match(each, chosen, unpinned)
        key = (each.library, version.version)
        if key in found:
            raise UserError(
                f"--source {each.library}: two folders for {version.version}: {found[key].folder} and {each.folder}",
                f"say which is for which: --source {each.library}==VERSION=DIR",
            )
        found[key] = checkout
    return found


def _match(given: GivenFolder, chosen: Sequence[tuple[Manifest, Version]], unpinned: bool) -> tuple[Version, Checkout]:
    versions = {version.version: version for version in _candidates(given, chosen)}
    wrong = {name: _mismatches(given.folder, version) for name, version in versions.items()}
    right = [name for name, found in wrong.items() if not found]
    say = f"say what it stands for: --source {given.library}==VERSION={given.folder}"
    if len(right) > 1:
        raise UserError(f"{given.folder} has the metrics of {given.library} {' and '.join(right)} alike", say)
    if right:
        return versions[right[0]], Checkout(given.folder.absolute())
    accepted = unpinned or all(version.git is None for version in versions.values())
    if accepted and len(versions) == 1:
        ((name, found),) = wrong.items()
        return versions[name], Checkout(given.folder.absolute(), "; ".join(found))
    said = "; ".join(f"{name}: {', '.join(found)}" for name, found in wrong.items())
    hint = f"audit fetch {given.library} clones what is pinned; `audit run --unpinned` audits this folder as it is"
    raise UserError(f"{given.folder} is no pinned version of {given.library}: {said}", say if accepted else hint)


def _mismatches(folder: Path, version: Version) -> list[str]:
    if version.git is not None:
        return mismatches(folder, version.git)
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder", "--source takes the folder from which it is imported: NAME=DIR")
    return ["a working tree is imported in place of the release"]


def _candidates(given: GivenFolder, chosen: Sequence[tuple[Manifest, Version]]) -> list[Version]:
    own = [version for manifest, version in chosen if manifest.name == given.library]
    if not own:
        raise UserError(f"--source {given.library}: it is not among the libraries of this run", "-l names them")
    versions = [each for each in own if given.version in (None, each.version)]
    if not versions:
        known = ", ".join(each.version for each in own)
        raise UserError(f"--source {given.library}=={given.version}: no version of this run", f"there are {known}")
    return versions


_NO_NETWORK = ("Could not resolve host", "Failed to connect", "Couldn't connect", "unable to access", "timed out")
_AS_THEY_ARE = "* -text -eol -ident -filter -working-tree-encoding\n"


def fetch(manifest: Manifest, version: Version, folder: Path | None = None, *, mirror: str | None = None) -> Path:
    """Clone the pinned commit of `version` and return its folder, which appears only once it is complete.

    An existing clone of the pinned commit stays as it is.

    Args:
        manifest: the library.
        version: one of its versions, from a repository.
        folder: where to; by default where runs look for it.
        mirror: the repository to take the commit from: an https or ssh address, or a folder. By default the one that
            ``library.toml`` names.

    Raises:
        UserError: if the version does not come from a repository, the folder holds something else, or the commit
            cannot be fetched.
    """
    if version.git is None:
        raise UserError(
            f"{manifest.name} {version.version} comes from the package index, not from a repository",
            f"audit run -l {manifest.name}=={version.version} installs it",
        )
    target = fetched_folder(manifest, version) if folder is None else folder
    if target.exists() and any(target.iterdir()):
        if wrong := mismatches(target, version.git):
            raise UserError(f"{target} is there and is not what is pinned: {', '.join(wrong)}", "give another --dir")
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        _clone(manifest, version, aside, mirror)
        if wrong := mismatches(aside, version.git):
            raise UserError(f"{manifest.origin(version)}: not as pinned: {', '.join(wrong)}", "report this, please")
        aside.rename(target)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return target


def _clone(manifest: Manifest, version: Version, folder: Path, mirror: str | None) -> None:
    assert version.git is not None
    address = str(manifest.source.repository) if mirror is None else _absolute(mirror)
    git(folder, "init", "--quiet", "--template=")
    # Files are written as the commit has them: what its .gitattributes ask for could name programs.
    (folder / ".git" / "info").mkdir(exist_ok=True)
    (folder / ".git" / "info" / "attributes").write_text(_AS_THEY_ARE, encoding="utf-8")
    options = ("--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")
    try:
        git(folder, "fetch", *options, "--", address, version.git.commit, protocols=_protocols(address))
    except UserError as error:
        name = f"{manifest.name}=={version.version}"
        if any(sign in error.message for sign in _NO_NETWORK):
            raise UserError(
                f"{address} cannot be reached: {error.message.rpartition('git says: ')[2]}",
                f"with a network try again; or take a checkout you have: audit run --source {name}=DIR",
            ) from error
        raise UserError(
            f"{address} does not give commit {version.git.commit}: {error.message.rpartition('git says: ')[2]}",
            f"take a checkout that you have: audit run --source {name}=DIR",
        ) from error
    git(folder, "checkout", "--quiet", "--detach", "--no-recurse-submodules", version.git.commit, "--")


def _absolute(mirror: str) -> str:
    local = Path(mirror)
    return str(local.absolute()) if local.is_dir() else mirror


def _protocols(address: str) -> str:
    """Return the transports that git may use for `address`: files only where the address itself is one."""
    is_local = Path(address).is_absolute() or address.startswith("file:")
    return "file" if is_local else "https:ssh"
