"""Git on a stranger's repository: run so that nothing which it names is executed, and its data read as files."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections.abc import Mapping, Sequence
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
