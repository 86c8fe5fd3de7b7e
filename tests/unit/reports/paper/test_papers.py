"""Hold the pages of papers: claims judged again, short answers, then and now."""

from __future__ import annotations

import csv
import io
import json
import math
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from recsys_metric_audit.audit.cli import results
from recsys_metric_audit.audit.cli.results import experiment_data
from recsys_metric_audit.reports.experiments.outcome import DataMissingError
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.model.result_file import write_result
from recsys_metric_audit.reports.paper.claims import load_claims, paper_keys
from recsys_metric_audit.reports.paper.reaudit import reason_in_words, reaudit
from recsys_metric_audit.reports.paper.then_and_now import then_and_now
from recsys_metric_audit.reports.tables.table import KeyEntry, Row, Table
from tests.support import result_samples as samples
from tests.support.command_line import audit
from tests.support.paper_findings import audited, identified, judged_claim
from tests.support.result_samples import differing, finding, library, lost, result

# The re-audit in words, on the command line and on the page.


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
        done = audit("paper", "--from", str(tmp_path), "--format", form)
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


def test_experiments_take_data_in_a_scenario_with_a_seed() -> None:
    whole = experiment_data("synthetic:30x400", "")
    one, same, other = (experiment_data(f"synthetic:30x400+sampled:5{seed}", "") for seed in ("", "#1", "#2"))
    assert len(one.predictions.item) == len(whole.truth.item) + 30 * 5 < len(whole.predictions.item)
    assert one.predictions.item.tolist() == same.predictions.item.tolist() != other.predictions.item.tolist()
    with pytest.raises(DataMissingError, match="there is no scenario 'halved'"):
        experiment_data("synthetic:30x400+halved", "")


def test_the_screen_has_fifty_lines_of_a_hundred_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    write_result(audited(identified("dl_rs_evaluation", "14e765bc", "ndcg@20|gain:exp2|ideal:all")), tmp_path)
    lines = audit("paper", "--from", str(tmp_path)).stdout.splitlines()
    assert len(lines) <= 50 and max(map(len, lines)) <= 100
    shown = [line for line in lines if line[:2].strip().isdigit() and line[2:4] == "  "]
    assert [int(line[:2]) for line in shown] == list(range(1, 22)), "a line a claim"


def test_one_claim_is_told_in_full(tmp_path: Path) -> None:
    write_result(
        audited(identified("recbole", "1.2.1", "auc|pooling:weighted|weight:relevant", function="GAUC")), tmp_path
    )
    done = audit("paper", "16", "--from", str(tmp_path))
    assert done.exit_code == 0 and done.stdout.startswith("16. RecBole's GAUC") and "\n17. " not in done.stdout
    assert "6,967" in done.stdout and "CONTRADICTED" in done.stdout
    survey = audit("paper", "21", "--from", str(tmp_path))
    assert "Table 3" in survey.stdout
    wrong = audit("paper", "22", "--from", str(tmp_path))
    assert wrong.exit_code == 2 and "no claim 22" in wrong.stderr


def test_the_screen_of_2021_ends_with_the_other_papers(tmp_path: Path) -> None:
    write_result(audited(identified("rs_metrics", "0.5.0", "ndcg@20")), tmp_path)
    shown = audit("paper", "--from", str(tmp_path)).stdout
    foot = " ".join(shown[shown.index("Other papers") :].split())
    assert foot == f"Other papers (audit paper KEY): {', '.join(paper_keys()[1:])}."
    listed = [line for line in audit("paper", "--list").stdout.splitlines() if not line.startswith(" ")]
    assert [line.split()[0] for line in listed] == list(paper_keys())


@pytest.mark.slow
def test_a_later_paper_is_answered_by_its_key_in_every_form(tmp_path: Path) -> None:
    write_result(audited(identified("rs_metrics", "0.5.0", "ndcg@20")), tmp_path)
    claims = load_claims("manzhos2025")
    for form in ("text", "md", "json"):
        done = audit("paper", "manzhos2025", "--from", str(tmp_path), "--format", form)
        assert done.exit_code == 0, done.output
        assert all(claim.title in done.stdout for claim in claims.claim)
    told = json.loads(done.stdout)
    assert told["paper"] == claims.paper.citation and told["table3"] == []
    assert {claim["answer"] for claim in told["told"]} <= {"yes", "yes, but", "in part", "no", "unknown"}
    one = audit("paper", "manzhos2025", "2", "--from", str(tmp_path)).stdout
    assert one.startswith("2. ") and "Not verifiable here: " in one


