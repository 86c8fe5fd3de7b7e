"""Gives matplotlib a folder that it can write to, where the user's is none: it fails there, or complains on its own."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path


@cache
def provide_folder() -> None:
    """Let matplotlib keep its fonts and settings in a temporary folder, unless it can write to that of the user.

    Called before matplotlib is imported.
    """
    given = os.environ.get("MPLCONFIGDIR")
    folders = [given] if given else [_below("XDG_CONFIG_HOME", ".config"), _below("XDG_CACHE_HOME", ".cache")]
    if all(folder and _can_be_written(Path(folder)) for folder in folders):
        return
    own = tempfile.mkdtemp(prefix="matplotlib-")
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    os.environ["MPLCONFIGDIR"] = own


def _below(variable: str, default: str) -> str:
    """Return where matplotlib would look; "" without a home."""
    base = os.environ.get(variable) or os.path.expanduser(f"~/{default}")  # noqa: PTH111 - that of Path raises an error
    return f"{base}/matplotlib" if Path(base).is_absolute() else ""


def _can_be_written(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return os.access(folder, os.W_OK | os.X_OK)
    except OSError:
        return False
