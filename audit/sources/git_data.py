"""Reads the git data of a stranger's checkout as files: its commit, and where its objects lie."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from recsys_metric_audit.audit.errors import UserError

_COMMIT = re.compile(r"[0-9a-f]{40}")
_MOST_BYTES = 2**25
_MOST_LINKS = 5


@dataclass(frozen=True)
class GitData:
    """Locates the git data of one checkout: ``own`` holds its HEAD, ``common`` the branches and objects."""

    own: Path
    common: Path

    @property
    def objects(self) -> Path:
        """Return the folder of the objects."""
        return self.common / "objects"


def find(folder: Path) -> GitData | None:
    """Return the git data of `folder`, or None for an exported tree, even inside a repository.

    Raises:
        UserError: if ``.git`` points nowhere.
    """
    own = folder / ".git"
    if not os.path.lexists(own):
        return None
    if own.is_file():  # of a linked worktree or a submodule
        own = folder / _after(own, "gitdir:", folder)
    if not own.is_dir():
        raise _unreadable(folder, "`.git` leads to no folder")
    linked = own / "commondir"
    return GitData(own, own / _text(linked).strip() if linked.is_file() else own)


def head(folder: Path) -> str | None:
    """Return the commit that is checked out in `folder`, or None for an exported tree, even inside a repository.

    Raises:
        UserError: if its git data cannot be read.
    """
    data = find(folder)
    if data is None:
        return None
    found = _text(data.own / "HEAD").strip()
    for _ in range(_MOST_LINKS):
        if _COMMIT.fullmatch(found):
            return found
        if not found.startswith("ref:"):
            break
        found = _branch(data, found.removeprefix("ref:").strip())
    raise _unreadable(folder, "HEAD names no commit")


def _branch(data: GitData, name: str) -> str:
    for place in (data.own, data.common):
        if ".." not in name.split("/") and (place / name).is_file():
            return _text(place / name).strip()
    packed = _text(data.common / "packed-refs")
    found = re.search(rf"^([0-9a-f]{{40}}) {re.escape(name)}$", packed, re.MULTILINE)
    return found[1] if found else ""


def _after(path: Path, word: str, folder: Path) -> str:
    text = _text(path)
    if not text.startswith(word):
        raise _unreadable(folder, "`.git` is a file that names no folder")
    return text.removeprefix(word).strip()


def _text(path: Path) -> str:
    """Return the text of a regular file, or "" if it is none, is huge, or cannot be read."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a FIFO would wait for a writer
        with os.fdopen(file, "rb") as opened:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                return ""
            content = opened.read(_MOST_BYTES + 1)
    except (OSError, ValueError):
        return ""
    return content.decode(errors="surrogateescape") if len(content) <= _MOST_BYTES else ""


def _unreadable(folder: Path, why: str) -> UserError:
    return UserError(f"{folder}: its git data cannot be read: {why}", "export the tree (git archive) and give that")
