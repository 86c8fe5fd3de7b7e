"""Ends processes that left the session of what started them: they still carry a HOME that only it was given."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import psutil

from recsys_metric_audit.audit.errors import UserError

_LOOKS = 5  # one that is found may have started another meanwhile


def refuse_without_processes() -> None:
    """Refuse to start what could not be ended again.

    Raises:
        UserError: where the system does not show which processes there are.
    """
    try:
        psutil.pids()
    except (IndexError, OSError):
        message = "/proc shows no processes: what a library leaves running could not be ended"
        raise UserError(message, "mount it: mount -t proc proc /proc") from None


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
