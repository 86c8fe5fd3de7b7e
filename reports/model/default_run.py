"""Finding the result that a question is answered from: a run of the user's, or the default run that is packaged."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from recsys_metric_audit.reports.model.read_result import RESULT_FILE, read_result
from recsys_metric_audit.reports.model.result import Result

PACKAGED_RUN = Path(__file__).parent.parent / "default-run.json"
"""The part of the default run that ships with the tool."""


@dataclass(frozen=True)
class LoadedRun:
    """A result and, in words, where it was read from."""

    result: Result
    origin: str


def load_run(place: Path | None, default: Path) -> LoadedRun:
    """Return the result in ``place``, or else in the folder ``default``, or else the packaged one.

    Args:
        place: A result file or a report folder that the user named; None if none was named.
        default: The folder into which an audit writes unless told otherwise; it may not exist.

    Raises:
        ReportError: if a file that was named or found cannot be read.
    """
    if place is not None or (default / RESULT_FILE).exists():
        chosen = place or default
        result = read_result(chosen)
        return LoadedRun(result, f"{chosen / RESULT_FILE if chosen.is_dir() else chosen}, {_when(result)}")
    return packaged_run()


def packaged_run() -> LoadedRun:
    """Return the run that is packaged with the tool."""
    result = read_result(PACKAGED_RUN)
    return LoadedRun(result, f"the default run that comes with this tool, {_when(result)}")


def _when(result: Result) -> str:
    return f"run on {result.dataset.name} at {result.time:%Y-%m-%d %H:%M} UTC by version {result.tool}"
