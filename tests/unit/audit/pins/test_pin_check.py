"""Checks of pins: silent while digits move, loud when a definition does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.support import drifting_library
from tests.support.command_line import audit_mine as audit
from tests.support.drifting_library import Audits, Environments

pytestmark = pytest.mark.slow  # processes of their own, or whole audits


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environments:
    """Whole audits, out of process."""
    return Environments(tmp_path, monkeypatch)


@pytest.fixture
def audits(monkeypatch: pytest.MonkeyPatch) -> Audits:
    """Results made by hand, for what does not depend on how they were found."""
    return Audits(monkeypatch)


def accepted(folder: Path, *versions: str) -> None:
    drifting_library.write(folder / "mine" / "drifting", *versions)
    done = audit("accept", "-l", "drifting", "--yes")
    assert done.exit_code == 0, done.output


def change(folder: Path, old: str, new: str) -> None:
    path = folder / "mine" / "drifting" / "adapter.py"
    assert path.read_text().count(old) == 1
    path.write_text(path.read_text().replace(old, new))


def pins(folder: Path, version: str = "1.0") -> Path:
    return folder / "mine" / "drifting" / "expected" / f"{version}.json"


def test_an_expectation_holds_meanings_and_no_value(environments: Environments, tmp_path: Path) -> None:
    accepted(tmp_path, "1.0")
    kept = json.loads(pins(tmp_path).read_text())
    assert {key: kept[key] for key in ("format", "library", "version", "k")} == {
        "format": 2, "library": "drifting", "version": "1.0", "k": 20,
    }  # fmt: skip
    assert list(kept["functions"]) == ["statistics.mean", "statistics.median", "statistics.mode"]
    mean, mode = kept["functions"]["statistics.mean"], kept["functions"]["statistics.mode"]
    assert (mean["verdict"], mean["formulas"]) == ("agrees", ["precision@k"])
    assert mode == {"metric": "recall", "status": "not_offered"}
    assert not re.search(r"\d\.\d{3}", pins(tmp_path).read_text())


def test_the_same_is_as_expected_and_accepting_it_again_changes_nothing(audits: Audits, tmp_path: Path) -> None:
    accepted(tmp_path, "1.0")
    before = pins(tmp_path).read_bytes()
    done = audit("check", "-l", "drifting")
    assert (done.exit_code, done.stdout) == (0, "drifting 1.0: 3 functions as expected\n")
    again = audit("accept", "-l", "drifting")
    assert (again.exit_code, again.stdout) == (0, "drifting 1.0: as accepted\n\n")
    assert pins(tmp_path).read_bytes() == before


def test_last_digits_are_no_change_of_meaning(environments: Environments, tmp_path: Path) -> None:
    accepted(tmp_path, "1.0")
    change(tmp_path, "sum(values) / len(values) if values", "(1 + 1e-13) * sum(values) / len(values) if values")
    assert audit("check", "-l", "drifting").exit_code == 0


def test_a_changed_definition_is_told_with_axis_and_witness(environments: Environments, tmp_path: Path) -> None:
    accepted(tmp_path, "1.0")
    change(tmp_path, "hits(top, liked) / (k if", "hits(top, liked) / (min(k, len(liked)) if")
    done = audit("check", "-l", "drifting")
    assert done.exit_code == 1
    assert "drifting 1.0: statistics.mean computes another formula" in done.stdout
    assert "expected  precision@k (agrees)" in done.stdout
    assert "found     precision@k|denominator:min" in done.stdout
    assert "moved     denominator: k → min (formula)" in done.stdout
    # Whatever the probe: one relevant item counts 1/k before and 1/min(k, r) now, so the second is larger.
    told = re.search(r"witness +probe '.+' at k = \d+: (\S+) before, (\S+) now", done.stdout)
    assert told and 0 < float(told[1]) < float(told[2])
    assert "statistics.median" not in done.stdout


def test_what_now_agrees_makes_the_expectation_stale(audits: Audits, tmp_path: Path) -> None:
    audits.signatures["statistics.mean"] = lambda release: "precision@20|denominator:min"
    accepted(tmp_path, "1.0")
    audits.signatures["statistics.mean"] = lambda release: "precision@20"
    done = audit("check", "-l", "drifting")
    assert done.exit_code == 1
    assert "statistics.mean is expected otherwise than it is" in done.stdout
    assert "found     precision@k (agrees)" in done.stdout


def test_lost_and_new_functions(environments: Environments, tmp_path: Path) -> None:
    accepted(tmp_path, "1.0")
    change(tmp_path, "RELEASE < (1, 1)", "RELEASE > (9,)")
    change(tmp_path, "float(hits(top, liked) > 0)", "1 / 0")
    found = json.loads(audit("check", "-l", "drifting", "--format", "json").stdout)
    assert [(each["function"], each["kind"]) for each in found] == [
        ("statistics.median", "lost"), ("statistics.mode", "new"),
    ]  # fmt: skip
    assert "ZeroDivisionError" in found[0]["witness"]
    assert found[1]["new"] == "recall@k (agrees)"


def test_a_library_that_does_not_run_any_more(audits: Audits, tmp_path: Path) -> None:
    accepted(tmp_path, "1.0")
    audits.broken.add("1.0")
    done = audit("check", "-l", "drifting==1.0")
    assert done.exit_code == 1
    assert "drifting 1.0 does not run any more" in done.stdout
    assert "no wheel fits" in done.stdout
    kept = pins(tmp_path).read_bytes()
    assert audit("accept", "-l", "drifting", "--yes").exit_code == 3
    assert pins(tmp_path).read_bytes() == kept


def test_what_was_finished_before_an_interrupt_is_told(audits: Audits, tmp_path: Path) -> None:
    accepted(tmp_path, "1.0", "1.1", "2.0")
    audits.signatures["statistics.mean"] = lambda release: "precision@20|denominator:min"
    audits.interrupted_after = 2
    done = audit("check", "-l", "drifting==1.0", "-l", "drifting==1.1", "-l", "drifting==2.0")
    assert done.exit_code == 130
    assert "drifting 1.0: 1 thing is not as expected" in done.stdout
    assert "drifting 1.1: 1 thing is not as expected" in done.stdout
    assert "drifting 2.0" not in done.stdout
    assert "audit: interrupted; 2 of 3 versions were checked" in done.stderr


def test_a_version_changed_by_hand_is_held_against_the_last_accepted(audits: Audits, tmp_path: Path) -> None:
    accepted(tmp_path, "1.0", "0.9")
    toml = tmp_path / "mine" / "drifting" / "library.toml"
    toml.write_text(toml.read_text().replace('"1.0"', '"2.0"'))
    done = audit("check", "-l", "drifting")
    assert done.exit_code == 1
    assert "drifting 2.0 has nothing accepted to be held against" in done.stdout
    assert "audit accept -l drifting==2.0 --yes" in done.stdout
    assert "drifting 2.0: statistics.mean computes another formula since 0.9" in done.stdout
    assert "drifting 2.0: statistics.mode is new since 0.9" in done.stdout
    assert "1.0.json is there" in done.stdout, "what is accepted of a version that is gone is stale"
    assert "drifting 0.9: 3 functions as expected" in done.stdout


def test_where_nothing_was_accepted_nothing_is_run(audits: Audits, tmp_path: Path) -> None:
    drifting_library.write(tmp_path / "mine" / "drifting", "1.0")
    done = audit("check", "-l", "drifting")
    assert done.exit_code == 1
    assert "audit accept -l drifting==1.0 --yes" in done.stdout
    assert audits.built == []


def test_annotations_point_at_the_file(audits: Audits, tmp_path: Path) -> None:
    accepted(tmp_path, "1.0")
    audits.signatures["statistics.mean"] = lambda release: "precision@20|denominator:min"
    done = audit("check", "-l", "drifting", "--format", "github")
    assert done.exit_code == 1
    (line,) = done.stdout.splitlines()
    head, _, message = line.partition("::error ")[2].partition("::")
    assert head == (
        "file=mine/drifting/expected/1.0.json,title=drifting 1.0%3A statistics.mean computes another formula"
    )
    assert "expected: precision@k (agrees)%0Afound: precision@k|denominator:min" in message


def test_a_hostile_reason_stays_on_its_line(audits: Audits, tmp_path: Path) -> None:
    accepted(tmp_path, "1.0")
    audits.failing["statistics.median"] = "ValueError: 100%\n::error file=x::owned"
    done = audit("check", "-l", "drifting", "--format", "github")
    lines = done.stdout.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("::error file=mine")
    assert "100%25" in lines[0]


def test_an_edge_that_behaves_otherwise_is_told_by_its_experiment(audits: Audits, tmp_path: Path) -> None:
    audits.behaviours = {"empty_lists": "zero", "repeated_item": "counted", "nan_score": "not_asked"}
    accepted(tmp_path, "1.0")
    audits.behaviours = {"empty_lists": "raises", "repeated_item": "counted", "nan_score": "raises"}
    found = json.loads(audit("check", "-l", "drifting", "--format", "json").stdout)
    assert [(each["function"], each["kind"]) for each in found] == [
        ("statistics.mean", "behaviour"), ("statistics.median", "behaviour"),
    ]  # fmt: skip
    (move,) = found[0]["moves"]
    assert move == {"name": "empty_lists", "old": "zero", "new": "raises", "level": "who_counts", "kind": "changed"}


def test_changed_input_handling_warns_and_fails_only_where_strict(audits: Audits, tmp_path: Path) -> None:
    accepted(tmp_path, "1.0")
    audits.signatures["statistics.mean"] = lambda release: "precision@20|ties:best"
    done = audit("check", "-l", "drifting")
    assert done.exit_code == 0
    assert "warning: drifting 1.0: statistics.mean handles unusual input otherwise" in done.stdout
    assert "moved     ties: given → best (input handling)" in done.stdout
    assert "drifting 1.0: 1 thing is not as expected (1 warning)" in done.stdout
    assert audit("check", "-l", "drifting", "--strict").exit_code == 1
    told = audit("check", "-l", "drifting", "--format", "github")
    assert (told.exit_code, told.stdout.startswith("::warning file=")) == (0, True)
    strict = audit("check", "-l", "drifting", "--format", "github", "--strict")
    assert (strict.exit_code, strict.stdout.startswith("::error file=")) == (1, True)


def test_who_counts_changed_fails(audits: Audits, tmp_path: Path) -> None:
    accepted(tmp_path, "1.0")
    audits.signatures["statistics.mean"] = lambda release: "precision@20|users:both"
    done = audit("check", "-l", "drifting", "--format", "json")
    assert done.exit_code == 1
    (found,) = json.loads(done.stdout)
    assert (found["levels"], found["severity"]) == (["who_counts"], "error")


def test_one_warning_beside_an_error_fails(audits: Audits, tmp_path: Path) -> None:
    accepted(tmp_path, "1.0")
    audits.signatures["statistics.mean"] = lambda release: "precision@20|ties:best"
    audits.signatures["statistics.median"] = lambda release: "hit_rate@20|users:both"
    done = audit("check", "-l", "drifting")
    assert done.exit_code == 1
    assert "drifting 1.0: 2 things are not as expected (1 warning)" in done.stdout


BAD = [
    ("{", "expected/1.0.json: the file: Invalid JSON"),
    ('{"format": 3, "library": "drifting"}', "this version reads format 2"),
    ('{"format": 2, "library": "other", "version": "1.0", "dataset": "d", "k": 1, "functions": {}}', "is of other 1.0"),
]


@pytest.mark.parametrize(("text", "said"), BAD)
def test_a_damaged_expectation_is_named(text: str, said: str, audits: Audits, tmp_path: Path) -> None:
    drifting_library.write(tmp_path / "mine" / "drifting", "1.0")
    pins(tmp_path).parent.mkdir()
    pins(tmp_path).write_text(text)
    done = audit("check", "-l", "drifting")
    assert done.exit_code == 2
    assert said in done.stderr
    assert "audit accept -l drifting==1.0 --yes" in done.stderr
