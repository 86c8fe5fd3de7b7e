"""Running git so that nothing which a repository, its folder or the user's settings name is executed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
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
