"""Reads, writes and merges result files, and finds the run that reports are made of."""

from __future__ import annotations

import json
import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from recsys_metric_audit.reference.definitions.definition import SignatureError, parse
from recsys_metric_audit.reports.model.atomic_write import write_file, write_files
from recsys_metric_audit.reports.model.regular_file import read_regular
from recsys_metric_audit.reports.model.report_error import ReportError
from recsys_metric_audit.reports.model.result import FORMAT, Reference, Result

RESULT_FILE = "audit.json"
_SHOWN = 300  # characters of what cannot be read


def read_result(path: Path) -> Result:
    """Return the result in ``path``, a result file or a folder with an ``audit.json``.

    Raises:
        ReportError: if the file is missing, unreadable, damaged, of another format, or names what this version does not
            know.
    """
    file = path / RESULT_FILE if path.is_dir() else path
    document = _load(file)
    _refuse_other_formats(file, document)
    try:
        result = Result.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(step) for step in first["loc"]) or "the file"
        more = f" (and {error.error_count() - 1} more places)" if error.error_count() > 1 else ""
        raise ReportError(
            f"{file} is damaged at {place}: {first['msg']}{more}.",
            "Restore the file as the audit wrote it, or make it again: audit run --out DIR",
        ) from None
    _refuse_unknown(file, result)
    return result


def _refuse_unknown(file: Path, result: Result) -> None:
    """Refuse a metric or an axis that this version does not know: a later one may have written them.

    Raises:
        ReportError: naming the first.
    """
    first: dict[str, str] = {}
    for number, row in enumerate(result.findings):
        stated = {"metric": row.metric, "signature": row.signature, "formula": row.formula, "claimed": row.claimed}
        for name, signature in (*stated.items(), *(("equivalent", each) for each in row.equivalent)):
            if signature is not None:
                first.setdefault(signature, f"findings.{number}.{name}")
    for number, reference in enumerate(result.reference):
        first.setdefault(reference.metric, f"reference.{number}.metric")
        first.setdefault(reference.signature, f"reference.{number}.signature")
    for signature, place in first.items():
        try:
            parse(signature)
        except SignatureError as error:
            raise ReportError(
                f"{file}: {place} cannot be read by this version: {str(error)[:_SHOWN]}.",
                "It may be made by a later version: pip install --upgrade recsys-metric-audit",
            ) from None


def result_text(file: Path) -> str:
    """Return the text of a result file, of one in ``.xz`` unpacked."""
    content = read_regular(file)
    # Some editors begin a file with a mark of their own.
    return (lzma.decompress(content) if file.suffix == ".xz" else content).decode("utf-8-sig")


def _load(file: Path) -> Any:
    try:
        text = result_text(file)
    except FileNotFoundError:
        raise ReportError(
            f"There is no {file}.", "Name the folder that an audit wrote, or run one: audit run --out DIR"
        ) from None
    except lzma.LZMAError as error:
        raise ReportError(f"{file} is no xz file: {error}.", "It may be cut off. Restore it.") from None
    except UnicodeDecodeError as error:
        raise ReportError(
            f"{file} is not a text file (byte {error.start}).", "Name the audit.json of an audit."
        ) from None
    except OSError as error:
        raise ReportError(f"{file} cannot be read: {error.strerror}.", "Check the path and its permissions.") from None
    try:
        document = json.loads(text)
        if "\\ud" in text.lower():  # Half of a pair of surrogates is text that no page can show.
            json.dumps(document, ensure_ascii=False).encode()
        return document
    except UnicodeEncodeError as error:
        half = f"\\u{ord(error.object[error.start]):04x}"
        raise ReportError(
            f"{file} holds {half}, which alone is no character.", "Restore the file as the audit wrote it."
        ) from None
    except json.JSONDecodeError as error:
        raise ReportError(
            f"{file} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}.",
            "It may be cut off. Make it again: audit run --out DIR",
        ) from None
    except (ValueError, RecursionError) as error:
        raise ReportError(f"{file} is not a result file: {error}.", "Make it again: audit run --out DIR") from None


def _refuse_other_formats(file: Path, document: Any) -> None:
    """Refuse a document that is not of the present format; raises :class:`ReportError`."""
    found = document.get("format") if isinstance(document, dict) else None
    if not isinstance(found, int) or isinstance(found, bool):
        raise ReportError(f"{file} is not a result file: it has no format number.", "Name the audit.json of an audit.")
    if found > FORMAT:
        raise ReportError(
            f"{file} has format {found}, newer than the {FORMAT} that this version reads.",
            "Upgrade: pip install --upgrade recsys-metric-audit",
        )
    if found < FORMAT:
        raise ReportError(
            f"{file} has format {found}; this version reads format {FORMAT} alone.",
            "Make it again: audit run --out DIR",
        )


def result_json(result: Result, *, compact: bool = False) -> str:
    """Return the result file as JSON text.

    Args:
        result: What to write.
        compact: Write everything on one line, and nothing that has its default value, for files that are kept in the
            repository; otherwise a name a line.
    """
    document = {"format": result.format} | result.model_dump(mode="json", exclude_defaults=compact)
    indent, separators = (None, (",", ":")) if compact else (1, None)
    text = json.dumps(document, indent=indent, separators=separators, ensure_ascii=False, allow_nan=False)
    return text + "\n"


def write_result(result: Result, directory: Path) -> Path:
    """Write ``audit.json`` into ``directory``, which is made where it is missing, and return its path.

    Raises:
        ReportError: if it cannot be written; an older ``audit.json`` is then untouched.
    """
    return write_files(directory, {RESULT_FILE: result_json(result)})[0]


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
            "rankings": tuple({each.signature: each for result in merged for each in result.rankings}.values()),
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


PACKAGED_RUN = Path(__file__).parent.parent / "default-run.json.xz"
"""The part of the recorded run that ships with the tool; unpacked, it is twenty times as large."""


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
    return LoadedRun(result, f"the recorded run that comes with this tool, {_when(result)}")


def write_packaged_run(result: Result) -> None:
    """Write the run that is packaged with the tool."""
    content = result_json(result, compact=True).encode()
    write_file(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME), PACKAGED_RUN)


def _when(result: Result) -> str:
    return f"run on {result.dataset.name} at {result.time:%Y-%m-%d %H:%M} UTC by version {result.tool}"
