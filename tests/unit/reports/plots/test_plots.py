"""Plots of formulas and of users: what is drawn, what cannot be, and the figures beside it."""

from __future__ import annotations

import math

from recsys_metric_audit.reports.model.result import Bin
from recsys_metric_audit.reports.plots.plots import Strip, scatter_plot, strip_label, strip_plot


def test_a_label_is_cut_where_it_would_leave_the_drawing() -> None:
    assert strip_label("a", "divides by r") == "a divides by r"
    assert strip_label("", "canonical") == "canonical"
    cut = strip_label("a", "divides by the DCG of the hits and more")
    assert cut.startswith("a divides") and cut.endswith("…") and len(cut) == 28


def test_strips_hold_every_value_in_their_figures_and_say_what_is_not_drawn() -> None:
    strips = [
        Strip("canonical", "", (("Alpha 1 f", 0.5),)),
        Strip("a", "h0", (("Beta 1 f", 0.25), ("C 1 f", math.nan))),
    ]
    plot = strip_plot("NDCG", strips, 0.5)
    assert plot is not None
    assert plot.rows == (("canonical", "Alpha 1 f", "0.5"), ("a", "Beta 1 f", "0.25"), ("a", "C 1 f", "nan"))
    assert "the line is the canonical 0.500." in plot.caption
    assert "1 value that cannot be drawn" in plot.caption
    assert strip_plot("NDCG", [Strip("a", "h0", (("Beta 1 f", math.nan),))], 0.5) is None


def test_users_off_the_diagonal_are_counted() -> None:
    bins = [Bin(canonical=0.5, library=0.5, users=3), Bin(canonical=0.5, library=1.0, users=2)]
    plot = scatter_plot("NDCG", bins)
    assert plot.caption == "2 of 5 users off the diagonal."
    assert plot.rows == (("0.5", "0.5 (3), 1 (2)"),)


def test_values_that_figures_cannot_tell_apart_are_drawn_at_one_place() -> None:
    plot = strip_plot("NDCG", [Strip("a", "h0", (("Alpha 1 f", 0.5), ("Beta 1 f", 0.5000001)))], None)
    assert plot is not None
    # From 0.45 to 0.55, between 140 and 464.2 units from the left, and in the middle of 18 and 32.1 from the top.
    assert 'd="M302 25h0M302 25h0"' in plot.drawing.shapes
