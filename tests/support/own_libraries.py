"""Reads the libraries of this repository once for all tests of a process."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover
from recsys_metric_audit.audit.libraries.manifest import Manifest


@cache
def own_libraries() -> Mapping[str, Manifest]:
    """Return the manifest of each library by its name."""
    return discover([adapters_dir()])
