"""Provides the page on growing data: one table for each order of rows, from single measurements."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass

from bench.cluster_traffic import Traffic, section
from bench.performance_page import machine

_NAMES = {"decode": "reading alone", "memory": "in memory", "streamed": "streamed", "spark": "Spark, two cores"}
_ORDERS = {
    "grouped": "Rows grouped by user",
    "scattered": "Rows of a user far apart (partitioned by user on disk first)",
}
_HEAD = """\
# Growing data

Written by `make bench-scale`: do not edit. Parquet with 100 rows and 10 relevant items a user (int32 ids, float32
scores) is evaluated by `recsys_metric_audit.evaluate`: {definitions} definitions at k = {k}. Each line is one process;
its peak memory is the most that the system counted as resident, Python and its libraries included. Seconds are of the
processor, start of Python and imports included; "× time / × rows" says how they grow from the line of the same engine
before. All engines and both orders gave the same values, to the last digit.

Measured on {machine} with {cores} cores, Python {python}.
"""
_SPARK = """
Of Spark they are the sums over all its processes, its Java machine with 2 GB of heap included.
"""


@dataclass(frozen=True)
class Measurement:
    """Holds one run: seconds of clock and processor, bytes at the peak, number of definitions."""

    engine: str
    order: str
    rows: int
    wall: float
    cpu: float
    peak: float
    definitions: int


def page(runs: Sequence[Measurement], k: int, traffic: Sequence[Traffic] = ()) -> str:
    """Return the page in Markdown; ``traffic`` is what a cluster moves."""
    definitions = max((run.definitions for run in runs), default=0)
    head = _HEAD + (_SPARK if any(run.engine == "spark" for run in runs) else "")
    out = [head.format(definitions=definitions, k=k, machine=machine(), cores=os.cpu_count(),
                        python=platform.python_version())]  # fmt: skip
    for order in dict.fromkeys(run.order for run in runs):
        out += [f"## {_ORDERS[order]}", "", "| | rows | seconds | × time / × rows | peak, GB |",
                "|---|---:|---:|---:|---:|"]  # fmt: skip
        own = [run for run in runs if run.order == order]
        for engine in dict.fromkeys(run.engine for run in own):
            before = None
            for run in (each for each in own if each.engine == engine):
                growth = "" if before is None else f"{run.cpu / before.cpu:.1f} / {run.rows / before.rows:.1f}"
                out.append(f"| {_NAMES[engine]} | {run.rows:,} | {run.cpu:.1f} | {growth} | {run.peak / 1e9:.2f} |")
                before = run
        out.append("")
    if traffic:
        out += section(traffic)
    return "\n".join(out).rstrip() + "\n"
