"""Rows of a Parquet file, or of all Parquet files in a folder, read in record batches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recsys_metric_audit.reference.input.rows_error import MissingColumnError, RowsError

if TYPE_CHECKING:
    import pyarrow as pa

SUFFIXES = (".parquet", ".pq")
_BUFFER = 1 << 20


class UnreadableRowsError(RowsError):
    """Tells that Parquet files are damaged, differ in their columns, or hold columns that are no ids or numbers."""


@dataclass(frozen=True, eq=False)
class ParquetRows:
    """Holds the files in the order in which their rows count, and what their footers say.

    ``types`` are the Arrow types of all columns by name; ``volume`` is the number of bytes of all values, uncompressed.
    """

    paths: tuple[Path, ...]
    types: Mapping[str, pa.DataType]
    rows: int
    volume: int

    @staticmethod
    def of(path: Path, wanted: Sequence[str] = ()) -> ParquetRows:
        """Open a file or a folder; of a folder all Parquet files in it and below, ordered by path.

        Files and folders whose name begins with a dot or an underscore are left out, as Spark and Hive do.

        Args:
            path: The file or folder.
            wanted: Columns whose types must not differ between files; all of the first file by default.

        Raises:
            UnreadableRowsError: for a folder without such files, a damaged file, or columns that differ.
            MissingColumnError: if a wanted column is missing.
            OSError: if there is no such file, or it must not be read.
        """
        paths = _files_below(path) if path.is_dir() else (path,)
        if not paths:
            raise UnreadableRowsError(f"{path}: no Parquet file is in this folder")
        first: Mapping[str, pa.DataType] = {}
        rows = volume = 0
        for each in paths:
            types, own_rows, own_volume = _footer(each)
            first = first or types
            for name in wanted or first:
                if name not in types:
                    raise MissingColumnError(f"{each}: no column {name!r}; there are: {', '.join(types) or 'none'}")
                if name in first and types[name] != first[name]:
                    raise UnreadableRowsError(
                        f"{each}: column {name!r} holds {types[name]}, and {first[name]} in {paths[0]}: "
                        "write both with one type"
                    )
            rows, volume = rows + own_rows, volume + own_volume
        return ParquetRows(paths, first, rows, volume)

    def check_types(self, ids: Sequence[str], numbers: Sequence[str]) -> None:
        """Refuse columns of ids that hold neither whole numbers nor text, and columns of numbers that hold none.

        Raises:
            UnreadableRowsError: naming the first of them.
        """
        import pyarrow.types as kinds

        for name in ids:
            if not (kinds.is_integer(self.types[name]) or is_text(self.types[name])):
                raise UnreadableRowsError(
                    f"{self.paths[0]}: column {name!r} holds {self.types[name]}; ids are whole numbers or text"
                )
        for name in numbers:
            if not (kinds.is_integer(self.types[name]) or kinds.is_floating(self.types[name])):
                raise UnreadableRowsError(f"{self.paths[0]}: column {name!r} holds {self.types[name]}, not numbers")

    def batches(self, names: Sequence[str], size: int) -> Iterator[pa.RecordBatch]:
        """Yield the named columns of all rows, at most ``size`` rows at a time; text as dictionaries.

        Raises:
            UnreadableRowsError: where a file is damaged, naming it.
        """
        import pyarrow as pa
        from pyarrow import parquet

        text = [name for name in names if is_text(self.types[name])]
        for path in self.paths:
            try:
                # Without this buffer and with the other, Arrow holds all of the file that it has read.
                with parquet.ParquetFile(path, read_dictionary=text, pre_buffer=False, buffer_size=_BUFFER) as file:
                    yield from file.iter_batches(size, columns=list(names))
            except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
                raise UnreadableRowsError(f"{path}: the file is damaged: {error}") from error


def is_text(kind: Any) -> bool:
    """Return True if an Arrow type is text, or a dictionary of texts."""
    import pyarrow.types as kinds

    if kinds.is_dictionary(kind):
        kind = kind.value_type
    return bool(kinds.is_string(kind) or kinds.is_large_string(kind) or kinds.is_string_view(kind))


def is_parquet(path: Path) -> bool:
    """Return True if a path is a folder or, by its suffix, a Parquet file."""
    return path.suffix in SUFFIXES or path.is_dir()


def _files_below(folder: Path) -> tuple[Path, ...]:
    found = (path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    return tuple(sorted(path for path in found if not any(part[0] in "._" for part in path.relative_to(folder).parts)))


def _footer(path: Path) -> tuple[dict[str, pa.DataType], int, int]:
    """Return the types by name, the number of rows, and the bytes of all values."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            held, schema = file.metadata, file.schema_arrow
            volume = sum(held.row_group(number).total_byte_size for number in range(held.num_row_groups))
            return dict(zip(schema.names, schema.types, strict=True)), held.num_rows, volume
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the system's: there is no such file, or it must not be read
        raise UnreadableRowsError(f"{path}: is no whole Parquet file: {error}") from error
