"""``python -m bench.report``: what the HTML report of 60 library versions × 12 metrics costs, in a fresh process.

Seconds of the processor are given as they are, and as a multiple of a fixed piece of work of the same interpreter
(JSON of the same result, written and read once), so that figures of different machines can be compared.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "unit"))

from reports_samples import many

TARGET_SECONDS, TARGET_MEMORY, TARGET_BYTES = 3.0, 500e6, 3e6


def main() -> None:
    """Print seconds, memory and bytes beside what they may be."""
    result = many()
    yardstick = _seconds(lambda: json.loads(json.dumps(result.model_dump(mode="json"))))
    pages: list[str] = []
    seconds = _seconds(lambda: pages.append(_page(result)))
    memory = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    size = len(pages[0].encode())
    relative = f"{seconds / yardstick:.1f} × the yardstick of {yardstick:.2f} s"
    print(f"seconds  {seconds:10.2f}   of {TARGET_SECONDS:g}   ({relative})")
    print(f"memory   {memory / 1e6:10.0f}   of {TARGET_MEMORY / 1e6:g} MB, the whole process")
    print(f"size     {size / 1e6:10.2f}   of {TARGET_BYTES / 1e6:g} MB")


def _page(result: object) -> str:
    # The import of the plotting library belongs to what a user waits for.
    from reports.forms.html import page

    return page(result)  # type: ignore[arg-type]


def _seconds(work: object) -> float:
    start = time.process_time()
    work()  # type: ignore[operator]
    return time.process_time() - start


if __name__ == "__main__":
    main()
