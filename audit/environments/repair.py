"""Finds what is damaged in an environment that calls itself ready, and builds it again, once.

Looked at only when a library could not be started, or something that was installed could not be imported: installed
files are compared with the ``RECORD`` of their distribution.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.environments.environment import Environment, Progress
from recsys_metric_audit.audit.environments.interpreter import version_of
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version

_PIECE = 1 << 20


def repair(
    manifest: Manifest, version: Version, built: Environment, progress: Progress, suspects: Sequence[str] = ()
) -> str:  # fmt: skip
    """Build the environment of `version` again if it is damaged.

    Args:
        manifest: the library.
        version: one of its versions.
        built: its environment.
        progress: called with each step, in words.
        suspects: the modules of which something could not be found, where nothing else points to damage: only the
            distributions that have them are looked at, and not what these depend on. Empty: all are.

    Returns:
        What was damaged; "" if nothing was, and nothing was done.

    Raises:
        BuildFailed: if it cannot be built again.
    """
    damage = find_damage(built, version.python, suspects)
    if damage:
        progress(f"its environment is damaged ({damage}): building it again")
        environment.ensure(manifest, version, progress=progress, again=True)
    return damage


def find_damage(built: Environment, python: str, suspects: Sequence[str] = ()) -> str:
    """Return what of an environment is not as it was installed, in words; "" if all is.

    Args:
        built: the environment.
        python: the version that its interpreter has to have (``3.9``).
        suspects: the modules whose distributions are looked at; empty for all distributions.
    """
    found = version_of(built.python, {"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": str(built.folder)})
    if found != python:
        return "its Python does not run" if found is None else f"its Python is {found}, not {python}"
    packages = next(iter(sorted(built.folder.glob("lib/python*/site-packages"))), None)
    if packages is None:
        return "its packages are gone"
    records = sorted(packages.glob("*.dist-info/RECORD"))
    suspected = [each for each in records if not suspects or any(_may_have(each, module) for module in suspects)]
    changed = [name for record in suspected for name in _changed(packages, record)]
    if not changed:
        return ""
    more = f" and {len(changed) - 1:,} more files" if len(changed) > 1 else ""
    return f"{changed[0]}{more} changed since it was installed"


def _may_have(record: Path, module: str) -> bool:
    """Return True if a ``RECORD`` names files of a module, or cannot be read."""
    top = module.partition(".")[0]
    try:
        lines = record.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return True
    return any(line.lstrip('"').startswith((f"{top}/", f"{top}.")) for line in lines)


def _changed(packages: Path, record: Path) -> Iterator[str]:
    """Yield the files of a distribution that are missing, or hold something else than its ``RECORD`` says."""
    try:
        rows = list(csv.reader(record.read_text(encoding="utf-8").splitlines()))
    except (OSError, ValueError, csv.Error):
        yield record.parent.name
        return
    for row in rows:
        if len(row) == 3 and row[1].startswith("sha256=") and not _is_as_recorded(packages / row[0], *row[1:]):
            yield row[0]


def _is_as_recorded(path: Path, digest: str, size: str) -> bool:
    try:
        if size.isdigit() and path.stat().st_size != int(size):
            return False
        with path.open("rb") as file:
            found = hashlib.sha256()
            while piece := file.read(_PIECE):
                found.update(piece)
    except OSError:
        return False
    return base64.urlsafe_b64encode(found.digest()).rstrip(b"=").decode() == digest.removeprefix("sha256=")
