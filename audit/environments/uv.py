"""How uv is called: which executable, with which sources of packages, and what its failures mean."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Trouble = Literal["network", "hashes", "disk", "no such package", "other"]

TAIL = 40
"""Lines of output that are kept of a run that fails."""


@dataclass(frozen=True)
class Done:
    """A run that has ended: its exit code, the end of its standard error, and all of its standard output."""

    code: int
    log: str
    out: str = ""


def command() -> list[str]:
    """The uv installed beside the running Python, else as a module of it."""
    import uv

    try:
        return [os.fsdecode(uv.find_uv_bin())]
    except FileNotFoundError:
        return [sys.executable, "-m", "uv"]


def find_links(environ: Mapping[str, str] | None = None) -> list[str]:
    """The places in ``UV_FIND_LINKS`` (comma between) and ``PIP_FIND_LINKS`` (blank between), made absolute."""
    environ = os.environ if environ is None else environ
    given = [part.strip() for part in environ.get("UV_FIND_LINKS", "").split(",")]
    given += environ.get("PIP_FIND_LINKS", "").split()
    places = [place if "://" in place else str(Path(place).absolute()) for place in given if place]
    return list(dict.fromkeys(places))


def sources(torch: str | None, environ: Mapping[str, str] | None = None) -> list[str]:
    """The options that say where packages come from, beside the index that the user has configured.

    ``torch`` is the build of torch that is wanted (``cpu``); without any find-links it comes from torch's own
    index.
    """
    places = find_links(environ)
    if places:
        return [option for place in places for option in ("--find-links", place)]
    return ["--torch-backend", torch] if torch else []


def run(
    arguments: Sequence[str | Path],
    *,
    cwd: Path,
    text: str = "",
    heard: Callable[[str], None] | None = None,
    keep_open: Sequence[int] = (),
) -> Done:
    """Run uv in ``cwd`` with ``text`` as its input; ``heard`` gets each line of its log as it comes.

    ``keep_open`` are file descriptors that it inherits: a lock on one of them outlives this process for as
    long as uv itself goes on writing.
    """
    with (
        (cwd / "uv-input.txt").open("w+", encoding="utf-8") as given,
        (cwd / "uv-output.txt").open("w+", encoding="utf-8") as out,
    ):
        given.write(text)
        given.seek(0)
        process = subprocess.Popen(
            [*command(), *map(str, arguments)],
            cwd=cwd, env=_environ(), stdin=given, stdout=out, stderr=subprocess.PIPE,
            text=True, encoding="utf-8", errors="replace", pass_fds=tuple(keep_open),
        )  # fmt: skip
        with process:
            log = _listen(process, heard)
        out.seek(0)
        return Done(process.returncode, log, out.read())


def _listen(process: subprocess.Popen[str], heard: Callable[[str], None] | None) -> str:
    tail: deque[str] = deque(maxlen=TAIL)
    try:
        for line in process.stderr or ():
            tail.append(redact(line.rstrip()))
            if heard is not None and line.strip():
                heard(tail[-1].strip())
    except BaseException:
        process.kill()  # an interrupted caller does not leave it behind
        raise
    return "\n".join(tail)


def _environ() -> dict[str, str]:
    """The user's environment, less what would point uv to another Python or project."""
    dropped = ("VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "PYTHONHOME", "UV_PYTHON", "UV_PROJECT")
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return kept | {"UV_NO_PROGRESS": "1", "NO_COLOR": "1"}


def redact(text: str) -> str:
    """``text`` with addresses cut to their last part: an address may be private or hold a password."""
    return re.sub(r"\b[a-z+]+://[^\s`'\")]*?([^\s`'\")/]+/?)(?=[\s`'\")]|$)", r"<index>/\1", text)


_SIGNS: tuple[tuple[Trouble, str], ...] = (
    ("hashes", r"Hash mismatch for"),
    ("disk", r"No space left on device|os error (28|122)\b|Disk quota exceeded"),
    ("network", r"network was disabled|dns error|error sending request|tcp connect error"
                r"|Network is unreachable|timed out|Connection (refused|reset)"),
    ("no such package", r"not found in the (package registry|provided package locations)|no version of"),
)  # fmt: skip


def trouble(log: str) -> Trouble:
    """What kept uv from doing it, by its log."""
    return next((kind for kind, sign in _SIGNS if re.search(sign, log)), "other")


def mismatched(log: str) -> str:
    """Which requirement or file did not have the hash that was asked for."""
    found = re.search(r"Hash mismatch for `?([^`\n]+)`?", log)
    return found[1].strip() if found else "a file"


def missing(log: str) -> str:
    """Which requirement is nowhere to be had, or no longer."""
    found = re.search(r"there is no version of ([^\s,]+)|Because ([^\s,]+) was not found", log)
    return next(filter(None, found.groups())) if found else "a distribution"


def withdrawn(log: str) -> str:
    """Which installed release its authors have taken back (yanked, PEP 592), with their reason; empty where none."""
    found = re.search(r"`([^`]+)` is yanked(?: \(reason: \"(.*)\"\))?", log)
    return "" if found is None else found[1] + (f" ({found[2]})" if found[2] else "")
