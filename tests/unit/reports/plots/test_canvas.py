"""Canvases by hand: 100 units for the data each way, so that a hundredth of a scale is one unit."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reports.plots.canvas import Canvas
from recsys_metric_audit.reports.plots.svg import INK, QUIET


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
