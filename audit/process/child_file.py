"""Opening files that a child has written, or has put something else in the place of."""

from __future__ import annotations

import io
import math
import os
import stat
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def open_regular(path: Path, *, writing: bool = False) -> BinaryIO:
    """Open a regular file, never waiting for a pipe and never following a link.

    Args:
        path: the file.
        writing: open it for reading and appending, without cutting it.

    Raises:
        OSError: if it is missing, or is a link, a pipe, a device or a folder.
    """
    flags = (os.O_RDWR | os.O_APPEND if writing else os.O_RDONLY) | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(path, flags)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{path.name} is no regular file")
    return os.fdopen(descriptor, "r+b" if writing else "rb", buffering=0 if writing else -1)


def create_regular(path: Path) -> BinaryIO:
    """Open a new, empty file for writing, in the place of whatever was there; a link is replaced, never followed.

    Raises:
        OSError: if something that is no file lies there, or appears there meanwhile.
    """
    path.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, 0o600), "wb")


def save_array(path: Path, values: NDArray[Any]) -> None:
    """Write a contiguous array as ``np.save`` does, which does not tell why a disk takes no more.

    Raises:
        OSError: with the path and the reason, if it cannot be written.
    """
    try:
        with path.open("wb") as file:
            file.write(_header(values.dtype, values.shape))
            file.write(values.data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


@lru_cache(maxsize=1024)
def _header(dtype: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    """Return what stands before a contiguous array in its file; numpy takes longer over it than over the array."""
    file = io.BytesIO()
    about = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, about)
    return file.getvalue()


def load_array(path: Path) -> NDArray[Any]:
    """Return the array in a ``.npy`` file, without pickles, once its size is what its header tells.

    Raises:
        OSError: if it is no regular file.
        ValueError: if it is no array, or larger or smaller than it says.
    """
    with open_regular(path) as file:
        version = np.lib.format.read_magic(file)
        if version not in _HEADERS:
            raise ValueError(f"{path.name} is an array of format {version}")
        shape, _, dtype = _HEADERS[version](file)
        held = os.fstat(file.fileno()).st_size - file.tell()
        if not dtype.hasobject and math.prod(shape) * dtype.itemsize != held:
            raise ValueError(f"{path.name} says that it holds {shape}, and holds {held:,} bytes")
        file.seek(0)
        return cast(NDArray[Any], np.load(file, allow_pickle=False))
