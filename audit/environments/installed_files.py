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


class InstalledFiles:
    """Finds which files of an environment have changed since it was built.

    The clock of the file system decides what is hashed: all that was touched after the environment was complete.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._same: dict[str, int] = {}
        """Files that were touched, and are as they were installed: path to the time of the last change, in ns."""

    def changed(self) -> str:
        """Return in words what has changed; "" if nothing has."""
        try:
            digests = json.loads((self._folder / FILES).read_bytes())
            ready = (self._folder / MARKER).stat().st_ctime_ns
            changed = [path for path, digest in digests.items() if not self._is_same(path, digest, ready)]
        except (OSError, ValueError, AttributeError, TypeError):
            return f"{FILES} cannot be read"
        more = f" and {len(changed) - 1:,} more files" if len(changed) > 1 else ""
        return f"{changed[0]}{more} changed since it was installed" if changed else ""

    def _is_same(self, path: str, digest: str, ready: int) -> bool:
        whole = f"{self._folder}/{path}"
        try:
            touched = os.stat(whole).st_ctime_ns  # noqa: PTH116 - of thousands of files; a Path takes twice as long
        except OSError:
            return False
        if touched >= ready and self._same.get(path) != touched:
            if _sha256(whole) != digest:
                return False
            self._same[path] = touched
        return True


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
