"""Writing a report folder: all files stand aside first and are renamed last, so none is ever half-written."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from reports.model.read_result import NAME
from reports.model.report_error import ReportError
from reports.model.result import Result


def result_text(result: Result) -> str:
    """Return the result file as JSON text."""
    return json.dumps(result.model_dump(mode="json"), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def write(result: Result, directory: Path) -> Path:
    """Write ``audit.json`` into ``directory`` (made where missing) and return its path.

    Raises :class:`ReportError` when it cannot be written; a file that stood there is then untouched.
    """
    return _replace(directory, {NAME: result_text(result)})[0]


def write_report(result: Result, directory: Path) -> tuple[Path, ...]:
    """Write ``audit.json``, ``index.html`` and ``tables.md`` into ``directory`` and return their paths.

    Raises :class:`ReportError` when one cannot be written; files that stood there are then untouched.
    """
    from reports.renderers.html import page
    from reports.renderers.markdown import tables

    texts = {NAME: result_text(result), "index.html": page(result), "tables.md": tables(result)}
    return _replace(directory, texts)


def write_file(content: str | bytes, path: Path) -> None:
    """Write one form into ``path``; raises :class:`ReportError` when it cannot be written."""
    _replace(path.parent, {path.name: content})


def _replace(directory: Path, texts: Mapping[str, str | bytes]) -> tuple[Path, ...]:
    aside = {directory / name: directory / f".{name}.{os.getpid()}.new" for name in texts}
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for path, new in aside.items():
            _write_through(new, texts[path.name])
        for path, new in aside.items():
            new.replace(path)
    except OSError as error:
        raise ReportError(
            f"{directory} cannot be written: {error.strerror}.",
            "Free space or choose another folder: --out DIR",
        ) from error
    finally:
        for new in aside.values():
            _remove(new)
    return tuple(aside)


def _write_through(path: Path, content: str | bytes) -> None:
    # A full disk may show only when the bytes reach it, and must show before the old file is replaced.
    with path.open("wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        # Nothing more can be done about a leftover in a folder that cannot be written.
        return
