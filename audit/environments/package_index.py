"""Releases of a library: their order, the package index, and locks of releases that are not pinned."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence

from packaging.version import InvalidVersion
from packaging.version import Version as Number

from recsys_metric_audit.audit.environments import environment, uv
from recsys_metric_audit.audit.environments import locking as locks
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version


def ordered(versions: Iterable[str]) -> list[str]:
    """Return versions from the oldest to the newest; names that are no release number come first, as given."""
    given = list(versions)
    return sorted(given, key=lambda name: (number(name) is not None, number(name) or Number("0")))


def number(name: str) -> Number | None:
    """Return `name` as a release number, or None if it is none, as the digits of a commit are."""
    try:
        return Number(name) if "." in name else None
    except InvalidVersion:
        return None


def pinned(manifest: Manifest) -> list[str]:
    """Return the pinned versions, oldest first; in ``library.toml`` the newest stands first."""
    return ordered(version.version for version in reversed(manifest.versions))


def nearest(version: str, among: Sequence[str]) -> str | None:
    """Return the last of `among` before `version`, else the first after it; None if `among` is empty."""
    line = ordered([*among, version])
    place = line.index(version)
    before, after = line[:place], line[place + 1 :]
    return before[-1] if before else after[0] if after else None


def on_index(manifest: Manifest, python: str | None) -> list[str]:
    """Return the final releases on the user's package index for a Python version, oldest first. Needs a network.

    Args:
        manifest: the library.
        python: major and minor number (``3.9``); None for those of every Python version.

    Raises:
        UserError: if the library comes from no index, or the index does not answer.
    """
    package = manifest.source.package
    if not package:
        raise UserError(
            f"{manifest.name} comes from a repository, not from a package index", "its versions are pinned by hand"
        )
    wanted = ["--ignore-requires-python"] if python is None else ["--python-version", python]
    done = subprocess.run(
        [sys.executable, "-I", "-m", "pip", "index", "versions", package, "--json", *wanted,
         "--disable-pip-version-check", "--retries", "1", "--timeout", "20", *uv.find_links()],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        said = uv.redact(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "pip said nothing")
        raise UserError(
            f"the releases of {package} cannot be looked up: {said}", "this needs a network and the package index"
        )
    return ordered(json.loads(done.stdout)["versions"])


def trial(manifest: Manifest, release: str) -> tuple[Manifest, Version]:
    """Return a release that is not pinned as a library of one version, locked in the cache.

    It takes the settings of its nearest pinned neighbour. Nothing is written beside the adapter.

    Raises:
        UserError: if it cannot be resolved.
    """
    near = nearest(release, [v.version for v in manifest.versions if v.unavailable is None and v.git is None])
    like = next(version for version in manifest.versions if version.version == near)
    # A neighbour's cut-off day would hide a later release.
    late = like.exclude_newer is not None and ordered([release, like.version])[-1] == release
    version = like.model_copy(update={"version": release, **({"exclude_newer": None} if late else {})})
    inputs = locks.inputs_digest(manifest, version)[:12]
    folder = environment.root().parent / "trials" / f"{release}-{inputs}" / manifest.name
    shutil.copytree(manifest.folder, folder, ignore=_NOT_COPIED, dirs_exist_ok=True)
    tried = manifest.model_copy(update={"folder": folder, "versions": (version,)})
    if locks.check_lock(tried, version):
        locks.write_lock(tried, version)
    return tried, version


_NOT_COPIED = shutil.ignore_patterns("locks", "expected", "recordings", "__pycache__")
