"""Cloning the pinned commit of a git source, without history, submodules, hooks or filters."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.sources import checkout
from recsys_metric_audit.audit.sources.git import git

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
    target = checkout.fetched_folder(manifest, version) if folder is None else folder
    if target.exists() and any(target.iterdir()):
        if wrong := checkout.mismatches(target, version.git):
            raise UserError(f"{target} is there and is not what is pinned: {', '.join(wrong)}", "give another --dir")
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        _clone(manifest, version, aside, mirror)
        if wrong := checkout.mismatches(aside, version.git):
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
