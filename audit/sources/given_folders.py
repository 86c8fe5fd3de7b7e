"""Folders given with ``--source``: which version each is a checkout of, or is imported in place of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.sources.checkout import Checkout, Checkouts, mismatches


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
