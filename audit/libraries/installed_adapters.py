"""Finds the adapters that installed distributions bring, by an entry point of theirs, and imports nothing of them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from re import fullmatch

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest, adapter_folders, load

GROUP = "recsys_metric_audit.adapters"
"""The group of entry points; the value of each is the dotted name of a package whose folder holds adapter folders."""


def installed_adapters() -> Iterator[tuple[str, Manifest | UserError]]:
    """Yield who brings adapters, in words, with each library of theirs, or with why it cannot be had."""
    for point in sorted(entry_points(group=GROUP), key=lambda point: (_distribution(point), point.name)):
        who = f"{_distribution(point)} (entry point {point.name} = {point.value})"
        try:
            directory = _directory(point.value)
            folders = adapter_folders(directory)
            if not folders:
                raise UserError(f"{directory} holds no folder with a library.toml")
        except UserError as error:
            yield who, error
            continue
        for folder in folders:
            try:
                yield who, load(folder)
            except UserError as error:
                yield who, error


def _distribution(point: EntryPoint) -> str:
    return "an unnamed distribution" if point.dist is None else f"{point.dist.name} {point.dist.version}"


def _directory(name: str) -> Path:
    """Return the folder of a package.

    Only the package at the top is looked up: to look for one within it would import it.

    Raises:
        UserError: if there is none.
    """
    if fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*", name) is None:
        raise UserError(f"{name} is not the dotted name of a package")
    top, *inner = name.split(".")
    try:
        spec = find_spec(top)
    except (ImportError, ValueError):
        spec = None
    places = [Path(place, *inner) for place in (spec and spec.submodule_search_locations) or ()]
    found = next((place for place in places if place.is_dir()), None)
    if found is None:
        raise UserError(f"there is no folder of a package {name}")
    return found
