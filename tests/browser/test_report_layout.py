"""``index.html`` on screens of every size, in light and dark, on paper, and by the rules of accessibility."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from recsys_metric_audit.reports.model.result import Result
from tests.support.extreme_results import hostile, many
from tests.support.result_samples import result

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


Opener = Callable[..., "Page"]


def open_all(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")


PLACES = (
    "",
    "#all",
    "#edges",
    "#metric/average_precision",
    "#library/beta",
    "#finding/beta/2.3.1/beta.average_precision/20",
)


# Of schemes only colours differ.
@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("made", [result, hostile])
def test_it_fits_the_screen_with_everything_open(opened: Opener, made: Callable[[], Result], width: int) -> None:
    page = opened(made(), width, place="#all")
    open_all(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.title() == "Do libraries compute the same metric?"


# #all shows the colours of every other page, and a scheme changes nothing else.
@pytest.mark.parametrize(("place", "scheme"), [*((place, "light") for place in PLACES), ("", "dark"), ("#all", "dark")])
def test_axe_finds_no_violation(opened: Opener, place: str, scheme: str) -> None:
    page = opened(result(), scheme=scheme, place=place)
    open_all(page)
    axe_api = pytest.importorskip("axe_playwright_python.sync_playwright", reason="it is not installed")
    axe = Path(axe_api.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
    rules = '{runOnly: ["color-contrast"]}' if scheme == "dark" else "{}"
    found = page.evaluate(f"async () => {{ {axe}; return (await axe.run({rules})).violations }}")
    told = [(rule["id"], node["html"][:160], node["failureSummary"]) for rule in found for node in rule["nodes"]]
    assert told == []


def test_light_and_dark_differ_and_are_both_easy_to_read(opened: Opener) -> None:
    shades = []
    for scheme in ("light", "dark"):
        page = opened(result(), scheme=scheme)
        for selector in ("body", ".results td.variant", "td.broken", "td.unsure", "td.empty", ".quiet", "a"):
            assert page.evaluate(CONTRAST, selector) >= 4.5, (scheme, selector)
        shades.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert shades[0] != shades[1]


CONTRAST = """selector => {
  const light = colour => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ink = light(getComputedStyle(document.querySelector(selector)).color);
  const paper = light(getComputedStyle(document.body).backgroundColor);
  return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
}"""


def test_the_names_stay_in_sight_while_a_wide_table_scrolls(opened: Opener) -> None:
    page = opened(result(), 390)
    scroll = page.locator(".matrix .scroll")
    before = scroll.locator("tbody th").first.bounding_box()
    scroll.evaluate("box => { box.scrollLeft = 200 }")
    assert scroll.evaluate("box => box.scrollLeft") > 0
    after = scroll.locator("tbody th").first.bounding_box()
    assert before and after
    assert abs(before["x"] - after["x"]) < 1


@pytest.mark.parametrize("width", [1440, 390])
def test_heads_stay_in_sight_and_what_is_beyond_the_edge_is_said(opened: Opener, width: int) -> None:
    from playwright.sync_api import expect

    page = opened(many(), width)
    box, head = page.locator(".matrix .scroll"), page.locator(".matrix thead th").nth(1)
    before = head.bounding_box()
    box.evaluate("box => { box.scrollTop = 600 }")
    assert box.evaluate("box => box.scrollTop") > 300
    after = head.bounding_box()
    assert before and after and abs(before["y"] - after["y"]) < 4, "the space between rows"
    last = page.locator(".matrix thead tr:first-child th a").last.inner_text()
    said = page.locator(".beyond").inner_text()
    assert said.startswith("To the right, out of sight:")
    box.evaluate("box => { box.scrollLeft = 1e6 }")
    expect(page.locator(".beyond")).to_have_text("")
    assert page.get_by_role("link", name=last).first.is_visible()


def test_paper_shows_what_the_screen_folds(opened: Opener) -> None:
    page = opened(result(), place="#finding/beta/2.3.1/beta.average_precision/20")
    folded = page.locator("article.finding:has(:target) p.command").first
    assert not folded.is_visible()
    page.emulate_media(media="print")
    assert folded.evaluate("e => e.getBoundingClientRect().height") > 0
    assert not page.locator("nav").is_visible()
    assert len(page.pdf()) > 10_000
