"""Hold the commands on results: report, diff, history, badge."""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import Result

from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover
from recsys_metric_audit.audit.pins.pin_drift import library_meanings
from tests.support import drifting_library
from tests.support.command_line import audit, audit_mine
from tests.support.drifting_library import Audits
from tests.support.result_samples import finding, library, small_result
from tests.support.result_samples import result as sample

# ``audit report``: render a result again, join several, and write over nothing else.


def test_reports_are_joined_where_it_is_said(tmp_path: Path) -> None:
    from recsys_metric_audit.reports.model.result_file import read_result, write_result

    for name in ("alpha", "beta"):
        write_result(sample(libraries=(library(name),), findings=(finding("ndcg", name),)), tmp_path / name)
    done = audit("report", "alpha", "beta")
    assert done.exit_code == 2
    assert "--out DIR" in done.stderr
    assert audit("report", "alpha", "beta", "--out", "both").exit_code == 0
    assert [entry.library for entry in read_result(tmp_path / "both").libraries] == ["alpha", "beta"]
    assert {path.name for path in (tmp_path / "both").iterdir()} >= {"audit.json", "index.html", "tables.md"}


def test_report_renders_again_and_changes_no_figure(tmp_path: Path) -> None:
    from recsys_metric_audit.reports.model.result_file import write_result

    path = write_result(sample(), tmp_path / "old")
    before = path.read_bytes()
    done = audit("report", "old")
    assert done.exit_code == 0, done.output
    assert "Table 1." in done.stdout
    assert "Table 2." in done.stdout
    assert path.read_bytes() == before
    assert (tmp_path / "old" / "index.html").is_file()


def test_report_does_not_write_over_another_audit(tmp_path: Path) -> None:
    from recsys_metric_audit.reports.model.result_file import write_result

    path = write_result(sample(), tmp_path)
    other = path.with_name("other.json")
    other.write_text("{}")
    done = audit("report", "other.json")
    assert done.exit_code == 2
    assert "neither a folder nor an audit.json" in done.stderr


def _written(folder: Path) -> Path:
    """Write a report and return its folder."""
    from importlib.metadata import version

    from recsys_metric_audit.reports.writers.report_folder import write_report

    write_report(small_result(tool=version("recsys-metric-audit")), folder)
    return folder


def test_a_report_that_says_what_was_returned_is_verified(tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in _written(tmp_path / "one").iterdir()}
    done = audit("report", "one", "--verify")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "format findings", "format csv", "format latex", "format text", "tables as printed", "one/index.html",
        "one/tables.md",
    ]  # fmt: skip
    assert all(re.search(r": \d+ numbers, .* sentences read, none not as returned$", line) for line in lines)
    assert {path: path.read_bytes() for path in (tmp_path / "one").iterdir()} == before


def test_an_edited_page_is_told_by_its_place(tmp_path: Path) -> None:
    tables = _written(tmp_path / "one") / "tables.md"
    text = tables.read_text(encoding="utf-8")
    assert "0.032<sup>a</sup>" in text
    tables.write_text(text.replace("0.032<sup>a</sup>", "0.033<sup>a</sup>"), encoding="utf-8")
    done = audit("report", "one", "--verify")
    assert done.exit_code == 1
    assert "one/tables.md: Beta 2_3, MAP: printed 0.033, returned 0.0321" in done.stdout.splitlines()
    tables.write_text("# Something else\n", encoding="utf-8")
    done = audit("report", "one", "--verify")
    assert done.exit_code == 2
    assert "one/tables.md cannot be read: it has the unknown sentence" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"value": 0.0321', '"value":  0.0321', "has been edited"),
        ('"format": 4', '"format": 2', "format 2"),
        ('"format": 4', '"format": 5', "newer than the 4"),
        ('"tool": "', '"tool": "9.', "was written by version 9."),
        ('"verdict": "agrees"', '"verdict": "right"', "is damaged"),
    ],
)
def test_a_result_that_is_not_as_it_was_written_is_not_verified(tmp_path: Path, old: str, new: str, told: str) -> None:
    file = _written(tmp_path / "one") / "audit.json"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    done = audit("report", "one", "--verify")
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.split())
    assert done.stdout == ""


