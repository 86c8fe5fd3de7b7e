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

import numpy as np
import pytest

from recsys_metric_audit import ConversionError, convert_means, impossible_together
from recsys_metric_audit.audit.cli.site import ROOT, write_site
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reports.headlines.library_differences import formula_groups, newest, release_changes
from recsys_metric_audit.reports.model.result_file import packaged_run
from recsys_metric_audit.reports.wording.anchors import fragment
from recsys_metric_audit.reports.wording.axis_words import value_meaning

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as Opened

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


# The page of questions, opened from a folder without a server, as it is offline.


@pytest.fixture
def questions(site: Path, browser: Browser) -> Iterator[Opened]:
    page = browser.new_page()
    complaints: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "questions.html").as_uri())
    yield page
    page.close()
    assert [each for each in complaints if "search_index.js" not in each] == []  # the search wants a server
    assert all(url.startswith(("file:", "blob:", "data:")) for url in asked)


def told(page: Opened, form: str) -> str:
    return " ".join(page.locator(f"#{form}.ask output").inner_text().split())


def test_it_says_what_a_library_computes_and_who_computes_the_same(questions: Opened) -> None:
    questions.select_option("#library [name=library]", "rectools")
    questions.select_option("#library [name=metric]", "ndcg")
    said = told(questions, "library")
    assert "rectools.metrics.NDCG: divides by the DCG of k items of gain 1, not by the ideal DCG at k" in said
    assert "Signature ndcg@k|ideal:ones" in said
    for entry in newest(RUN):
        questions.select_option("#library [name=library]", entry.library)
        names = {
            each.function for each in RUN.findings if (each.library, each.version) == (entry.library, entry.version)
        }
        assert any(name in told(questions, "library") for name in names) or not names, entry.library


def test_it_explains_every_value_of_every_signature_of_the_run(questions: Opened) -> None:
    signatures = {each.signature for each in RUN.findings if each.signature}
    assert len(signatures) > 200
    for signature in sorted(signatures):
        questions.fill("#signature [name=signature]", signature)
        said, definition = told(questions, "signature"), parse(signature)
        for axis in definition.differs_on:
            value = definition.axes[axis]
            meaning = " ".join(value_meaning(definition.metric, axis, value).split())
            assert meaning and f"{axis}:{value} (" in said and f"): {meaning}" in said, signature


@pytest.mark.parametrize(
    ("signature", "said"),
    [
        ("ndcg@20|gain:exp2", "gain:exp2 (what a relevant item of gain g adds): 2^g - 1"),
        ("ndcg_cut_10", "NDCG at the cut-off 10, not canonical in: gain:linear"),  # trec_eval's gain is g
        ("MAP@5", "MAP at the cut-off 5: the canonical definition."), ("hr", "HitRate: the canonical definition."),
        ("ndgc@5", "No metric ndgc is known."), ("ndcg|gain:cubic", "Axis gain has no value cubic; it has binary,"),
        ("ndcg|colour:red", "NDCG has no axis colour; it has gain,"), ("ndcg@0", "A cut-off of 0 shows nothing."),
        ("ndcg@5|constructor", "NDCG has no axis constructor; it has gain,"),
        ("auc|candidates:test_only", "relevance:positive"),  # implied: else all ranked items were relevant
        ("<img src=x onerror=alert(1)>", "No metric <img src=x onerror=alert(1)> is known."),
    ],
)  # fmt: skip
def test_it_explains_a_pasted_signature_or_says_what_is_wrong(questions: Opened, signature: str, said: str) -> None:
    questions.fill("#signature [name=signature]", signature)
    assert said in told(questions, "signature")
    assert questions.locator("#signature output img").count() == 0
    questions.set_viewport_size({"width": 390, "height": 800})
    assert questions.evaluate("document.documentElement.scrollWidth") <= 390


NAMES = {"hit_rate": "HR", "ndcg": "NDCG", "reciprocal_rank": "MRR"}


def ask(page: Opened, *numbers: tuple[str, int, str]) -> str:
    for place in range(3):
        metric, k, text = numbers[place] if place < len(numbers) else ("ndcg", 1, "")
        page.select_option(f"#numbers [name=metric{place}]", metric)
        page.fill(f"#numbers [name=k{place}]", str(k))
        page.fill(f"#numbers [name=value{place}]", text)
    return told(page, "numbers")


def test_it_says_whether_numbers_can_be_right_together(questions: Opened) -> None:
    """Hits at 1 and 2 with MRR m and HitRate h have the shares 2m - h and 2(h - m): NDCG is .7381m + .2619h.

    Rounding leaves m from .3745 and h from .4995, to .3755 and .5005: .4072 to .4082.
    """
    two = (("hit_rate", 2, "0.500"), ("reciprocal_rank", 2, "0.375"))
    assert "By the others, NDCG@2 is 0.4072 to 0.4082." in ask(questions, *two, ("ndcg", 2, "0.450"))
    assert told(questions, "numbers").startswith("Impossible")
    assert ask(questions, *two, ("ndcg", 2, "40.8%")).startswith("Possible")
    assert ask(questions, ("hit_rate", 10, "0.30"), ("reciprocal_rank", 10, "0.41")).startswith("Impossible")
    assert ask(questions, ("hit_rate", 10, "0.30"), ("hit_rate", 5, "0.32")).startswith("Impossible")
    assert ask(questions, ("hit_rate", 5, "1.2")).startswith("Impossible")
    assert "is not a number as printed" in ask(questions, ("hit_rate", 5, "0,3"))
    assert "from 1 to 100" in ask(questions, ("hit_rate", 101, "0.3"))


def test_it_agrees_with_python_on_drawn_numbers(questions: Opened) -> None:
    """Means of drawn users, as they are or moved a little, so that about half cannot be."""
    rng, counts = np.random.default_rng(66), [0, 0]
    for number in range(60):
        cuts = rng.integers(1, 13, 3).tolist() if number % 2 else [int(rng.integers(2, 21))] * 3
        ranks = rng.integers(1, max(cuts) + 5, 40)
        values = {"hit_rate": np.ones(40), "ndcg": 1 / np.log2(ranks + 1), "reciprocal_rank": 1 / ranks}
        asked = []
        for (metric, value), k in zip(values.items(), cuts, strict=True):
            moved = rng.choice([0.0, 0.0, 0.02, -0.03])
            asked.append((metric, k, f"{max(float(np.mean(value * (ranks <= k)) + moved), 0):.{rng.integers(2, 5)}f}"))
        printed = {f"{NAMES[metric]}@{k}": text for metric, k, text in asked}
        said = ask(questions, *asked)
        try:
            convert_means(printed, ["MRR@1"])
            possible = True
        except ConversionError:
            possible = False
        counts[possible] += 1
        assert said.startswith("Possible" if possible else "Impossible"), printed
        if number < 6 and max(cuts) < 8:
            table = impossible_together(printed, one_relevant=True).together
            assert table is not None and (table.usual in table.possible) is possible
        *others, last = printed.items()
        try:
            (found,) = convert_means(dict(others), [last[0]])
        except ConversionError:
            continue
        ends = re.search(rf"By the others, MRR@{cuts[2]} is ([\d.]+) to ([\d.]+)\.", said)
        assert ends and [float(end) for end in ends.groups()] == pytest.approx([found.low, found.high], abs=6e-5), (
            printed
        )
    assert min(counts) >= 15, counts
