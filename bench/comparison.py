"""The reference against other libraries: the same columns, each side in its own process and environment, in turn.

    python -m bench.comparison [--rounds 3] [--workloads paper,top-100,...] [--peers rectools,...]
                               [--write FILE]

Columns are made once for each workload; every process reads them and then measures what it does itself: the
conversion into its own input, and its usual metrics at k. The reference computes all documented definitions of eight
families through ``evaluate``. Values are compared first: a library whose values are not those of the definitions that
an audit found for it is named. One that runs into the limit of time or memory is named too; of the workload "large",
with the largest size that it managed.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import reading_costs, workload
from bench.performance_page import TITLES, Side, page
from bench.performance_plot import plot
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries import discovery, manifest
from recsys_metric_audit.reports.model.atomic_write import replace_file

HERE = Path(__file__).resolve().parent
OURS = "reference_evaluate"
PEERS = ("rectools", "scikit_learn", "recpack", "lenskit", "pytrec_eval", "ir_measures", "replay", "rs_metrics",
         "torchmetrics", "ranx", "recommenders")  # fmt: skip
MOST_MEMORY = 16_000_000_000
"""Bytes that a process may hold, of address space."""
_CLOSE = 1e-6
"""Relative difference up to which two values are equal: some libraries compute in float32."""


@dataclass(frozen=True)
class Bench:
    """Says what to measure and how: by name of a side its Python and title, the cut-off, the limit in seconds."""

    pythons: Mapping[str, Path]
    titles: Mapping[str, str]
    k: int
    limit: float

    def compared(self, folder: Path, kind: str, names: Sequence[str], rounds: int) -> dict[str, Side]:
        """Run the named sides on the columns of a folder, in turn."""
        expected = expected_values(folder, [name for name in names if name != OURS], self.k)
        sides = {name: Side(self.titles[name], []) for name in names}
        for number in range(rounds):
            for name, side in sides.items():
                if side.failed is None:
                    self._run(side, name, folder, kind, expected)
                    told = side.failed or f"{side.total(-1):.3f} s of CPU {side.differing or ''}"
                    print(f"{kind} {number + 1}: {name}: {told}", flush=True)
        return sides

    def _run(self, side: Side, name: str, folder: Path, kind: str, expected: Mapping[str, float]) -> None:
        order = "random" if kind in ("grouped", "random") else "ordered"
        run = measure(self.pythons[name], name, folder, self.k, order, self.limit)
        if isinstance(run, str):
            side.failed = run
            return
        side.runs.append(run)
        if name != OURS:
            side.differing = differing(name, run["values"], self.k, expected)

    def tell_smaller(self, sides: Mapping[str, Side], rows: int) -> None:
        """Run sides that failed on a tenth and on a hundredth of the rows, and tell what they managed."""
        failed = [name for name, side in sides.items() if side.failed is not None]
        for smaller in (rows // 10, rows // 100):
            with tempfile.TemporaryDirectory() as folder:
                workload.write(Path(folder), "large", smaller)
                for name, side in self.compared(Path(folder), "large", failed, 1).items():
                    if side.runs:
                        sides[name].failed = f"{sides[name].failed}; {smaller:,} rows: {side.total(0):.1f} s"
                        sides[name].differing = side.differing
                        failed.remove(name)


def measure(python: Path, name: str, folder: Path, k: int, order: str, limit: float) -> dict | str:
    """Run one side once and return its figures, or why there are none."""
    # No side uses more than one core: what is compared is work.
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS",
                             "RAYON_NUM_THREADS", "POLARS_MAX_THREADS"), "1")  # fmt: skip
    shown = {**os.environ, **threads, "PYTHONPATH": str(HERE.parent) if name == OURS else ""}
    command = [str(python), str(HERE / "side_peer.py"), name, str(folder), str(k), order, str(MOST_MEMORY)]
    try:
        done = subprocess.run(command, env=shown, capture_output=True, text=True, check=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return f"not done after {limit:g} s"
    except subprocess.CalledProcessError as error:
        told = [line for line in error.stderr.splitlines() if line.strip() and not line.startswith("note:")]
        return (told or [f"ended with {error.returncode}"])[-1][:200]
    return json.loads(done.stdout.splitlines()[-1])


def differing(name: str, values: dict, k: int, reference: dict) -> list[str]:
    """Return the metrics of a library whose values are not those of their definitions; ``reference`` holds these."""
    wanted = definitions(name)
    return [
        metric for metric, value in values.items() if not math.isclose(value, reference[wanted[metric]], rel_tol=_CLOSE)
    ]


def definitions(name: str) -> dict[str, str]:
    """Read the definitions that a module of ``bench/peers`` states, without importing its library."""
    import ast

    tree = ast.parse((HERE / "peers" / f"{name}.py").read_text(encoding="utf-8"))
    (stated,) = (node.value for node in tree.body if isinstance(node, ast.Assign)
                 and getattr(node.targets[0], "id", "") == "DEFINITIONS")  # fmt: skip
    return ast.literal_eval(stated)


def expected_values(folder: Path, names: Sequence[str], k: int) -> dict[str, float]:
    """Compute by the reference all definitions that the libraries state."""
    from bench.peers.reference_evaluate import convert
    from recsys_metric_audit import evaluate

    asked = list(dict.fromkeys(signature for name in names for signature in definitions(name).values()))
    found = evaluate(*convert(workload.read(folder), True), k, asked)
    return {signature: values.mean for signature, values in zip(asked, found.values(), strict=True)}


def main() -> int:
    """Run the rounds, print the page and write it if told to; 1 if a library computes something else."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", default="3", help="of every workload, or of each: 1,3,1")
    parser.add_argument("--k", type=int, default=20)
    parser.add_argument("--workloads", default=",".join(workload.KINDS))
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--millions", type=float, default=100, help="of rows of the workload large")
    parser.add_argument("--limit", type=float, default=900, help="seconds that one process may take")
    parser.add_argument("--write", type=Path, help="the page to write, such as docs/performance.md")
    options = parser.parse_args()
    bench = _prepared(options.peers.split(","), options.k, options.limit)
    sections, reading = {}, {}
    kinds, rounds = options.workloads.split(","), [int(each) for each in options.rounds.split(",")]
    for kind, times in zip(kinds, rounds if len(rounds) == len(kinds) else rounds[:1] * len(kinds), strict=True):
        with tempfile.TemporaryDirectory() as folder:
            rows = workload.write(Path(folder), kind, round(options.millions * 1_000_000))
            sides = bench.compared(Path(folder), kind, list(bench.pythons), times)
            sections[kind] = (rows, sides)
            if kind != "large":
                reading[kind] = reading_costs.measured(Path(folder), options.k, max(times, 3))
        if kind == "large":
            bench.tell_smaller(sides, rows)
    drawn = None if options.write is None else options.write.with_suffix(".svg")
    told = {"k": options.k, "memory": MOST_MEMORY / 1e9, "limit": options.limit}
    text = page(sections, OURS, reading, "" if drawn is None else drawn.name, **told)
    print("\n" + text)
    if drawn is not None:
        replace_file(options.write, text)
        replace_file(drawn, plot(sections, OURS, TITLES))
    return 1 if any(side.differing for _, sides in sections.values() for side in sides.values()) else 0


def _prepared(names: Sequence[str], k: int, limit: float) -> Bench:
    """Build the environments of the libraries, where they are not built yet."""
    pythons, titles = {OURS: Path(sys.executable)}, {OURS: "the reference"}
    for name in names:
        library = manifest.load(discovery.adapters_dir() / name)
        titles[name] = f"{library.title} {library.versions[0].version}"
        pythons[name] = environment.ensure(library, library.versions[0], progress=print).python
    return Bench(pythons, titles, k, limit)


if __name__ == "__main__":
    sys.exit(main())
