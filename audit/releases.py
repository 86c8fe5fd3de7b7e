"""The order of a library's versions, and the releases that the package index has of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from packaging.version import InvalidVersion
from packaging.version import Version as Number

from audit.manifest import Manifest


def ordered(versions: Iterable[str]) -> list[str]:
    """Release numbers from the oldest to the newest; what is no release number (a commit) comes first, as given."""
    given = list(versions)
    return sorted(given, key=lambda name: (number(name) is not None, number(name) or Number("0")))


def number(name: str) -> Number | None:
    """The release number that ``name`` is, or ``None``; the digits of a commit are none."""
    try:
        return Number(name) if "." in name else None
    except InvalidVersion:
        return None


def pinned(manifest: Manifest) -> list[str]:
    """The versions that are pinned, oldest first; in ``library.toml`` the newest stands first."""
    return ordered(version.version for version in reversed(manifest.versions))


def nearest(version: str, among: Sequence[str]) -> str | None:
    """The last of ``among`` before ``version``, else the first after it; ``None`` where there is none."""
    line = ordered([*among, version])
    place = line.index(version)
    before, after = line[:place], line[place + 1 :]
    return before[-1] if before else after[0] if after else None