def test_a_paper_or_claim_that_is_not_there_is_refused(tmp_path: Path) -> None:
    for words, said in ((["nobody1999"], "there is no paper"), (["manzhos2025", "9"], "manzhos2025 has no claim 9"),
                        (["manzhos2025", "1", "2"], "no claim 1 2")):  # fmt: skip
        done = audit("paper", *words)
        assert done.exit_code == 2 and said in done.stderr, done.stderr


def test_the_command_refuses_a_folder_without_an_audit(tmp_path: Path) -> None:
    done = audit("paper", "--from", str(tmp_path / "nothing"))
    assert done.exit_code == 2


def test_the_page_tells_every_claim_and_the_papers_values() -> None:
    from recsys_metric_audit.reports.renderers.html import render_report

    shown = render_report(
        audited(identified("rs_metrics", "0.5.0", "average_precision@20|denominator:r", value=0.0317))
    )
    assert shown.count('<details class="claim">') == 21
    assert "<small>[0.032 B]</small>" in shown


# The answer to each claim on one line, and the reason in a sentence.


def answered(number: int, *findings: Finding) -> SimpleNamespace:
    judged = judged_claim(number, *findings)
    return SimpleNamespace(answer=judged.verdict, reason=reason_in_words(judged))


def dl(metric: str, computes: str, **more: Any) -> Finding:
    return identified("dl_rs_evaluation", "14e765bc", computes, function=f"Base.Evaluation.metrics.{metric}", **more)


def test_hits_are_k_times_precision_on_full_lists_only() -> None:
    made = answered(2, dl("hit", "hit_rate@20|counts:hits"), dl("precision", "precision@20|denominator:shown"))
    assert made.answer == "yes, but"
    assert made.reason.startswith("Dl_Rs_Evaluation: divides by min(k, list length) on lists shorter than k")


@pytest.mark.parametrize(
    ("number", "found", "reasons"),
    [
        (4, [("daisyrec", "1.1.2", "average_precision@20|denominator:shown"),
             ("daisyrec", "2.3.0", "average_precision@20|denominator:hits")],
         ["on lists shorter than k", "Daisyrec 2.3.0: divides by the number of hits"]),
        (5, [("rs_metrics", "0.5.0", "average_precision@20|denominator:r"),
             ("rs_metrics", "0.4.1", "average_precision@20|denominator:hits")],
         ["Rs_Metrics 0.4.1: divides by the number of hits"]),
    ],
)  # fmt: skip
def test_what_other_versions_compute_is_told(
    number: int, found: list[tuple[str, str, str]], reasons: list[str]
) -> None:
    reason = answered(number, *(identified(*each) for each in found)).reason
    assert all(part in reason for part in reasons), reason


def test_the_compiled_default_is_told_beside_the_python_file() -> None:
    computes = "average_precision@20|denominator:cumulative"
    made = answered(8, identified("neurec", "f8d3ab79", computes, function="evaluator.backend.python.metric.map"))
    assert made.answer == "yes" and made.reason.startswith("The compiled default of the same commit divides by min(k")
    built = identified("neurec", "f8d3ab79", "average_precision@20", function="evaluator.backend.cpp.evaluate[MAP]")
    python = identified("neurec", "f8d3ab79", computes, function="evaluator.backend.python.metric.map")
    assert (
        "the compiled default of the same commit: computes the canonical" in answered(8, python, built).reason.lower()
    )


def test_functions_for_tensorflow_1_are_told_beside_those_for_2() -> None:
    made = answered(
        10,
        identified("openrec_tf2", "0.3.0", "ndcg@20|ideal:none"),
        identified("openrec", "0.3.0", "ndcg@20|ideal:all", function="openrec.tf1.utils.evaluators.EvalManager[NDCG]",
                   formula="ndcg@20|ideal:all"),
    )  # fmt: skip
    assert made.answer == "yes"
    assert "functions for TensorFlow 1: divides by the DCG of all relevant items" in made.reason


def test_undefined_users_and_the_number_of_irrelevant_items_speak_against_claim_15() -> None:
    computes = "auc|negatives:catalogue_plus_one|users:both|no_negatives:error"
    made = answered(15, identified("elliot", "0.3.1", computes, function="elliot.metrics.GAUC"))
    assert made.answer == "no"
    assert "counts all unseen items as irrelevant, and one more" in made.reason
    assert "undefined" in made.reason and made.reason.count("users without a class") == 1


