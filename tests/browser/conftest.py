"""A browser, and a page of a result in it that must complain of nothing and request nothing beyond its file."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.writers.report_folder import write_report

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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

Opener = Callable[..., "Page"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    playwright_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
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
        page.set_default_timeout(10_000)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda request: requests.append(request.url))
        page.goto((tmp_path / "index.html").as_uri() + place)
        page.wait_for_selector("html[data-unpacked]", state="attached")
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert complaints == []
    assert {re.split("[?#]", url)[0] for url in requests} <= {(tmp_path / "index.html").as_uri()}
