"""Looking up in a result what one function was found to compute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reports.model.read_result import NAME, read
from reports.model.result import Finding, Result

PACKAGED = Path(__file__).parent.parent / "default-run.json"
"""The part of the default run that ships with the tool."""


@dataclass(frozen=True)
class Recorded:
    """A result and where it is from, in words."""

    result: Result
    origin: str


def recorded(place: Path | None, default: Path) -> Recorded:
    """Return the result in ``place``; without one, that in the folder ``default``, or else the packaged one.

    Raises :class:`reports.model.report_error.ReportError` where a file that is named or found cannot be read.
    """
    if place is not None or (default / NAME).exists():
        chosen = place or default
        result = read(chosen)
        return Recorded(result, f"{chosen / NAME if chosen.is_dir() else chosen}, {_when(result)}")
    result = read(PACKAGED)
    return Recorded(result, f"the default run that comes with this tool, {_when(result)}")


def _when(result: Result) -> str:
    return f"run on {result.dataset.name} at {result.time:%Y-%m-%d %H:%M} UTC by version {result.tool}"


def look_up(result: Result, library: str, version: str | None, function: str) -> tuple[Finding, ...]:
    """Return the findings of one function, one a version, at the first cut-off; ``function`` may be the end of its
    dotted path."""
    found: dict[tuple[str, str], Finding] = {}
    for each in result.findings:
        if each.library == library and version in (None, each.version) and _named(each.function, function):
            found.setdefault((each.version, each.function), each)
    return tuple(found.values())


def _named(full: str, asked: str) -> bool:
    return full == asked or full.endswith((f".{asked}", f":{asked}"))


def functions(result: Result, library: str, version: str | None) -> Sequence[str]:
    """Return the functions of a library in the result."""
    mine = (each for each in result.findings if each.library == library and version in (None, each.version))
    return tuple(dict.fromkeys(each.function for each in mine))
