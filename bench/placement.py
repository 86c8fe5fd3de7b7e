"""The reference against RecTools on the paper's sizes: the same columns, each side in its own process, in turn.

    python -m bench.placement [--rounds 5] [--k 20]

Columns are made once; each process reads them into a DataFrame and then measures what it does itself: what it
must convert, and the metrics. RecTools computes its usual set (precision, recall, MAP, NDCG, MRR, hit rate), the
reference all documented definitions of its eight families; the stacked AUC is told apart, RecTools has none. The
bench fails if the six values of the usual set differ between the two.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from audit.environments import environment
from audit.libraries import discovery, manifest
from bench import workload

HERE = Path(__file__).resolve().parent
USUAL = ("precision", "recall", "hit_rate", "map", "ndcg", "mrr")


def measure(python: Path, script: str, folder: Path, k: int) -> dict:
    """Run one side once and return its figures."""
    # Neither side uses more than one core: what is compared is work.
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    shown = {**os.environ, **threads, "PYTHONPATH": str(HERE.parent) if script == "side_reference.py" else ""}
    command = [str(python), str(HERE / script), str(folder), str(k)]
    done = subprocess.run(command, env=shown, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def seconds(run: dict, clock: str, *steps: str) -> float:
    """Return the time of some steps together."""
    return sum(run["steps"][step][clock] for step in steps)


def line(name: str, values: list[float], unit: str) -> None:
    """Print the minimum, median and maximum of a figure over the rounds."""
    low, middle, high = min(values), statistics.median(values), max(values)
    print(f"{name:<64} {low:>9.3f} {middle:>9.3f} {high:>9.3f} {unit}")


def report(rounds: list[tuple[dict, dict]], definitions: int) -> None:
    """Print the figures, and the ratios of runs that followed each other."""
    print(f"\n{'':<64} {'min':>9} {'median':>9} {'max':>9}")
    ours, convert = ("placement", "definitions"), ("conversion", "metrics")
    for clock in ("cpu", "wall"):
        line(f"reference, {definitions} definitions ({clock})", [seconds(a, clock, *ours) for a, _ in rounds], "s")
        line(f"RecTools, usual set ({clock})", [seconds(b, clock, *convert) for _, b in rounds], "s")
        for name, steps in (("", convert), (", its ranks given", ("metrics",))):
            ratios = [seconds(b, clock, *steps) / seconds(a, clock, *ours) for a, b in rounds]
            line(f"RecTools{name} / reference ({clock})", ratios, "×")
        stacked = [seconds(b, clock, "metrics") / seconds(a, clock, *ours, "stacked") for a, b in rounds]
        line(f"RecTools, its ranks given / reference with stacked AUC ({clock})", stacked, "×")
    for name, side, step in (("reference", 0, "definitions"), ("reference with stacked AUC", 0, "stacked"),
                             ("RecTools", 1, "metrics")):  # fmt: skip
        line(f"{name}, memory over the input", [run[side]["steps"][step]["memory"] / 1e9 for run in rounds], "GB")


def main() -> int:
    """Run the rounds; 1 if the two sides do not compute the same values."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--k", type=int, default=20)
    options = parser.parse_args()
    library = manifest.load(discovery.adapters_dir() / "rectools")
    python = environment.ensure(library, library.versions[0], progress=print).python
    with tempfile.TemporaryDirectory() as folder:
        print(f"{workload.USERS * workload.ITEMS:,} rows, {workload.PAIRS:,} relevant pairs", flush=True)
        workload.write(Path(folder))
        rounds = []
        for number in range(options.rounds):
            ours = measure(Path(sys.executable), "side_reference.py", Path(folder), options.k)
            theirs = measure(python, "side_rectools.py", Path(folder), options.k)
            rounds.append((ours, theirs))
            print(f"round {number + 1}: reference {seconds(ours, 'cpu', 'placement', 'definitions'):.3f} s, "
                  f"RecTools {seconds(theirs, 'cpu', 'conversion', 'metrics'):.3f} s", flush=True)  # fmt: skip
    report(rounds, len(ours["definitions"]))
    wrong = [name for name in USUAL if not math.isclose(ours["values"][name], theirs["values"][name], rel_tol=1e-9)]
    print("the usual set's values are equal" if not wrong else f"values differ: {', '.join(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
