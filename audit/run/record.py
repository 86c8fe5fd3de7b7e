"""Writes what a run found of the versions that it asked, so that later runs may take it over.

Run by ``python -m recsys_metric_audit.audit.run.record REPORT``, of a run with ``--again``: see ``make record``.
"""

from __future__ import annotations

import json
import lzma
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover
from recsys_metric_audit.audit.libraries.manifest import Manifest
from recsys_metric_audit.audit.run.recorded_findings import RECORDED, adapter_digest, made_of
from recsys_metric_audit.reports.model.atomic_write import replace_file
from recsys_metric_audit.reports.model.result import Library, Result
from recsys_metric_audit.reports.model.result_file import read_result


def write_recorded_findings(result: Result, manifests: Mapping[str, Manifest], file: Path = RECORDED) -> None:
    """Write what a run found of the versions that it identified itself.

    Args:
        result: A run with the options of the usual one.
        manifests: The libraries by name, as they were asked.
        file: Where to write.
    """
    head = {
        "day": f"{result.time:%Y-%m-%d}",
        "made_of": made_of(result.dataset.name, result.dataset.digest.removeprefix("sha256:"), result.k),
    }
    rows = [each for each in result.libraries if each.answers and each.status == "audited" and not each.confirms]
    lines = [json.dumps(head), *(json.dumps(_line(row, result, manifests[row.library])) for row in rows)]
    replace_file(file, lzma.compress("\n".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME))


def _line(row: Library, result: Result, manifest: Manifest) -> list[Any]:
    own = [each for each in result.findings if (each.library, each.version) == (row.library, row.version)]
    findings = [each.model_dump(mode="json", exclude_defaults=True) for each in own]
    return [row.library, row.version, adapter_digest(manifest), row.answers, json.dumps(findings)]


if __name__ == "__main__":
    write_recorded_findings(read_result(Path(sys.argv[1])), discover([adapters_dir()]))
