"""Signs of life: while something takes long, and not afterwards."""

from __future__ import annotations

import io
import threading
import time

import pytest
from rich.console import Console

from recsys_metric_audit.audit.cli.progress import heartbeat as beats
from recsys_metric_audit.audit.cli.progress.heartbeat import heartbeat, said_while
from recsys_metric_audit.audit.cli.progress.progress_lines import ProgressLines
from recsys_metric_audit.audit.cli.progress.progress_tally import ProgressTally


def test_it_tells_again_and_again_and_stops() -> None:
    told: list[float] = []
    third = threading.Event()

    def tell(passed: float) -> None:
        told.append(passed)
        if len(told) == 3:
            third.set()

    with heartbeat(tell, 0.01):
        assert third.wait(20)
    assert told == sorted(told) and told[0] >= 0.01
    ended = len(told)
    time.sleep(0.05)
    assert len(told) == ended


def test_what_is_quick_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with said_while("reading x.csv"):
        pass
    assert capsys.readouterr().err == ""


def test_reading_says_what_it_reads(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(beats, "FIRST", 0.01)
    with said_while("reading \x1b[2Jx.csv"):
        time.sleep(0.1)
    assert capsys.readouterr().err.startswith("reading \\x1b[2Jx.csv: 0 s so far\n")


def test_a_log_hears_what_every_version_at_work_is_at() -> None:
    out = io.StringIO()
    lines = ProgressLines(Console(file=out, width=200), ProgressTally({("a", "1"): 1.0, ("b", "2"): 1.0}))
    lines.still(5.0)
    lines.asking("a", "1", 2, 1000)
    lines.building("b", "2", "installing")
    lines.still(10.2)
    for name in (("a", "1"), ("b", "2")):
        lines.finished(*name, "audited", 11.0, ())
    lines.still(15.0)
    said = [line for line in out.getvalue().splitlines() if " s: " in line]
    assert said == [
        "5 s: preparing",
        "10 s: a 1 (asking: 2 of 1,000 calls); b 2 (building)",
        "15 s: computing our own values",
    ]
