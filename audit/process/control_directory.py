"""The control directory: requests written for an adapter's process, and its responses read back.

The layout and every key are described in ``adapters/README.md``; :mod:`audit.process.harness` is the other side.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.process.case_files import CASES, FILES, CaseWriter
from recsys_metric_audit.audit.process.child_file import load_array, open_regular
from recsys_metric_audit.audit.process.protocol import (
    PROTOCOL,
    Answer,
    Ask,
    Errored,
    Hello,
    Measured,
    NotOffered,
    Outcome,
    Unaskable,
)

if TYPE_CHECKING:
    from recsys_metric_audit.reference.input.case import Case

RESPONSE = "response.jsonl"
_MOST_AT_ONCE = 2**26
"""Bytes of the response that are read at once, and the length of its longest line."""
_MALFORMED = (
    ValueError, KeyError, TypeError, AttributeError, OSError, OverflowError, RecursionError, MemoryError,
)  # fmt: skip
"""What a line raises that breaks the protocol: in its form, its numbers, its depth, or the files that it names."""


class ResponseError(Exception):
    """A complete line of the response breaks the protocol."""


def write(
    control: Path, adapter: Path, cases: Mapping[str, Case], asks: Sequence[Ask], stubs: Sequence[str] = (),
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
    writer = CaseWriter(control / CASES)
    for name in dict.fromkeys(ask.case for ask in asks):
        if name not in cases:
            raise ValueError(f"an ask names the case {name!r}, which is not among those given")
        writer.write(name, cases[name])
    write_request(control, adapter, asks, stubs, source)


def holds_cases(control: Path, asks: Sequence[Ask]) -> bool:
    """Return True if every file of every case that `asks` name is still in `control`."""
    folders = {control / CASES / ask.case for ask in asks}
    return all((folder / name).is_file() for folder in folders for name in FILES)


def write_request(
    control: Path, adapter: Path, asks: Sequence[Ask], stubs: Sequence[str] = (), source: Path | None = None
) -> None:
    """Write ``request.json`` in `control`, whose cases are written already; arguments as for :func:`write`."""
    control.mkdir(parents=True, exist_ok=True)
    request = {
        "protocol": PROTOCOL,
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
        self.hello: Hello | None = None
        self.failure: Errored | None = None
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

    def read(self) -> Iterator[Answer]:
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

    def _parse(self, text: bytes) -> Answer | None:
        try:
            line = json.loads(text)
            if self.hello is None:
                self._read_hello(line["hello"])
                return None
            key = (line["ask"], line["function"], line["k"])
            return Answer(*key, outcome=self._outcome(line), repetition=line["repetition"])
        except _MALFORMED as error:
            shown = text[:200].decode(errors="replace")
            raise ResponseError(f"no line of the protocol ({type(error).__name__}: {error}): {shown}") from error

    def _read_hello(self, hello: dict[str, Any]) -> None:
        self.hello = Hello(
            hello["protocol"], hello["python"], hello["platform"], hello["installed"], tuple(hello["functions"])
        )
        if self.hello.protocol != PROTOCOL:
            message = f"the adapter's process speaks protocol {self.hello.protocol}, the auditor {PROTOCOL}"
            self.failure = Errored("WrongProtocol", message, "")
        elif "error" in hello:
            self.failure = _errored(hello)

    def _outcome(self, line: dict[str, Any]) -> Outcome:
        if "error" in line:
            return _errored(line)
        if "not_offered" in line:
            return NotOffered(str(line["not_offered"]))
        if "unaskable" in line:
            return Unaskable(str(line["unaskable"]))
        users = self._column(line["users"], np.dtype(np.int64))
        values = self._column(line["values"], np.dtype(np.float64))
        if (-1 if users is None else len(users)) != (-1 if values is None else len(values)):
            raise ValueError("users and values of different length")
        mean = None if line["mean"] is None else float(line["mean"])
        return Measured(mean, users, values, str(line["dtype"]), float(line["seconds"]))

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


def _errored(line: Mapping[str, Any]) -> Errored:
    return Errored(str(line["error"]), str(line["message"]), str(line["traceback"]))
