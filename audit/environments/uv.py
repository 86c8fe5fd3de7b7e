"""Calling uv: its executable, its variables, where it takes packages from, and what its failures mean.

What may run a stranger's build is told where things are, and no credentials.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from recsys_metric_audit.audit.cache_folder import cache_folder
from recsys_metric_audit.audit.environments.supervisor import supervised
from recsys_metric_audit.audit.remove_tree import remove_tree

_PASSED_ON = frozenset({
    "PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "JAVA_HOME",
    "CC", "CXX", "FC", "CFLAGS", "CXXFLAGS", "LDFLAGS", "CPATH", "LIBRARY_PATH", "LD_LIBRARY_PATH", "PKG_CONFIG_PATH",
    "SSL_CERT_FILE", "SSL_CERT_DIR",
    "http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    "UV_DEFAULT_INDEX", "UV_INDEX", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_INDEX_STRATEGY", "UV_NO_INDEX",
    "UV_OFFLINE", "UV_NATIVE_TLS", "UV_SYSTEM_CERTS", "UV_INSECURE_HOST", "UV_HTTP_TIMEOUT",
    "UV_CONCURRENT_BUILDS", "UV_CONCURRENT_DOWNLOADS", "UV_CONCURRENT_INSTALLS", "UV_NO_CONFIG", "UV_CONFIG_FILE",
})  # fmt: skip


def build_variables(home: Path) -> dict[str, str]:
    """Return all environment variables of a uv that may build, and so of the builds, but for those of every run.

    Args:
        home: a folder that builds may take for the user's home.
    """
    passed_on = {name: without_credentials(value) for name, value in os.environ.items() if name in _PASSED_ON}
    # The user's own settings, which say where packages come from: the builds have another home.
    base = os.environ.get("XDG_CONFIG_HOME") or Path(os.environ.get("HOME", "/")) / ".config"
    settings = Path(base) / "uv" / "uv.toml"
    if settings.is_file() and "UV_NO_CONFIG" not in os.environ:
        passed_on.setdefault("UV_CONFIG_FILE", str(settings))
    return passed_on | {"HOME": str(home), "UV_KEYRING_PROVIDER": "disabled"}


def without_credentials(text: str) -> str:
    """Return `text` with the user and password of every address in it left out."""
    return re.sub(r"(?<=://)[^\s/@]*@", "", text)


FailureKind = Literal["network", "hashes", "disk", "no wheel", "no such package", "other"]

LOG_LINES = 40
"""Lines of the end of its log that a run returns."""

BUILD_SECONDS = 7200.0
"""Time that a run may take which may build."""
BUILD_BYTES = 16 * 1024**3
"""Address space of each process of a run which may build."""

_RUNNING: set[subprocess.Popen[str]] = set()
"""The supervisors of the runs that are under way."""


@dataclass(frozen=True)
class Done:
    """A finished run: exit code, end of its standard error, and all of its standard output."""

    code: int
    log: str
    out: str = ""


def command() -> list[str]:
    """Return the command that starts uv: the executable beside the running Python, else its module."""
    import uv

    try:
        return [os.fsdecode(uv.find_uv_bin())]
    except FileNotFoundError:
        return [sys.executable, "-m", "uv"]


def find_links() -> list[str]:
    """Return the options for the places in ``UV_FIND_LINKS`` (comma-separated) and ``PIP_FIND_LINKS`` (by blanks)."""
    given = [part.strip() for part in os.environ.get("UV_FIND_LINKS", "").split(",")]
    given += os.environ.get("PIP_FIND_LINKS", "").split()
    places = [place if "://" in place else str(Path(place).absolute()) for place in given if place]
    return [option for place in dict.fromkeys(places) for option in ("--find-links", place)]


def sources(torch: str | None) -> list[str]:
    """Return the uv options that name sources of packages beside the index that the user has configured.

    Args:
        torch: the wanted build of torch (``cpu``), taken from torch's own index if there are no find-links.
    """
    return find_links() or (["--torch-backend", torch] if torch else [])


def run(
    arguments: Sequence[str | Path],
    *,
    cwd: Path,
    text: str = "",
    on_line: Callable[[str], None] | None = None,
    keep_open: Sequence[int] = (),
    building: bool = False,
) -> Done:
    """Run uv, wait for its end, and end all that it started.

    Args:
        arguments: after the executable.
        cwd: its working directory, which also takes files of its input and output.
        text: its standard input.
        on_line: called with each line of its log as it comes.
        keep_open: file descriptors that it inherits: a lock on one of them holds until uv has ended, even if this
            process is killed.
        building: whether it may build, which runs code of strangers: then it gets no credentials and a home of its
            own, and time and memory are limited.
    """
    given_words = list(map(str, arguments))
    environ, home = _environ(), (cwd / "home").absolute() if building else None
    if home is not None:
        home.mkdir(exist_ok=True)
        environ = build_variables(home) | _fixed_variables()
        given_words = [without_credentials(word) for word in given_words]
    with (
        (cwd / "uv-input.txt").open("w+", encoding="utf-8") as given,
        (cwd / "uv-output.txt").open("w+", encoding="utf-8") as out,
    ):
        given.write(text)
        given.seek(0)
        process = subprocess.Popen(
            supervised([*command(), *given_words], orphans=building),
            cwd=cwd, env=environ, stdin=given, stdout=out, stderr=subprocess.PIPE,
            text=True, encoding="utf-8", errors="replace", pass_fds=tuple(keep_open), start_new_session=True,
            preexec_fn=_limit_memory if building and sys.platform == "linux" else None,
        )  # fmt: skip
        _RUNNING.add(process)
        try:
            with process:
                log = _read_log(process, on_line, limited=building)
        finally:
            _RUNNING.discard(process)
            if home is not None:
                remove_tree(home)
        out.seek(0)
        return Done(process.returncode, log, out.read())


def _read_log(process: subprocess.Popen[str], on_line: Callable[[str], None] | None, *, limited: bool) -> str:
    """Return the end of the log; a run that is ``limited`` may take so long only."""
    tail: deque[str] = deque(maxlen=LOG_LINES)
    late: list[str] = []

    def stop() -> None:
        late.append(f"ended: it took more than {BUILD_SECONDS:,.0f} s")
        process.terminate()

    timer = threading.Timer(BUILD_SECONDS, stop)
    timer.daemon = True
    if limited:
        timer.start()
    try:
        for line in process.stderr or ():
            tail.append(redact(line.rstrip()))
            if on_line is not None and line.strip():
                on_line(tail[-1].strip())
    except BaseException:
        process.terminate()  # an interrupt must not leave it behind
        raise
    finally:
        timer.cancel()
    return "\n".join([*tail, *late])


def _limit_memory() -> None:
    """Limit the memory of this process and its children; runs in a new process, before it is another program."""
    with suppress(OSError, ValueError):  # limited further by the user
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (BUILD_BYTES, BUILD_BYTES))


def end_running() -> None:
    """End the runs of uv that are under way in other threads, with all that they started."""
    for process in tuple(_RUNNING):
        process.terminate()


def _environ() -> dict[str, str]:
    """Return the user's environment variables, without variables that would point uv to another Python or project."""
    dropped = ("VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "PYTHONHOME", "UV_PYTHON", "UV_PROJECT")
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return kept | _fixed_variables()


def _fixed_variables() -> dict[str, str]:
    """Return the variables of every run.

    Environments share their files by hard links with each other and with a cache of their own, so that a file that is
    changed in one can reach the others, where it is found, and nothing else: out of a cache that the user names, files
    are copied.
    """
    given = os.environ.get("UV_CACHE_DIR")
    cache = {"UV_CACHE_DIR": str(Path(given).absolute()), "UV_LINK_MODE": "copy"} if given else {
        "UV_CACHE_DIR": str(cache_folder() / "uv"), "UV_LINK_MODE": "hardlink"
    }  # fmt: skip
    return {"UV_NO_PROGRESS": "1", "NO_COLOR": "1"} | cache


def redact(text: str) -> str:
    """Return `text` with addresses cut to their last part: an address may be private or hold a password."""
    return re.sub(r"\b[a-z+]+://[^\s`'\")]*?([^\s`'\")/]+/?)(?=[\s`'\")]|$)", r"<index>/\1", text)


_SIGNS: tuple[tuple[FailureKind, str], ...] = (
    ("hashes", r"Hash mismatch for"),
    ("disk", r"No space left on device|os error (28|122)\b|Disk quota exceeded"),
    ("network", r"network was disabled|dns error|error sending request|tcp connect error"
                r"|Network is unreachable|timed out|Connection (refused|reset)"),
    ("no wheel", r"has no (usable )?wheels|building from source is disabled"),
    ("no such package", r"not found in the (package registry|provided package locations)|no version of"),
)  # fmt: skip


def failure_kind(log: str) -> FailureKind:
    """Return why uv failed, judging by its log."""
    return next((kind for kind, sign in _SIGNS if re.search(sign, log)), "other")


_GUILTY: Final[Mapping[FailureKind, str]] = {
    "hashes": r"Hash mismatch for `?([^`\n]+)`?",
    "no wheel": r"Because (?:only )?(\S+?),? has no (?:usable )?wheels|Wheels are required for `([^`]+)`",
    "no such package": r"there is no version of ([^\s,]+)|Because ([^\s,]+) was not found",
}
"""Finds in a log the requirement or file that a failure of a kind is about."""


def guilty(log: str) -> str:
    """Return the requirement or file that a failure is about, where its kind tells of one."""
    found = re.search(_GUILTY[failure_kind(log)], log)
    return next(filter(None, found.groups())).strip() if found else "a distribution"


def yanked(log: str) -> str:
    """Return the installed release that is yanked (PEP 592), with the reason of its authors, or ""."""
    found = re.search(r"`([^`]+)` is yanked(?: \(reason: \"(.*)\"\))?", log)
    return "" if found is None else found[1] + (f" ({found[2]})" if found[2] else "")
