"""``python -m bench.report``: what the HTML report of 60 library versions × 12 metrics costs, in a fresh process.

Seconds of the processor are given as they are, and as a multiple of a fixed piece of work of the same interpreter
(JSON of the same result, written and read once), so that figures of different machines can be compared. The result
is made in a process of its own: what that takes is not the report's.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recsys_metric_audit.reports.model.result import Result

TARGET_SECONDS, TARGET_MEMORY, TARGET_BYTES = 3.0, 500e6, 3e6
_MAKE = (
    "import sys, pathlib; from bench.sixty import sixty; "
    "from recsys_metric_audit.reports.model.result_file import write_result; "
    "write_result(sixty(), pathlib.Path(sys.argv[1]))"
)


def main() -> None:
    """Print seconds, memory and bytes beside what they may be."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-c", _MAKE, folder], check=True)
        text = (Path(folder) / "audit.json").read_text(encoding="utf-8")
    yardstick = _seconds(lambda: json.loads(json.dumps(json.loads(text))))
    results: list[Result] = []
    pages: list[str] = []
    reading = _seconds(lambda: results.append(_read(text)))
    seconds = _seconds(lambda: pages.append(_page(results[0])))
    memory = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    size = len(pages[0].encode())
    relative = (
        f"{seconds / yardstick:.1f} × the yardstick of {yardstick:.2f} s; reading the file before: {reading:.2f} s"
    )
    print(f"seconds  {seconds:10.2f}   of {TARGET_SECONDS:g}   ({relative})")
    print(f"memory   {memory / 1e6:10.0f}   of {TARGET_MEMORY / 1e6:g} MB, the whole process")
    print(f"size     {size / 1e6:10.2f}   of {TARGET_BYTES / 1e6:g} MB")


def _read(text: str) -> Result:
    from recsys_metric_audit.reports.model.result import Result

    return Result.model_validate_json(text)


def _page(result: Result) -> str:
    # The import of the templates' and the plotting library belongs to what a user waits for.
    from recsys_metric_audit.reports.renderers.html import render_report

    return render_report(result)


def _seconds(work: object) -> float:
    began = time.process_time()
    work()  # type: ignore[operator]
    return time.process_time() - began


if __name__ == "__main__":
    main()
