"""Git on a stranger's repository, without executing anything of it.

Git is run so that nothing which the repository, its folder or the user's settings name is executed; its commit and
objects are found as files. To compare files with those of a commit, git only hands out objects, from a repository of
ours that borrows the checkout's objects: its settings, filters, hooks and index are never read. Each object counts only
if its content has the hash that is its name.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from recsys_metric_audit.audit.errors import UserError

_PASSED_ON = ("TMPDIR", "SYSTEMROOT")
_FOR_NETWORK = (
    "http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "SSH_AUTH_SOCK",
)  # fmt: skip
_SETTINGS = {
    "core.fsmonitor": "false", "core.hooksPath": os.devnull, "core.attributesFile": os.devnull,
    "core.excludesFile": os.devnull, "credential.helper": "", "gc.auto": "0", "maintenance.auto": "false",
    "submodule.recurse": "false", "fetch.recurseSubmodules": "false",
}  # fmt: skip
_SECONDS = 120.0  # of reading what is on this machine
_SECONDS_OF_NETWORK = 1800.0


def git(
    folder: Path,
    *arguments: str,
    given: bytes = b"",
    variables: Mapping[str, str] | None = None,
    protocols: str = "",
    fine: Sequence[int] = (0,),
) -> bytes:
    """Run git in `folder` and return what it prints.

    Settings of the system and of the user are off, hooks and monitors too, and few variables of this process are
    passed on. The settings of the repository that git finds do hold: for a stranger's repository, point ``GIT_DIR``
    elsewhere.

    Args:
        folder: the working directory.
        arguments: the command and its options.
        given: the standard input.
        variables: further environment variables.
        protocols: the transports that it may use (``https:ssh``); by default none.
        fine: the exit codes that are no failure.

    Raises:
        UserError: with git's own words if it fails, if it takes too long, and if it is not installed.
    """
    quiet = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
    environ = _environ(protocols) | dict(variables or {})
    try:
        done = subprocess.run(
            ["git", *quiet, *arguments], cwd=folder, env=environ, capture_output=True, check=False, input=given,
            timeout=_SECONDS_OF_NETWORK if protocols else _SECONDS,
        )  # fmt: skip
    except FileNotFoundError as error:
        raise UserError("git is not there", "install git, or export the tree and give that") from error
    except subprocess.TimeoutExpired as error:
        why = f"{folder}: git took more than {error.timeout:.0f} s"
        raise UserError(why, "export the tree (git archive) and give that") from error
    if done.returncode not in fine:
        words = done.stderr.decode(errors="replace").strip()[-500:]
        raise UserError(f"{folder}: git says: {words}", "git itself has to be content first")
    return done.stdout


def _environ(protocols: str) -> dict[str, str]:
    names = (*_PASSED_ON, *_FOR_NETWORK) if protocols else _PASSED_ON
    # A relative place on PATH would be looked up in the folder, which a stranger may have filled.
    path = os.pathsep.join(place for place in os.get_exec_path() if Path(place).is_absolute())
    return {name: os.environ[name] for name in names if name in os.environ} | {
        "PATH": path,
        "HOME": os.devnull,
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_ALLOW_PROTOCOL": protocols,
    }


_COMMIT = re.compile(r"[0-9a-f]{40}")
_MOST_BYTES = 2**25
_MOST_LINKS = 5


@dataclass(frozen=True)
class GitData:
    """Locates the git data of one checkout: ``own`` holds its HEAD, ``common`` the branches and objects."""

    own: Path
    common: Path


def find(folder: Path) -> GitData | None:
    """Return the git data of `folder`, or None for an exported tree, even inside a repository.

    Raises:
        UserError: if ``.git`` points nowhere.
    """
    own = folder / ".git"
    if not os.path.lexists(own):
        return None
    if own.is_file():  # of a linked worktree or a submodule
        named = _text(own)
        if not named.startswith("gitdir:"):
            raise _unreadable(folder, "`.git` is a file that names no folder")
        own = folder / named.removeprefix("gitdir:").strip()
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


# What building or running a checkout leaves in it. Any other new file could be imported by the library.
_PRODUCTS = (".pyc", ".so", ".pyd", ".o", ".obj", ".c", ".cpp", ".html")
_PRODUCT_FOLDERS = ("__pycache__", "build", ".ipynb_checkpoints")
_FOLDER, _LINK, _SUBMODULE = "40000", "120000", "160000"
_LARGE = 2**24  # bytes; a larger file is compared as it is, line ends and all
_MOST_IN_TREES, _MOST_FILES = 2**28, 2**17  # of a commit's trees; a few small objects can unfold to any number


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
    with _borrowing(data.common / "objects") as variables:
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
    if sum(int(size) for _, _, size in told) > _MOST_IN_TREES:
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
