"""The JSON Schema of the result file.

``python -m recsys_metric_audit.reports.model.schema`` renews ``audit.schema.json``.
"""

from __future__ import annotations

import json
from pathlib import Path

from recsys_metric_audit.reports.model.result import Result

PATH = Path(__file__).parent.parent / "audit.schema.json"


def schema_text() -> str:
    """Return the JSON Schema (draft 2020-12) of a result file, as JSON text."""
    schema = Result.model_json_schema(mode="serialization")
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "recsys-metric-audit result"}
    return json.dumps(head | {k: v for k, v in schema.items() if k != "title"}, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PATH.write_text(schema_text(), encoding="utf-8")
