"""One result out of several: the same question put to different libraries, on different machines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from reports.model.report_error import ReportError
from reports.model.result import Result

_SHARED = ("tool", "k", "recommenders")


def merge(results: Sequence[tuple[Path, Result]]) -> Result:
    """Return what all of them found together, in their order; each comes with the file that it was read from.

    Raises :class:`ReportError` where two were made by different versions of the tool, on different data or at
    different cut-offs, and where two hold the same library version: nobody could tell which figure is shown.
    """
    (first_file, first), *others = results
    for file, other in others:
        for name in _SHARED:
            if getattr(first, name) != getattr(other, name):
                raise _apart(first_file, file, name, str(getattr(first, name)), str(getattr(other, name)))
        if first.dataset.digest != other.dataset.digest:
            raise _apart(first_file, file, "dataset", first.dataset.name, other.dataset.name)
    every = [result for _, result in results]
    joined = first.model_copy(
        update={
            "time": min(result.time for result in every),
            "platform": "; ".join(dict.fromkeys(result.platform for result in every)),
            "command": "; ".join(dict.fromkeys(result.command for result in every)),
            "libraries": tuple(entry for result in every for entry in result.libraries),
            "findings": tuple(finding for result in every for finding in result.findings),
        }
    )
    try:
        return Result.model_validate(joined.model_dump())
    except ValidationError as error:
        message = error.errors(include_url=False, include_context=False)[0]["msg"]
        raise ReportError(f"These results cannot stand together: {message}.", "Name each library once.") from None


def _apart(one: Path, other: Path, what: str, here: str, there: str) -> ReportError:
    return ReportError(
        f"{one} and {other} differ in {what}: {here}, {there}.", "Make both with the same options of the same version."
    )
