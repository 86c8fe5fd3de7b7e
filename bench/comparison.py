"""The reference against other libraries: the same columns, each side in its own process and environment, in turn.

    python -m bench.comparison [--rounds 3] [--workloads paper,top-100,grouped,random] [--peers rectools,...]
                               [--write FILE]

Columns are made once for each workload; every process reads them and then measures what it does itself: the
conversion into its own input, and its usual metrics at k. The reference computes all documented definitions of eight
families through ``evaluate``. Values are compared first: a library whose values are not those of the definitions that
an audit found for it is named. One that runs into the time limit is named too.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from audit.environments import environment
from audit.libraries import discovery, manifest
from bench import reading_costs, workload
from bench.performance_page import TITLES, Side, page
from bench.performance_plot import plot
from reports.model.atomic_write import replace_file

HERE = Path(__file__).resolve().parent
OURS = "reference_evaluate"
PEERS = ("rectools", "scikit_learn", "recpack", "lenskit", "pytrec_eval", "ir_measures", "replay", "rs_metrics",
         "torchmetrics", "ranx", "recommenders")  # fmt: skip
_CLOSE = 1e-6
"""Relative difference up to which two values are equal: some libraries compute in float32."""


def measure(python: Path, name: str, folder: Path, k: int, order: str, limit: float) -> dict | str:
    """Run one side once and return its figures, or why there are none."""
    # No side uses more than one core: what is compared is work.
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS",
                             "RAYON_NUM_THREADS", "POLARS_MAX_THREADS"), "1")  # fmt: skip
    shown = {**os.environ, **threads, "PYTHONPATH": str(HERE.parent) if name == OURS else ""}
    command = [str(python), str(HERE / "side_peer.py"), name, str(folder), str(k), order]
    try:
        done = subprocess.run(command, env=shown, capture_output=True, text=True, check=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return f"not done after {limit:g} s"
    except subprocess.CalledProcessError as error:
        return (error.stderr.strip().splitlines() or [f"ended with {error.returncode}"])[-1][:200]
    return json.loads(done.stdout.splitlines()[-1])


def differing(name: str, values: dict, k: int, reference: dict) -> list[str]:
    """Return the metrics of a library whose values are not those of their definitions; ``reference`` holds these."""
    wanted = definitions(name)
    return [metric for metric, value in values.items() if not math.isclose(value, reference[wanted[metric]],
                                                                          rel_tol=_CLOSE)]  # fmt: skip


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
    from reference import evaluate

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
    parser.add_argument("--limit", type=float, default=900, help="seconds that one process may take")
    parser.add_argument("--write", type=Path, help="the page to write, such as docs/performance.md")
    options = parser.parse_args()
    chosen = options.peers.split(",")
    pythons, versions = {OURS: Path(sys.executable)}, {}
    for name in chosen:
        library = manifest.load(discovery.adapters_dir() / name)
        versions[name] = f"{library.title} {library.versions[0].version}"
        pythons[name] = environment.ensure(library, library.versions[0], progress=print).python
    sections, reading, wrong = {}, {}, []
    kinds, rounds = options.workloads.split(","), [int(each) for each in options.rounds.split(",")]
    for kind, times in zip(kinds, rounds if len(rounds) == len(kinds) else rounds[:1] * len(kinds), strict=True):
        with tempfile.TemporaryDirectory() as folder:
            rows = workload.write(Path(folder), kind)
            expected = expected_values(Path(folder), chosen, options.k)
            sides = {name: Side(versions.get(name, "the reference"), []) for name in (OURS, *chosen)}
            for number in range(times):
                for name, side in sides.items():
                    if isinstance(side.failed, str):
                        continue
                    order = "ordered" if kind in ("paper", "top-100") else "random"
                    run = measure(pythons[name], name, Path(folder), options.k, order, options.limit)
                    if isinstance(run, str):
                        side.failed = run
                        print(f"{kind} {number + 1}: {name}: {run}", flush=True)
                        continue
                    side.runs.append(run)
                    if name != OURS:
                        side.differing = differing(name, run["values"], options.k, expected)
                    print(
                        f"{kind} {number + 1}: {name} {side.total(-1):.3f} s of CPU {side.differing or ''}", flush=True
                    )
            sections[kind] = (rows, sides)
            reading[kind] = reading_costs.measured(Path(folder), options.k, max(times, 3))
            wrong += [name for name, side in sides.items() if side.differing]
    drawn = None if options.write is None else options.write.with_suffix(".svg")
    text = page(sections, OURS, options.k, reading, "" if drawn is None else drawn.name)
    print("\n" + text)
    if drawn is not None:
        replace_file(options.write, text)
        replace_file(drawn, plot(sections, OURS, TITLES))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
