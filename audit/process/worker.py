"""One child's life: ask a library in its own environment, within limits, and hear every call out.

A child that dies or hangs costs the call it was in; the rest is asked again in a fresh one.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import psutil

from audit.environments.environment import MARKER
from audit.process import control_directory as directory
from audit.process.call_queue import Agenda, Loss
from audit.process.protocol import Ask, Conversation, Crashed, Errored, Limits, TimedOut

if TYPE_CHECKING:
    from reference.input.case import Case

HARNESS = Path(__file__).with_name("harness.py")
SILENT = 2  # children that may die before their hello
TICK = 0.05  # seconds between two looks at a child; its exit is seen at once
LOOK = 0.1  # seconds between two looks at its memory and its logs
LOG_LIMIT, LOG_HEAD, LOG_TAIL = 1 << 20, 1 << 18, 1 << 16  # bytes of a log; what is kept of a longer one
SAID = 4000  # characters kept of the end of stderr
_KEPT = ("PATH", "JAVA_HOME", "LANG", "TMPDIR")
_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "POLARS_MAX_THREADS")


class Stopped(Exception):  # noqa: N818 (asked for, not an error)
    """The caller's ``stop`` was set: the child is dead, the conversation is not finished."""


def converse(
    python: Path,
    adapter: Path,
    cases: Mapping[str, Case],
    asks: Sequence[Ask],
    control: Path,
    limits: Limits | None = None,
    progress: Callable[[int, int], None] | None = None,
    *,
    stubs: Sequence[str] = (),
    source: Path | None = None,
    hash_seed: int = 0,
    session: Session | None = None,
    stop: threading.Event | None = None,
) -> Conversation:
    """Put ``asks`` to the library behind ``adapter`` (its ``adapter.py``) under ``python``.

    ``source`` is a checkout that the library is imported from. Every (ask, function, k, repetition) is answered,
    in the order asked. ``control`` is made a control
    directory; what has to be asked again lands in ``control/again-1`` and so on. ``progress`` hears
    (answered, all). Without a ``session`` nothing of the child survives this call; with one it stays for the next, but
    not where this call ends by ``Stopped`` where ``stop`` was set, by ``KeyboardInterrupt``, or by ``OSError`` where
    the directory cannot be written or ``python`` not run.
    """
    if session is None:
        with Session(python, hash_seed) as own:
            return converse(
                python, adapter, cases, asks, control, limits, progress, stubs=stubs, source=source, session=own,
                stop=stop,
            )  # fmt: skip
    began = time.monotonic()
    agenda = Agenda(asks, progress)
    directory.write(control, adapter, cases, asks, stubs, source)
    hello, stderr, processes, silent = None, "", 0, 0
    while not agenda.finished:
        folder = control if processes == 0 else _again(control, processes, adapter, agenda.rest(), stubs, source)
        processes += 1
        child = session.child(folder)
        try:
            loss = _listen(child, agenda, limits or Limits(), stop)
        except BaseException:
            session.close()
            raise
        heard = child.responses
        if loss is not None or heard.failure is not None:
            session.close()
        hello, stderr = heard.hello or hello, child.said()
        silent = 0 if heard.hello else silent + 1
        if heard.failure is not None:
            agenda.settle_all(heard.failure)
        elif loss is not None and silent == SILENT:
            agenda.settle_all(_with_stderr(loss, stderr))
        elif loss is not None and heard.hello:
            agenda.settle_next(_with_stderr(loss, stderr))
    return Conversation(hello, agenda.answers(), time.monotonic() - began, processes, stderr, agenda.given_up)


def command(python: Path, control: Path, harness: Path = HARNESS) -> list[str]:
    """Return the command that runs a control directory (again)."""
    return [str(python), str(harness), str(control)]


def environment(python: Path, control: Path, hash_seed: int = 0) -> dict[str, str]:
    """Return all the environment variables that a child of ``python`` sees: no credentials, no PYTHONPATH.

    In an environment that the auditor did not build nothing is written: neither caches nor bytecode.
    """
    home = python.absolute().parent.parent  # not resolved: a venv's python is a link out of it
    built = (home / MARKER).exists()
    caches = home / "cache" if built else control / "cache"
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {
        "LANG": "C.UTF-8",
        **kept,
        "PATH": f"{python.absolute().parent}{os.pathsep}{kept.get('PATH', os.defpath)}",
        "HOME": str(control),
        "PYTHONHASHSEED": str(hash_seed),
        "NUMBA_CACHE_DIR": str(caches / "numba"),
        **({} if built else {"PYTHONDONTWRITEBYTECODE": "1"}),
        **dict.fromkeys(_THREADS, "1"),
    }


class Session:
    """A library's process, kept from one conversation to the next, so that the library is imported once.

    One that died, or whose conversation ended before its end, is replaced.
    """

    def __init__(self, python: Path, hash_seed: int = 0, harness: Path = HARNESS) -> None:
        self._python, self._harness, self._hash_seed = python, harness, hash_seed
        self._child: Child | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def child(self, control: Path) -> Child:
        """The process that answers ``control`` next."""
        if self._child is not None and self._child.exit_code(0) is None:
            self._child.go_on(control)
        else:
            self.close()
            self._child = Child(self._python, self._harness, control, self._hash_seed)
        return self._child

    def close(self) -> None:
        """End the process, and all that it started."""
        if self._child is not None:
            self._child.end()
        self._child = None


