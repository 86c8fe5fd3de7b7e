"""Removes folders that a stranger's code may have filled."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import suppress
from pathlib import Path


def remove_tree(folder: Path) -> None:
    """Remove a folder with everything in it, at any depth; what cannot be removed stays, without an error."""
    with suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():  # deeper than Python goes, or than it may have files open
        with suppress(OSError):
            subprocess.run(["rm", "-rf", "--", folder.absolute()], stderr=subprocess.DEVNULL, check=False)
