"""An audit that is deep in a search ends soon after a signal, leaves nothing behind, and keeps what it was answered."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from bench.faults.whole_runs import command, left_behind, variables, write_library
from recsys_metric_audit.audit.responders import recording_file

pytestmark = pytest.mark.slow  # whole audits in processes of their own

ROOT = Path(__file__).parents[4]
SEARCHES = """\
import sys, time

def search(*words, **named):
    print("deep in a search", file=sys.stderr, flush=True)
    end = time.monotonic() + 600
    while time.monotonic() < end:
        sum(range(10_000))

def search_in_processes(functions, observations, pool, *words, **named):
    return pool(search, range(3))
"""
SCRIPT = """\
import runpy, signal, sys

if __name__ == "__main__":
    for each in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):  # who runs the tests may ignore them, children too
        signal.signal(each, signal.SIG_DFL)
    import searches
    from recsys_metric_audit.audit.refutation import identify_functions

    setattr(identify_functions, sys.argv.pop(1), getattr(searches, sys.argv.pop(1)))
    runpy.run_module("bench.faults.stand_in", run_name="__main__", alter_sys=True)
"""


ONE, SHARED = ("refute", "search", 1), ("diagnose", "search_in_processes", 2)


@pytest.mark.parametrize(
    ("number", "step", "search", "begun"),
    [(signal.SIGTERM, *SHARED), (signal.SIGINT, *SHARED), (signal.SIGHUP, *ONE), (signal.SIGQUIT, *ONE)],
)
def test_it_ends(tmp_path: Path, number: signal.Signals, step: str, search: str, begun: int) -> None:
    (tmp_path / "searches.py").write_text(SEARCHES)
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    write_library(tmp_path, "good")
    words = command(tmp_path)
    at = words.index("bench.faults.stand_in")
    words[at - 1 : at + 1] = [str(script), step, search]
    run = subprocess.Popen(
        words, cwd=ROOT, env=variables(tmp_path), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        assert run.stderr is not None
        said = ""
        while said.count("deep in a search") < begun:
            line = run.stderr.readline()
            assert line, said
            said += line
        run.send_signal(number)
        _, rest = run.communicate(timeout=30)
    finally:
        run.kill()
    assert run.returncode == 130
    assert "audit: interrupted" in rest and "Traceback" not in rest
    assert left_behind(tmp_path) == []
    assert not (tmp_path / "report").exists() or not list((tmp_path / "report").iterdir())
    (kept,) = (tmp_path / "environments").glob("*/answers/*.jsonl")
    assert recording_file.read_cache(kept).log.answers
