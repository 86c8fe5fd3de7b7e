"""Writing a result file: its JSON text, and ``audit.json`` in a folder."""

from __future__ import annotations

import json
from pathlib import Path

from recsys_metric_audit.reports.model.atomic_write import write_files
from recsys_metric_audit.reports.model.read_result import RESULT_FILE
from recsys_metric_audit.reports.model.result import Result


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