def test_verify_takes_one_folder_and_no_format(tmp_path: Path) -> None:
    _written(tmp_path / "one")
    for more in (("one",), ("--format", "md"), ("--out", "x")):
        done = audit("report", "one", *more, "--verify")
        assert done.exit_code == 2
        assert "--verify reads the report in one folder" in " ".join(done.stderr.split())


# ``audit diff`` from what is typed to the printed answer; the values are worked out in the test of findings.

PREDICTIONS = "user,item,score\nann,1,2\nann,2,1\nbob,1,2\nbob,2,1\n"
TRUTH = "user,item\nann,1\nann,3\nann,4\nbob,2\ncyd,1\n"


@pytest.fixture
def diff(tmp_path: Path):
    (tmp_path / "p.csv").write_text(PREDICTIONS)
    (tmp_path / "t.csv").write_text(TRUTH)

    def run(*words: str) -> Result:
        files = ["--predictions", str(tmp_path / "p.csv"), "--truth", str(tmp_path / "t.csv")]
        return audit("diff", *words, *files)

    return run


def test_levels_steps_and_the_smallest_input_are_told(diff) -> None:
    done = diff("recall@2", "recall@2|denominator:min|users:both")
    said = done.stdout
    assert done.exit_code == 1
    assert "formula\n  denominator      A  r (the number of relevant items)\n" in said
    assert "who counts\n  users            A  truth (users with relevant items)" in said
    assert (
        "  A                0.444444\n  denominator      0.500000  +0.055556\n  users            0.750000  +0.2" in said
    )
    assert "2 users of other value or not counted by one" in said
    assert "the smallest input that shows it: k = 1, recommended [" in said


def test_the_same_ends_well_and_a_cutoff_is_taken_from_where_it_is_named(diff) -> None:
    done = diff("ndcg|discount:ln", "ndcg@7")
    assert (done.exit_code, done.stdout) == (
        0, "A  ndcg@7|discount:ln\nB  ndcg@7\n\nthe same: equal on every input that was tried\n"
    )  # fmt: skip


def test_everyday_names_and_json(diff) -> None:
    done = diff("map@2", "mrr", "--format", "json")
    answer = json.loads(done.stdout)
    assert done.exit_code == 1
    assert (answer["first"], answer["second"]) == ("average_precision@2", "reciprocal_rank@2")
    assert [step["value"] for step in answer["steps"]] == [pytest.approx(1 / 3), pytest.approx(1 / 2)]


def test_a_function_of_a_library_is_looked_up(diff) -> None:
    done = diff("rs_metrics==0.6.0:rs_metrics.precision", "precision", "-k", "2")
    assert done.exit_code == 1 and "denominator      A  shown" in done.stdout


@pytest.mark.slow  # identifies the function
def test_a_function_of_the_users_own_is_held_against_the_metric_of_the_other_side(diff, tmp_path: Path) -> None:
    # Hits over min(k, r) are a precision and a recall; beside a recall they are one.
    own = tmp_path / "own.py"
    own.write_text(
        "def score(recommended, relevant, k):\n"
        "    hits = len(set(recommended[:k]) & set(relevant))\n"
        "    return hits / min(k, len(relevant)) if relevant else 0.0\n"
    )
    for words in ((f"{own}:score", "recall@2"), ("recall@2", f"{own}:score")):
        said = diff(*words).stdout
        assert "recall@2|denominator:min" in said and "two metrics" not in said
        assert "formula\n  denominator" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ndcg@5", "ndcg@10"), "two cut-offs are named: 5 and 10"),
        (("ndcg@5", "ndcg|gian:exp2"), "did you mean 'gain'?"),
        (("choosing", "ndcg"), "choosing is no definition"),
        (("ndcg", "nothing_of_this:f"), "no library 'nothing_of_this'"),
    ],
)
def test_what_is_no_definition_is_refused(diff, words: tuple[str, str], said: str) -> None:
    done = diff(*words)
    assert done.exit_code == 2
    assert said in done.stderr + str(done.exception)


def test_a_cutoff_of_a_metric_that_has_none_is_told() -> None:
    done = audit("diff", "auc@20", "ndcg@20")
    assert done.exit_code == 2
    assert "auc@20" in done.stderr and "no cut-off acts" in done.stderr


