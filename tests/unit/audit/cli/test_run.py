"""``audit run``: what is asked of the audit, printed, written and said, and which versions run."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path

import pytest

from recsys_metric_audit.audit.responders.choice import find_cached_responder, find_responder
from tests.support.adapter_distribution import install_distribution
from tests.support.command_line import Audit, run_small
from tests.support.result_samples import library
from tests.support.result_samples import result as sample


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
    assert lines[-2] == "alpha 1.0: building its environment (installing 3 distributions)"
    assert lines[-1].startswith("alpha 1.0: audited in 2.2 s (1 of 2")  # rs_metrics is never finished here


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "versions"), [((), "31"), (("--all",), "32401"), (("-l", "mine"), "32401"), (("-l", "mine==2"), "2")]
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
    monkeypatch.setattr(
        "recsys_metric_audit.audit.sources.checkout.environment.root", lambda: tmp_path / "environments"
    )
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


def test_a_place_where_no_report_can_be_is_refused_before_the_audit(audited: Audit, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    done = run_small("--out", "file/report")
    assert done.exit_code == 2
    assert "is a file, not a folder" in done.stderr
    assert audited.request is None


@pytest.mark.parametrize("name", ["audit.json", "index.html", "tables.md"])
def test_a_folder_in_the_way_of_a_file_is_refused_before_the_audit(audited: Audit, tmp_path: Path, name: str) -> None:
    (tmp_path / "report" / name).mkdir(parents=True)
    done = run_small("--out", "report")
    assert done.exit_code == 2
    assert f"report/{name} is a folder, and a file of the report is to be there" in done.stderr
    assert audited.request is None


@pytest.mark.parametrize("out", ["x" * 300, "/proc/report"])
def test_a_folder_that_cannot_be_made_is_refused_before_the_audit(audited: Audit, out: str) -> None:
    done = run_small("--out", out)
    assert done.exit_code == 2
    assert "it cannot be written" in done.stderr and "--out DIR" in done.stderr
    assert audited.request is None


def test_a_disk_without_room_is_refused_before_the_audit(audited: Audit, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    done = run_small("--out", "deep/report")
    assert (done.exit_code, "--out deep/report: it cannot be written: No space left" in done.stderr) == (2, True)
    assert audited.request is None and not Path("deep").exists()


def test_the_report_is_on_the_disk_before_a_line_is_printed(audited: Audit, monkeypatch: pytest.MonkeyPatch) -> None:
    def look(*_: object) -> None:
        assert {path.name for path in Path("audit-report").iterdir()} == {"audit.json", "index.html", "tables.md"}
        raise RuntimeError("looked")

    monkeypatch.setattr("recsys_metric_audit.audit.cli.shared.output.print_tables", look)
    done = run_small()
    assert "RuntimeError: looked" in done.stderr and done.stdout == ""


@pytest.mark.slow
def test_a_sandbox_is_tried_before_the_audit_and_handed_on(
    audited: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "bwrap"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert run_small().exit_code == 0 and audited.request.limits.sandbox is None
    assert run_small("--sandbox", "bwrap").exit_code == 0 and audited.request.limits.sandbox == "bwrap"
    program.write_text("#!/bin/sh\necho 'no namespaces here' >&2\nexit 1\n")
    done = run_small("--sandbox", "bwrap")
    assert done.exit_code == 2
    assert "does not start here: no namespaces here" in done.stderr and "apt install bubblewrap" in done.stderr


@pytest.mark.slow
def test_a_system_on_which_no_library_can_be_run_is_named(audited: Audit) -> None:
    audited.raises = ModuleNotFoundError("No module named 'fcntl'", name="fcntl")
    done = run_small()
    assert done.exit_code == 2 and "on Linux and macOS only" in done.stderr
    audited.raises = ModuleNotFoundError("No module named 'numpy'", name="numpy")
    assert run_small().exit_code == 70


def test_libraries_are_asked_on_the_data_of_a_scenario(audited: Audit) -> None:
    done = run_small("-l", "rs_metrics==0.6.0", "--scenario", "users:3+leave_one_out+sampled:1", "--seed", "2")
    assert done.exit_code == 0, done.output
    data = audited.request.dataset
    assert data.name == "synthetic:5x20, users:3+leave_one_out+sampled:1, seed 2"
    assert data.shape.users == 3
    assert (data.shape.pairs, data.shape.rows) == (3, 3 * 2)
    assert data.choices[-1].startswith(
        "Scenario users:3+leave_one_out+sampled:1, seed 2: Users that are evaluated, drawn: 3. "
    )
    rows = [line.split()[:2] for line in done.stdout.splitlines() if line.startswith(("as given", "users"))]
    assert ["as", "given"] in rows and ["users:3+leave_one_out+sampled:1", "3"] in rows


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--scenario", "users:9"], "--scenario users:9: only 5 users have held-out items"),
        (["--scenario", "sampled_popular:3"], "it needs train data, and none were given"),
        (["--seed", "2"], "--seed 2: no scenario is named that draws"),
        (["--scenario", "sampled:"], "a whole number from 1"),
    ],
)
def test_a_scenario_that_the_data_cannot_carry_ends_before_anything_is_built(
    audited: Audit, words: list[str], message: str
) -> None:
    done = run_small("-l", "rs_metrics==0.6.0", *words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert audited.request is None


def test_an_installed_adapter_that_is_broken_stops_no_run(
    audited: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    install_distribution(tmp_path, "our-lib", {"gone": "ours.nowhere"})
    done = run_small("-l", "rs_metrics==0.6.0")
    assert done.exit_code == 0
    assert done.stderr.count("our-lib 1.0 (entry point gone = ours.nowhere): left out") == 1
    assert run_small("-l", "ourlib").exit_code == 2
