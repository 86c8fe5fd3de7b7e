"""The command line as a user types it: what is said, on which stream, and with which exit code."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from audit import cli
from audit.libraries.discovery import adapters_dir
from audit.responders.choice import find_cached_responder, find_responder
from tests.support.result_samples import finding, library
from tests.support.result_samples import result as sample

HEAVY = {"numpy", "pandas", "pyarrow", "pydantic", "rich", "jinja2", "psutil"}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "100")


def audit(*words: str) -> Result:
    return CliRunner().invoke(cli.app, words, prog_name="audit")


class Audit:
    """Stands in for the audit itself; keeps the request, tells progress, gives back ``result``."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.result: Any = sample(libraries=(library(),), findings=(finding(),))
        self.request: Any = None
        self.find: Any = None
        self.raises: BaseException | None = None
        monkeypatch.setattr("audit.run.run", self)

    def __call__(self, request: Any, progress: Any, find: Any = find_responder) -> Any:
        self.request, self.find = request, find
        if self.raises is not None:
            raise self.raises
        progress.building("alpha", "1.0", "installing 3 distributions")
        for done in range(4):
            progress.asking("alpha", "1.0", done, 3)
        for done in range(3):
            progress.identifying("alpha", "1.0", done, 2)
        progress.finished("alpha", "1.0", "audited", 2.25)
        return self.result


@pytest.fixture
def audited(monkeypatch: pytest.MonkeyPatch) -> Audit:
    return Audit(monkeypatch)


def run_small(*words: str) -> Result:
    return audit("run", "--dataset", "synthetic:5x20", *words)


def test_help_imports_nothing_heavy() -> None:
    code = f"""
import sys
from audit.cli import app
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
    "verb", ["accept", "badge", "bisect", "check", "history", "run", "list", "lock", "report", "fetch", "record"]
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
]


@pytest.mark.parametrize(("words", "said"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_usage_says_what_and_what_next(words: list[str], said: str, audited: Audit, tmp_path: Path) -> None:
    done = audit(*words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert audited.request is None
    assert not (tmp_path / "audit-report").exists()


@pytest.mark.slow
def test_a_run_prints_tables_writes_the_report_and_says_what_next(audited: Audit, tmp_path: Path) -> None:
    done = run_small("-l", "rs_metrics==0.6.0", "-k", "5", "-k", "20", "-k", "5", "--timeout", "7.5", "--jobs", "3")
    assert done.exit_code == 0, done.output
    assert "Table 1." in done.stdout
    assert "Next:" in done.stdout
    files = {path.name for path in (tmp_path / "audit-report").iterdir()}
    assert files == {"audit.json", "index.html", "tables.md"}
    request = audited.request
    assert [(manifest.name, version.version) for manifest, version in request.chosen] == [("rs_metrics", "0.6.0")]
    assert (request.ks, request.jobs, request.limits.seconds) == ((5, 20), 3, 7.5)
    assert request.dataset.shape.users == 5
    typed = "audit run --dataset synthetic:5x20 -l rs_metrics==0.6.0 -k 5 -k 20 -k 5 --timeout 7.5 --jobs 3"
    assert request.command == typed


def test_what_was_answered_is_asked_again_where_that_is_wanted(audited: Audit) -> None:
    assert run_small("-l", "rs_metrics==0.6.0").exit_code == 0
    assert audited.find is find_cached_responder
    assert run_small("-l", "rs_metrics==0.6.0", "--again").exit_code == 0
    assert audited.find is find_responder


def test_progress_is_plain_lines_on_stderr_where_there_is_no_terminal(audited: Audit) -> None:
    done = run_small("-l", "rs_metrics==0.6.0")
    lines = done.stderr.splitlines()
    assert "synthetic:5x20: 5 users, 20 items" in lines[0]
    assert lines[-3:-1] == [
        "alpha 1.0: building its environment (installing 3 distributions)",
        "alpha 1.0: asking (3 calls)",
    ]
    assert lines[-1].startswith("alpha 1.0: audited in 2.2 s (1 of 2")  # rs_metrics is never finished here


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
        (ZeroDivisionError("by zero"), 70, "ZeroDivisionError: by zero"),
        (OSError(5, "Input/output error"), 70, "a fault of the tool"),
    ],
)
def test_what_goes_wrong_has_its_code(raised: BaseException, code: int, said: str, audited: Audit) -> None:
    audited.raises = raised
    done = run_small()
    assert done.exit_code == code
    assert said in done.stderr
    assert ("Traceback" in done.stderr) == (code == 70)
    assert not Path("audit-report").exists()


MINE = f"""\
title = "Mine"
about = "Light versions, of which one is not usual, a heavy one, and one that cannot be had."
homepage = "https://example.org"
[source]
package = "mine"
repository = "https://example.org/mine"
[[version]]
version = "3"
python = "3.11"
[[version]]
version = "2"
python = "3.11"
heavy = "it starts a machine of its own"
[[version]]
version = "4"
python = "3.11"
heavy = "it starts a machine of its own"
git = {{ commit = "{"a" * 40}", files = ["mine.py"], digest = "sha256:{"b" * 64}" }}
[[version]]
version = "0"
python = "3.11"
usual = false
[[version]]
version = "1"
python = "3.11"
unavailable = "it was taken back"
"""


@pytest.fixture
def mine(tmp_path: Path, audited: Audit) -> list[str]:
    """Options for a library of one's own, of whose versions 2 and 1 were audited in vain."""
    (tmp_path / "adapters" / "mine").mkdir(parents=True)
    (tmp_path / "adapters" / "mine" / "library.toml").write_text(MINE)
    rows = [library("mine", "3"), library("mine", "1", status="unavailable", reason="it was taken back")]
    audited.result = sample(libraries=tuple(rows), findings=(finding(library="mine", version="3"),))
    return ["--adapters", str(tmp_path / "adapters")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "versions"),
    [((), "31"), (("--all",), "32401"), (("-l", "mine"), "32401"), (("-l", "mine==2"), "2")],
)
def test_heavy_and_unusual_ones_run_when_all_are_asked_for_or_they_are_named(
    audited: Audit, mine: list[str], words: tuple[str, ...], versions: str
) -> None:
    audited.result = sample(libraries=audited.result.libraries[:1], findings=audited.result.findings)
    done = run_small(*mine, *words)
    assert done.exit_code == 0, done.output
    own = [version.version for manifest, version in audited.request.chosen if manifest.name == "mine"]
    assert "".join(own) == versions


