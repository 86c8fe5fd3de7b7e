"""``index.html`` as text: complete, self-contained, and nothing foreign in it becomes markup."""

from __future__ import annotations

import base64
import hashlib
import re
import time
import tracemalloc
from html.parser import HTMLParser
from pathlib import Path

import pytest
from reports_samples import CANONICAL, HOSTILE, finding, hostile, library, result

from reports.anchors import anchor, fragment
from reports.forms.html import page as html
from reports.page import page

TEMPLATES = Path(__file__).parents[2] / "reports" / "templates"
VOID = {"meta", "link", "br", "img", "input", "hr"}


class Reader(HTMLParser):
    """Collects elements, ids, links and text, and checks that every element is closed in its order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in ("dd", "td", "th"):
            self.words.append(" ")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def values(self, attribute: str) -> list[str]:
        return [given[attribute] or "" for _, given in self.elements if attribute in given]


@pytest.mark.parametrize("made", [result, hostile])
def test_every_element_is_closed_every_id_is_unique_and_every_link_arrives(made: object) -> None:
    reader = Reader(html(made()))  # type: ignore[operator]
    assert reader.open == []
    ids = reader.values("id")
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"\S+", name) for name in ids)
    for link in reader.values("href"):
        assert link[1:] in ids if link.startswith("#") else link.startswith("https://")


def test_nothing_is_fetched_and_nothing_runs() -> None:
    reader = Reader(html(result()))
    assert {tag for tag, _ in reader.elements} & {"script", "img", "link", "iframe", "object", "base"} == set()
    assert not reader.values("style")
    assert not [name for _, given in reader.elements for name in given if name.startswith("on")]
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    assert not re.search(r"url\(|@import", style)


def test_the_policy_allows_this_style_and_nothing_else() -> None:
    text = html(result())
    style = re.search(r"<style>(.*?)</style>", text, re.S)
    assert style
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    policy = next(given["content"] for tag, given in Reader(text).elements if "http-equiv" in given)
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def test_foreign_text_is_shown_and_never_acts() -> None:
    text = html(hostile())
    reader = Reader(text)
    shown = "".join(reader.words)
    assert not {tag for tag, _ in reader.elements} & {"script", "img", "bold"}
    assert not [name for _, given in reader.elements for name in given if name.startswith("on")]
    assert "javascript:" not in "".join(reader.values("href"))
    assert HOSTILE[0] in shown
    assert HOSTILE[1] in shown
    assert HOSTILE[2] in shown, "a template's own marks are text"
    assert "\\u202egnp.exe" in shown
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", text)


def test_the_whole_of_a_long_error_can_be_seen() -> None:
    shown = "".join(Reader(html(hostile())).words)
    assert "line 79" in shown
    assert shown.count("line 40\n") >= 1


def test_everything_found_is_told() -> None:
    shown = re.sub(r"\s+", " ", "".join(Reader(html(result())).words))
    for told in (
        "Do libraries compute the same metric?",
        "average_precision@k|denominator:r",
        "denominator is r, canonical min",
        "class: wrong-denominator",
        "Not what its documentation says: average_precision@k",
        "Fits as well: hit_rate@20|counts:precision",
        "Nearest: average_precision@k|denominator:k, off by up to 0.12",
        "Would tell them apart a short list",
        "Largest deviation 2.2e-16",
        "Tolerance 1e-09",
        "Asked up to ranks up to 25",
        "Three relevant items, two places: divided by three instead of two.",
        "User u1: r = 3, library 0.3333333333333333, canonical 0.5",
        "not listed i12 – 2.0 relevant",
        "IndexError: index 20 is out of bounds",
        "Python 3.7 was not found.",
        "imported, never used",
        "no accuracy metric",
        "the last 20 % of all ratings by time are held out",
        "12 users have no relevant item.",
        "numpy 1.26.4",
        "audit run --dataset movielens-100k -k 20",
        "2025-03-01 12:30 UTC",
    ):
        assert told in shown, told


def test_findings_stand_under_what_they_compute() -> None:
    metric = next(m for m in page(result()).metrics if m.title == "MAP")
    found = [(m.mark, m.signature, m.verdict, [e.library for e in m.entries]) for m in metric.meanings]
    assert found == [
        ("", "average_precision@k", "agrees", ["Alpha"]),
        ("a", "average_precision@k|denominator:r", "variant", ["Beta"]),
        ("b", "average_precision@k|denominator:k", "variant", ["Delta"]),
        ("?", "", "unexplained", ["Gamma"]),
    ]
    assert metric.summary == "3 meanings identified in 4 findings"


def test_every_finding_has_its_own_place() -> None:
    entries = [e.anchor for m in page(result()).metrics for g in m.meanings for e in g.entries]
    assert sorted(entries) == sorted(anchor(found) for found in result().findings)
    assert len(set(entries)) == len(entries)


@pytest.mark.parametrize(
    ("one", "other"), [(("a b", "c"), ("a-b", "c")), (("a", "b c"), ("a b", "c")), (("<", ""), (">", ""))]
)
def test_places_of_names_that_look_alike_differ(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert fragment("x", *one) != fragment("x", *other)
    assert fragment("x", *one) == fragment("x", *one)


def test_a_plain_name_stays_readable() -> None:
    assert anchor(finding()) == "finding/alpha/1.0/alpha.ndcg/20"


def test_an_empty_run_is_a_page_too() -> None:
    shown = "".join(Reader(html(result(libraries=(), findings=(), reference=()))).words)
    assert "Nothing could be measured in this run." in shown
    assert "No library was in the run." in shown


def test_sixty_versions_by_twelve_metrics_take_little() -> None:
    libraries = tuple(library(f"lib{n}", "1.0") for n in range(60))
    names = [*CANONICAL, *list(CANONICAL)[:5]]
    found = tuple(
        finding(metric, entry.library, function=f"{entry.library}.f{n}")
        for entry in libraries
        for n, metric in enumerate(names)
    )
    given = result(libraries=libraries, findings=found)
    start = time.process_time()
    text = html(given)
    assert time.process_time() - start < 3
    assert len(text.encode()) < 3_000_000
    tracemalloc.start()
    html(given)
    assert tracemalloc.get_traced_memory()[1] < 500_000_000
    tracemalloc.stop()


def test_templates_are_short_and_trust_nothing() -> None:
    files = sorted(TEMPLATES.glob("*.html"))
    assert files
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 170
        assert not re.search(r"\|\s*safe|autoescape|\{%-?\s*set\b", text), "templates only loop and print"
