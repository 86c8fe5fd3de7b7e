"""Merging results: several runs on the same data, of different libraries or on different machines, become one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from recsys_metric_audit.reports.model.report_error import ReportError
from recsys_metric_audit.reports.model.result import Reference, Result

_SHARED = ("tool", "k", "recommenders")


def merge(results: Sequence[tuple[Path, Result]]) -> Result:
    """Return one result with the libraries and findings of all ``results``, in their order.

    Args:
        results: At least one result, each with the file that it was read from (for error messages).

    Raises:
        ReportError: if two were made by different versions of this tool, on different data or at different cut-offs,
            or if two hold the same library version.
    """
    (first_file, first), *others = results
    for file, other in others:
        for name in _SHARED:
            if getattr(first, name) != getattr(other, name):
                raise _mismatch(first_file, file, name, str(getattr(first, name)), str(getattr(other, name)))
        if first.dataset.digest != other.dataset.digest:
            raise _mismatch(first_file, file, "dataset", first.dataset.name, other.dataset.name)
    reference = _shared_reference(results)
    merged = [result for _, result in results]
    joined = first.model_copy(
        update={
            "time": min(result.time for result in merged),
            "platform": "; ".join(dict.fromkeys(result.platform for result in merged)),
            "command": "; ".join(dict.fromkeys(result.command for result in merged)),
            "reference": reference,
            "libraries": tuple(entry for result in merged for entry in result.libraries),
            "findings": tuple(finding for result in merged for finding in result.findings),
        }
    )
    try:
        return Result.model_validate(joined.model_dump())
    except ValidationError as error:
        message = error.errors(include_url=False, include_context=False)[0]["msg"]
        raise ReportError(f"These results cannot be merged: {message}.", "Name each library once.") from None


def _shared_reference(results: Sequence[tuple[Path, Result]]) -> tuple[Reference, ...]:
    """Return the canonical definitions and values of all results.

    Raises:
        ReportError: if two results define or value one metric otherwise: their findings are not held against one thing.
    """
    found: dict[tuple[str, int | None], tuple[Path, Reference]] = {}
    for file, result in results:
        for row in result.reference:
            first, known = found.setdefault((row.metric, row.k), (file, row))
            axes = sorted(known.definition.items() ^ row.definition.items())
            if known.signature != row.signature or axes:
                apart = ", ".join(dict.fromkeys(name for name, _ in axes)) or "its signature"
                raise _mismatch(first, file, f"the canonical {row.metric} ({apart})", known.signature, row.signature)
    return tuple(row for _, row in found.values())


def _mismatch(first: Path, second: Path, what: str, in_first: str, in_second: str) -> ReportError:
    return ReportError(
        f"{first} and {second} differ in {what}: {in_first}, {in_second}.",
        "Make both with the same options of the same version.",
    )
