"""The folder in which the tool keeps what it has built, downloaded and asked, for the next run."""

from __future__ import annotations

import os
from pathlib import Path

from recsys_metric_audit.audit.errors import UserError


def cache_folder() -> Path:
    """Return ``$XDG_CACHE_HOME/recsys-metric-audit``, by default below ``~/.cache``; it may be missing.

    Raises:
        UserError: if there is neither a home folder nor that variable.
    """
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if given.is_absolute():  # a relative path there is to be ignored, says the base directory specification
        return given / "recsys-metric-audit"
    try:
        return Path.home() / ".cache" / "recsys-metric-audit"
    except RuntimeError:
        message = "there is no home folder in which environments and data could be kept"
        raise UserError(message, "set HOME, or XDG_CACHE_HOME to a folder") from None
