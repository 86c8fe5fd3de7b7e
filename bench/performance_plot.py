"""Draws how long libraries take beside the reference: a panel for each workload, a bar for each library."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from io import StringIO

from matplotlib import rc_context
from matplotlib.figure import Figure

from bench.performance_page import Sections, Side


def plot(sections: Sections, ours: str, titles: Mapping[str, str]) -> str:
    """Return an SVG; bars are median ratios of seconds of the processor, on a logarithmic scale."""
    ratios = {kind: _ratios(sides, ours) for kind, (_, sides) in sections.items()}
    figure = Figure(figsize=(8, 0.6 + sum(0.6 + 0.22 * len(each) for each in ratios.values())), layout="constrained")
    panels = figure.subplots(
        len(ratios), 1, squeeze=False, sharex=True, height_ratios=[max(len(each), 1) for each in ratios.values()]
    )
    for (kind, each), (panel,) in zip(ratios.items(), panels, strict=True):
        bars = panel.barh(list(each), list(each.values()), color="#4477aa")
        panel.bar_label(bars, fmt="{:.1f}", padding=3)
        panel.set(title=titles[kind], xscale="log", xlim=(0.5, 5 * max([1.0, *each.values()])))
        panel.axvline(1, color="black", linewidth=0.8)
        panel.invert_yaxis()
    panels[-1, 0].set_xlabel("seconds of the processor, as a multiple of the reference's")
    out = StringIO()
    with rc_context({"svg.hashsalt": "performance", "svg.fonttype": "none"}):
        figure.savefig(out, format="svg", metadata={"Date": None})
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _ratios(sides: Mapping[str, Side], ours: str) -> dict[str, float]:
    """Return the median ratio of each library that was measured, by title, the fastest first."""
    found = {side.title: statistics.median(side.ratios(sides[ours]))
             for name, side in sides.items() if name != ours and side.runs}  # fmt: skip
    return dict(sorted(found.items(), key=lambda item: item[1]))
