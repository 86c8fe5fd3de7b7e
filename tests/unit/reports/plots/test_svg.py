"""SVG by hand: how lines, dots and labels are written."""

from __future__ import annotations

from recsys_metric_audit.reports.plots.svg import INK, QUIET, WIDTH, Label, dots, labels_by_class, line


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