def test_the_arguments_that_make_a_library_compute_the_other_are_told(diff) -> None:
    done = diff("rectools:Precision", "precision|denominator:min", "-k", "2")
    assert "to make A compute B, or its formula\n  pass r_precision=True (rectools 0.19.0: " in done.stdout
    assert "to make B compute A" not in done.stdout  # B is no function of a library
    answer = json.loads(diff("rectools:Precision", "precision|denominator:min", "-k", "2", "--format", "json").stdout)
    assert answer["agreeing_functions"]["A"][0]["arguments"] == "r_precision=True"
    assert answer["agreeing_functions"]["B"] == []


# A history is of one library, or a page on all, with their versions in the order in which they came.


@pytest.mark.slow
def test_versions_stand_in_the_order_in_which_they_came() -> None:
    known = discover([adapters_dir()])
    recommenders, daisyrec = library_meanings([known["recommenders"], known["daisyrec"]])
    assert [pin.version for pin in recommenders.pins][:2] == ["2021.2", "0.7.0"], "its tags once bore the year"
    assert list(daisyrec.without) == ["2.0.8"]
    assert "import each other" in daisyrec.without["2.0.8"]


@pytest.mark.parametrize("words", [(), ("rs_metrics", "--page", "p.md")])
def test_a_history_is_of_one_library_or_a_page_on_all(words: tuple[str, ...]) -> None:
    made = audit("history", *words)
    assert made.exit_code == 2
    assert "audit history LIBRARY, or --page FILE" in made.stderr


# Badges say in a few words what a library means by a metric.


@pytest.fixture
def audits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Audits:
    monkeypatch.chdir(tmp_path)
    drifting_library.write(tmp_path / "mine" / "drifting", "2.0", "1.1")
    return Audits(monkeypatch)


def test_the_newest_version_is_drawn(audits: Audits, tmp_path: Path) -> None:
    done = audit_mine("badge", "drifting", "--metric", "precision", "--out", "badge.svg")
    assert done.exit_code == 0, done.output
    assert audits.built == ["2.0"]
    root = ET.fromstring((tmp_path / "badge.svg").read_bytes())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert {"Precision", "divided by the items shown"} <= {(element.text or "").strip() for element in root.iter()}
    assert [path.name for path in tmp_path.iterdir() if "badge" in path.name] == ["badge.svg"]


def test_shields_draws_the_other_form(audits: Audits) -> None:
    done = audit_mine("badge", "drifting==1.1", "--metric", "precision", "--format", "json")
    document = json.loads(done.stdout)
    assert set(document) == {"schemaVersion", "label", "message", "color"}
    assert (document["schemaVersion"], document["label"], document["message"]) == (1, "Precision", "canonical formula")


@pytest.mark.slow
def test_what_was_accepted_is_not_run_again(audits: Audits) -> None:
    assert audit_mine("accept", "-l", "drifting", "--yes").exit_code == 0
    audits.built.clear()
    assert audit_mine("badge", "drifting", "--metric", "recall").exit_code == 0
    assert audits.built == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("drifting", "--metric", "ndcg"), "no function called ndcg"),
        (("nobody", "--metric", "ndcg"), "no library is called 'nobody'"),
        (("drifting", "--metric", "recall", "--out", "/dev/null/badge.svg"), "cannot be written"),
    ],
)
def test_bad_usage(words: tuple[str, ...], said: str, audits: Audits) -> None:
    done = audit_mine("badge", *words)
    assert done.exit_code == 2
    assert said in done.stderr


def test_a_function_of_the_user_s_own_is_asked_in_diff_as_in_identify(tmp_path: Path) -> None:
    """Precision by any names of parameters: --shape says how it is called, and --python where it runs."""
    (tmp_path / "own.py").write_text("def f(a, b, k):\n    return sum(each in b for each in a[:k]) / k\n")
    done = audit("diff", "precision@5", "own.py:f", "--shape", "recommended", "--metric", "precision",
                 "--python", sys.executable, "--dataset", "synthetic:20x20")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "the same: equal on every input that was tried" in done.stdout
    missing = audit("diff", "precision@5", "own.py:f", "--python", "no/python")
    assert missing.exit_code == 2 and "no Python that runs" in missing.stderr
    idle = audit("diff", "precision@5", "recall@5", "--shape", "recommended")
    assert idle.exit_code == 2 and "leave out --shape" in idle.stderr
