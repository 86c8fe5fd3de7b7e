"""Provides the page on performance: one table a workload, from the figures of the rounds."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

_TITLES = {
    "paper": "Full rankings, rows in list order",
    "top-100": "Lists of 100, rows in list order",
    "random": "Full rankings, rows in random order",
}
_HEAD = """\
# Performance

Written by `make bench`: do not edit. Each library computes its usual metrics at k = {k} in its own process and locked
environment, from the same columns, on one thread; rounds are interleaved, as many as each title says. Seconds are of
the processor, and include the conversion of the columns into the library's own input; "× ours" is the library's time
over the reference's in the same round. The reference computes {definitions} definitions in that time, through
`reference.evaluate` from a DataFrame; the libraries compute the number of metrics shown. Their values were compared
with the reference's under the definitions that an audit found for them. Extra memory is what a process held at its
peak beyond the columns.

Measured on {machine} with {cores} cores, Python {python}. Figures of other machines differ, ratios less so.
"""


@dataclass
class Side:
    """The runs of one library on one workload, why there are none, and the metrics whose values are something else."""

    title: str
    runs: list[dict]
    failed: str | None = None
    differing: list[str] = field(default_factory=list)

    def total(self, number: int) -> float:
        """Return the seconds of the processor of one run, conversion included."""
        return sum(step["cpu"] for step in self.runs[number]["steps"].values())

    def part(self, step: str) -> float:
        """Return the median seconds of a step."""
        return statistics.median(run["steps"][step]["cpu"] for run in self.runs)

    def memory(self) -> float:
        """Return the most memory beyond the columns, in bytes."""
        return max(step["memory"] for run in self.runs for step in run["steps"].values())


def page(sections: Mapping[str, tuple[int, Mapping[str, Side]]], ours: str, k: int) -> str:
    """Return the page in Markdown; a section holds the number of rows and the sides, the reference's under ``ours``."""
    definitions = max(len(run["values"]) for _, sides in sections.values() for run in sides[ours].runs)
    out = [_HEAD.format(k=k, definitions=definitions, machine=machine(), cores=os.cpu_count(),
                        python=platform.python_version())]  # fmt: skip
    for kind, (rows, sides) in sections.items():
        rounds = len(sides[ours].runs)
        out.append(f"## {_TITLES[kind]}: {rows:,} rows, {rounds} round{'' if rounds == 1 else 's'}\n")
        out += _table(sides, ours)
        out.append("")
    return "\n".join(out).rstrip() + "\n"


def _table(sides: Mapping[str, Side], ours: str) -> list[str]:
    heads = ["", "metrics", "conversion, s", "metrics, s", "together, s: min / median / max",
             "× ours: min / median / max", "extra memory, GB", "values"]  # fmt: skip
    lines = [f"| {' | '.join(heads)} |".replace("|  |", "| |"), "|---" + "|---:" * (len(heads) - 2) + "|---|"]
    for name, side in sorted(sides.items(), key=lambda item: (item[0] != ours, _order(item[1]))):
        if not side.runs:
            lines.append(f"| {side.title} | | | | | | | {side.failed} |")
            continue
        totals = [side.total(number) for number in range(len(side.runs))]
        ratios = [total / sides[ours].total(number) for number, total in enumerate(totals)]
        values = "" if name == ours else f"differ: {', '.join(side.differing)}" if side.differing else "equal"
        lines.append(
            f"| {side.title} | {len(side.runs[0]['values'])} | {side.part('conversion'):.3f} | "
            f"{side.part('metrics'):.3f} | {_three(totals, 3)} | {_three(ratios, 1) if name != ours else ''} | "
            f"{side.memory() / 1e9:.2f} | {values} |"
        )
    return lines


def _order(side: Side) -> float:
    return statistics.median(side.total(n) for n in range(len(side.runs))) if side.runs else float("inf")


def _three(figures: list[float], digits: int) -> str:
    return " / ".join(f"{each:.{digits}f}" for each in (min(figures), statistics.median(figures), max(figures)))


def machine() -> str:
    """Return the name of the processor."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
