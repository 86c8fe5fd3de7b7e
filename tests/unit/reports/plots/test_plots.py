"""Hold the plots: their points, axes and SVG."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.reports.model.result import USERS_DRAWN, Bin, Step
from recsys_metric_audit.reports.plots.canvas import INK, QUIET, WIDTH, Canvas, Label, dots, labels_by_class, line
from recsys_metric_audit.reports.plots.plots import (
    Strip,
    draw_scatters,
    formula_strips,
    scatter_plot,
    strip_label,
    strip_plot,
)
from recsys_metric_audit.reports.plots.waterfall import signed, waterfall
from recsys_metric_audit.reports.wording.variant_letters import assign_letters
from tests.support.result_samples import differing, finding, library, result

# Plots of formulas and of users: what is drawn, what cannot be, and the figures beside it.


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


# Canvases by hand: 100 units for the data each way, so that a hundredth of a scale is one unit.


def canvas(x: tuple[float, float] = (0.0, 10.0), y: tuple[float, float] = (0.0, 2.0)) -> Canvas:
    """Return a canvas with 100 × 100 units for the data: from 100 to 200 rightwards, from 118 to 18 upwards."""
    return Canvas(width=210.8, height=150.4, left=100.0, x=x, y=y)


def test_a_line_goes_from_corner_to_corner_of_the_data() -> None:
    made = canvas()
    made.line((0.0, 10.0), (0.0, 2.0), INK)
    assert str(made.to_drawing().shapes) == '<path d="M100 118L200 18" class="ink"/>'
    assert made.to_drawing().box == "0 0 210.8 150.4"


def test_dots_are_one_path_of_points() -> None:
    made = canvas()
    made.dots((2.5, 5.0), (0.5, 1.0), 3.0, QUIET)
    assert str(made.to_drawing().shapes) == '<path d="M125 93h0M150 68h0" class="quiet dot" stroke-width="3"/>'


def test_no_dots_draw_nothing() -> None:
    made = canvas()
    made.dots((), (), 3.0, QUIET)
    assert str(made.to_drawing().shapes) == ""


def test_a_label_stands_at_its_point_or_below_it() -> None:
    made = canvas()
    made.text(2.5, 0.5, "here")
    made.text(2.5, 0.5, "below", "end", down=9.0)
    places = [(label.x, label.y, label.text, label.anchor) for label in made.labels]
    assert [each[2:] for each in places] == [("here", "start"), ("below", "end")]
    assert [place for each in places for place in each[:2]] == pytest.approx([125, 93, 125, 102])


def test_a_scale_has_a_line_and_figures_at_round_numbers() -> None:
    made = canvas(x=(-1.0, 1.0))
    made.scale(-1.0, 1.0, base=0.0, figures=0.0)
    assert [label.text for label in made.labels] == ["−1", "−0.5", "0", "0.5", "1"]
    assert [label.x for label in made.labels] == pytest.approx([100, 125, 150, 175, 200])
    assert {label.anchor for label in made.labels} == {"middle"}
    assert str(made.to_drawing().shapes).startswith('<path d="M100 118L200 118" class="quiet"/>')


def test_an_upright_scale_leaves_out_figures_beyond_its_ends() -> None:
    made = canvas(y=(0.1, 1.1))
    made.scale(0.1, 1.1, base=0.0, figures=0.0, upright=True)
    # Quarters: 0 and 1.25 are no part of the scale.
    assert [label.text for label in made.labels] == ["0.25", "0.5", "0.75", "1"]
    assert {label.anchor for label in made.labels} == {"end"}
    assert str(made.to_drawing().shapes).startswith('<path d="M100 118L100 18" class="quiet"/>')


@pytest.mark.parametrize(
    ("low", "high", "figures"),
    [
        (0.0, 1.0, ["0", "0.25", "0.5", "0.75", "1"]),
        (0.0, 0.36, ["0", "0.1", "0.2", "0.3"]),  # a quarter is 0.09
        (0.0, 0.3, ["0", "0.08", "0.16", "0.24"]),  # 0.075
        (90.0, 210.0, ["90", "120", "150", "180", "210"]),
        (-0.03, 0.03, ["−0.03", "−0.015", "0", "0.015", "0.03"]),
    ],
)
def test_figures_are_multiples_of_the_least_round_step_that_is_a_quarter_of_the_scale(
    low: float, high: float, figures: list[str]
) -> None:
    made = canvas(x=(low, high))
    made.scale(low, high, base=0.0, figures=0.0)
    assert [label.text for label in made.labels] == figures


# Strip plots with a line for each formula.


def test_one_line_for_each_formula_and_one_for_all_that_is_not_known() -> None:
    entries = [library(version=version) for version in ("3", "2", "1")] + [library("beta"), library("gamma")]
    found = (
        differing("ndcg", "alpha", "gain", "exp2", 0.3, version="3"),
        differing("ndcg", "alpha", "users", "both", 0.2, version="2", verdict="agrees"),
        differing("ndcg", "alpha", "gain", "exp2", 0.3, version="1"),
        finding(name="beta"),
        finding(name="gamma", verdict="unexplained", value=0.9),
        finding(name="gamma", function="gamma.per_user", value=None),
    )
    made = result(libraries=entries, findings=found)
    plot = formula_strips(made, "ndcg", 20, assign_letters(made))
    assert plot is not None
    assert plot.rows == (
        ("canonical", "Alpha 2 alpha.ndcg", "0.2"),
        ("canonical", "Beta 1.0 beta.ndcg", "0.0934"),
        ("a gain 2^g - 1", "Alpha 3, 1 alpha.ndcg", "0.3"),
        ("not identified", "Gamma 1.0 gamma.ndcg", "0.9"),
    )
    assert plot.heads[0] == "formula"
    assert "0.093" in plot.caption, "the canonical value is the line"


def test_nothing_to_draw() -> None:
    assert formula_strips(result(), "ndcg", 5, assign_letters(result())) is None


# Scatter plots: equal values of users are drawn once for all findings that have them.

ONE, OTHER = (Bin(canonical=0.5, library=0.25, users=7),), (Bin(canonical=0.5, library=0.75, users=2),)
BETA = differing("ndcg", "beta", "gain", "exp2", 0.3, scatter=ONE)
GAMMA = differing("ndcg", "gamma", "ideal", "all", 0.4, scatter=ONE)
DELTA = differing("ndcg", "delta", "gain", "linear", 0.2, scatter=OTHER)
AGREES = finding("ndcg", scatter=ONE)
EMPTY = differing("ndcg", "omega", "discount", "ln", 0.1)
RECALL = differing("recall", "beta", "denominator", "min", 0.1, scatter=ONE)
DRAWN = draw_scatters(
    result(
        libraries=[library(name) for name in ("alpha", "beta", "gamma", "delta", "omega")],
        findings=(AGREES, BETA, GAMMA, DELTA, EMPTY, RECALL),
    )
)


def test_findings_of_one_metric_with_equal_values_share_a_plot() -> None:
    shared, own = DRAWN.of_metric("ndcg")
    assert DRAWN.of_finding(BETA) is DRAWN.of_finding(GAMMA) is shared
    assert DRAWN.of_finding(DELTA) is own
    assert [len(each.marks) for each in (shared, own)] == [2, 1]
    assert len({mark for each in (shared, own) for mark in each.marks}) == 3, "three formulas, three letters"


def test_equal_values_of_another_metric_are_another_plot() -> None:
    (recall,) = DRAWN.of_metric("recall")
    assert recall is DRAWN.of_finding(RECALL)
    assert recall.plot.caption == "7 of 7 users off the diagonal."


def test_every_plot_has_an_anchor_of_its_own() -> None:
    plots = (*DRAWN.of_metric("ndcg"), *DRAWN.of_metric("recall"))
    assert [each.anchor for each in plots] == ["scatter/ndcg/1", "scatter/ndcg/2", "scatter/recall/3"]
    assert [each.shapes for each in plots] == ["drawn-1", "drawn-2", "drawn-3"]


def test_neither_canonical_findings_nor_findings_without_users_are_drawn() -> None:
    assert DRAWN.of_metric("precision") == ()
    with pytest.raises(KeyError):
        DRAWN.of_finding(EMPTY)
    assert draw_scatters(result(findings=(AGREES,))).of_metric("ndcg") == ()


def test_a_plot_of_a_sample_says_so_and_is_none_of_all_users() -> None:
    drawn = "7 of 90 users, drawn with the seed 1"
    seen = BETA.evidence.model_copy(update={"range": {USERS_DRAWN: drawn}})
    sampled = BETA.model_copy(update={"evidence": seen})
    made = draw_scatters(result(libraries=[library("beta"), library("gamma")], findings=(sampled, GAMMA)))
    part, whole = made.of_finding(sampled).plot, made.of_finding(GAMMA).plot
    assert part.caption == f"7 of 7 users off the diagonal. Users' values: {drawn}."
    assert "each user drawn" in part.title and "every user" in whole.title


# SVG by hand: how lines, dots and labels are written.


def test_a_line_has_whole_units_and_the_class_of_its_colour() -> None:
    assert line([(1.4, 2.6), (10.2, -20.7)], QUIET, WIDTH) == '<path d="M1 3L10 -21" class="quiet"/>'


def test_only_another_width_than_usual_is_written() -> None:
    assert line([(1, 2), (3, 4)], INK, 2.5) == '<path d="M1 2L3 4" class="ink" stroke-width="2.5"/>'


def test_dots_are_lines_without_length() -> None:
    drawn = dots([(3.2, 4.1), (5.0, 6.0)], "h2", WIDTH)
    assert drawn == '<path d="M3 4h0M5 6h0" class="h2 dot" stroke-width="0.8"/>'


def test_labels_of_one_class_share_a_group_and_are_escaped() -> None:
    labels = [
        Label(1.4, 2.6, "a < b", "start", INK),
        Label(3.0, 4.0, "right", "end", QUIET),
        Label(5.0, 6.0, "second", "start", INK),
    ]
    assert labels_by_class(labels) == (
        '<g class="ink"><text x="1" y="3">a &lt; b</text><text x="5" y="6">second</text></g>'
        '<g class="quiet e"><text x="3" y="4">right</text></g>'
    )


# Waterfalls by hand: bars, merged steps, steps without a finite value.


def test_a_waterfall_goes_from_the_canonical_value_to_the_fitted_one() -> None:
    found = next(each for each in result().findings if each.decomposition)
    made = waterfall(found)
    assert made is not None
    assert [(bar.name, bar.kind, bar.change) for bar in made.bars] == [
        ("canonical", "total", "0.039"), ("denominator", "down", "−0.007"), ("this definition", "total", "0.032"),
    ]  # fmt: skip
    first, step, last = made.bars
    assert first.x == last.x
    assert step.x == pytest.approx(last.x + last.width, abs=0.2), "the step hangs where the last value ends"
    assert step.x + step.width == pytest.approx(first.x + first.width, abs=0.2)


def test_axes_that_follow_each_other_without_a_change_share_a_row() -> None:
    values = (("", 0.5), ("gain", 0.5), ("ideal", 0.5), ("users", 0.4), ("ties", 0.4))
    steps = tuple(Step(axis=axis, signature=axis, value=value) for axis, value in values)
    made = waterfall(finding(decomposition=steps))
    assert made is not None
    assert [(bar.name, bar.change, bar.value) for bar in made.bars] == [
        ("canonical", "0.500", "0.5"), ("gain, ideal", "±0", "0.5"), ("users", "−0.100", "0.4"), ("ties", "±0", "0.4"),
        ("this definition", "0.400", "0.4"),
    ]  # fmt: skip


def test_a_waterfall_of_what_is_no_number_is_told_and_not_drawn() -> None:
    steps = (Step(axis="", signature="s", value=0.5), Step(axis="gain", signature="t", value=math.nan))
    made = waterfall(finding(decomposition=steps))
    assert made is not None and not made.drawn
    assert [bar.change for bar in made.bars] == ["0.500", "nan", "nan"]


@pytest.mark.parametrize(
    ("change", "shown"), [(0.0, "±0"), (0.25, "+0.250"), (-0.25, "−0.250"), (4e-5, "+4.0e-05"), (math.inf, "∞")]
)
def test_a_change_is_shown_with_its_sign(change: float, shown: str) -> None:
    assert signed(change) == shown


def test_a_finding_without_steps_has_no_waterfall() -> None:
    assert waterfall(finding()) is None


def test_the_caption_names_the_axis_that_moves_the_value_most() -> None:
    values = (("", 0.5), ("gain", 0.45), ("ideal", 0.25), ("users", 0.3))
    steps = tuple(Step(axis=axis, signature=axis, value=value) for axis, value in values)
    made = waterfall(finding(decomposition=steps))
    assert made is not None
    assert made.caption == "alpha.ndcg, from the canonical 0.500 to 0.300: ideal moves it most, by −0.200."
    still = waterfall(finding(decomposition=(steps[0], steps[0].model_copy(update={"axis": "ties"}))))
    assert still is not None and still.caption.endswith("no axis moves the value on this data.")
