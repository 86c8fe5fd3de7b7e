"""Tells by its first bytes what a file is that bears another name."""

from __future__ import annotations

import gzip
from pathlib import Path

from recsys_metric_audit.audit.errors import UserError

_LOOKED_AT = 1 << 12  # bytes
_GZIP, _PARQUET = b"\x1f\x8b", b"PAR1"
_TO_UTF8 = "Convert it: iconv -f {} -t UTF-8 FILE > converted.csv"
_BINARY: dict[bytes, tuple[str, str]] = {
    _PARQUET: ("a Parquet file", "Name it .parquet."),
    b"SQLite format 3": ("an SQLite database", "Write the table that is meant as CSV: sqlite3 -csv -header."),
    b"ORC": ("an ORC file", "Write it as Parquet or CSV."),
    b"PK\x03\x04": ("a ZIP archive, as spreadsheets are", "Unpack it, or save the sheet as CSV in UTF-8."),
    b"\xff\xfe\0\0": ("text in UTF-32", _TO_UTF8.format("UTF-32")),
    b"\0\0\xfe\xff": ("text in UTF-32", _TO_UTF8.format("UTF-32")),
}  # fmt: skip
"""By how they begin; all hold zero bytes, which tells them from text that begins alike."""
_TEXT: dict[bytes, tuple[str, str]] = {
    b"%pdf-": ("a PDF", "Give the table as CSV or Parquet."),
    b"<!doctype html": ("a web page", "It may be an error in the place of a download: fetch the file again."),
    b"<html": ("a web page", "It may be an error in the place of a download: fetch the file again."),
    b"version https://git-lfs": ("a Git LFS pointer, not the file itself", "Fetch the file: git lfs pull"),
}


def refuse_other_kind(path: Path) -> None:
    """Refuse a file whose first bytes are of another kind than its name says.

    Raises:
        UserError: with what it is.
        OSError: if it cannot be read or decompressed.
    """
    with path.open("rb") as file:
        start = file.read(_LOOKED_AT)
    gzipped = path.suffix.lower() == ".gz"
    if start.startswith(_GZIP):
        if not gzipped:
            raise UserError(f"{path}: is compressed with gzip.", f"Name it {path.name}.gz, or: gunzip < FILE")
        try:
            with gzip.open(path) as unpacked:
                start = unpacked.read(_LOOKED_AT)
        except EOFError:
            return  # cut off: whoever reads it says so
    if start.startswith(_PARQUET) and not gzipped and path.suffix.lower() in (".parquet", ".pq"):
        return
    for begins, (what, hint) in _BINARY.items():
        if start.startswith(begins) and b"\0" in start:
            raise UserError(f"{path}: is {what}.", hint)
    for begins, (what, hint) in _TEXT.items():
        if start.lstrip().lower().startswith(begins):
            raise UserError(f"{path}: is {what}.", hint)
