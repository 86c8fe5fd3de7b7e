"""Provides the page on performance: tables for each workload, from the figures of the rounds."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.documented import DOCUMENTED, FURTHER

Seconds = Mapping[str, Sequence[Sequence[float]]]
"""By step, the seconds (processor, clock) of each round: what :mod:`bench.reading_costs` measures."""

TITLES = {
    "paper": "Full rankings, rows in list order",
    "top-100": "Lists of 100, rows in list order",
    "grouped": "Full rankings, rows of a user together in random order",
    "random": "Full rankings, rows in random order",
    "large": "Lists of 100 of many users, rows in list order",
}
_HEAD = """\
# Performance

Written by `make bench`: do not edit. Each library computes its usual metrics at k = {k} in its own process and locked
environment, from the same columns, on one thread; rounds are interleaved, as many as each title says. Seconds are of
the processor, and include the conversion of the columns into the library's own input; "× ours" is the library's time
over the reference's in the same round. The reference computes {definitions} definitions in that time, through
`recsys_metric_audit.evaluate` from a DataFrame; the libraries compute the number of metrics shown. Their values were
compared with the reference's under the definitions that an audit found for them. Extra memory is what a process held at
its peak beyond the columns. No process may take more than {memory:g} GB or {limit:g} s.

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

    def ratios(self, ours: Side) -> list[float]:
        """Return the seconds of each run as multiples of the reference's in the same round."""
        return [self.total(number) / ours.total(number) for number in range(len(self.runs))]

    def memory(self) -> float:
        """Return the most memory beyond the columns, in bytes."""
        return max(step["memory"] for run in self.runs for step in run["steps"].values())


Sections = Mapping[str, tuple[int, Mapping[str, Side]]]
"""By workload the number of rows, and the sides."""


def page(sections: Sections, ours: str, reading: Mapping[str, Seconds], plot: str = "", **told: float) -> str:
    """Return the page in Markdown.

    Args:
        sections: What libraries took.
        ours: The reference's name among the sides.
        reading: What evaluation costs beside reading, by workload.
        plot: The name of the plot's file, if there is one.
        told: The cut-off ``k``, and the ``memory`` (GB) and seconds (``limit``) that a process may take.
    """
    definitions = max(len(run["values"]) for _, sides in sections.values() for run in sides[ours].runs)
    out = [_HEAD.format(**told, definitions=definitions, machine=machine(), cores=os.cpu_count(),
                        python=platform.python_version())]  # fmt: skip
    if plot:
        out.append(f"![Seconds of libraries as multiples of the reference's]({plot})\n")
    for kind, (rows, sides) in sections.items():
        rounds = len(sides[ours].runs)
        out.append(f"## {TITLES[kind]}: {rows:,} rows, {rounds} round{'' if rounds == 1 else 's'}\n")
        out += _table(sides, ours)
        out.append("")
    out += _reading_table(reading) if reading else []
    return "\n".join(out).rstrip() + "\n"


_READING = """\
## Beside reading

What `recsys_metric_audit.evaluate` costs beside reading the data, all steps of a round one after the other in one
process, whose first call is not counted: the least seconds of all rounds, of the processor in memory, of the clock for
files (Arrow decodes on all cores). "Columns" is one sum over each of the three; "placed" finds the relevant pairs and
counts what scores higher, which all definitions share; "further cut-off" is what each definition adds at another k.
"""
_READING_HEADS = (
    "columns, s", "placed / columns", "all definitions / columns", "with stacked AUC / columns",
    "further cut-off, ms a definition", "Parquet decoded, s", "definitions of Parquet / decoded", "CSV decoded, s",
    "definitions of CSV / decoded",
)  # fmt: skip
_LIMITS = """\

What sets the limits, by profile: to place rows in list order, each column is read more than once (users: where lists
begin; items: their range, then a table of each list, which finds the relevant pairs and repeated items; scores: whether
they descend), and the table takes about half of that time. In random order, rows are first grouped by user, which moves
every row once. The stacked AUC places every row among the scores of all relevant pairs. A definition makes some fifty
calls of numpy on one number a user, each of which takes microseconds however few users there are: on short lists, and
at further cut-offs, that is most of the time.
"""


def _reading_table(reading: Mapping[str, Seconds]) -> list[str]:
    lines = [_READING, f"| | {' | '.join(_READING_HEADS)} |", "|---" + "|---:" * len(_READING_HEADS) + "|"]
    for kind, seconds in reading.items():
        steps = ("rows placed", "definitions", "with the stacked AUC")
        cells = [f"{_least(seconds, 'columns'):.4f}", *(_quotient(seconds, step, "columns") for step in steps),
                 f"{_further(seconds):.2f}"]  # fmt: skip
        for form in ("Parquet", "CSV"):
            there = f"{form} decoded" in seconds
            cells.append(f"{_least(seconds, f'{form} decoded', 1):.3f}" if there else "")
            cells.append(_quotient(seconds, f"definitions of {form}", f"{form} decoded", 1) if there else "")
        lines.append(f"| {TITLES[kind]} | {' | '.join(cells)} |")
    return [*lines, _LIMITS]


def _least(seconds: Seconds, step: str, which: int = 0) -> float:
    return min(each[which] for each in seconds[step])


def _quotient(seconds: Seconds, above: str, below: str, which: int = 0) -> str:
    return f"{_least(seconds, above, which) / _least(seconds, below, which):.1f}"


def _further(seconds: Seconds) -> float:
    """Return the milliseconds that each definition takes at a further cut-off."""
    more = _least(seconds, "with further cut-offs") - _least(seconds, "definitions")
    return 1000 * more / FURTHER / len(DOCUMENTED)


def _table(sides: Mapping[str, Side], ours: str) -> list[str]:
    heads = ["", "metrics", "conversion, s", "metrics, s", "together, s: min / median / max",
             "× ours: min / median / max", "extra memory, GB", "values"]  # fmt: skip
    lines = [f"| {' | '.join(heads)} |".replace("|  |", "| |"), "|---" + "|---:" * (len(heads) - 2) + "|---|"]
    for name, side in sorted(sides.items(), key=lambda item: (item[0] != ours, _order(item[1]))):
        if not side.runs:
            lines.append(f"| {side.title} | | | | | | | {side.failed} |")
            continue
        totals = [side.total(number) for number in range(len(side.runs))]
        ratios = side.ratios(sides[ours])
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
