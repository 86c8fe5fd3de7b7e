"""The re-audit in words, on the command line and on the page."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from typer.testing import CliRunner

from recsys_metric_audit.audit.cli import app
from recsys_metric_audit.reports.model.write_result import write_result
from recsys_metric_audit.reports.paper.claims import load_claims, paper_keys
from recsys_metric_audit.reports.paper.reaudit import reaudit
from tests.support import result_samples as samples
from tests.support.paper_findings import audited, identified


def test_recorded_rows_count_and_are_said_to_be_recorded() -> None:
    one = identified("dl_rs_evaluation", "14e765bc", "hit_rate@20|counts:hits", live=False, witness=samples.witness())
    told = reaudit(audited(one, live=False)).told[1]
    assert told.verdict == "reproduced" and "recorded, not run here" in told.words
    assert told.about[0].evidence[0].recorded
    assert "Three relevant items" in told.about[0].evidence[0].witness


def test_the_command_prints_every_claim_in_every_form(tmp_path: Path) -> None:
    write_result(
        audited(identified("dl_rs_evaluation", "14e765bc", "hit_rate@20|counts:hits", value=math.inf)), tmp_path
    )
    outputs = {}
    for form in ("text", "md", "json"):
        done = CliRunner().invoke(app, ["paper", "--from", str(tmp_path), "--format", form])
        assert done.exit_code == 0, done.output
        outputs[form] = done.stdout
    document = json.loads(outputs["json"])
    assert [told["number"] for told in document["told"]] == list(range(1, 22))
    assert document["table3"] == [["Wrong ref.", "4/15"], ["Correct ref.", "3/15"], ["Partial desc.", "3/15"],
                                  ["Full desc.", "5/15"]]  # fmt: skip
    for told in document["told"]:
        assert f"## {told['number']}. " in outputs["md"]
        assert f"\n{told['number']:2}  {told['answer']}" in outputs["text"]
    assert "| 4/15 | 3/15 | 3/15 | 5/15 |" in outputs["md"]


def test_the_screen_has_fifty_lines_of_a_hundred_columns(tmp_path: Path) -> None:
    write_result(audited(identified("dl_rs_evaluation", "14e765bc", "ndcg@20|gain:exp2|ideal:all")), tmp_path)
    lines = CliRunner().invoke(app, ["paper", "--from", str(tmp_path)]).stdout.splitlines()
    assert len(lines) <= 50 and max(map(len, lines)) <= 100
    shown = [line for line in lines if line[:2].strip().isdigit() and line[2:4] == "  "]
    assert [int(line[:2]) for line in shown] == list(range(1, 22)), "a line a claim"


def test_one_claim_is_told_in_full(tmp_path: Path) -> None:
    write_result(
        audited(identified("recbole", "1.2.1", "auc|pooling:weighted|weight:relevant", function="GAUC")), tmp_path
    )
    done = CliRunner().invoke(app, ["paper", "16", "--from", str(tmp_path)])
    assert done.exit_code == 0 and done.stdout.startswith("16. RecBole's GAUC") and "\n17. " not in done.stdout
    assert "6,967" in done.stdout and "CONTRADICTED" in done.stdout
    survey = CliRunner().invoke(app, ["paper", "21", "--from", str(tmp_path)])
    assert "Table 3" in survey.stdout
    wrong = CliRunner().invoke(app, ["paper", "22", "--from", str(tmp_path)])
    assert wrong.exit_code == 2 and "no claim 22" in wrong.stderr


def test_the_screen_of_2021_ends_with_the_other_papers(tmp_path: Path) -> None:
    write_result(audited(identified("rs_metrics", "0.5.0", "ndcg@20")), tmp_path)
    shown = CliRunner().invoke(app, ["paper", "--from", str(tmp_path)]).stdout
    foot = " ".join(shown[shown.index("Other papers") :].split())
    assert foot == f"Other papers (audit paper KEY): {', '.join(paper_keys()[1:])}."
    listed = CliRunner().invoke(app, ["paper", "--list"]).stdout.splitlines()
    assert [line.split()[0] for line in listed] == list(paper_keys())


@pytest.mark.slow
def test_a_later_paper_is_answered_by_its_key_in_every_form(tmp_path: Path) -> None:
    write_result(audited(identified("rs_metrics", "0.5.0", "ndcg@20")), tmp_path)
    claims = load_claims("manzhos2025")
    for form in ("text", "md", "json"):
        done = CliRunner().invoke(app, ["paper", "manzhos2025", "--from", str(tmp_path), "--format", form])
        assert done.exit_code == 0, done.output
        assert all(claim.title in done.stdout for claim in claims.claim)
    told = json.loads(done.stdout)
    assert told["paper"] == claims.paper.citation and told["table3"] == []
    assert {claim["answer"] for claim in told["told"]} <= {"yes", "yes, but", "in part", "no", "unknown"}
    one = CliRunner().invoke(app, ["paper", "manzhos2025", "2", "--from", str(tmp_path)]).stdout
    assert one.startswith("2. ") and "Not verifiable here: " in one


def test_a_paper_or_claim_that_is_not_there_is_refused(tmp_path: Path) -> None:
    for words, said in ((["nobody1999"], "there is no paper"), (["manzhos2025", "9"], "manzhos2025 has no claim 9"),
                        (["manzhos2025", "1", "2"], "no claim 1 2")):  # fmt: skip
        done = CliRunner().invoke(app, ["paper", *words])
        assert done.exit_code == 2 and said in done.stderr, done.stderr


def test_the_command_refuses_a_folder_without_an_audit(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["paper", "--from", str(tmp_path / "nothing")])
    assert done.exit_code == 2


def test_the_page_tells_every_claim_and_the_papers_values() -> None:
    from recsys_metric_audit.reports.renderers.html import render_report

    shown = render_report(
        audited(identified("rs_metrics", "0.5.0", "average_precision@20|denominator:r", value=0.0317))
    )
    assert shown.count('<details class="claim">') == 21
    assert "<small>[0.032 B]</small>" in shown
