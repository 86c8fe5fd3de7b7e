"""The control directory: requests written for an adapter's process, and its responses read back.

The layout and every key are described in ``adapters/README.md``; :mod:`audit.process.harness` is the other side. A case
is a folder with a file for each column. Probes are many and alike: most of their columns are equal to one of another
case, and an equal column is a further name of the file that is there already, which takes a tenth of the time that a
new file takes. What a child has written may be something else than a file.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.process import protocol

if TYPE_CHECKING:
    from recsys_metric_audit.reference.input.case import Case


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


_ABOUT = "case.json"
_COLUMNS = (
    "recommended_user", "recommended_item", "recommended_score", "relevant_user", "relevant_item", "relevant_gain",
    "train_user", "train_item", "catalogue",
)  # fmt: skip
CASES = "cases"
"""Name of the folder of all cases."""
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+=,-]*")
_SHORT = 2**14
"""Bytes of all columns of a case up to which they are in its one file of JSON, which is read faster than arrays are."""

_MOST_IN_MEMORY, _LEFT_FREE = 2**24, 2**27
"""Bytes of the columns of all cases that are kept in memory, and bytes that have to be free there before."""


def columns_of(case: Case) -> dict[str, NDArray[Any]]:
    """Return the columns of a case by name, as the files hold them."""
    tables = (case.predictions, case.truth, case.train)
    given = [*(column for table in tables for column in vars(table).values()), case.catalogue]
    dtypes = (np.float64 if name.endswith(("score", "gain")) else np.int64 for name in _COLUMNS)
    return {
        name: np.ascontiguousarray(values, dtype=dtype)
        for name, values, dtype in zip(_COLUMNS, given, dtypes, strict=True)
    }


def keep_in_memory(control: Path, memory: Path, cases: Iterable[Case]) -> None:
    """Let the cases of a control directory be written to a folder in memory, unless they are too many for it.

    Args:
        control: the control directory; made, and in it a link to the folder.
        memory: an empty folder in memory.
        cases: all cases that will be written.
    """
    needed = sum(values.nbytes for case in cases for values in columns_of(case).values())
    there = os.statvfs(memory)
    if needed > _MOST_IN_MEMORY or there.f_bavail * there.f_frsize < _LEFT_FREE:
        return
    folder = memory / control.name
    folder.mkdir()
    control.mkdir(parents=True)
    (control / CASES).symlink_to(folder)


def write_case(folder: Path, name: str, case: Case) -> None:
    """Write a case in a folder of its name: short columns as numbers of one file, long ones as an array each.

    Raises:
        ValueError: if the name cannot name a folder.
        OSError: if a file cannot be written.
    """
    if not _FILE_NAME.fullmatch(name):
        raise ValueError(f"the case name {name!r} cannot name a folder")
    target = folder / name
    target.mkdir(parents=True, exist_ok=True)
    columns = columns_of(case)
    short = sum(values.nbytes for values in columns.values()) <= _SHORT
    about = {
        "name": name,
        "threshold": repr(float(case.threshold)),
        "scale": [repr(float(end)) for end in case.scale],
        "why": case.why,
        "columns": {column: values.tolist() for column, values in columns.items()} if short else None,
    }
    for column, values in () if short else columns.items():
        save_array(target / f"{column}.npy", values)
    (target / _ABOUT).write_text(json.dumps(about), encoding="utf-8")


RESPONSE = "response.jsonl"
_MOST_AT_ONCE = 2**26
"""Bytes of the response that are read at once, and the length of its longest line."""
_MALFORMED = (ValueError, KeyError, TypeError, AttributeError, OSError, OverflowError, RecursionError, MemoryError)
"""What a line raises that breaks the protocol: in its form, its numbers, its depth, or the files that it names."""


class ResponseError(Exception):
    """A complete line of the response breaks the protocol."""


def write(
    control: Path, adapter: Path, cases: Mapping[str, Case], asks: Sequence[protocol.Ask], stubs: Sequence[str] = (),
    source: Path | None = None,
) -> None:  # fmt: skip
    """Write the request in `control`: the asks, and the cases that they name.

    Args:
        control: the directory; made if missing.
        adapter: the library's ``adapter.py``.
        cases: by name; only those that an ask names are written.
        asks: what to call.
        stubs: modules that can be imported but not used.
        source: the checkout to import the library from, if it has one.

    Raises:
        ValueError: if a case is missing or its name is no file name.
        OSError: if the directory cannot be written.
    """
    for name in dict.fromkeys(ask.case for ask in asks):
        if name not in cases:
            raise ValueError(f"an ask names the case {name!r}, which is not among those given")
        write_case(control / CASES, name, cases[name])
    write_request(control, adapter, asks, stubs, source)


def holds_cases(control: Path, asks: Sequence[protocol.Ask]) -> bool:
    """Return True if every file of every case that `asks` name is still in `control`."""
    return all(_holds_case(folder) for folder in {control / CASES / ask.case for ask in asks})


def _holds_case(folder: Path) -> bool:
    try:
        about = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
        return bool(about["columns"]) or all((folder / f"{column}.npy").is_file() for column in _COLUMNS)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def write_request(
    control: Path, adapter: Path, asks: Sequence[protocol.Ask], stubs: Sequence[str] = (), source: Path | None = None
) -> None:
    """Write ``request.json`` in `control`, whose cases are written already; arguments as for :func:`write`."""
    control.mkdir(parents=True, exist_ok=True)
    request = {
        "protocol": protocol.PROTOCOL,
        "adapter": str(adapter.absolute()),
        "stubs": list(stubs),
        "source": source and str(source.absolute()),
        "asks": [vars(ask) for ask in asks],
    }
    (control / "request.json").write_text(json.dumps(request, indent=1), encoding="utf-8")


class Responses:
    """Reads ``response.jsonl`` while it grows; the file is kept open, whatever is put in its place.

    ``hello`` is the greeting of the process, ``failure`` its reason why it cannot answer at all (the adapter cannot
    be imported, another protocol); both are ``None`` until read.
    """

    def __init__(self, control: Path) -> None:
        self.hello: protocol.Hello | None = None
        self.failure: protocol.Errored | None = None
        self._control = control
        self._read = 0
        self._file: BinaryIO | None = None

    def open(self) -> None:
        """Open the file, unless it is open.

        Raises:
            OSError: if it is missing, or no regular file.
        """
        if self._file is None:
            self._file = open_regular(self._control / RESPONSE)

    def close(self) -> None:
        """Close the file; nothing is read afterwards."""
        if self._file is not None:
            self._file.close()

    def read(self) -> Iterator[protocol.Answer]:
        """Yield the answers written since the last call; an unfinished line is left for the next call.

        Raises:
            ResponseError: for a complete line that breaks the protocol.
        """
        while whole := self._whole_lines():
            for line in whole.splitlines():
                answer = self._parse(line)
                if answer is not None:
                    yield answer

    def _whole_lines(self) -> bytes:
        """Return some of the lines that were not read yet; empty if there are none."""
        try:
            self.open()
            assert self._file is not None
            replaced = self._replaced(self._file)  # before reading: all that was written before is read
            text = os.pread(self._file.fileno(), _MOST_AT_ONCE, self._read)
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise ResponseError(f"the response cannot be read: {error}") from error
        whole = text[: text.rfind(b"\n") + 1]
        if not whole and len(text) == _MOST_AT_ONCE:
            raise ResponseError(f"a line of more than {_MOST_AT_ONCE:,} bytes")
        if not whole and replaced:
            raise ResponseError("the response cannot be read: something else was put in the place of its file")
        self._read += len(whole)
        return whole

    def _replaced(self, file: BinaryIO) -> bool:
        """Return True if something else lies in the place of the file; where nothing does, the process has ended."""
        try:
            there = (self._control / RESPONSE).lstat()
        except OSError:
            return False
        return not os.path.samestat(there, os.fstat(file.fileno()))

    def _parse(self, text: bytes) -> protocol.Answer | None:
        try:
            line = json.loads(text)
            if self.hello is None:
                self._read_hello(line["hello"])
                return None
            key = (line["ask"], line["function"], line["k"])
            return protocol.Answer(*key, outcome=self._outcome(line), repetition=line["repetition"])
        except _MALFORMED as error:
            shown = text[:200].decode(errors="replace")
            raise ResponseError(f"no line of the protocol ({type(error).__name__}: {error}): {shown}") from error

    def _read_hello(self, hello: dict[str, Any]) -> None:
        self.hello = protocol.Hello(
            hello["protocol"], hello["python"], hello["platform"], hello["installed"], tuple(hello["functions"])
        )
        if self.hello.protocol != protocol.PROTOCOL:
            message = f"the adapter's process speaks protocol {self.hello.protocol}, the auditor {protocol.PROTOCOL}"
            self.failure = protocol.Errored("WrongProtocol", message, "")
        elif "error" in hello:
            self.failure = _errored(hello)

    def _outcome(self, line: dict[str, Any]) -> protocol.Outcome:
        if "error" in line:
            return _errored(line)
        if "not_offered" in line:
            return protocol.NotOffered(str(line["not_offered"]))
        if "unaskable" in line:
            return protocol.Unaskable(str(line["unaskable"]))
        users = self._column(line["users"], np.dtype(np.int64))
        values = self._column(line["values"], np.dtype(np.float64))
        if (-1 if users is None else len(users)) != (-1 if values is None else len(values)):
            raise ValueError("users and values of different length")
        mean = None if line["mean"] is None else float(line["mean"])
        return protocol.Measured(mean, users, values, str(line["dtype"]), float(line["seconds"]))

    def _column(self, given: Any, dtype: np.dtype[Any]) -> NDArray[Any] | None:
        if given is None:
            return None
        if isinstance(given, list):
            array: NDArray[Any] = np.array([dtype.type(value) for value in given], dtype=dtype)
        else:
            array = load_array(self._control / "values" / Path(given).name)
        if array.ndim != 1 or array.dtype != dtype:
            raise ValueError(f"{given} holds {array.dtype} of shape {array.shape}")
        return array


def _errored(line: Mapping[str, Any]) -> protocol.Errored:
    return protocol.Errored(str(line["error"]), str(line["message"]), str(line["traceback"]))
