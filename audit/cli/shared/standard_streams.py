"""Makes standard output and error never fail: a closed, full, narrow or absurdly wide stream costs no audit."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from recsys_metric_audit.audit.cli.shared.exit_codes import BAD_INPUT

if TYPE_CHECKING:
    from rich.console import Console

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


def make_console(*, stderr: bool = False, at_least: int = 1) -> Console:
    """Return a console as wide as the terminal, within what makes sense.

    Args:
        stderr: Print on standard error.
        at_least: The least width, in columns.
    """
    from rich.console import Console

    usual = Console(stderr=stderr, highlight=False)
    width = min(max(usual.width, at_least), WIDEST)
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
