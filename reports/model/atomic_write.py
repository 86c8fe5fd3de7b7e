"""Atomic writing of files: new contents are written beside the old files first and renamed into place last."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from reports.model.report_error import ReportError


def write_file(content: str | bytes, path: Path) -> None:
    """Write ``content`` into ``path`` and make its folder where it is missing.

    Raises:
        ReportError: if it cannot be written; an older file at ``path`` is then untouched.
    """
    write_files(path.parent, {path.name: content})


def write_files(directory: Path, contents: Mapping[str, str | bytes]) -> tuple[Path, ...]:
    """Write several files into ``directory``, all or none, and return their paths.

    Args:
        directory: The folder, which is made where it is missing.
        contents: File names and what to write: text as UTF-8, or bytes.

    Raises:
        ReportError: if one of them cannot be written; older files of these names are then untouched.
    """
    try:
        return replace_files(directory, contents)
    except OSError as error:
        raise ReportError(
            f"{directory} cannot be written: {error.strerror}.",
            "Free space or choose another folder: --out DIR",
        ) from error


def replace_file(path: Path, content: str | bytes) -> None:
    """Put ``content`` in the place of ``path``, whole or not at all, and make its folder where it is missing.

    Raises:
        OSError: if it cannot be written; an older file at ``path`` is then untouched.
    """
    replace_files(path.parent, {path.name: content})


def replace_files(directory: Path, contents: Mapping[str, str | bytes]) -> tuple[Path, ...]:
    """Write several files into ``directory`` as :func:`write_files` does; leave an ``OSError`` as it is."""
    temporary = {directory / name: directory / f".{name}.{os.getpid()}.new" for name in contents}
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for path, new in temporary.items():
            _write_to_disk(new, contents[path.name])
        for path, new in temporary.items():
            new.replace(path)
    finally:
        for new in temporary.values():
            _remove(new)
    return tuple(temporary)


def _write_to_disk(path: Path, content: str | bytes) -> None:
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
