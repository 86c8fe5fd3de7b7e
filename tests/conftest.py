"""With REQUIRE_ALL=1 a skipped test has failed, with the reason of the skip: nothing passes by not being run.

Live tests come first: they take minutes, and two workers are done together where the short ones come last.

A command takes one core unless a test gives ``--jobs``: the workers have all cores, and each process that shares in an
identification would import everything anew.

What tests record as a ``figure`` is printed at the end: how many cases, pairs, probes a statement stands on.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from functools import cache

import pytest
import typer.testing
from hypothesis import settings

# How long an example takes says how busy the machine is; nothing here is a timed test.
settings.register_profile("untimed", parent=settings.default, deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def _one_core() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "cpu_count", lambda: 1)
        # A process makes its commands from their signatures once; most tests type several.
        patched.setattr(typer.testing, "_get_command", cache(typer.main.get_command))
        yield


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    # An expected failure is reported as skipped too, and is none.
    if os.environ.get("REQUIRE_ALL") != "1" or not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    report.outcome = "failed"
    report.longrepr = f"REQUIRE_ALL=1, and this was skipped: {reason}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("live") is None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _refuse_skip(report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    passed = terminalreporter.getreports("passed")
    figures = [text for report in passed for name, text in report.user_properties if name == "figure"]
    if figures:
        terminalreporter.section("figures")
    for text in figures:
        terminalreporter.write_line(str(text))
