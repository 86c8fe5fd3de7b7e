"""Finds a file of the user that is imported in the place of a package that this tool needs."""

from __future__ import annotations

import os
from importlib.machinery import PathFinder
from importlib.metadata import requires
from pathlib import Path
from re import match


def shadowing_file() -> Path | None:
    """Return the first file or folder in ``PYTHONPATH`` that bears the name of a package we need; None if none does.

    Whoever puts a whole installed package there means it: one that has its metadata beside it is none of these.
    """
    folders = [Path(each).absolute() for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each]
    for name in _needed():
        spec = PathFinder.find_spec(name)
        place = Path(spec.origin) if spec is not None and spec.origin else None
        if place is None:
            continue
        found = place.parent if place.name.startswith("__init__.") else place
        if found.parent.absolute() in folders and not list(found.parent.glob(f"{name}-*.dist-info")):
            return found
    return None


def shadowing_message(file: Path) -> tuple[str, str]:
    """Return what is wrong with a file that :func:`shadowing_file` found, and what to do."""
    message = f"{file} is imported in the place of the package of that name, which this tool needs"
    return message, "rename it, or take its folder out of PYTHONPATH"


def _needed() -> list[str]:
    """Return the modules of our requirements; those that are named otherwise than their distribution are not found."""
    found = (match(r"[\w.-]+", each) for each in requires("recsys-metric-audit") or () if "extra ==" not in each)
    return [each[0].replace("-", "_").lower() for each in found if each]
