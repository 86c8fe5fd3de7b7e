"""SVG by hand: what is kept of a drawing, and how it is written."""

from __future__ import annotations

from recsys_metric_audit.reports.plots.svg import CANONICAL, INK, QUIET, UNIDENTIFIED, Label, clean_svg, colour


def svg(*paths: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" id="a"><metadata/>{"".join(paths)}</svg>'


def path(d: str, style: str) -> str:
    return f'<g id="line"><path d="{d}" style="{style}"/></g>'


def shapes(*paths: str) -> str:
    return str(clean_svg(svg(*paths), ()).shapes)


def test_a_path_keeps_whole_units_and_the_class_of_its_colour() -> None:
    drawn = path("M 1.4 2.6 \nL 10.2 -20.7 \n", f"fill: none; stroke: {QUIET}; stroke-width: 0.8")
    assert shapes(drawn) == '<path d="M1 3L10 -21" class="quiet"/>'


def test_only_another_width_than_usual_is_written() -> None:
    drawn = path("M 1 2 L 3 4", f"stroke: {INK}; stroke-width: 2.5")
    assert shapes(drawn) == '<path d="M1 2L3 4" class="ink" stroke-width="2.5"/>'


def test_a_line_without_length_is_a_dot() -> None:
    drawn = path("M 3.2 4.1 L 3.2 4.1 M 5.0 6.0 L 5.0 6.0", f"stroke: {INK}; stroke-width: 0.8; stroke-linecap: round")
    assert shapes(drawn) == '<path d="M3 4h0M5 6h0" class="ink dot" stroke-width="0.8"/>'


def test_what_has_no_colour_of_the_style_sheet_is_dropped() -> None:
    assert shapes(path("M 1 2 L 3 4", "stroke: none"), path("M 1 2", "fill: #ff0000"), path("", f"stroke: {INK}")) == ""


def test_labels_of_one_class_share_a_group_and_are_escaped() -> None:
    labels = [
        Label(1.4, 2.6, "a < b", "start", INK),
        Label(3.0, 4.0, "right", "end", QUIET),
        Label(5.0, 6.0, "second", "start", INK),
    ]
    made = clean_svg(svg(), labels)
    assert made.box == "0 0 9 9"
    assert str(made.shapes) == (
        '<g class="ink"><text x="1" y="3">a &lt; b</text><text x="5" y="6">second</text></g>'
        '<g class="quiet e"><text x="3" y="4">right</text></g>'
    )


def test_a_variant_is_drawn_in_the_class_of_its_hue() -> None:
    assert (colour(""), colour("sign")) == (CANONICAL, UNIDENTIFIED)
    drawn = [path("M 1 2 L 3 4", f"stroke: {colour(hue)}; stroke-width: 0.8") for hue in ("h0", "h2", "sign", "")]
    assert [part.split('"')[1] for part in shapes(*drawn).split("class=")[1:]] == ["h0", "h2", "sign", "canon"]
