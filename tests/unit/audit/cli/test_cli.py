"""The command line as a user types it: what is said, on which stream, and with which exit code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import Audit, audit, run_small
from tests.support.result_samples import library
from tests.support.result_samples import result as sample

HEAVY = {"numpy", "pandas", "pyarrow", "pydantic", "rich", "jinja2", "psutil"}


def test_help_imports_nothing_heavy() -> None:
    code = f"""
import sys
from recsys_metric_audit.audit.cli import app
try:
    app(["--help"], prog_name="audit")
except SystemExit as end:
    assert end.code == 0, end.code
found = {HEAVY!r} & set(sys.modules)
assert not found, found
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "audit run -l rs_metrics==0.6.0 -k 10" in done.stdout


@pytest.mark.parametrize(
    "verb",
    ["new", "try", "accept", "badge", "bisect", "check", "history", "run", "list", "lock", "report", "fetch", "record"],
)
def test_every_verb_has_examples(verb: str) -> None:
    done = audit(verb, "--help")
    assert done.exit_code == 0
    assert f"  audit {verb}" in done.stdout.split("Example")[1]


BAD = [
    (["run", "-k", "0"], "-k 0: a cut-off is a number of places, 1 or more"),
    (["run", "-k", "20", "-k", "-3"], "-k -3: a cut-off is a number of places"),
    (["run", "--jobs", "0"], "--jobs 0: must be more than 0"),
    (["run", "--timeout", "nan"], "--timeout nan: must be more than 0"),
    (["run", "-l", "recbol"], "did you mean recbole?"),
    (["run", "-l", "rs_metrics==9"], "pinned are 0.6.0, 0.5.0, 0.4.1, 0.4.0, 0.3.0"),
    (["run", "--dataset", "synthetc"], "Did you mean synthetic?"),
    (["run", "--predictions", "p.csv"], "--predictions was given without --truth"),
    (["run", "--truth", "t.csv"], "--truth was given without --predictions"),
    (["run", "--threshold", "2"], "--threshold was given without --predictions"),
    (["run", "--dataset", "synthetic", "--train", "r.csv"], "--dataset and --train exclude each other"),
    (["run", "--predictions", "p.csv", "--truth", "t.csv"], "p.csv: there is no such file"),
    (["run", "--predictions", "p.csv", "--truth", "t.csv", "--threshold", "nan"], "--threshold nan: must be a number"),
    (["run", "--recommender", "ease,nmf"], "there is no recommender 'nmf'"),
    (["run", "--recommender", "ease", "--recommender", "nmf"], "--recommender ease,nmf: there is no recommender 'nmf'"),
    (["run", "--recommender", "ease", "--truth", "t.csv"], "--recommender and --truth exclude each other"),
    (["run", "--recommender", "random", "--dataset", "synthetic:5x20"], "no train data to learn from"),
    (["run", "--adapters", "nowhere"], "nowhere: no such directory of adapters"),
    (["run", "--no-such-option"], "--no-such-option"),
    (["report", "nowhere"], "There is no nowhere"),
    (["lock", "nobody"], "no library is called 'nobody'"),
    (["nonsense"], "nonsense"),
    (["run", "--out", ""], "the word after --out is empty"),
    (["run", "--out= "], "--out is empty"),
    (["evaluate", "", "t.csv", "-k", "1"], "the word after evaluate is empty"),
    (["evaluate", "p.csv", "t.csv", "--metrics", "", "-k", "1"], "the word after --metrics is empty"),
    (["report", ""], "the word after report is empty"),
]


