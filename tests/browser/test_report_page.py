"""``index.html`` in a real browser: no complaint, no request, and it fits every screen."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from reports_samples import finding, hostile, library, result

from reports.anchors import anchor
from reports.result import Result
from reports.write import write_report

playwright_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import Browser, Page  # noqa: E402  (after the check that it is there)

pytestmark = pytest.mark.browser

FLAGS = [
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

Opener = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    with playwright_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opener]:
    """Open the page of a result; at the end, fail on any complaint or any request beyond the file."""
    complaints: list[str] = []
    requests: list[str] = []
    pages: list[Page] = []

    def open_page(made: Result, width: int = 1440, scheme: str = "light", place: str = "") -> Page:
        write_report(made, tmp_path)
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda request: requests.append(request.url))
        page.goto((tmp_path / "index.html").as_uri() + place)
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert complaints == []
    assert {url.split("#")[0] for url in requests} <= {(tmp_path / "index.html").as_uri()}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("made", [result, hostile])
def test_it_fits_the_screen_with_everything_open(
    opened: Opener, made: Callable[[], Result], width: int, scheme: str
) -> None:
    page = opened(made(), width, scheme)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.title() == "Do libraries compute the same metric?"


def test_light_and_dark_differ_and_are_both_easy_to_read(opened: Opener) -> None:
    shades = []
    for scheme in ("light", "dark"):
        page = opened(result(), scheme=scheme)
        for selector in ("body", "td.variant", "td.broken", "td.unsure", "td.empty", ".quiet", "a"):
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


def test_a_cell_leads_to_its_finding(opened: Opener) -> None:
    page = opened(result())
    page.get_by_role("link", name="0.032").click()
    target = page.locator("details:target")
    assert target.locator(".function").inner_text() == "beta.average_precision"
    target.locator("summary").click()
    assert target.get_by_text("Smallest input that shows it").is_visible()


def test_a_link_from_outside_arrives(opened: Opener) -> None:
    page = opened(result(), place="#" + anchor(finding()))
    assert page.locator("details:target .function").inner_text() == "alpha.ndcg"


def test_a_finding_opens_by_keyboard(opened: Opener) -> None:
    page = opened(result())
    summary = page.locator(".entries summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator(".entries details").first.get_attribute("open") is not None


def test_the_names_stay_in_sight_while_a_wide_table_scrolls(opened: Opener) -> None:
    page = opened(result(), 390)
    scroll = page.locator(".scroll").first
    before = scroll.locator("tbody th").first.bounding_box()
    scroll.evaluate("box => { box.scrollLeft = 200 }")
    assert scroll.evaluate("box => box.scrollLeft") > 0
    after = scroll.locator("tbody th").first.bounding_box()
    assert before and after
    assert abs(before["x"] - after["x"]) < 1


def test_paper_shows_what_the_screen_folds(opened: Opener) -> None:
    page = opened(result())
    proof = page.get_by_text("Smallest input that shows it")
    assert not proof.is_visible()
    page.emulate_media(media="print")
    assert proof.evaluate("e => e.getBoundingClientRect().height") > 0
    assert len(page.pdf(format="A4")) > 10_000


def test_sixty_libraries_render(opened: Opener) -> None:
    libraries = tuple(library(f"lib{n}", "1.0") for n in range(60))
    page = opened(result(libraries=libraries, findings=tuple(finding(name=e.library) for e in libraries)))
    assert page.locator(".results tbody tr").count() == 61