def test_recboles_value_is_not_explained_by_weighting_and_says_by_what() -> None:
    other = identified("recbole", "1.2.1", "auc|pooling:weighted|weight:relevant", function="recbole.GAUC")
    for made in (answered(16), answered(16, other)):
        assert made.answer == "no", "another version cannot bear out why the paper's has 0.858"
        assert "weighting lowers the mean (0.705 becomes 0.688)" in made.reason
        assert "0.858 needs 17 to 19 %" in made.reason


def test_the_three_faults_of_daisyrec_come_with_what_they_amount_to() -> None:
    failed = Finding(
        library="daisyrec", version="1.1.2", function="daisy.auc_at_k", metric="auc", k=20, status="failed",
        reason="NameError: name 'pred_all' is not defined",
    )  # fmt: skip
    made = answered(18, failed)
    assert made.answer == "yes" and made.reason.startswith("Three faults: ")
    assert "without them 0.283, as DL RS Evaluation" in made.reason


def test_a_set_that_is_compared_with_an_item_is_told_where_no_mean_was_asked() -> None:
    hit = identified("neurec", "f8d3ab79", "hit_rate@20", function="metric.hit", value=None)
    made = answered(19, hit)
    assert made.answer == "unknown" and made.reason.startswith("Its hit compares each recommended item with the whole")


def test_a_base_of_the_logarithm_that_cancels_is_not_named() -> None:
    made = answered(12, dl("ndcg", "ndcg@20|gain:exp2|ideal:all"))
    assert made.answer == "no" and "ratio 0.888" in made.reason and "log_b" not in made.reason
    assert "DL RS Evaluation: divides by the DCG of all relevant items" in made.reason.replace("Dl_Rs_", "DL RS ")


def test_what_nothing_limits_names_where_it_was_found() -> None:
    assert answered(7, identified("elliot", "0.3.1", "average_precision@20|denominator:k|indicator:every",
                                  function="elliot.metrics.MAP")).reason == "Found so in Elliot 0.3.1."  # fmt: skip


# Tables 1 and 2 beside the paper's: whose value stands where, under which letter, in every form.


def made() -> Result:
    """rs_metrics in the paper's version and another, RecBole that could not run, a library that the paper has not."""
    entries = (
        library("rs_metrics", "0.6.0", title="rs_metrics"), library("rs_metrics", "0.5.0", title="rs_metrics"),
        library("recbole", "0.2.1", title="RecBole", status="unavailable", reason="Python 3.7 was not found."),
        library("alpha"), library("elliot", "0.3.1", title="Elliot", live=False),
    )  # fmt: skip
    found = (
        differing("average_precision", "rs_metrics", "denominator", "r", 0.0732, version="0.6.0"),
        differing("average_precision", "rs_metrics", "denominator", "r", 0.0733, version="0.5.0"),
        finding("average_precision"),
        lost("auc", "elliot", "failed", "ValueError", version="0.3.1"),
        differing("auc", "alpha", "scope", "stacked", 0.61),
        finding("auc", "elliot", function="elliot.GAUC", version="0.3.1", live=False),
    )
    return result(libraries=entries, findings=found)


def row(table: Table, label: str, detail: str = "") -> Row:
    return next(each for each in table.rows if each.label == label and each.detail.startswith(detail))


def test_the_papers_value_stands_beside_that_of_the_papers_version() -> None:
    first = then_and_now(made(), 1)
    heads = [column.heading for column in first.columns]
    assert heads[:2] == ["MAP", "AUC"] and set(heads[2:]) == {"HitRate", "MRR", "NDCG", "Precision", "Recall"}
    own = row(first, "rs_metrics", "0.5.0").cells[0]
    assert (own.text, own.mark, own.published, own.beside) == ("0.073", "a", "0.032 B", "a [0.032 B]")
    assert row(first, "rs_metrics", "0.6.0").cells[0].published == ""
    assert row(first, "Alpha").cells[0].published == ""


def test_capital_letters_are_the_definitions_that_the_paper_claims() -> None:
    key = then_and_now(made(), 1).key
    assert KeyEntry("MAP", "A", "divides by k, not by min(k, r)", "says the paper") in key
    assert KeyEntry("MAP", "B", "divides by r, not by min(k, r)", "says the paper") in key
    assert KeyEntry("HitRate", "A", "counts the hits, not 1 for any hit", "says the paper") in key
    assert (
        KeyEntry("AUC", "C", "areas of users averaged term by term, in the paper's words (§4.6)", "says the paper")
        in key
    )