def test_a_working_folder_that_was_removed_is_told(
    audited: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    audited.raises = FileNotFoundError(2, "No such file or directory")  # as os.getcwd raises it
    done = run_small("--out", str(tmp_path / "report"))
    assert done.exit_code == 2
    assert "the folder that you are in is no longer there" in done.stderr


@pytest.mark.parametrize(("words", "said"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_usage_says_what_and_what_next(words: list[str], said: str, audited: Audit, tmp_path: Path) -> None:
    done = audit(*words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert audited.request is None
    assert not (tmp_path / "audit-report").exists()


GONE = library("omega", "9", status="unavailable", reason="Python 3.7 was not found.", installed={})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("named", "libraries", "code"),
    [
        ((), (library(), GONE), 0),
        (("-l", "rs_metrics"), (library(), GONE), 3),
        (("-l", "rs_metrics"), (library(),), 0),
        ((), (GONE,), 3),
        ((), (library(status="failed", reason="no hello"),), 3),
    ],
)
def test_exit_code_3(named: tuple[str, ...], libraries: tuple[Any, ...], code: int, audited: Audit) -> None:
    audited.result = sample(libraries=libraries, findings=())
    done = run_small(*named)
    assert done.exit_code == code
    assert ("Python 3.7 was not found." in done.stderr) == (GONE in libraries)
    assert Path("audit-report/audit.json").is_file(), "what was found is kept whatever the exit code"


@pytest.mark.parametrize(
    ("raised", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (OSError(28, "No space left on device", "/somewhere/file"), 2, "no space left on the disk of /somewhere/file"),
        (OSError(27, "File too large", "/somewhere/file"), 2, "/somewhere/file: no file may grow so large here"),
        (OSError(24, "Too many open files"), 2, "no further file can be opened here"),
        (OSError(13, "Permission denied", "/somewhere/file"), 2, "/somewhere/file: Permission denied"),
        (OSError(2, "No such file or directory", "/a/file/of/ours"), 70, "a fault of the tool"),
        (MemoryError(), 2, "not enough memory"),
        (RuntimeError("can't start new thread"), 2, "the system starts no further process or thread here"),
        (BlockingIOError(11, "Resource temporarily unavailable"), 2, "starts no further process"),
        (RuntimeError("\x1b[31mred\n::error::a command\n" + "x" * 10**6), 70, "\\x1b[31mred\n: :error::a command\nxxx"),
        (ZeroDivisionError("by zero"), 70, "ZeroDivisionError: by zero"),
        (OSError(5, "Input/output error"), 70, "a fault of the tool"),
    ],
)
@pytest.mark.slow
def test_what_goes_wrong_has_its_code(raised: BaseException, code: int, said: str, audited: Audit) -> None:
    audited.raises = raised
    done = run_small()
    assert done.exit_code == code
    assert said in done.stderr
    assert ("Traceback" in done.stderr) == (code == 70)
    assert not Path("audit-report").exists()


@pytest.mark.slow  # a process of its own
def test_an_interrupt_before_the_command_has_begun_is_told_without_traceback() -> None:
    code = """
import os, signal, time
from recsys_metric_audit.audit import cli
def begin(prog_name):
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(60)
cli.app = begin
cli.main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (130, "audit: interrupted\n")


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_ends_in_130_without_traceback(sent: signal.Signals, tmp_path: Path) -> None:
    code = """
import signal, sys, time
import recsys_metric_audit.audit.run
for ignored in (signal.SIGHUP, signal.SIGQUIT):  # what runs the tests may ignore them, as nohup or a shell's & does
    signal.signal(ignored, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
def wait(request, progress, find, recorded):
    print("waiting", flush=True)
    time.sleep(60)
recsys_metric_audit.audit.run.run = wait
sys.argv = ["audit", "run", "--dataset", "synthetic:5x20"]
from recsys_metric_audit.audit.cli import main
main()
"""
    started = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ.copy()
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "waiting\n"
    time.sleep(0.1)
    started.send_signal(sent)
    _, said = started.communicate(timeout=20)
    assert started.returncode == 130
    assert "interrupted" in said
    assert "Traceback" not in said


def test_a_name_that_is_not_utf_8_is_refused(audited: Audit) -> None:
    done = run_small("--out", "caf\udce9")
    assert (done.exit_code, "what was typed is not UTF-8" in done.stderr) == (2, True)
    assert audited.request is None


def test_a_shell_completes_verbs_and_options() -> None:
    def completed(typed: str, place: int) -> list[str]:
        asked = {"_AUDIT_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(place)}
        command = [sys.executable, "-m", "recsys_metric_audit"]
        return subprocess.run(command, env=os.environ | asked, capture_output=True, text=True).stdout.split()

    assert completed("audit ev", 1) == ["evaluate"]
    assert "--metrics" in completed("audit evaluate --me", 2)
