"""Makes one attempt to upset the tool: an input that somebody types or gives, or a fault that is injected."""

from __future__ import annotations

import json
import os
import re
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

MENDABLE = frozenset({0, 1, 2, 3, 4})
"""The exit codes of what is done, or what the user can mend; 70 is a fault of the tool."""
_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
PLACES: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "loop": lambda path: path.symlink_to(path),
    "device": lambda path: path.symlink_to("/dev/zero"),
}
"""Puts something else where a file is expected, by what it is."""
_COMMAND = re.compile(r"^\s*::|##\[", re.MULTILINE)
_LONGEST = 2000  # characters of a line of a message
_MOST_LINES = 260


SECONDS = 500
"""Time after which a trial is given up: something waits that should not."""


@dataclass(frozen=True)
class Trial:
    """Holds an attempt: its group and name, and what carries it out in an empty folder.

    ``act`` returns what was wrong, one line each: nothing if the input was met clearly, or the fault survived. What is
    lost for good (a report, an answer, a process or folder left behind) begins with ``LOST``.
    """

    group: str
    name: str
    act: Callable[[Path], Iterable[str]]


LOST = "lost: "


@dataclass(frozen=True)
class Tried:
    """Holds a trial, and what was wrong."""

    trial: Trial
    wrong: tuple[str, ...]

    @property
    def lost(self) -> int:
        """Return the number of things lost."""
        return sum(each.startswith(LOST) for each in self.wrong)


class _TookTooLong(BaseException):
    """Passes by everything that handles exceptions."""


@contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    """Raise in the main thread of this process where the block takes longer."""

    def ring(number: int, frame: object) -> None:
        raise _TookTooLong

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def replace_file(put: Callable[[Path], object], path: Path) -> None:
    """Put something else in the place of a file."""
    path.unlink()
    put(path)


def carry_out(trial: Trial) -> Tried:
    """Carry out a trial in a folder of its own; an exception that leaves the tool is wrong, too."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            with _at_most(SECONDS):
                wrong = tuple(trial.act(Path(folder)))
        except _TookTooLong:
            wrong = (f"no end within {SECONDS} s",)
        except Exception:
            wrong = (f"the tool raised:\n{traceback.format_exc()}",)
    return Tried(trial, wrong)


def left_running(folder: Path) -> list[str]:
    """Return a line for each process that runs on with `folder` in its variables, and end it."""
    end = time.monotonic() + 5
    while (running := _running(folder)) and time.monotonic() < end:
        time.sleep(0.1)
    left = [f"{LOST}process {each.pid} runs on: {each.cmdline()[:4]}" for each in running]
    for each in running:
        each.kill()
    return left


def _running(folder: Path) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            known = process.environ()
            places = json.dumps([known.get(name) for name in ("HOME", "TMPDIR", "LEFT")])
            if process.pid != os.getpid() and str(folder.absolute()) in places:
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return [each for each in found if each.status() != psutil.STATUS_ZOMBIE]


def unclear(code: int | None, out: str, err: str, names: str | None = None) -> list[str]:
    """Return what is wrong with how a command ended.

    Args:
        code: its exit code.
        out: what it printed.
        err: what it printed on stderr.
        names: what its message has to name, such as the file at fault.
    """
    wrong = [] if code in MENDABLE else [f"exit code {code}: {err[-400:]}"]
    if code == 2 and not re.search(r"^(audit|Error): ", err, re.MULTILINE):
        wrong.append(f"no message: {err[-300:]!r}")
    if re.search(r"^Traceback \(most recent call last\)", err, re.MULTILINE):  # that of a library is indented
        wrong.append("a traceback")
    if code == 2 and names is not None and names not in err:
        wrong.append(f"the message does not name {names}: {err[-300:]!r}")
    for stream, text in (("stdout", out), ("stderr", err)):
        if found := _UNSAFE.search(text):
            wrong.append(f"{stream} holds {found[0]!r}: {text[max(0, found.start() - 60) : found.end() + 20]!r}")
        if found := _COMMAND.search(text):
            wrong.append(f"{stream} has a line that a workflow obeys: {text[found.start() : found.start() + 60]!r}")
    longest = max(map(len, err.splitlines()), default=0)
    if longest > _LONGEST or err.count("\n") > _MOST_LINES:
        wrong.append(f"a message of {err.count(chr(10)):,} lines, the longest of {longest:,} characters")
    return wrong
