"""One process of an adapter: started on a control directory, watched, and ended with all that it started.

A session keeps it from one conversation to the next. Its logs are kept short while it writes to them.
"""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import psutil

from recsys_metric_audit.audit.environments.installed_files import MARKER
from recsys_metric_audit.audit.environments.supervisor import dies_with_parent, supervised
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.process import control_directory
from recsys_metric_audit.audit.process.control_directory import create_regular, open_regular
from recsys_metric_audit.audit.process.sandbox import Sandbox
from recsys_metric_audit.audit.process.sandbox import exit_code as exit_code_inside

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


HARNESS = Path(__file__).with_name("harness.py")
STDERR_TAIL = 4000  # characters of the end of stderr that are reported
_PASSED_ON = ("PATH", "JAVA_HOME", "LANG", "TMPDIR")
_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "POLARS_MAX_THREADS")
_SECONDS_TO_END = 20.0


def command(python: Path, control: Path, harness: Path = HARNESS) -> list[str]:
    """Return the command that runs the control directory `control`, for the first time or again."""
    return [str(python), str(harness), str(control)]


def child_environment(
    python: Path, control: Path, hash_seed: int = 0, sandbox: Sandbox | None = None
) -> dict[str, str]:
    """Return all environment variables of a child of `python`: no credentials, no PYTHONPATH.

    In an environment that the auditor did not build, the child writes nothing: neither caches nor bytecode. Nor does it
    in a sandbox, where environments are read-only.
    """
    home = python.absolute().parent.parent  # not resolved: a venv's python is a link out of it
    built = (home / MARKER).exists() and sandbox is None
    caches = home / "cache" if built else control / "cache"
    passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {
        "LANG": "C.UTF-8",
        **passed_on,
        "PATH": f"{python.absolute().parent}{os.pathsep}{passed_on.get('PATH', os.defpath)}",
        "HOME": str(control),
        "PYTHONHASHSEED": str(hash_seed),
        "NUMBA_CACHE_DIR": str(caches / "numba"),
        **({} if built else {"PYTHONDONTWRITEBYTECODE": "1"}),
        **({} if sandbox is None else sandbox.variables()),
        **dict.fromkeys(_THREADS, "1"),
    }


def _refuse_without_processes() -> None:
    """Refuse to start what could not be ended again.

    Raises:
        UserError: where the system does not show which processes there are.
    """
    try:
        psutil.pids()
    except (IndexError, OSError):
        message = "/proc shows no processes: what a library leaves running could not be ended"
        raise UserError(message, "mount it: mount -t proc proc /proc") from None


class Child:
    """The adapter's process, in a system session of its own, and all that it starts: ``process`` supervises them.

    ``responses`` reads what it answers in its current control directory; ``logs`` are the files of its stdout and
    stderr there.
    """

    def __init__(
        self, python: Path, harness: Path, control: Path, hash_seed: int, sandbox: Sandbox | None = None
    ) -> None:
        _refuse_without_processes()
        self._home = control.absolute()
        self.responses, self.logs = self._enter(control)
        self._sandboxed = sandbox is not None
        words = [*command(python.absolute(), self._home, harness), "stay"]
        with create_regular(self.logs[0]) as out, create_regular(self.logs[1]) as err:
            try:
                self.process = subprocess.Popen(
                    supervised(words if sandbox is None else sandbox.command(words)),
                    stdin=subprocess.PIPE,
                    stdout=out,
                    stderr=err,
                    cwd=self._home,
                    env=child_environment(python, self._home, hash_seed, sandbox),
                    start_new_session=True,
                    preexec_fn=dies_with_parent(),
                )
            except OSError:
                self.responses.close()
                raise

    def go_on(self, control: Path) -> None:
        """Tell the process to answer a further control directory."""
        self.responses.close()
        self.responses, self.logs = self._enter(control)
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):  # whoever waits for its answers sees that it has died
            self.process.stdin.write(f"{control.absolute()}\n".encode())
            self.process.stdin.flush()

    @staticmethod
    def _enter(control: Path) -> tuple[control_directory.Responses, tuple[Path, Path]]:
        """Return what reads the answers in a control directory, and the logs there."""
        folder = control.absolute()
        logs = (folder / "stdout.log", folder / "stderr.log")
        for log in logs:  # a link there would lead elsewhere
            log.unlink(missing_ok=True)
        responses = control_directory.Responses(folder)
        with suppress(OSError):  # whoever reads finds out
            create_regular(folder / control_directory.RESPONSE).close()
            responses.open()  # what is answered is read, even if something else is put there before the first look
        return responses, logs

    def end(self) -> None:
        """Kill the process and all that it started."""
        self.process.terminate()  # its supervisor kills them, and ends then
        try:
            self.process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:  # somebody stopped it
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
            self.process.wait()
        self.responses.close()
        if self.process.stdin is not None:
            with suppress(BrokenPipeError):
                self.process.stdin.close()
        self.shorten_logs()

    def exit_code(self, wait: float) -> int | None:
        """Wait at most `wait` seconds; return the exit code (-9 for a SIGKILL), or None if it still runs."""
        try:
            code = self.process.wait(wait)
        except subprocess.TimeoutExpired:
            return None
        return exit_code_inside(code) if self._sandboxed else code

    def resident_bytes(self) -> int:
        """Return the resident memory of the whole session, in bytes."""
        total = 0
        for pid in psutil.pids():
            with suppress(psutil.Error, OSError):
                if os.getsid(pid) == self.process.pid:
                    total += psutil.Process(pid).memory_info().rss
        return total

    def stderr_tail(self) -> str:
        """Return the last ``STDERR_TAIL`` characters that the process wrote to stderr."""
        try:
            with open_regular(self.logs[1]) as log:
                log.seek(max(0, log.seek(0, os.SEEK_END) - 4 * STDERR_TAIL))
                return log.read(4 * STDERR_TAIL).decode(errors="replace")[-STDERR_TAIL:]
        except OSError:  # it removed its own log, or put something else in its place
            return ""

    def shorten_logs(self) -> None:
        """Cut the middle out of logs that have grown too long; the process goes on appending to them."""
        for log in self.logs:
            with suppress(OSError):  # it removed its own log, or put something else in its place
                shorten(log)


class Session:
    """Keeps a library's process alive between conversations, so that the library is imported once.

    A process that died, or whose conversation broke off, is replaced by a fresh one.
    """

    def __init__(
        self, python: Path, hash_seed: int = 0, harness: Path = HARNESS, sandbox: Sandbox | None = None
    ) -> None:
        self._python, self._harness, self._hash_seed, self._sandbox = python, harness, hash_seed, sandbox
        self._child: Child | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def child(self, control: Path) -> Child:
        """Return the process that answers `control`: the one that is alive, else a new one."""
        if self._child is not None and self._child.exit_code(0) is None:
            self._child.go_on(control)
        else:
            self.close()
            self._child = Child(self._python, self._harness, control, self._hash_seed, self._sandbox)
        return self._child

    def close(self) -> None:
        """End the process and all that it started."""
        if self._child is not None:
            self._child.end()
        self._child = None
