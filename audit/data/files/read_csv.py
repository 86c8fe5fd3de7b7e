"""Reads CSV and TSV files, gzipped or not, with Arrow; a file that fails is read again to locate the error.

Arrow parses numbers to the nearest double. (The default parser of pandas 2 is one unit in the last place off for some
numbers, which makes ties that are not in the file.) Numbers that float64 does not hold are found by their text, so that
none changes silently.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv

from recsys_metric_audit.audit.data.files import input_table
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.input.case import Floats

_WHOLE = re.compile(r"\s*[+-]?\d{1,400}\s*", re.ASCII)
_LARGEST_EXACT = 2.0**53


def check_held_exactly(path: Path, column: str, values: Floats, read_texts: Callable[[], Sequence[str]]) -> None:
    """Raise ``UserError`` for the first number that is too large for float64, or a whole number that it rounds.

    Whole numbers above 2^53 would be rounded to equal doubles and tie.

    Args:
        path: the file.
        column: the column's name.
        values: the numbers as parsed.
        read_texts: reads the column as text; called only if a number is large.
    """
    large = np.flatnonzero(np.abs(values) >= _LARGEST_EXACT)  # not NaN, which is no number and told as that
    if not len(large):
        return
    texts = read_texts()
    for row in large.tolist():
        text, value = texts[row], float(values[row])
        if not any(digit in text for digit in "0123456789"):
            continue  # an infinity that the file spells out
        if np.isinf(value):
            what = f"{input_table.quoted(text)} is too large for a number of 64 bits"
            raise input_table.bad_value(
                path, column, row + 1, what, "Scale the column: only the order and ratios of scores count."
            )
        if _WHOLE.fullmatch(text) and int(text) != int(value):
            what = f"the whole number {input_table.quoted(text.strip())} is not held exactly by a number of 64 bits"
            raise input_table.bad_value(path, column, row + 1, what, "Scale it so that float64 holds it exactly.")


_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)
_SPECIAL = re.compile(r"\s*[+-]?(nan|inf|infinity)\s*", re.ASCII | re.IGNORECASE)
_LONGEST_HEADER = csv.field_size_limit()  # bytes
_NAMES_COLUMNS = "The first line names the columns."
_CLOSE = 'Remove the quote, or close it with another before the separator. Within quotes, write "" for a quote.'
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_BLOCK = 1 << 23
"""Bytes that Arrow parses at a time; each block has a dictionary of its own texts, and all these are made one."""
_TEXT = pa.dictionary(pa.int32(), pa.string())


def read_csv(path: Path, role: input_table.Role, separator: str) -> input_table.Table:
    """Read a CSV file with a header line, in UTF-8.

    Args:
        path: the file.
        role: which columns it must have.
        separator: what separates the columns.

    Raises:
        UserError: for invalid content, with row and column.
        OSError: if the file cannot be read or decompressed.
    """
    wanted = input_table.wanted_columns(path, role, _header(path, separator))
    types = {name: pa.float64() if name == role.number else _TEXT for name in wanted}
    try:
        table = _read(path, separator, types)
    except pa.ArrowInvalid as error:
        raise _explain(path, role, separator, wanted, error) from error
    if not table.num_rows:
        raise _empty(path, role)
    columns = dict(zip(table.column_names, table.columns, strict=True))
    del table  # so that no column is in memory twice for longer than it is converted
    number = None
    if role.number in wanted:
        number = columns.pop(str(role.number)).to_numpy()
        name, text = str(role.number), {str(role.number): pa.string()}
        check_held_exactly(path, name, number, lambda: _read(path, separator, text).column(name).to_pylist())
        input_table.check_finite(path, str(role.number), number)
    user, item = (
        input_table.text_column(path, name, columns.pop(name).unify_dictionaries().chunks, typed=False)
        for name in role.ids
    )
    pa.default_memory_pool().release_unused()  # Arrow keeps what it has freed
    return input_table.Table(path, role, user, item, number)


def _read(path: Path, separator: str, types: dict[str, Any], **options: Any) -> pa.Table:
    return arrow_csv.read_csv(
        path,
        read_options=arrow_csv.ReadOptions(use_threads=not options, block_size=_BLOCK),
        parse_options=arrow_csv.ParseOptions(delimiter=separator, newlines_in_values=True, **options),
        convert_options=arrow_csv.ConvertOptions(
            column_types=types,
            include_columns=list(types),
            null_values=[],  # an item called "NA" is an item
        ),
    )


def _header(path: Path, separator: str) -> list[str]:
    with pa.input_stream(path, compression="detect") as stream:
        start = io.BufferedReader(stream).read(_LONGEST_HEADER + 1)
    first = re.split(rb"[\r\n]", start, maxsplit=1)[0]
    if len(first) > _LONGEST_HEADER:
        raise UserError(f"{path}: its first line has more than {_LONGEST_HEADER:,} bytes.", _NAMES_COLUMNS)
    if start.startswith(_UTF16_MARKS) or b"\0" in first:
        raise _utf16(path)
    try:
        line = first.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf8(path, 1, error) from None
    if not line:
        what = "first line" if start else "file"
        raise UserError(f"{path}: the {what} is empty.", _NAMES_COLUMNS)
    try:
        return next(csv.reader([line], delimiter=separator, strict=True))
    except csv.Error as error:
        raise UserError(f"{path}: a quote in its first line is not closed.", _CLOSE) from error


def _empty(path: Path, role: input_table.Role) -> UserError:
    hint = "Leave --train out if there is none." if role.name == "train" else f"Give a file of {role.name}."
    return UserError(f"{path}: there are no rows below the header.", hint)


def _explain(path: Path, role: input_table.Role, separator: str, wanted: list[str], error: Exception) -> UserError:
    """Find what made Arrow fail: the encoding, a row with more or fewer columns, or a value."""
    undecodable = _first_undecodable(path)
    if undecodable is not None:
        return undecodable
    widths: list[arrow_csv.InvalidRow] = []

    def keep(row: arrow_csv.InvalidRow) -> str:
        widths.append(row)
        return "skip"

    try:
        table = _read(path, separator, dict.fromkeys(wanted, pa.string()), invalid_row_handler=keep)
    except pa.ArrowInvalid:
        if path.stat().st_size and "Empty CSV" in str(error):
            return _empty(path, role)
        return _open_quote(path) or _unread(path, error)
    if widths:
        what = f"{widths[0].actual_columns} values where the header names {widths[0].expected_columns} columns"
        if widths[0].text.count('"') % 2:
            return UserError(
                f"{path}: row {widths[0].number - 1}: a quote is not closed: {input_table.quoted(widths[0].text)}.",
                _CLOSE,
            )
        hint = "Quote values that contain the separator, and fill up short rows."
        return UserError(f"{path}: row {widths[0].number - 1}: {what}: {input_table.quoted(widths[0].text)}.", hint)
    column = table.column(role.number).to_pylist() if role.number in wanted else []
    for row, text in enumerate(column, start=1):
        if not _NUMBER.fullmatch(text) and not _SPECIAL.fullmatch(text):
            what = f"{input_table.quoted(text)} is not a number" if text.strip() else "the value is empty"
            hint = "Every row needs a finite number, written like 0.25 or 1e-3."
            return input_table.bad_value(path, str(role.number), row, what, hint)
    return _unread(path, error)


def _open_quote(path: Path) -> UserError | None:
    """Find the row from which on all is within quotes: an odd number of them stands in the file."""
    odd, opened = False, 0
    with pa.input_stream(path, compression="detect") as stream:
        for row, line in enumerate(io.BufferedReader(stream)):
            if line.count(b'"') % 2:
                odd, opened = not odd, row
    return UserError(f"{path}: row {opened}: a quote is not closed.", _CLOSE) if odd else None


def _unread(path: Path, error: Exception) -> UserError:
    if "straddling" in str(error):
        return UserError(f"{path}: a row has more than {_BLOCK:,} bytes.", "Shorten it; is its line broken elsewhere?")
    return UserError(f"{path}: is no CSV file; Arrow says: {error}.", "Open it and look at its first lines.")


def _first_undecodable(path: Path) -> UserError | None:
    with pa.input_stream(path, compression="detect") as stream:
        for row, line in enumerate(io.BufferedReader(stream), start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                return _not_utf8(path, row, error)
    return None


def _utf16(path: Path) -> UserError:
    return UserError(
        f"{path}: its first line holds zero bytes or the mark of UTF-16, and is not UTF-8.",
        f"Convert it, e.g. with: iconv -f UTF-16 -t UTF-8 {path.name} > converted.csv",
    )


def _not_utf8(path: Path, line: int, error: UnicodeDecodeError) -> UserError:
    byte = error.object[error.start]
    return UserError(
        f"{path}: line {line} is not UTF-8 (byte 0x{byte:02x}).",
        "Convert it from the encoding in which it was written (LATIN1, CP1252, GB18030, ...): "
        f"iconv -f ENCODING -t UTF-8 {path.name} > converted.csv",
    )
