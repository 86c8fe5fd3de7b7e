"""Puts a stronger wall around a library where the system has bubblewrap, which Debian and others package.

What runs inside has no network, sees other processes no more, and finds every file read-only but those of one folder.
It still reads what the user may read, and talks to services of this machine that listen on a socket file.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from recsys_metric_audit.audit.errors import UserError

SandboxKind = Literal["bwrap"]
_SETTINGS_OF_THE_SYSTEM = ("--remount-ro", "/proc")  # root could change those of the whole machine there
_SIGNALLED = 128  # bubblewrap ends with this much more than the signal that ended what ran inside


@dataclass(frozen=True)
class Sandbox:
    """Runs commands in bubblewrap; only files below ``writable`` can be changed."""

    writable: Path

    def command(self, words: Sequence[str]) -> list[str]:
        """Return the command that runs `words` inside."""
        folder = str(self.writable.absolute())
        return [
            _program(), "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", *_SETTINGS_OF_THE_SYSTEM,
            "--bind", folder, folder, "--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts",
            "--die-with-parent", "--cap-drop", "ALL", "--", *words,
        ]  # fmt: skip

    def variables(self) -> dict[str, str]:
        """Return the environment variables that lead to folders in which something can be written."""
        temporary = self.writable.absolute() / "tmp"
        temporary.mkdir(parents=True, exist_ok=True)
        return {"TMPDIR": str(temporary)}


def exit_code(code: int) -> int:
    """Return the exit code of what ran inside, negative for a signal, from that of bubblewrap."""
    return _SIGNALLED - code if code > _SIGNALLED else code


def refuse_unusable(writable: Path) -> None:
    """Refuse to go on where bubblewrap does not start.

    Raises:
        UserError: with what it said.
    """
    hint = "install bubblewrap (Debian: apt install bubblewrap), or run the tool in a container without --sandbox"
    if _program() == _MISSING:
        raise UserError("--sandbox bwrap: bubblewrap is not on this machine", hint)
    try:
        done = subprocess.run(
            Sandbox(writable).command(["true"]), capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"--sandbox bwrap: bubblewrap does not start here: {error}", hint) from error
    if done.returncode != 0:
        said = done.stderr.strip() or f"it ended with {done.returncode}"
        raise UserError(f"--sandbox bwrap: bubblewrap does not start here: {said}", hint)


_MISSING = "bwrap"


def _program() -> str:
    return shutil.which("bwrap", path=os.environ.get("PATH", os.defpath)) or _MISSING
