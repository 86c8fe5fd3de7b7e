"""Runs a command and ends all that it starts: ``python -I -S supervisor.py (keep | orphans) COMMAND...``.

On Linux what has lost its parent becomes a child of this process, whatever its session and its variables. All of them
are killed when the command ends, and when this process is told to end (SIGTERM); after ``orphans`` each of them at
once, because who started the command may wait until nobody holds its output open. The command's exit code is that of
this process. Standard library only: it runs for every library, and has to be small.
"""

# ruff: noqa: PTH100, PTH123, PTH208
# To import pathlib takes a third of the time in which all of this starts.
from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_LOOK = 0.5
"""Seconds between two looks for what has lost its parent."""
_NOT_RUN = 127


def supervised(words: Sequence[str], *, orphans: bool = False) -> list[str]:
    """Return the command that runs `words` under supervision; with ``orphans``, what loses its parent is killed."""
    return [sys.executable, "-I", "-S", os.path.abspath(__file__), "orphans" if orphans else "keep", *words]


def dies_with_parent(number: int = signal.SIGTERM) -> Callable[[], None] | None:
    """Return what a new process runs first, to get this signal when the thread that started it has ended.

    Threads end after the processes that they started, unless the auditor is killed. None where there is no such call.
    """
    if sys.platform != "linux":
        return None
    parent, prctl = os.getpid(), ctypes.CDLL(None).prctl  # between fork and exec nothing may be loaded

    def watch() -> None:
        prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0)
        if os.getppid() != parent:  # it had ended before
            os._exit(1)

    return watch


def _run(words: list[str], at_once: bool) -> int:
    """Run a command; return its status as :func:`os.waitpid` does."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    watch = dies_with_parent(signal.SIGKILL)
    command = 0
    try:
        signal.signal(signal.SIGTERM, _raise)
        command = os.fork() or _become(words, watch)
        while True:
            found, status = os.waitpid(-1, os.WNOHANG if at_once else 0)
            if found == command:
                return status
            if not found:
                time.sleep(_LOOK)
            for pid in _children() if at_once else ():
                if pid != command:
                    _kill(pid)
    except KeyboardInterrupt:
        return signal.SIGKILL
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if command:
            _end_all(command)


def _become(words: list[str], watch: Callable[[], None] | None) -> int:
    """Become the command; never returns."""
    try:
        os.setpgid(0, 0)  # what it sends to its process group does not end this process
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # which Python ignores
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if watch is not None:
            watch()
        os.execvp(words[0], words)
    except OSError as error:
        os.write(2, f"{words[0]} cannot be run: {error.strerror}\n".encode(errors="surrogateescape"))
    finally:
        os._exit(_NOT_RUN)


def _raise(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _end_all(command: int) -> None:
    """Kill the command's process group and all children, until there are none: each leaves its own to this process."""
    with suppress(OSError):
        os.killpg(command, signal.SIGKILL)
    while found := _children():
        for pid in found:
            _kill(pid)
        for pid in found:
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _kill(pid: int) -> None:
    with suppress(OSError):
        os.kill(pid, signal.SIGKILL)


def _children() -> list[int]:
    """Return the children of this process, also those that have ended; none where there is no ``/proc``."""
    found, own = [], os.getpid()
    with suppress(OSError):
        for name in filter(str.isdigit, os.listdir("/proc")):
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                if int(file.read().rpartition(b")")[2].split()[1]) == own:
                    found.append(int(name))
    return found


def main() -> None:
    """Run the command, and end as it did."""
    status = _run(sys.argv[2:], sys.argv[1] == "orphans")
    if os.WIFSIGNALED(status):
        with suppress(OSError):  # SIGKILL has no handler
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the core of interest is that of the command
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
