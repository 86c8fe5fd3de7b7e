"""Reading a file that somebody names: never waiting for a pipe, never reading a device without end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

LARGEST = 2**31
"""Bytes of the largest file that is read whole."""


def read_regular(path: Path) -> bytes:
    """Return the content of a regular file, which a link may lead to.

    Raises:
        OSError: if it cannot be read, is a folder, pipe or device, or is larger than ``LARGEST``.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "it is a pipe or a device, and no file", str(path))
        if found.st_size > LARGEST:
            raise OSError(errno.EFBIG, f"it is larger than {LARGEST:,} bytes", str(path))
        return file.read()


def read_regular_text(path: Path) -> str:
    """Return the text of a regular file in UTF-8, with plain ends of lines; raises as :func:`read_regular` does."""
    return read_regular(path).decode("utf-8").replace("\r\n", "\n")
