"""``index.html`` in a real browser: no complaint, no request, it fits every screen, and it can be walked."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench.sixty import sixty
from recsys_metric_audit.reports.page.page import build_page
from recsys_metric_audit.reports.wording.anchors import finding_anchor
from recsys_metric_audit.reports.writers.report_folder import write_report
from tests.support.extreme_results import many
from tests.support.result_samples import finding, result

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

Opener = Callable[..., "Page"]


def heading(page: Page) -> str:
    return page.locator("h1:visible").first.inner_text()


def test_a_walk_from_the_matrix_to_a_finding_its_metric_its_library_and_back(opened: Opener) -> None:
    page = opened(result())
    assert heading(page) == "Do libraries compute the same metric?"
    page.locator(".matrix").get_by_role("link", name="0.032").click()
    assert heading(page) == "Beta 2.3.1: MAP"
    assert page.locator("h1:visible").count() == 1, "one page at a time"
    assert page.get_by_text("Smallest input that shows it").locator("visible=true").count() == 1
    page.locator(".crumbs:visible").get_by_role("link", name="MAP").click()
    assert heading(page).startswith("MAP")
    assert page.locator("svg[role=img]:visible").count() == 2, "all values on one axis, and those of users"
    page.locator(".variants").locator("visible=true").get_by_role("link", name="Delta").click()
    assert heading(page) == "Delta 3.0: MAP"
    page.get_by_role("link", name="Overview").first.click()
    page.locator(".matrix tbody").get_by_role("link", name="Beta").click()
    assert page.locator("article.version:target h2").inner_text() == "2.3.1"
    page.go_back()
    assert heading(page) == "Do libraries compute the same metric?"


def test_a_link_from_outside_arrives(opened: Opener) -> None:
    page = opened(result(), place="#" + finding_anchor(finding()))
    assert heading(page) == "Alpha 1.0: NDCG"
    assert page.locator("article.finding:visible").count() == 1


def test_versions_share_a_page_and_a_link_finds_its_own(opened: Opener) -> None:
    made = sixty(8, 3)
    shared = next(e for m in build_page(made).meanings for e in m.entries if len(e.versions) > 1 and m.scatters)
    second = next(finding for finding in shared.findings if finding.version == shared.versions[1])
    page = opened(made, place="#" + finding_anchor(second))
    assert f"{shared.library.title} {', '.join(shared.versions)}" in heading(page)
    assert page.locator("article.finding:visible").count() == 1
    assert shared.versions[1] in page.locator(".places :target").inner_text()
    drawn = page.locator("svg:has(use):visible").first.locator("use")
    box = drawn.bounding_box()
    assert box and box["width"] > 100, "what is drawn on the page of the metric is seen here, too"


def test_a_cell_says_in_words_whether_its_definition_is_documented(opened: Opener) -> None:
    page = opened(result())
    said = "cell => getComputedStyle(cell.querySelector('a'), '::after').content"
    assert page.locator(".matrix td.variant").first.evaluate(said) == '"documented"'
    assert page.locator(".matrix td.undocumented").first.evaluate(said) == '"undocumented"'


def test_what_is_told_of_a_meaning_stands_before_the_evidence_of_a_function(opened: Opener) -> None:
    page = opened(result(), place="#finding/beta/2.3.1/beta.average_precision/20")
    tops = [
        page.locator(f"{each}:visible").first.bounding_box()["y"]
        for each in (".figures-big", ".what", ".proof", ".effect", ".rest")
    ]
    assert tops == sorted(tops)


def test_everything_on_one_page(opened: Opener) -> None:
    page = opened(result())
    page.get_by_role("link", name="All on one page").click()
    assert page.locator("article.finding:visible").count() == len(result().findings)
    assert page.locator(".page:visible").count() > 20


def rows(page: Page) -> list[str]:
    return page.locator(".matrix tbody tr:visible th").all_inner_texts()


def choose(page: Page, name: str, value: str | None = None, label: str | None = None) -> None:
    page.locator(f".matrix .filters [name={name.lower()}]").select_option(value, label=label)


def test_the_matrix_is_filtered_and_sorted(opened: Opener) -> None:
    page = opened(result())
    assert rows(page) == ["Alpha 1.0", "Beta 2.3.1", "Gamma 0.4 (recorded)", "Delta 3.0", "Omega 9"]
    choose(page, "Library", "beta")
    assert rows(page) == ["Beta 2.3.1"]
    choose(page, "Library", "")
    choose(page, "Verdict", "variant")
    assert rows(page) == ["Beta 2.3.1", "Gamma 0.4 (recorded)", "Delta 3.0"]
    choose(page, "Level", "w")
    assert rows(page) == []
    choose(page, "Level", "f")
    assert rows(page) == ["Beta 2.3.1", "Gamma 0.4 (recorded)", "Delta 3.0"]
    choose(page, "Metric", label="MRR")
    assert rows(page) == ["Gamma 0.4 (recorded)"]
    assert page.locator(".matrix thead th:visible").all_inner_texts()[1].startswith("MRR")
    assert page.locator(".matrix output").inner_text() == "1 of 5 library versions"
    page.locator(".matrix").get_by_role("button", name="Reset").click()
    choose(page, "Version", "=3.0")
    assert rows(page) == ["Delta 3.0"]
    page.locator(".matrix").get_by_role("button", name="Reset").click()
    page.get_by_role("button", name="Sort by MAP").click()
    assert rows(page)[:4] == ["Alpha 1.0", "Beta 2.3.1", "Delta 3.0", "Gamma 0.4 (recorded)"]
    head = page.locator(".matrix thead th", has_text="MAP")
    assert head.get_attribute("aria-sort") == "descending"
    page.get_by_role("button", name="Sort by MAP").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert next(row for row in rows(page) if not row.startswith("Omega")) == "Gamma 0.4 (recorded)"
    choose(page, "Order", "library")
    assert rows(page) == ["Alpha 1.0", "Beta 2.3.1", "Delta 3.0", "Gamma 0.4 (recorded)", "Omega 9"]


def test_a_chosen_metric_puts_equal_formulas_together_and_leaves_out_who_has_none(opened: Opener) -> None:
    page = opened(result())
    choose(page, "Metric", label="MAP")
    assert page.locator(".matrix [name=order]").input_value() == "same"
    column = page.locator(".matrix tbody tr:visible td:visible small").all_inner_texts()
    groups = [label for label, _ in groupby(column)]
    assert len(groups) == len(set(groups)), "a formula stands in one place"
    assert column[0].startswith("canonical")
    assert "–" not in page.locator(".matrix tbody tr:visible td:visible b").all_inner_texts()


def test_what_is_chosen_stands_in_the_address_and_is_found_there(opened: Opener) -> None:
    from playwright.sync_api import expect

    page = opened(result())
    choose(page, "Verdict", "variant")
    choose(page, "Metric", label="MAP")
    shown, address = rows(page), page.url.partition("?")[2]
    assert shown and len(shown) < 5
    again = opened(result(), place=f"?{address}")
    assert rows(again) == shown
    page.locator(".matrix").get_by_role("button", name="Reset").click()
    expect(page).not_to_have_url(re.compile(r"[?]"))


def test_a_function_is_found_by_words_of_its_name(opened: Opener) -> None:
    page = opened(result())
    page.get_by_role("searchbox").fill("map beta")
    assert page.locator(".search li").count() == 1
    page.keyboard.press("Enter")
    assert heading(page) == "Beta 2.3.1: MAP"
    assert page.locator(".search li").count() == 0


def test_the_place_is_marked_in_the_contents(opened: Opener) -> None:
    page = opened(result())
    page.locator("nav").get_by_role("link", name="Edges").click()
    assert page.locator(".bar [aria-current]").all_inner_texts() == ["Edges"]


def test_the_edge_matrix_is_filtered_by_library_and_its_reasons_can_be_focused(opened: Opener) -> None:
    page = opened(result(), place="#edges")
    assert page.locator(".edge-matrix tbody:visible").count() == 4
    page.locator("#edges [name=library]").select_option("beta")
    assert page.locator(".edge-matrix tbody:visible th[colspan]").all_inner_texts() == ["Beta"]
    reason = page.locator(".edge-matrix tbody:visible td a").first
    assert reason.get_attribute("title"), "seen on hovering"
    reason.focus()
    page.keyboard.press("Enter")
    assert page.locator(".reasons :target").inner_text() == reason.get_attribute("title")
    assert heading(page) == "At the edges"


def test_the_edge_matrix_is_filtered_by_level(opened: Opener) -> None:
    from playwright.sync_api import expect

    page = opened(result(), place="#edges")
    heads = page.locator(".edge-matrix thead tr:first-child th:visible")
    both = heads.count()
    page.locator("#edges [name=level]").select_option("input")
    shown = [text.split("\n")[0] for text in heads.all_inner_texts()]
    assert "Tie" in shown and "No truth" not in shown
    page.locator("#edges [name=level]").select_option("who_counts")
    always = 2  # the column of functions and that of hazards
    assert heads.count() - always + len(shown) - always == both - always, "each other column is of one level"
    page.locator("#edges button[type=reset]").click()
    expect(heads).to_have_count(both)  # shown again once the form is reset, which is after the click


def test_who_agrees_with_whom_is_filtered_by_library(opened: Opener) -> None:
    page = opened(result())
    page.locator("#agreement [name=library]").select_option("gamma")
    rows = page.locator(".agreement tr[data-library]:visible td:nth-child(2)").all_inner_texts()
    assert rows and all("Gamma" in row for row in rows)
    metrics = page.locator(".agreement tbody:visible th").all_inner_texts()
    assert len(metrics) < page.locator(".agreement tbody").count(), "metrics without a row go"


def test_the_newest_of_each_library(opened: Opener) -> None:
    page = opened(many(8, 3))
    choose(page, "Version", "newest")
    assert rows(page) == ["Lib0 0.0", "Lib1 0.0"]


def test_a_signature_is_copied(opened: Opener, browser: Browser) -> None:
    page = opened(result(), place="#finding/beta/2.3.1/beta.average_precision/20")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the signature").click()
    page.locator("#said", has_text="Copied").wait_for(state="attached")
    assert page.evaluate("navigator.clipboard.readText()") == "average_precision@k|denominator:r"


def test_it_can_be_read_without_script(browser: Browser, tmp_path: Path) -> None:
    write_report(result(), tmp_path)
    page = browser.new_page(java_script_enabled=False)
    page.goto((tmp_path / "index.html").as_uri() + "#" + finding_anchor(finding()))
    assert page.locator("h1:visible").all_inner_texts() == ["Do libraries compute the same metric?"]
    assert page.locator("noscript .lead").is_visible()
    assert "takes the script" in page.locator("noscript").inner_text(), "why no finding opens is said"
    assert page.locator("button:visible").count() == 0, "what does nothing is not offered"
    page.goto((tmp_path / "index.html").as_uri())
    assert page.locator(".matrix tbody tr:visible").count() == 5
    assert page.locator("form:visible").count() == 0
    page.close()


def test_the_matrix_is_used_by_keyboard(opened: Opener) -> None:
    page = opened(result())
    page.get_by_role("button", name="Sort by MAP").focus()
    page.keyboard.press("Enter")
    assert rows(page)[0] == "Alpha 1.0"
    link = page.locator(".matrix tbody td a").first
    link.focus()
    page.keyboard.press("Enter")
    assert heading(page) == "Alpha 1.0: HitRate"


def test_sixty_versions_by_twelve_metrics_render(opened: Opener) -> None:
    page = opened(many())
    assert page.locator(".matrix tbody tr:visible").count() == 60
    assert page.locator(".matrix tbody td:visible").count() == 720
    choose(page, "Order", "same")
    assert page.locator(".matrix tbody tr:visible").count() == 60


def test_an_address_that_is_not_there_any_more_is_said_by_name_with_a_way_back(opened: Opener) -> None:
    page = opened(result(), place="#an-older%20<b>finding</b>")
    absent = page.locator("#absent")
    assert "nothing at the address an-older <b>finding</b>: another run" in absent.inner_text()
    assert heading(page) == "Do libraries compute the same metric?"
    absent.get_by_role("link", name="To the overview").click()
    assert not absent.is_visible()
    page.locator(".matrix").get_by_role("link", name="0.032").click()
    assert heading(page) == "Beta 2.3.1: MAP" and not absent.is_visible()
    page.evaluate("location.hash = '#gone'")
    assert "nothing at the address gone:" in absent.inner_text()
    absent.get_by_role("link", name="Back").click()
    assert heading(page) == "Beta 2.3.1: MAP" and not absent.is_visible()


@pytest.mark.parametrize("place", ["", "#top", "#" + finding_anchor(finding())])
def test_an_address_that_is_there_is_not_called_absent(opened: Opener, place: str) -> None:
    assert not opened(result(), place=place).locator("#absent").is_visible()
