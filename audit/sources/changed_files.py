"""Compares the files of a stranger's checkout with those of a commit, without executing anything of it.

Git only hands out objects, from a repository of ours that borrows the checkout's objects: its settings, filters,
hooks and index are never read. Each object counts only if its content has the hash that is its name.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.sources.git import find, git, head

# What building or running a checkout leaves in it. Any other new file could be imported by the library.
_PRODUCTS = (".pyc", ".so", ".pyd", ".o", ".obj", ".c", ".cpp", ".html")
_PRODUCT_FOLDERS = ("__pycache__", "build", ".ipynb_checkpoints")
_FOLDER, _LINK, _SUBMODULE = "40000", "120000", "160000"
_LARGE = 2**24  # bytes; a larger file is compared as it is, line ends and all
_MOST_BYTES, _MOST_FILES = 2**28, 2**17  # of a commit's trees; a few small objects can unfold to any number


@dataclass(frozen=True)
class _Entry:
    """Holds one file of a commit: its mode as git writes it, and the name of its object."""

    mode: str
    object_id: str


def changed_files(folder: Path, commit: str) -> list[str]:
    """Return the files in `folder` that `commit` has not, or has otherwise, and those of `commit` that are missing.

    Products of a build and files that the checkout's own ``.gitignore`` names are no changes. Line ends are none
    either: git may have written them for another system.

    Raises:
        UserError: if `folder` does not hold the objects of `commit`.
    """
    data = find(folder)
    if data is None:
        return []
    with _borrowing(data.objects) as variables:
        wanted = _files_of(folder, commit, variables)
        there = set(_walk(folder))
        changed = [name for name in sorted(wanted) if not _is_same(folder, name, wanted[name], there)]
        for name in [name for name in sorted(wanted) if wanted[name].mode == _SUBMODULE]:
            inside = {path for path in there if path.startswith(f"{name}/")}
            there -= inside
            if inside:
                changed += _changed_submodule(folder / name, name, wanted[name].object_id)
        new = [name for name in sorted(there - set(wanted)) if not _is_product(name)]
        ignored = _ignored(folder, new, variables)
    return changed + [name for name in new if name not in ignored]


@contextmanager
def _borrowing(objects: Path) -> Iterator[dict[str, str]]:
    """Make an empty repository without settings that reads `objects`; yield the variables that select it."""
    with tempfile.TemporaryDirectory() as place:
        own = Path(place) / "repository"
        for part in ("objects", "refs"):
            (own / part).mkdir(parents=True)
        (own / "HEAD").write_text("ref: refs/heads/none\n", encoding="utf-8")
        yield {"GIT_DIR": str(own), "GIT_OBJECT_DIRECTORY": str(objects.absolute())}


def _files_of(folder: Path, commit: str, variables: dict[str, str]) -> dict[str, _Entry]:
    text = _objects(folder, [commit], "commit", variables)[commit]
    found: dict[str, _Entry] = {}
    level = [("", text.split(b"\n", 1)[0].removeprefix(b"tree ").decode(errors="replace"))]
    while level:
        trees = _objects(folder, {name for _, name in level}, "tree", variables)
        parsed = {tree: list(_parsed(content)) for tree, content in trees.items()}
        entries = [(f"{prefix}{name}", entry) for prefix, tree in level for name, entry in parsed[tree]]
        level = [(f"{path}/", entry.object_id) for path, entry in entries if entry.mode == _FOLDER]
        found |= {path: entry for path, entry in entries if entry.mode != _FOLDER}
        if len(level) + len(found) > _MOST_FILES:
            raise UserError(f"{folder}: commit {commit} has more than {_MOST_FILES:,} files", "take another checkout")
    return found


def _objects(folder: Path, names: Iterable[str], kind: str, variables: dict[str, str]) -> dict[str, bytes]:
    """Return the contents of the objects `names`, all of the type `kind`."""
    wanted = sorted(names)
    given = "".join(f"{name}\n" for name in wanted).encode()
    lines = git(folder, "cat-file", "--batch-check", given=given, variables=variables).decode(errors="replace")
    told = [line.split() for line in lines.splitlines()]
    for words in told:
        if len(words) != 3 or words[1] != kind:
            raise UserError(f"{folder}: git says: {' '.join(words)}", "fetch the whole commit, or export its tree")
    if sum(int(size) for _, _, size in told) > _MOST_BYTES:
        raise UserError(f"{folder}: its commit lists more than a repository does", "take another checkout")
    out, place, found = git(folder, "cat-file", "--batch", given=given, variables=variables), 0, {}
    for name, _, size in told:
        begin = out.index(b"\n", place) + 1
        place = begin + int(size) + 1
        found[name] = out[begin : place - 1]
        if _object_id(kind, found[name]) != name:
            raise UserError(f"{folder}: the {kind} {name} is not what its name says", "take another checkout")
    return found


def _parsed(tree: bytes) -> Iterator[tuple[str, _Entry]]:
    while tree:
        head_of_entry, _, rest = tree.partition(b"\0")
        mode, _, name = head_of_entry.partition(b" ")
        yield os.fsdecode(name), _Entry(mode.decode(errors="replace"), rest[:20].hex())
        tree = rest[20:]


def _object_id(kind: str, content: bytes) -> str:
    return hashlib.sha1(b"%s %d\0" % (kind.encode(), len(content)) + content, usedforsecurity=False).hexdigest()


def _walk(folder: Path) -> Iterator[str]:
    """Yield all that lies in `folder` and is no folder, by name; links are not followed, git's data left out."""
    for place, folders, files in os.walk(folder):
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        folders[:] = [name for name in folders if name != ".git"]
        for name in (*files, *links):
            if name != ".git":
                yield (Path(place) / name).relative_to(folder).as_posix()


def _is_same(folder: Path, name: str, entry: _Entry, there: set[str]) -> bool:
    path = folder / name
    if entry.mode == _SUBMODULE:
        return name not in there  # a file or link in its place
    if name not in there:
        return False
    try:
        mode = path.lstat().st_mode
        if entry.mode == _LINK:
            return stat.S_ISLNK(mode) and _object_id("blob", os.fsencode(path.readlink())) == entry.object_id
        return stat.S_ISREG(mode) and _has_content(path, entry.object_id)
    except OSError:
        return False


def _has_content(path: Path, object_id: str) -> bool:
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        found = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
        while part := file.read(_LARGE):
            found.update(part)
    if found.hexdigest() == object_id:
        return True
    return size <= _LARGE and _object_id("blob", path.read_bytes().replace(b"\r\n", b"\n")) == object_id


def _changed_submodule(place: Path, name: str, commit: str) -> list[str]:
    if find(place) is None or head(place) != commit:
        return [name]
    return [f"{name}/{each}" for each in changed_files(place, commit)]


def _is_product(name: str) -> bool:
    return name.endswith(_PRODUCTS) or any(part in _PRODUCT_FOLDERS for part in name.split("/")[:-1])


def _ignored(folder: Path, names: list[str], variables: dict[str, str]) -> set[str]:
    """Return those of `names` that the ``.gitignore`` files in `folder` name."""
    rules = folder.rglob(".gitignore")
    if not names or not all(stat.S_ISREG(path.lstat().st_mode) for path in rules):  # git would wait for a FIFO
        return set()
    given = b"".join(os.fsencode(name) + b"\0" for name in names)
    variables = variables | {"GIT_WORK_TREE": str(folder.absolute())}
    out = git(folder, "check-ignore", "-z", "--stdin", given=given, variables=variables, fine=(0, 1))
    return {os.fsdecode(name) for name in out.split(b"\0")}
