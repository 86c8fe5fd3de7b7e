"""Ends processes that left the session of what started them: they still carry a HOME that only it was given."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import psutil

_LOOKS = 5  # one that is found may have started another meanwhile


def end_left_running(home: Path) -> None:
    """Kill every process whose ``HOME`` is the folder `home`, and what it starts meanwhile."""
    for _ in range(_LOOKS):
        found = _living_in(home)
        for each in found:
            with suppress(psutil.Error):
                each.kill()
        if not found:
            return


def _living_in(home: Path) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get("HOME") == str(home) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found
