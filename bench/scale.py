"""Measures evaluation on growing data: seconds and the most memory that a process held.

    python -m bench.scale [--millions 1,3,10,30,100] [--orders grouped,scattered] [--engines streamed,memory]
                          [--folder DIR] [--write FILE]

The engine ``spark`` runs on two cores of this machine, in an environment of its own, which is built first.

Each measurement is a process of its own, whose peak memory is what the system counted (maximum resident set). Data are
written, measured and removed size by size. Engines and orders must agree on every value to the last digit.
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

from bench import cluster_traffic, scale_data, spark_environment
from bench.scale_page import Measurement, page
from recsys_metric_audit.reports.model.atomic_write import replace_file

ROOT = Path(__file__).resolve().parents[1]
ENGINES = ("decode", "memory", "streamed", "spark")
K = 20


@dataclass(frozen=True)
class Asked:
    """Says what to measure; ``most`` are the millions of rows up to which an engine is measured, if limited."""

    millions: Sequence[float]
    orders: Sequence[str]
    engines: Sequence[str]
    most: Mapping[str, float]
    folder: Path | None
    spark: Path | None


def measure(engine: str, predictions: Path, truth: Path, folder: Path, spark: Path | None) -> dict | str:
    """Run one engine once and return its figures, or why there are none; ``spark`` is the Python that has Spark."""
    shown = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)}
    python = sys.executable
    if engine == "spark" and spark is not None:
        python = str(spark)
        shown |= {**spark_environment.variables(spark), "SPARK_LOCAL_DIRS": str(folder)}
    child = [python, str(ROOT / "bench/scale_child.py"), engine, str(predictions), str(truth), str(K)]
    done = subprocess.run(child, env=shown, capture_output=True, text=True, check=False)
    if done.returncode:
        return (done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1][:200]
    return json.loads(done.stdout.splitlines()[-1])


def measured(asked: Asked) -> list[Measurement]:
    """Measure all sizes, orders and engines.

    Raises:
        ValueError: if two engines, or two orders, give values that differ in any digit.
    """
    out: list[Measurement] = []
    for millions in asked.millions:
        rows, expected = round(millions * 1_000_000) // scale_data.LENGTH * scale_data.LENGTH, None
        for order in asked.orders:
            with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
                paths = scale_data.write(Path(folder), rows, order)
                for engine in asked.engines:
                    if millions > asked.most.get(engine, math.inf):
                        continue
                    figures = measure(engine, *paths, Path(folder), asked.spark)
                    if isinstance(figures, str):
                        print(f"{rows:,} {order} {engine}: {figures}", flush=True)
                        continue
                    values = figures["values"]
                    if values and values != (expected := expected or values):
                        raise ValueError(f"{rows:,} rows, {order}, {engine}: values differ from another engine's")
                    made = Measurement(
                        engine, order, rows, figures["wall"], figures["cpu"], figures["peak"], len(values)
                    )
                    print(f"{rows:,} {order} {engine}: {made.wall:.1f} s, {made.peak / 1e9:.2f} GB", flush=True)
                    out.append(made)
    return out


def main() -> int:
    """Measure, print the page and write it if told to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--millions", default="1,3,10,30,100", help="of rows")
    parser.add_argument("--orders", default=",".join(scale_data.ORDERS))
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--memory-to", type=float, default=10, help="millions of rows for the engine memory")
    parser.add_argument("--spark-to", type=float, default=10, help="millions of rows for the engine spark")
    parser.add_argument("--folder", type=Path, help="where data are written: 1.3 GB for 100 million rows, twice")
    parser.add_argument("--write", type=Path, help="the page to write, such as docs/scale.md")
    options = parser.parse_args()
    most = {"memory": options.memory_to, "spark": options.spark_to}
    with tempfile.TemporaryDirectory() as built:
        spark = spark_environment.build(Path(built)) if "spark" in options.engines.split(",") else None
        asked = Asked([float(each) for each in options.millions.split(",")], options.orders.split(","),
                      options.engines.split(","), most, options.folder, spark)  # fmt: skip
        runs = measured(asked)
        moved = cluster_traffic.measured(cluster_traffic.SIZES, K) if spark is not None else []
        text = page(runs, K, moved)
    print("\n" + text)
    if options.write is not None:
        replace_file(options.write, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
