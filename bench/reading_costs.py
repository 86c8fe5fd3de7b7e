"""Measures what evaluation costs beside reading: the columns in memory, and Parquet and CSV files on disk.

    python -m bench.reading_costs FOLDER K ROUNDS

All steps of a round follow one another in one process. It prints a line of JSON: for each step its seconds in each
round, of the processor and of the clock.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow as pa
from pyarrow import csv, parquet

from bench import workload
from bench.documented import DOCUMENTED, FURTHER
from recsys_metric_audit import evaluate
from recsys_metric_audit.reference.evaluation.prepared import PreparedData
from recsys_metric_audit.reference.input.conversion import case_from_tables

STACKED = "auc|scope:stacked"
_CSV_ROWS = 1_000_000
"""Rows up to which a CSV file is written and read."""

Seconds = dict[str, list[list[float]]]
"""By step, the seconds (processor, clock) of each round."""


def measured(folder: Path, k: int, rounds: int) -> Seconds:
    """Run the steps in a process of its own, on one thread as all sides of the bench; Arrow decodes on all cores."""
    command = [sys.executable, "-m", "bench.reading_costs", str(folder), str(k), str(rounds)]
    shown = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    done = subprocess.run(command, env=shown, capture_output=True, text=True, check=True)
    out: Seconds = json.loads(done.stdout.splitlines()[-1])
    return out


def _steps(folder: Path, written: Path, k: int) -> dict[str, Callable[[], object]]:
    """Return what is measured, by name; files are written beforehand."""
    column = workload.read(folder)
    rows = pd.DataFrame({name: column[name] for name in ("user", "item", "score")}, copy=False)
    truth = pd.DataFrame({name: column["truth_" + name] for name in ("user", "item", "gain")})
    at_parquet, at_csv = written / "rows.parquet", written / "rows.csv"
    parquet.write_table(pa.table(rows), at_parquet)
    steps: dict[str, Callable[[], object]] = {
        "columns": lambda: [column[name].sum() for name in rows],
        "rows placed": lambda: PreparedData.of(case_from_tables(rows, truth)).users,
        "definitions": lambda: evaluate(rows, truth, k, DOCUMENTED),
        "with the stacked AUC": lambda: evaluate(rows, truth, k, [*DOCUMENTED, STACKED]),
        "with further cut-offs": lambda: evaluate(rows, truth, range(k, k + 1 + FURTHER), DOCUMENTED),
        "Parquet decoded": lambda: parquet.read_table(at_parquet),
        "definitions of Parquet": lambda: evaluate(at_parquet, truth, k, DOCUMENTED, streamed=False),
    }
    if len(rows) <= _CSV_ROWS:
        csv.write_csv(pa.table(rows), at_csv)
        steps |= {"CSV decoded": lambda: csv.read_csv(at_csv),
                  "definitions of CSV": lambda: evaluate(at_csv, truth, k, DOCUMENTED)}  # fmt: skip
    return steps


def main() -> None:
    """Measure and print."""
    folder, k, rounds = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as written:
        steps = _steps(folder, Path(written), k)
        out: Seconds = {name: [] for name in steps}
        steps["definitions"]()  # imports, caches of the system
        for _ in range(rounds):
            for name, step in steps.items():
                clock, processor = time.perf_counter(), time.process_time()
                step()
                out[name].append([time.process_time() - processor, time.perf_counter() - clock])
    print(json.dumps(out))


if __name__ == "__main__":
    main()