class Child:
    """The adapter's process and all that it starts, in a session of the system of its own."""

    def __init__(self, python: Path, harness: Path, control: Path, hash_seed: int) -> None:
        self._home = control.absolute()
        self._enter(control)
        with self.logs[0].open("wb") as out, self.logs[1].open("wb") as err:
            self.process = subprocess.Popen(
                [*command(python.absolute(), self._home, harness), "stay"],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=err,
                cwd=self._home,
                env=environment(python, self._home, hash_seed),
                start_new_session=True,
            )

    def go_on(self, control: Path) -> None:
        """Have it answer a further control directory."""
        self._enter(control)
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):  # that it has died is seen where it is heard
            self.process.stdin.write(f"{control.absolute()}\n".encode())
            self.process.stdin.flush()

    def _enter(self, control: Path) -> None:
        folder = control.absolute()
        self.responses = directory.Responses(folder)
        self.logs = (folder / "stdout.log", folder / "stderr.log")
        (folder / "response.jsonl").unlink(missing_ok=True)

    def end(self) -> None:
        """Kill it, and all that it started."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for other in self._escaped():
            with suppress(psutil.Error):
                other.kill()
        self.process.wait()
        if self.process.stdin is not None:
            with suppress(BrokenPipeError):
                self.process.stdin.close()
        self.cut_logs()

    def exit_code(self, wait: float) -> int | None:
        """Wait so many seconds at most; return the exit code (−9 for a SIGKILL), ``None`` while it runs."""
        try:
            return self.process.wait(wait)
        except subprocess.TimeoutExpired:
            return None

    def resident(self) -> int:
        """Return the resident bytes of the whole session."""
        total = 0
        for pid in psutil.pids():
            with suppress(psutil.Error, OSError):
                if os.getsid(pid) == self.process.pid:
                    total += psutil.Process(pid).memory_info().rss
        return total

    def said(self) -> str:
        """Return the end of what it wrote to stderr."""
        try:
            return self.logs[1].read_bytes()[-4 * SAID :].decode(errors="replace")[-SAID:]
        except FileNotFoundError:  # it removed its own log
            return ""

    def cut_logs(self) -> None:
        """Keep the beginning and the end of a log that has grown too long; the child appends after them."""
        for log in self.logs:
            with suppress(FileNotFoundError):  # it removed its own log
                cut(log)

    def _escaped(self) -> list[psutil.Process]:
        """Find what left the session: it still carries the HOME that only this child was given."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error, OSError):
                if process.environ().get("HOME") == str(self._home):
                    found.append(process)
        return found


def cut(log: Path) -> None:
    """Cut the middle out of a log that is longer than ``LOG_LIMIT``, while others go on appending to it.

    What is appended between the reading of the end and the cut is lost: two calls of the system, no more.
    """
    with log.open("r+b", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        if size <= LOG_LIMIT:
            return
        end = os.pread(file.fileno(), LOG_TAIL, size - LOG_TAIL)
        file.truncate(LOG_HEAD)
    with log.open("ab", buffering=0) as file:
        file.write(b"\n[... cut by the audit ...]\n" + end)


def _again(
    control: Path, n: int, adapter: Path, asks: Sequence[Ask], stubs: Sequence[str], source: Path | None
) -> Path:
    """Make the control directory in which the rest is asked; it shares the cases of the first."""
    folder = control / f"again-{n}"
    directory.write_request(folder, adapter, asks, stubs, source)
    (folder / "cases").unlink(missing_ok=True)
    (folder / "cases").symlink_to(Path("..") / "cases")
    return folder


def _listen(child: Child, agenda: Agenda, limits: Limits, stop: threading.Event | None) -> Loss | None:
    """Hear a child out; return ``None`` when it has said all, or what became of the call that it died in."""
    due = iter(agenda.pending())
    said, last_said, last_look = (False, agenda.settled), time.monotonic(), time.monotonic()
    while True:
        exit_code = child.exit_code(TICK)  # before reading: what is read then is all that it said
        try:
            for answer in child.responses.read():
                agenda.hear(answer, next(due, None))
        except directory.ResponseError as error:
            return Errored("BadLine", str(error), "")
        now, before = time.monotonic(), said
        said = (child.responses.hello is not None, agenda.settled)
        last_said = last_said if said == before else now
        if agenda.finished or child.responses.failure is not None:
            return None
        if exit_code is not None:
            return Crashed(exit_code, "")
        if now - last_said > limits.seconds:
            return TimedOut(limits.seconds)
        if stop is not None and stop.is_set():
            raise Stopped
        if now - last_look > LOOK:
            last_look = now
            child.cut_logs()
            if (taken := child.resident()) > limits.memory:
                return Crashed(-signal.SIGKILL, f"killed: {taken:,} bytes resident, {limits.memory:,} allowed")


def _with_stderr(outcome: Loss, stderr: str) -> Loss:
    """Tell a crash with what the process said last."""
    if not isinstance(outcome, Crashed):
        return outcome
    return replace(outcome, stderr="\n".join(part for part in (outcome.stderr, stderr) if part))
