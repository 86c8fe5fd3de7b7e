"""Atomic writing of files: new contents are written beside the old files first and renamed into place last."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Collection, Mapping
from pathlib import Path

from recsys_metric_audit.reports.model.report_error import ReportError

_TEMPORARY = re.compile(r"\.(.+)\.([0-9]{1,9})\.(?:new|old)")
_SECONDS_TO_LEAVE = 600.0
"""Spares younger files: a machine or container that shares the disk counts its processes by itself."""


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
        place = error.filename2 or directory  # a rename fails at its second name: a folder may be in the way
        raise ReportError(
            f"{place} cannot be written: {error.strerror}.",
            "Free space or choose another folder: --out DIR",
        ) from error


def replace_file(path: Path, content: str | bytes) -> None:
    """Put ``content`` in the place of ``path``, whole or not at all, and make its folder where it is missing.

    Raises:
        OSError: if it cannot be written; an older file at ``path`` is then untouched.
    """
    replace_files(path.parent, {path.name: content})


def replace_files(directory: Path, contents: Mapping[str, str | bytes]) -> tuple[Path, ...]:
    """Write several files into ``directory`` as :func:`write_files` does; leave an ``OSError`` as it is.

    What writers of these files left that were killed meanwhile is removed first.
    """
    temporary = {directory / name: directory / f".{name}.{os.getpid()}.new" for name in contents}
    try:
        directory.mkdir(parents=True, exist_ok=True)
        remove_abandoned(directory, contents)
        for path, new in temporary.items():
            _write_to_disk(new, contents[path.name])
        _put_in_place(temporary)
    finally:
        for new in temporary.values():
            _remove(new)
    return tuple(temporary)


def remove_abandoned(directory: Path, names: Collection[str] | None = None) -> None:
    """Remove temporary files in ``directory`` whose process has ended, once they are some minutes old.

    Args:
        directory: The folder.
        names: The files that were to be written; None for files of any name, where all in the folder are ours.
    """
    for path in directory.glob(".*.*"):
        found = _TEMPORARY.fullmatch(path.name)
        if found is None or (names is not None and found[1] not in names) or _runs(int(found[2])):
            continue
        try:
            old = time.time() - path.lstat().st_mtime > _SECONDS_TO_LEAVE
        except OSError:
            continue  # another process removed it meanwhile
        if old:
            _remove(path)


def _runs(number: int) -> bool:
    """Return False if no process has this number; True, too, where the system does not tell."""
    if os.name != "posix" or number == 0:
        return True
    try:
        os.kill(number, 0)  # sends nothing
    except ProcessLookupError:
        return False
    except OSError:
        return True  # somebody else's
    return True


def _put_in_place(temporary: Mapping[Path, Path]) -> None:
    """Rename each new file to its path; if one cannot be renamed, put the old files back."""
    old: dict[Path, Path | None] = {}
    there = {path for path in temporary if os.path.lexists(path)}
    done: list[Path] = []
    try:
        if len(temporary) > 1:
            old = {path: _keep(path, new.with_suffix(".old")) for path, new in temporary.items()}
        for path, new in temporary.items():
            new.replace(path)
            done.append(path)
    except BaseException:
        for path in done:
            if (kept := old.get(path)) is not None:
                kept.replace(path)
            elif path not in there:
                _remove(path)
        raise
    finally:
        for kept in old.values():
            if kept is not None:
                _remove(kept)


def _keep(path: Path, name: Path) -> Path | None:
    """Give the file at `path` the second name `name`; return None where there is no file, or one name is all."""
    _remove(name)  # of a process of this number that was killed
    try:
        os.link(path, name, follow_symlinks=False)
    except (OSError, NotImplementedError):
        return None
    return name


def _write_to_disk(path: Path, content: str | bytes) -> None:
    # A full disk may show only when the bytes reach it, and must show before the old file is replaced.
    try:
        with path.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error  # a write by itself names no file


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        # Nothing more can be done about a leftover in a folder that cannot be written.
        return