def test_a_library_that_did_not_run_or_is_not_in_the_audit_keeps_the_papers_row() -> None:
    first = then_and_now(made(), 1)
    lost_row = row(first, "RecBole", "0.2.1")
    assert (lost_row.note, lost_row.cells[0].text, lost_row.cells[0].published) == ("", "–", "0.039")
    assert any("Python 3.7 was not found." in mark.meaning for mark in first.key)
    paper_only = row(first, "DL RS Evaluation", "14e765bc (paper)")
    assert [cell.published for cell in paper_only.cells[:2]] == ["0.039", "0.283 A"]


def test_in_table_2_the_papers_value_stands_in_the_column_of_its_meaning() -> None:
    second = then_and_now(made(), 2)
    heads = [column.heading for column in second.columns]
    elliot = row(second, "Elliot").cells
    assert elliot[heads.index("GAUC")].published == "0.705"
    assert elliot[heads.index("SAUC")].published.startswith("0.688")
    assert elliot[heads.index("LAUC@20")].published.startswith("0.112")
    recbole = row(second, "RecBole", "0.2.1 (paper)").cells
    assert (recbole[heads.index("SAUC")].published, recbole[heads.index("GAUC")].published) == ("0.687 B", "0.858 C")


def test_of_several_columns_of_one_name_the_papers_value_stands_where_the_row_has_a_number() -> None:
    rated = differing("auc", "elliot", "scope", "stacked", float("nan"), version="0.3.1", function="elliot.rated")
    rated = rated.model_copy(update={"formula": "auc|scope:stacked|unlisted:dropped"})
    every = differing("auc", "elliot", "scope", "stacked", 0.66, version="0.3.1", function="elliot.every")
    second = then_and_now(made().model_copy(update={"findings": (rated, every)}), 2)
    at = [number for number, column in enumerate(second.columns) if column.heading == "SAUC"]
    cells = row(second, "Elliot").cells
    shown = [(cells[number].text, cells[number].published.split(" ")[0]) for number in at]
    assert shown == [("nan", ""), ("0.660", "0.688")]


def test_at_another_cut_off_the_paper_has_no_value() -> None:
    found = tuple(each.model_copy(update={"k": 5}) for each in made().findings)
    table = then_and_now(made().model_copy(update={"k": (5,), "findings": found, "reference": ()}), 1)
    assert not any(cell.published for each in table.rows for cell in each.cells)


@pytest.mark.parametrize("form", ["text", "md", "html"])
def test_the_forms_show_both_values(form: str, tmp_path: Path) -> None:
    write_result(made(), tmp_path)
    done = audit("table", "1", "--from", str(tmp_path), "--format", form)
    assert done.exit_code == 0, done.output
    assert {
        "text": "0.073 a [0.032 B]", "md": r"0.073<sup>a</sup> \[0.032 B\]",
        "html": "0.073<sup>a</sup> <small>[0.032 B]</small>",
    }[form] in done.stdout  # fmt: skip
    assert 'href="#' not in done.stdout


def test_csv_holds_every_digit_of_both(tmp_path: Path) -> None:
    write_result(made(), tmp_path)
    done = audit("table", "1", "--from", str(tmp_path), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    own = next(each for each in rows if (each["version"], each["metric"]) == ("0.5.0", "average_precision"))
    assert (own["value"], own["paper_value"]) == ("0.0733", "0.031690245847362415")
    assert own["paper_variant"] == "average_precision@k|denominator:r"


@pytest.mark.parametrize("number", ["1", "2"])
def test_latex_compiles(number: str, tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    write_result(made(), tmp_path)
    out = tmp_path / "table.tex"
    done = audit("table", number, "--from", str(tmp_path), "--format", "latex", "--out", str(out))
    assert done.exit_code == 0, done.output
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "table.tex"]
    compiled = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert compiled.returncode == 0, compiled.stdout[-2000:]


def test_there_is_no_third_table(tmp_path: Path) -> None:
    assert audit("table", "3").exit_code == 2


def test_of_a_later_paper_the_recorded_answers_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("an experiment is made")

    monkeypatch.setattr(results, "experiment_data", refuse)
    screen = " ".join(audit("paper", "jin2021").stdout.split())
    assert "From the recorded answers that come with this tool; audit paper jin2021 --again makes them anew." in screen
    assert "in part" in screen and "36 of 48 comparisons" in screen
    assert audit("paper", "krichene2020", "2").stdout.startswith("2. ")
