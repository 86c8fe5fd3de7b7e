"""Compares the files of an environment with what was installed.

When it is built, every file is compared with the ``RECORD`` of its distribution, and its digest is kept. From then on
only what was touched since is hashed again.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import os
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

MARKER = "ready.json"
FILES = "files.json"
"""Holds the SHA-256 of every installed file by its path."""


def differing_from_record(folder: Path) -> dict[str, str]:
    """Return the files that are missing or not what a ``RECORD`` says: distribution (normal name) to its first file.

    A file that several distributions install is as one of them has it. What no ``RECORD`` has a digest of is not looked
    at. If all files are as recorded, their digests are written into the ``files.json`` of the environment.
    """
    owners: dict[str, dict[str, str]] = defaultdict(dict)
    for record in sorted(folder.glob("lib/python*/site-packages/*.dist-info/RECORD")):
        owners[str(record)] = {}
        for name, recorded, *_ in _rows(record):
            if recorded.startswith("sha256="):
                path = os.path.normpath(record.parents[1] / name)
                owners[path][recorded.removeprefix("sha256=")] = record.parent.name
    found = {path: _sha256(path) for path in owners}
    wrong: dict[str, str] = {}
    for path, by_digest in owners.items():
        if by_digest and _encoded(found[path]) not in by_digest:
            wrong.setdefault(next(iter(by_digest.values())), os.path.relpath(path, folder))
    if not wrong:
        digests = {os.path.relpath(path, folder): digest for path, digest in found.items()}
        (folder / FILES).write_text(json.dumps(digests, indent=0), encoding="utf-8")
    return wrong


def _rows(record: Path) -> list[list[str]]:
    with record.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.reader(file) if len(row) > 1]


_DIGESTS: dict[tuple[int, int, int], str] = {}
"""Digests of files that were touched, by device, number and time of the last change: environments share files."""


def changed(folder: Path) -> str:
    """Return in words which files of an environment have changed since it was built; "" if none has.

    What was touched after it was built or last found unchanged is hashed, by the clock of its file system. A hard link
    to a file touches it, too; so the marker takes the time of the last touch that changed nothing.
    """
    try:
        digests = dict(json.loads((folder / FILES).read_bytes()).items())
        before = (folder / MARKER).stat().st_mtime_ns
        states = {path: _state(f"{folder}/{path}") for path in digests}
        # All times are read before the first file is: one that changes later is touched later than any of them.
        touched = [path for path, state in states.items() if state is None or state[2] >= before]
        different = [path for path in touched if _digest(f"{folder}/{path}", states[path]) != digests[path]]
    except (OSError, ValueError, AttributeError, TypeError):
        return f"{FILES} cannot be read"
    if different:
        more = f" and {len(different) - 1:,} more files" if len(different) > 1 else ""
        return f"{different[0]}{more} changed since it was installed"
    last = max((state[2] for path in touched if (state := states[path])), default=before)
    with suppress(OSError):  # where nothing can be written, it is hashed the next time, too
        os.utime(folder / MARKER, ns=(last, last))
    return ""


def _state(path: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - of thousands of files; a Path takes twice as long
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_ctime_ns


def _digest(path: str, state: tuple[int, int, int] | None) -> str:
    if state is None:
        return ""
    if state not in _DIGESTS:
        _DIGESTS[state] = _sha256(path)
    return _DIGESTS[state]


def _sha256(path: str) -> str:
    """Return the digest (hex) of a file, or "" if it cannot be read."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _encoded(digest: str) -> str:
    """Return a digest as ``RECORD`` writes it (PEP 427)."""
    return base64.urlsafe_b64encode(bytes.fromhex(digest)).rstrip(b"=").decode()
