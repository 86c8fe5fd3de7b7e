"""What a command prints or writes: exit codes, safe text, consoles, and streams that never fail.

No foreign text drives a terminal or a workflow: text from files, libraries and errors is escaped here, whoever passes
it on. A closed, full, narrow or absurdly wide stream costs no audit.
"""

from __future__ import annotations

import errno
import io
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, TextIO

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from recsys_metric_audit.reports.model.result import Result


DRIFTED = 1
"""Says that findings differ from the expected ones, or a report from what was returned."""
BAD_INPUT = 2
"""Says that usage or input is wrong, also of :class:`audit.errors.UserError`."""
NOT_AUDITED = 3
"""Says that a library named by the user could not be run, or that none could."""
NOT_IDENTIFIED = 4
"""Says that no definition fits."""
FAULT = 70
"""Says that this tool has a fault."""
INTERRUPTED = 130
"""Says that Ctrl-C or a polite kill ended the command."""


_LONGEST_LINE, _HEAD, _TAIL = 1000, 600, 250
_MOST_LINES = 200


def say(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a message; see :func:`safe_text`."""
    typer.echo(safe_text(text), err=err, nl=nl)


def show(text: str, *, nl: bool = True) -> None:
    """Print what was asked for on stdout, whole: text, or JSON, whose values stay what they are.

    Characters that could drive a terminal are written as JSON's escapes.
    """
    typer.echo("\n".join(_escaped(line) for line in text.split("\n")), nl=nl)


def show_json(value: object) -> None:
    """Print a value as JSON, see :func:`show`."""
    show(json.dumps(value, indent=1, ensure_ascii=False))


def show_wrapped(text: str) -> None:
    """Print as :func:`show`, lines that are wider than the terminal broken at spaces and set two columns deeper."""
    width = make_console().width
    lines = [
        fill(line, width, subsequent_indent=" " * (len(line) - len(line.lstrip()) + 2), break_long_words=False,
             break_on_hyphens=False)
        for line in text.split("\n")
    ]  # fmt: skip
    show("\n".join(lines))


def _escaped(line: str) -> str:
    from recsys_metric_audit.reports.wording.formatting import printable

    line, end = (line[:-1], "\r") if line.endswith("\r") else (line, "")  # of a CSV file
    if line.strip("\t").isprintable() and "##[" not in line and "::" not in line:
        return line + end
    plain = "".join(char if printable(char) == char else json.dumps(char)[1:-1] for char in line)
    return _no_command(plain.replace("##[", "#\\u0023[")) + end


def show_annotations(text: str) -> None:
    """Print commands for a workflow, whose own text the renderer has escaped."""
    from recsys_metric_audit.reports.wording.formatting import printable

    typer.echo(printable(text), nl=bool(text))


def safe_text(text: str) -> str:
    """Return `text` without what drives a terminal or a workflow, and long text cut, with its length.

    Control characters become escapes; a line that a workflow would take for a command (``::error::``, ``##[group]``)
    is parted by a space.
    """
    from recsys_metric_audit.reports.wording.formatting import printable

    lines = text.replace("\r\n", "\n").split("\n")
    if len(lines) > _MOST_LINES:
        dropped = len(lines) - _MOST_LINES
        half = _MOST_LINES // 2
        lines = [*lines[:half], f"… ({dropped:,} lines are left out)", *lines[-half:]]
    return "\n".join(_no_command(printable(_cut(line))) for line in lines)


def _cut(line: str) -> str:
    """Cut the middle out of a long line: what happened may stand at its end."""
    if len(line) <= _LONGEST_LINE:
        return line
    return f"{line[:_HEAD]}… ({len(line):,} characters) …{line[-_TAIL:]}"


def _no_command(line: str) -> str:
    line = line.replace("##[", "# #[")
    bare = line.lstrip()
    return f"{line[: len(line) - len(bare)]}: :{bare[2:]}" if bare.startswith("::") else line


WIDEST = 1000
"""Columns; Rich pads lines to any width that COLUMNS names: a hundred million of them take minutes and all memory."""


class LenientStream(io.RawIOBase):
    """Takes everything that is written to a file descriptor, and remembers the first ``trouble`` of writing.

    ``is_product`` says whether what was asked for is what is printed; it is not where a report lies on the disk.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self.trouble: OSError | None = None
        self.is_product = True
        self._descriptor = descriptor

    def writable(self) -> bool:
        """Return True."""
        return True

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._descriptor

    def isatty(self) -> bool:
        """Return True for a terminal."""
        return os.isatty(self._descriptor)

    def write(self, content: object) -> int:
        """Write `content`, or drop it once the stream has failed; return its length in bytes."""
        view = memoryview(content).cast("B")  # type: ignore[arg-type]
        done = 0
        while self.trouble is None and done < len(view):
            try:
                done += os.write(self._descriptor, view[done:])
            except OSError as error:
                self.trouble = error
        return len(view)


def protect() -> Callable[[object], object]:
    """Make stdout and stderr of this process lenient; return a function from its exit code to the one to end with.

    Characters that a stream cannot encode are written as escapes. The exit code changes only where what was asked for
    was to be printed and could not be; a reader that has gone away, such as ``head``, has had enough.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # else the next file that is opened would be taken for the stream
            os.open(os.devnull, os.O_RDWR)
    out, err = LenientStream(1), LenientStream(2)
    sys.stdout, sys.stderr = _text(out, sys.stdout), _text(err, sys.stderr, by_line=True)
    return lambda code: _ended(code, out)


def report_is_on_disk() -> None:
    """Say that what was asked for is written: what is printed from now on may be lost."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    if isinstance(raw, LenientStream):
        raw.is_product = False


def make_console(*, stderr: bool = False) -> Console:
    """Return a console as wide as the terminal, within what makes sense.

    Args:
        stderr: Print on standard error.
    """
    from rich.console import Console

    usual = Console(stderr=stderr, highlight=False)
    width = min(max(usual.width, 1), WIDEST)
    return usual if width == usual.width else Console(stderr=stderr, highlight=False, width=width)


def _text(raw: LenientStream, old: TextIO | None, *, by_line: bool = False) -> io.TextIOWrapper:
    encoding = getattr(old, "encoding", None) or "utf-8"
    buffer = io.BufferedWriter(raw)
    return io.TextIOWrapper(buffer, encoding, "backslashreplace", line_buffering=by_line or raw.isatty())


def _ended(code: object, out: LenientStream) -> object:
    sys.stdout.flush()
    if out.trouble is None or out.trouble.errno == errno.EPIPE:
        return code
    why = out.trouble.strerror
    if not out.is_product:
        print(f"audit: not all could be printed: {why} (stdout); what was written is complete", file=sys.stderr)
        return code
    print(f"audit: this could not be printed: {why} (stdout)", file=sys.stderr)
    print("  → print to another disk, or write with --out where the command has it", file=sys.stderr)
    return code or BAD_INPUT


def write_output(content: str | bytes, out: Path | None, *, wrapped: bool = False) -> None:
    """Print `content`, or write it to the file `out`.

    Args:
        content: What was asked for.
        out: The file; None to print.
        wrapped: Whether lines are broken where they are wider than the terminal.

    Raises:
        UserError: if bytes would be printed.
    """
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.reports.model.atomic_write import write_file

    if out is not None:
        write_file(content, out)
        say(f"Written: {out}", err=True)
    elif isinstance(content, str):
        (show_wrapped if wrapped else show)(content.removesuffix("\n"))
    else:
        raise UserError("a Parquet file cannot be printed", "name a file: --out findings.parquet")


def print_tables(result: Result, group: str | None = None) -> None:
    """Print headlines, tables and surprises, as wide as the terminal.

    Args:
        result: The run.
        group: The group of libraries that the tables show; None for the default.
    """
    from recsys_metric_audit.reports.renderers.terminal import print_report

    print_report(result, make_console(), group)


SECONDS = 5.0
"""Between two signs of life in the first minutes."""
FIRST = 2.0
"""Before the first one of what is done before an audit or in place of one: a command itself takes a while to start."""
_LATER, _SECONDS_LATER = 300.0, 30.0  # then a log would grow too long


@contextmanager
def heartbeat(
    tell: Callable[[float], None], seconds: float | None = None, first: float | None = None
) -> Iterator[None]:
    """Call `tell` with the seconds that have passed, again and again until the block ends.

    Args:
        tell: called from a thread of its own.
        seconds: between two calls; by default ``SECONDS``.
        first: before the first one; by default ``seconds``.
    """
    every, began, stop = seconds or SECONDS, time.monotonic(), threading.Event()

    def beat() -> None:
        if first is not None and not stop.wait(first):
            tell(time.monotonic() - began)
        while not stop.wait(every if time.monotonic() - began < _LATER else max(every, _SECONDS_LATER)):
            tell(time.monotonic() - began)

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@contextmanager
def said_while(words: str) -> Iterator[None]:
    """Print on stderr what goes on and for how long, where it takes longer than ``FIRST``."""
    with heartbeat(lambda passed: say(f"{words}: {passed:.0f} s so far", err=True), first=FIRST):
        yield
