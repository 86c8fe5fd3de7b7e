"""Reading a result file, with an error message and a hint for every way in which it can be unreadable."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from recsys_metric_audit.reference.definitions.definition import SignatureError, parse
from recsys_metric_audit.reports.model.regular_file import read_regular
from recsys_metric_audit.reports.model.report_error import ReportError
from recsys_metric_audit.reports.model.result import FORMAT, Finding, Reference, Result

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
    rows: dict[str, Sequence[Finding | Reference]] = {"findings": result.findings, "reference": result.reference}
    for part, number, row in ((part, n, row) for part, own in rows.items() for n, row in enumerate(own)):
        named = [("metric", row.metric), ("signature", row.signature)]
        if isinstance(row, Finding):
            named += [("formula", row.formula), ("claimed", row.claimed), *(("equivalent", s) for s in row.equivalent)]
        for name, signature in named:
            try:
                _known(signature)
            except SignatureError as error:
                raise ReportError(
                    f"{file}: {part}.{number}.{name} cannot be read by this version: {str(error)[:_SHOWN]}.",
                    "It may be made by a later version: pip install --upgrade recsys-metric-audit",
                ) from None


@cache
def _known(signature: str | None) -> None:
    if signature is not None:
        parse(signature)


def _load(file: Path) -> Any:
    try:
        text = read_regular(file).decode("utf-8-sig")  # some editors begin a file with a mark of their own
    except FileNotFoundError:
        raise ReportError(
            f"There is no {file}.", "Name the folder that an audit wrote, or run one: audit run --out DIR"
        ) from None
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
