"""Keeps the findings of a library version beside its cached answers, and reads them again where nothing has changed.

A repeat of an audit asks nothing, since its answers are cached, but identifies for seconds. What it finds follows from
the answers and from what is digested here (code, request, the files of the library): kept findings are believed only
where all of that is the same today, and where their file is as it was written.
"""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from recsys_metric_audit.audit.data.dataset import input_digest
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.process.protocol import Hello
from recsys_metric_audit.audit.responders.cache import CachedLibrary
from recsys_metric_audit.audit.responders.interface import Responder
from recsys_metric_audit.audit.run.request import Request
from recsys_metric_audit.reports.model.atomic_write import remove_abandoned, replace_file
from recsys_metric_audit.reports.model.regular_file import read_regular_text
from recsys_metric_audit.reports.model.result import Finding

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
            {metric: repr(each) for metric, each in request.canonical.items()}, request.despite_refusal,
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


FOLDER = "findings"
_FORMAT = 1
_MOST_FILES = 8
"""Number of requests of which one environment keeps the findings."""
_MALFORMED = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, eq=False)
class KeptFindings:
    """Holds what an audit of one library version has found.

    Attributes:
        findings: Its findings.
        fault: Why its adapter is suspected to be wrong, or None.
        of: What its row says of its initial answers.
    """

    findings: tuple[Finding, ...]
    fault: str | None
    of: Mapping[str, str]


@dataclass
class FindingStore:
    """Reads and writes the findings of one library version and one request; made by :meth:`of`."""

    library: CachedLibrary
    path: Path
    maker: str
    _manifest: Manifest = field(repr=False)
    _request: Request = field(repr=False)

    @staticmethod
    def of(manifest: Manifest, version: Version, responder: Responder, request: Request) -> FindingStore | None:
        """Return the store of a version's findings, None where its answers are not cached."""
        if not isinstance(responder, CachedLibrary):
            return None
        name = f"{request_digest(manifest, version, request)[:16]}.json"
        path = responder.cache.path.parent.with_name(FOLDER) / name
        return FindingStore(responder, path, maker_digest(manifest, request), manifest, request)

    @property
    def hello(self) -> Hello:
        """Return the greeting of the process that gave the cached answers."""
        return self.library.cache.hello

    def read(self) -> KeptFindings | None:
        """Return the findings of an audit whose code, request and answers were those of today; None without any."""
        try:
            head, body = read_regular_text(self.path).splitlines()
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            self._refuse(f"it cannot be read: {error}")
            return None
        if head != first_line(body):
            self._refuse("it is not as it was written")
            return None
        try:
            kept = json.loads(body)
            if kept["made_by"] != self.maker or not self.library.cache.still_answers(kept["calls"], kept["answers"]):
                return None
            return KeptFindings(tuple(map(Finding.model_validate, kept["findings"])), kept["fault"], kept["of"])
        except _MALFORMED as error:
            self._refuse(f"it does not hold findings: {type(error).__name__}")
            return None

    def write(self, found: KeptFindings) -> None:
        """Keep what an audit has found; a disk that cannot be written to is no error.

        Nothing is kept where a later run could be given other answers, or where the code has changed meanwhile.
        """
        cache = self.library.cache
        calls, answers = cache.used.keys(), cache.used.digest()
        if not cache.used.repeatable or not cache.still_answers(calls, answers):
            return
        if maker_digest(self._manifest, self._request, anew=True) != self.maker:
            return
        kept: dict[str, Any] = {
            "made_by": self.maker, "calls": calls, "answers": answers, "fault": found.fault, "of": dict(found.of),
            "findings": [each.model_dump(mode="json") for each in found.findings],
        }  # fmt: skip
        body = json.dumps(kept, separators=(",", ":"))
        with suppress(OSError):
            replace_file(self.path, f"{first_line(body)}\n{body}\n".encode())
            by_age = sorted(self.path.parent.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
            for old in by_age[_MOST_FILES:]:
                old.unlink()
            remove_abandoned(self.path.parent)

    def _refuse(self, why: str) -> None:
        self.library.damaged_findings = f"identified anew: the file of its kept findings was damaged ({why})"


def first_line(body: str) -> str:
    """Return the first line of a file, made of the second: a letter changed by hand never becomes a verdict."""
    return json.dumps({"format": _FORMAT, "content": f"sha256:{hashlib.sha256(body.encode()).hexdigest()}"})
