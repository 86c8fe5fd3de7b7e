"""Digests all that a library's findings are made of, besides the answers of the library."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path

from recsys_metric_audit.audit.data.dataset import input_digest
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.run.request import Request

_PACKAGES = ("recsys_metric_audit.audit", "recsys_metric_audit.reports", "recsys_metric_audit.reference")
"""Packages of this project whose code, templates and tables findings are made with.

Each by itself: in a checkout they are links, into which a walk through the package above them would not go.
"""
_COMPILED = "__pycache__"
_Stamp = tuple[str, int, int]


def request_digest(manifest: Manifest, version: Version, request: Request) -> str:
    """Return the SHA-256 of a version and of the data and options with which it is audited.

    Args:
        manifest: The library.
        version: The version.
        request: The request; its number of processes, its limits and its command do not act on what is found.
    """
    return _digest(
        [
            manifest.name, version.version, request.dataset.name, request.dataset.digest, request.ks,
            request.recommender, {name: input_digest(case) for name, case in request.others.items()},
            {metric: repr(each) for metric, each in request.canonical.items()},
        ]
    )  # fmt: skip


def maker_digest(manifest: Manifest, request: Request, *, anew: bool = False) -> str:
    """Return the SHA-256 of what makes findings: code, its platform, the library's files and known definitions.

    Args:
        manifest: The library; the files of its folder describe its functions, call them and show them in scripts.
        request: The request; the definitions that it tries first decide what is asked.
        anew: Whether to look again at the code, which may have been edited since this process first read it.
    """
    code, files = _code_at_first()
    if anew and _stamps() != files:
        code = "edited"
    return _digest(
        [
            sys.version, platform.platform(), platform.machine(), code,
            _files(sorted(path for path in manifest.folder.iterdir() if path.is_file()), manifest.folder),
            manifest.model_dump_json(),
            repr(request.known),
        ]
    )  # fmt: skip


def _digest(made_of: list[object]) -> str:
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()


@cache
def _code_at_first() -> tuple[str, list[_Stamp]]:
    """Return the SHA-256 of this tool's packages and of what is installed beside it; and the files that were read."""
    files = _stamps()  # before reading: an edit meanwhile is seen
    installed = sorted(f"{each.name} {each.version}" for each in distributions())
    return _digest([installed, *(_files(_files_below(folder), folder) for folder in _folders())]), files


def _stamps() -> list[_Stamp]:
    """Return path, size and time of all files of this tool's packages."""
    paths = (path for folder in _folders() for path in _files_below(folder))
    return [(str(path), (found := path.stat()).st_size, found.st_mtime_ns) for path in paths]


def _folders() -> list[Path]:
    return [Path(place) for name in _PACKAGES for place in _places(name)]


def _places(package: str) -> Iterable[str]:
    spec = find_spec(package)
    return () if spec is None else spec.submodule_search_locations or ()


def _files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if _COMPILED not in path.parts and path.is_file())


def _files(paths: Iterable[Path], folder: Path) -> dict[str, str]:
    """Return the SHA-256 of files by their path in `folder`."""
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}