@pytest.mark.slow
def test_a_heavy_one_runs_where_a_recording_answers_for_it(
    audited: Audit, mine: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def chosen() -> str:
        assert run_small(*mine).exit_code == 0
        return "".join(v.version for manifest, v in audited.request.chosen if manifest.name == "mine")

    audited.result = sample(libraries=audited.result.libraries[:1], findings=audited.result.findings)
    monkeypatch.setattr("audit.sources.checkout.environment.root", lambda: tmp_path / "environments")
    recording = tmp_path / "adapters" / "mine" / "recordings" / "4.json"
    recording.parent.mkdir()
    recording.touch()
    assert chosen() == "341"
    (tmp_path / "sources" / "mine-4").mkdir(parents=True)  # there it would be asked itself
    assert chosen() == "31"


def test_a_version_known_to_be_unavailable_fails_no_run_but_one_of_its_own(audited: Audit, mine: list[str]) -> None:
    assert run_small(*mine, "-l", "mine").exit_code == 0
    log = "\n".join(f"line {number}" for number in range(30))
    taken_back = library("mine", "1", status="unavailable", reason="it was taken back", log=log)
    audited.result = sample(libraries=(taken_back,), findings=())
    done = run_small(*mine, "-l", "mine==1")
    assert (done.exit_code, "it was taken back\n    line 18\n" in done.stderr) == (3, True)
    assert "    line 29\n" in done.stderr


def test_locking_leaves_out_what_cannot_be_had(mine: list[str]) -> None:
    done = audit("lock", "mine==1", *mine)
    assert (done.exit_code, "no lock: it was taken back" in done.stderr) == (0, True)
    assert "0 locks are in order" in audit("lock", "--check", "mine==1", *mine).stdout


def test_a_place_where_no_report_can_be_is_refused_before_the_audit(audited: Audit, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    done = run_small("--out", "file/report")
    assert done.exit_code == 2
    assert "is a file, not a folder" in done.stderr
    assert audited.request is None


def test_list_names_every_library_and_version() -> None:
    entries = json.loads(audit("list", "--format", "json").stdout)
    names = sorted(path.parent.name for path in adapters_dir().glob("*/library.toml"))
    assert [entry["library"] for entry in entries] == names
    found = next(entry for entry in entries if entry["library"] == "rs_metrics")
    assert found["versions"][0] == {
        "version": "0.6.0", "python": "3.11", "environment": "missing", "usual": True, "heavy": None,
        "unavailable": None,
    }  # fmt: skip
    lines = audit("list").stdout.splitlines()
    assert len(lines) == 1 + sum(len(entry["versions"]) for entry in entries)
    assert lines[0].split() == ["library", "version", "python", "environment", "functions"]


def test_adapters_adds_and_replaces(tmp_path: Path) -> None:
    mine = tmp_path / "more" / "rs_metrics"
    shutil.copytree(adapters_dir() / "rs_metrics", mine)
    shutil.copytree(mine, mine.with_name("mine"))
    text = (mine / "library.toml").read_text()
    (mine / "library.toml").write_text(text.replace('title = "rs_metrics"', 'title = "My own"'))
    entries = json.loads(audit("list", "--format", "json", "--adapters", "more").stdout)
    titles = {entry["library"]: entry["title"] for entry in entries}
    assert titles["rs_metrics"] == "My own"
    assert titles["mine"] == "rs_metrics"
    assert "recbole" in titles


def test_lock_check_names_the_stale_lock(tmp_path: Path) -> None:
    mine = tmp_path / "more" / "mine"
    shutil.copytree(adapters_dir() / "rs_metrics", mine)
    assert audit("lock", "--check", "mine", "--adapters", "more").exit_code == 0
    text = (mine / "library.toml").read_text()
    (mine / "library.toml").write_text(text.replace('"pandas<3"', '"pandas<2"'))
    done = audit("lock", "--check", "mine==0.6.0", "--adapters", "more")
    assert done.exit_code == 2
    assert "0.6.0.txt: stale" in done.stderr
    assert "audit lock" in done.stderr


def test_lock_check_names_a_lock_of_no_pinned_version(tmp_path: Path) -> None:
    mine = tmp_path / "more" / "mine"
    shutil.copytree(adapters_dir() / "rs_metrics", mine)
    shutil.copy(mine / "locks" / "0.6.0.txt", mine / "locks" / "0.7.0.txt")
    assert audit("lock", "--check", "mine==0.6.0", "--adapters", "more").exit_code == 0
    done = audit("lock", "--check", "mine", "--adapters", "more")
    assert done.exit_code == 2
    assert "0.7.0.txt: of a version that library.toml does not pin" in done.stderr


def test_reports_are_joined_where_it_is_said(tmp_path: Path) -> None:
    from reports.model.read_result import read_result
    from reports.model.write_result import write_result

    for name in ("alpha", "beta"):
        write_result(sample(libraries=(library(name),), findings=(finding("ndcg", name),)), tmp_path / name)
    done = audit("report", "alpha", "beta")
    assert done.exit_code == 2
    assert "--out DIR" in done.stderr
    assert audit("report", "alpha", "beta", "--out", "both").exit_code == 0
    assert [entry.library for entry in read_result(tmp_path / "both").libraries] == ["alpha", "beta"]
    assert {path.name for path in (tmp_path / "both").iterdir()} >= {"audit.json", "index.html", "tables.md"}


def test_report_renders_again_and_changes_no_figure(tmp_path: Path) -> None:
    from reports.model.write_result import write_result

    path = write_result(sample(), tmp_path / "old")
    before = path.read_bytes()
    done = audit("report", "old")
    assert done.exit_code == 0, done.output
    assert "Table 1." in done.stdout
    assert "Table 2." in done.stdout
    assert path.read_bytes() == before
    assert (tmp_path / "old" / "index.html").is_file()


def test_report_does_not_write_over_another_audit(tmp_path: Path) -> None:
    from reports.model.write_result import write_result

    path = write_result(sample(), tmp_path)
    other = path.with_name("other.json")
    other.write_text("{}")
    done = audit("report", "other.json")
    assert done.exit_code == 2
    assert "neither a folder nor an audit.json" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_in_130_without_traceback(sent: signal.Signals, tmp_path: Path) -> None:
    code = """
import sys, time
import audit.run
def wait(request, progress, find):
    print("waiting", flush=True)
    time.sleep(60)
audit.run.run = wait
sys.argv = ["audit", "run", "--dataset", "synthetic:5x20"]
from audit.cli import main
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
