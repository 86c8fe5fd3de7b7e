"""``python -m bench.casebook``: ask `audit identify` about every function of the casebook and record its answers.

    python -m bench.casebook                   # all threads: a few minutes
    python -m bench.casebook xgboost-2208      # some, by key; the answers to others stay

``python -m recsys_metric_audit.reports.writers.casebook`` then makes docs/casebook.md of them. Ends with 1 where a
function computes something else than its thread says.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from recsys_metric_audit.audit.inhouse.identify_function import checked_request, identify_function
from recsys_metric_audit.reports.model.atomic_write import write_file
from recsys_metric_audit.reports.writers.casebook import ANSWERS, Answer, Thread, load_answers, with_function

REFUSES = {
    "scikit-learn-21335": "ValueError: more than one document is needed",
    "xgboost-6707": "ValueError: labels are whole numbers from 0 up",
}
"""Tells what functions say where they give no number on purpose, which counts against an expectation."""


def identified(thread: Thread) -> Answer:
    """Return what ``audit identify`` tells about the function of a thread, held against what the thread says."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "metrics.py"
        file.write_text(thread.function, encoding="utf-8")
        request = checked_request(
            f"{file}:{thread.name}", thread.metric, thread.says or None, k=None, shape=thread.shape or None,
            python=None, seconds=30.0,
        )  # fmt: skip
        result = identify_function(request)
    if result.summary is None:
        raise result.error or ValueError(f"{thread.key}: nothing was measured")
    found = result.summary
    said = found.finding
    return Answer(
        called=result.called, signature=found.signature if said.scope.whole else None, equivalent=found.equivalent,
        contradiction="" if _is_refusal(thread, result.contradiction) else result.contradiction,
        misfit=said.near.words() if said.near else "",
        refusals=dict(found.refusals), not_asked=found.not_asked, hazards=result.hazards,
    )  # fmt: skip


def _is_refusal(thread: Thread, contradiction: str) -> bool:
    """Return True if a function only gives no number where it refuses to, on purpose."""
    said = "".join(contradiction.splitlines()[-1:]).partition("expected, ")[2]
    return said != "" and said == REFUSES.get(thread.key)


def main(keys: list[str]) -> int:
    """Record the answers to the threads of ``keys``, or to all; return the exit code."""
    threads = {thread.key: thread for thread in with_function()}
    if unknown := set(keys) - set(threads):
        print(f"no thread {min(unknown)}; there are: {', '.join(threads)}", file=sys.stderr)
        return 2
    kept = load_answers() if keys and ANSWERS.exists() else {}
    wrong = 0
    for key, thread in threads.items():
        if keys and key not in keys:
            continue
        began = time.monotonic()
        kept[key] = identified(thread)
        seconds = time.monotonic() - began
        print(f"{key:<42} {seconds:5.1f} s  {kept[key].signature or 'no definition'}", flush=True)
        if kept[key].contradiction or (thread.unnamed and kept[key].signature):
            wrong += 1
            print(kept[key].contradiction or "  a definition fits, though the casebook says that none does")
    recorded = [f'"{key}": {kept[key].model_dump_json(indent=1)}' for key in threads if key in kept]
    write_file("{\n" + ",\n".join(recorded) + "\n}\n", ANSWERS)
    print(f"{len(threads)} functions, {wrong} of those asked otherwise than their threads say")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
