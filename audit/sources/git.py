"""Running git in a folder that may be a stranger's repository."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from audit.errors import UserError


def git(folder: Path, *arguments: str) -> str:
    """Run git in `folder` and return what it prints.

    Nothing that a stranger's repository configures is run, and no index is refreshed on disk.

    Raises:
        UserError: with git's own words if it fails, and if it is not installed.
    """
    quiet = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
    try:
        done = subprocess.run(
            ["git", *quiet, *arguments], cwd=folder, env=_environ(), capture_output=True, encoding="utf-8",
            errors="surrogateescape", check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except FileNotFoundError as error:
        raise UserError("git is not there", "install git, or export the tree and give that") from error
    if done.returncode != 0:
        raise UserError(f"{folder}: git says: {done.stderr.strip()[-500:]}", "git itself has to be content first")
    return done.stdout


def _environ() -> dict[str, str]:
    # GIT_DIR and its like would point git to another repository than the folder.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return inherited | {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
