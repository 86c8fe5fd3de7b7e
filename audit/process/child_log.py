"""Logs of a child: kept short while it writes to them."""

from __future__ import annotations

import os
from pathlib import Path

from recsys_metric_audit.audit.process.child_file import open_regular

MAX_BYTES = 1 << 20
HEAD_BYTES, TAIL_BYTES = 1 << 18, 1 << 16  # what remains of a longer log


def shorten(log: Path) -> None:
    """Cut the middle out of a log longer than ``MAX_BYTES``, while others go on appending to it.

    What is appended between reading the end and the cut is lost: the time of two system calls.

    Raises:
        OSError: if there is no such log, or something else in its place.
    """
    with open_regular(log, writing=True) as file:
        size = file.seek(0, os.SEEK_END)
        if size <= MAX_BYTES:
            return
        end = os.pread(file.fileno(), TAIL_BYTES, size - TAIL_BYTES)
        file.truncate(HEAD_BYTES)
        file.write(b"\n[... cut by the audit ...]\n" + end)
