"""The site of ``make site``: it builds without a warning, every address is there, and a browser finds its way."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag

import pytest

from recsys_metric_audit.audit.cli.site import ROOT, write_site
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reports.headlines.library_differences import formula_groups, newest, release_changes
from recsys_metric_audit.reports.model.result_file import packaged_run
from recsys_metric_audit.reports.wording.anchors import fragment

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]
RUN = packaged_run().result


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site away from the checkout, as `make site` does."""
    folder = tmp_path_factory.mktemp("site")
    write_site(folder / "site-pages")
    (folder / "docs").mkdir()
    config = (ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8")
    (folder / "docs" / "mkdocs.yml").write_text(config.replace("../build/", "../"), encoding="utf-8")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", "docs/mkdocs.yml"],
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    return folder / "site"


class Page(HTMLParser):
    """Collects the addresses and the links of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {value for name in ("id", "name") if (value := given.get(name))}
        link = given.get("href" if tag == "a" else "src")
        self.links += [link] if link else []


def test_every_library_function_metric_and_formula_has_an_address(site: Path) -> None:
    for entry in newest(RUN):
        page = Page(site / "libraries" / f"{entry.library}.html")
        own = [each for each in RUN.findings if (each.library, each.version) == (entry.library, entry.version)]
        assert {fragment(each.function) for each in own} <= page.anchors
    for metric in FAMILIES:
        page = Page(site / "metrics" / f"{metric}.html")
        assert {fragment(each.formula) for each in formula_groups(RUN).get(metric, ())} <= page.anchors


def test_every_link_of_every_page_leads_somewhere(site: Path) -> None:
    pages = {path: Page(path) for path in site.rglob("*.html") if path.name != "404.html"}
    broken = []
    for path, page in pages.items():
        for link in page.links:
            target, anchor = urldefrag(link)
            if re.match(r"[a-z]+:|//", target):
                continue
            to = (path.parent / unquote(target)).resolve() if target else path
            to = to / "index.html" if to.is_dir() else to
            if not to.is_file() or (anchor and to in pages and unquote(anchor) not in pages[to].anchors):
                broken.append((str(path.relative_to(site)), link))
    assert not broken


def test_the_feed_has_an_entry_for_each_change_between_releases(site: Path) -> None:
    feed = ElementTree.parse(site / "feed.xml").getroot()
    atom = "{http://www.w3.org/2005/Atom}"
    told = [each.findtext(f"{atom}summary") for each in feed.iter(f"{atom}entry")]
    assert told == [f"computes {each.new}; in {each.before}: {each.old}" for each in release_changes(RUN)]
    assert len({each.findtext(f"{atom}id") for each in feed.iter(f"{atom}entry")}) == len(told) > 0


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Serve the site, as a web server does: browsers do not let a page in a folder search."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_reader_walks_from_the_start_to_a_function_and_finds_a_page_by_searching(
    address: str, browser: Browser, width: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/index.html")
    page.locator("article").get_by_role("link", name=re.compile("^RecTools ")).click()
    assert page.locator("h1").first.inner_text().startswith("RecTools")
    text = page.locator("article").inner_text()
    assert "divides by the DCG of k items of gain 1" in text and "smallest input" in text
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.goto(f"{address}/index.html")
    if width < 1000:
        page.locator("header label[for=__search]").first.click()
    page.locator("input[name=query]").fill("signatures grammar")
    page.locator("a.md-search-result__link", has_text="Signatures 1.0").first.click()
    assert "Signatures 1.0" in page.locator("h1").first.inner_text()
    assert all(url.startswith((address, "blob:", "data:")) for url in asked), "nothing comes from elsewhere"
    page.close()
