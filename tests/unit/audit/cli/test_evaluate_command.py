"""``audit evaluate`` from files to the printed table and the files written; values by hand."""

from __future__ import annotations

import csv
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import Result

from recsys_metric_audit.reports.model.result_file import write_result
from tests.support.command_line import audit
from tests.support.result_samples import finding, library, result

PREDICTIONS = "user,item,score\nann,1,2\nann,2,1\nbob,1,2\nbob,2,1\n"
TRUTH = "user,item\nann,1\nann,3\nann,4\nbob,2\ncyd,1\n"
"""ann has one of three relevant items, first; bob his only one, second; cyd has no list."""


@pytest.fixture
def evaluate(tmp_path: Path):
    (tmp_path / "p.csv").write_text(PREDICTIONS)
    (tmp_path / "t.csv").write_text(TRUTH)

    def run(*words: str, predictions: str = "p.csv") -> Result:
        return audit("evaluate", predictions, "t.csv", *words)

    return run


@pytest.fixture
def told(tmp_path: Path) -> list[str]:
    """Write a run in which a library was found to average over users with a list; return the option that names it."""
    rows = [
        finding("recall", signature="recall@20|users:both", formula="recall@20", function="alpha.recall", value=None),
        finding("recall", signature="recall@20|users:both|ties:other", formula="recall@20", function="alpha.fast"),
        finding("average_precision", signature="average_precision@20|denominator:r|no_list:error",
                formula="average_precision@20|denominator:r", function="alpha.map", unknown=("users",)),
        finding("ndcg", verdict="unexplained", signature=None, formula=None, function="alpha.ndcg"),
    ]  # fmt: skip
    write_result(result(libraries=(library(),), findings=tuple(rows)), tmp_path / "told")
    return ["--from", "told"]


def row(done: Result, title: str) -> list[str]:
    assert done.exit_code == 0, done.output
    (line,) = (line for line in done.stdout.splitlines() if line.startswith(f"{title} "))
    return line.split()


def test_each_metric_at_each_cut_off_with_the_users_averaged(evaluate) -> None:
    done = evaluate("-k", "1", "-k", "2", "--metrics", "recall,mrr", "--metrics", "map@2|denominator:r")
    assert row(done, "Recall@1")[1:3] == ["0.1111", "3"]  # (1/3 + 0 + 0) / 3
    assert row(done, "Recall@2")[1:3] == ["0.4444", "3"]  # (1/3 + 1 + 0) / 3
    assert row(done, "MRR@2")[1:3] == ["0.5000", "3"]  # (1 + 1/2 + 0) / 3
    assert row(done, "MAP@2")[1:] == ["0.2778", "3", "divides", "by", "r"]  # (1/3 + 1/2 + 0) / 3
    assert "MAP@1" not in done.stdout


def test_the_usual_six_at_10_where_nothing_is_named(evaluate) -> None:
    done = evaluate()
    named = [line.split()[0] for line in done.stdout.splitlines() if "canonical formula" in line]
    assert named == ["HitRate@10", "MAP@10", "MRR@10", "NDCG@10", "Precision@10", "Recall@10"]
    assert row(done, "HitRate@10")[1] == "0.6667"


def test_both_kinds_of_file_hold_every_digit(evaluate, tmp_path: Path) -> None:
    done = evaluate("-k", "2", "--metrics", "recall,auc|scope:stacked", "--out", "new/v.csv", "--by-user", "u.parquet")
    assert done.exit_code == 0, done.output
    (recall, auc) = csv.DictReader((tmp_path / "new/v.csv").open())
    assert (recall["signature"], recall["k"], recall["users"]) == ("recall@2", "2", "3")
    assert float(recall["value"]) == pytest.approx(4 / 9, rel=1e-15)
    assert (auc["metric"], auc["k"]) == ("auc", "")
    rows = pq.read_table(tmp_path / "u.parquet").to_pylist()
    assert {each["user"]: each["value"] for each in rows} == {"ann": pytest.approx(1 / 3), "bob": 1.0, "cyd": 0.0}


@pytest.mark.parametrize("words", [[], ["--scenario", "users:1", "--seed", "1"]])
def test_what_is_unusual_in_the_data_is_in_the_file_too(evaluate, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "few.csv").write_text("user,item,score\nann,1,2\nann,2,1\n")
    done = evaluate("-k", "2", "--metrics", "recall,mrr", "--out", "v.csv", *words, predictions="few.csv")
    assert done.exit_code == 0, done.output
    listed = list(csv.DictReader((tmp_path / "v.csv").open()))
    for each in listed:
        assert each["data"].startswith("few.csv, ")
        assert "; Users in the truth without recommendations: 2; " in each["data"]
    assert "Users in the truth without recommendations: 2." in done.stdout


def test_a_library_s_functions_are_computed_and_equal_ones_share_a_row(evaluate, told) -> None:
    done = evaluate("-k", "2", "--metrics", "recall,map", "--as", "alpha", *told)
    assert row(done, "Recall@2")[1:3] == ["0.6667", "2"]  # (1/3 + 1) / 2: cyd has no list
    assert "alpha.recall (and 1 more)" in done.stdout
    assert "! one value a user and no mean: the mean is ours (alpha.recall)" in done.stdout
    (map_,) = (line for line in done.stdout.splitlines() if line.startswith("MAP@2"))
    assert map_.split()[1] == "–"  # of users nothing is known, and cyd has no list


def test_a_definition_that_refuses_the_data_and_one_that_is_not_known_are_named(evaluate, told, tmp_path: Path) -> None:
    done = evaluate("-k", "2", "--metrics", "map,ndcg", "--as", "alpha==1.0", *told, "--out", "v.csv")
    assert row(done, "MAP@2")[1:] == ["–", "–", "raises", "on", "this", "data", "(no_list:error)", "alpha.map"]
    assert "! left out: alpha.ndcg: no definition fits" in done.stdout
    (only,) = csv.DictReader((tmp_path / "v.csv").open())
    assert only["value"] == "" and only["note"].startswith("raises on this data")


def test_a_library_that_the_run_does_not_hold_is_read_from_its_pin(evaluate, told) -> None:
    done = evaluate("-k", "2", "--metrics", "recall", "--as", "rs_metrics==0.4.0", *told)
    assert "from the accepted findings of rs_metrics 0.4.0" in done.stdout.replace("\n", " ")
    assert row(done, "Recall@2")[1] == "0.4444"


def test_intervals_and_a_paired_test_stand_beside_the_values(evaluate, tmp_path: Path) -> None:
    (tmp_path / "o.csv").write_text("user,item,score\nann,1,2\nann,2,1\nbob,2,2\nbob,1,1\n")
    done = evaluate("-k", "1", "--metrics", "recall,auc|scope:stacked", "--interval", "0.9", "--against", "o.csv",
                    "--out", "v.csv")  # fmt: skip
    # ann 1/3 in both; bob 0, then 1; cyd 0 in both: of the two exchanges both give a difference of 1/3.
    assert row(done, "Recall@1")[5:7] == ["0.4444", "+0.3333"] and "1.0000" in row(done, "Recall@1")
    recall, auc = csv.DictReader((tmp_path / "v.csv").open())
    assert float(recall["low"]) == 0.0 and float(recall["high"]) == pytest.approx(2 / 9)  # all three draws ann: 1 in 27
    assert float(recall["difference"]) == pytest.approx(1 / 3) and float(recall["p_value"]) == 1.0
    assert auc["low"] == auc["p_value"] == auc["users"] == ""


BAD = [
    (["--interval", "95"], "--interval 95: a level is between 0 and 1", "try --interval 0.95"),
    (["--against", "none.csv"], "none.csv: there is no such file", "predictions"),
    (["--metrics", "ndgc"], "there is no metric 'ndgc'", "did you mean ndcg?"),
    (["--metrics", "ndcg|gian:exp2"], "has no axis 'gian'", "audit explain ndcg"),
    (
        ["--columns", "score=Position"],
        "--columns score=Position: 'Position' names places in a ranking: as scores they would turn each list round",
        "table['score'] = -table['Position']",
    ),
    (["-k", "0"], "-k 0: a cut-off is a number of places", "try -k 20"),
    (["--metrics", "ndcg@0"], "ndcg@0: a cut-off of 0 shows nothing", "audit explain ndcg"),
    (
        ["--out", "v.xlsx"],
        "--out v.xlsx: the suffix names no format",
        "try v.csv, v.parquet, v.md, v.tex, v.html or v.svg",
    ),
    (["--as", "recbol"], "no library is called 'recbol'", "did you mean recbole?"),
    (["--as", "rs_metrics==9"], "rs_metrics 9 is not pinned", "0.6.0"),
    (["--as", "rs_metrics", "--metrics", "rmse"], "offers no rmse", "it offers"),
    (["--as", "rs_metrics", "--metrics", "ndcg|gain:exp2"], "the library decides the definition", "--metrics ndcg"),
]


@pytest.mark.parametrize(("words", "said", "hint"), BAD)
def test_bad_input_says_what_to_type(evaluate, words: list[str], said: str, hint: str) -> None:
    done = evaluate(*words)
    assert done.exit_code == 2 and said in done.stderr and hint in done.stderr, done.output
    assert not Path("v.xlsx").exists()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write the predictions as two Parquet files, the rows of ann apart."""
    made = tmp_path / "shown"
    made.mkdir()
    for name, rows in (("a", [("ann", "1", 2.0), ("bob", "2", 1.0)]), ("b", [("bob", "1", 2.0), ("ann", "2", 1.0)])):
        user, item, score = zip(*rows, strict=True)
        pq.write_table(pa.table({"user": user, "item": item, "score": score}), made / f"{name}.parquet")
    return made


def test_a_folder_is_read_in_batches_and_gives_the_same_values(evaluate, folder: Path) -> None:
    words = ("-k", "1", "-k", "2", "--metrics", "recall,mrr,auc|negatives:catalogue,auc|scope:stacked",
             "--interval", "0.9")  # fmt: skip
    whole, read = evaluate(*words), evaluate(*words, predictions="shown")
    assert "shown, 3 users, 4 rows, read in batches" in read.stdout
    for title in ("Recall@1", "Recall@2", "MRR@1", "MRR@2"):
        assert row(read, title) == row(whole, title)
    assert row(read, "Recall@2")[1] == "0.4444"
    first, second = ([line for line in done.stdout.splitlines() if line.startswith("AUC")] for done in (whole, read))
    assert first[0] == second[0]
    assert "takes the rows of all users at once" in " ".join(read.stdout.split())


@pytest.mark.parametrize(("rows", "words"), [
    ({"user": ["ann", "bob", "ann"], "item": ["1", "1", "1"], "score": [1.0, 2.0, 3.0]}, "1 rows list an item"),
    ({"user": ["zoe"], "item": ["1"], "score": [1.0]}, "no user occurs in both"),
    ({"user": ["ann"], "item": ["1"]}, "no column 'score'"),
    ({"user": ["ann"], "item": ["1"], "score": ["a"]}, "not numbers"),
    ({"user": ["ann"], "item": ["1"], "score": [float("nan")]}, "a NaN score has no place in a ranking"),
    ({"user": ["ann"], "item": ["1"], "score": [2**53 + 1]}, "whole numbers that no float64 tells apart"),
    ({"user": ["ann", "bob"], "item": ["1", None], "score": [1.0, 2.0]}, "missing ids"),
])  # fmt: skip
def test_a_folder_with_wrong_rows_is_an_error_with_a_hint(evaluate, folder: Path, rows: dict, words: str) -> None:
    for path in folder.iterdir():
        path.unlink()
    pq.write_table(pa.table(rows), folder / "a.parquet")
    done = evaluate(predictions="shown")
    assert done.exit_code == 2
    assert words in " ".join(done.output.split())


def test_a_fault_of_the_tool_is_not_told_as_one_of_the_files(
    evaluate, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("operands could not be broadcast together")

    monkeypatch.setattr("recsys_metric_audit.audit.cli.evaluation.scores.evaluate_streamed", broken)
    assert evaluate(predictions="shown").exit_code == 70


def test_an_empty_folder_is_an_error(evaluate, folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    done = evaluate(predictions="shown")
    assert done.exit_code == 2 and "no Parquet file is in this folder" in " ".join(done.output.split())


RANKED = "".join(f"{user},{item},{9 - item}\n" for user in ("ann", "bob") for item in range(1, 5))
"""Both users have the items 1 to 4 in this order."""


@pytest.fixture
def ranked(tmp_path: Path) -> list[str]:
    (tmp_path / "full.csv").write_text("user,item,score\n" + RANKED)
    (tmp_path / "held.csv").write_text("user,item,gain\nann,3,5\nann,4,1\nbob,1,4\n")
    (tmp_path / "train.csv").write_text("user,item\nann,1\n")
    return ["full.csv", "held.csv", "--metrics", "recall,mrr", "-k", "2"]


def under(*words: str) -> Result:
    return audit("evaluate", *words)


def test_the_same_predictions_under_other_protocols(evaluate, ranked) -> None:
    done = under(*ranked, "--train", "train.csv", "--scenario", "train_filtered", "--scenario", "threshold:4",
                 "--scenario", "train_filtered+threshold:4")  # fmt: skip
    # as given: ann has her items at 3 and 4, bob his first
    assert row(done, "as given")[2:] == ["2", "0.5000", "0.5000"]
    # without item 1 of ann: one of two at rank 2
    assert row(done, "train_filtered")[1:] == ["2", "0.7500", "0.7500"]
    assert row(done, "threshold:4")[1:] == ["2", "0.5000", "0.5000"]
    assert row(done, "train_filtered+threshold:4")[1:] == ["2", "1.0000", "0.7500"]
    assert "! 1 of 8 predicted rows are train items of their users." in done.stdout


def test_drawn_scenarios_show_the_mean_and_the_ends_of_their_seeds(evaluate, ranked, tmp_path: Path) -> None:
    # ann's one item, 3 or 4, stands behind one of items 1 and 2 that is drawn; bob's always stands first
    done = under(*ranked, "--scenario", "leave_one_out+sampled:1", "--seed", "3", "--seed", "8", "--out", "v.csv")
    assert row(done, "leave_one_out+sampled:1")[1:] == ["2", "1.0000", "0.7500"]
    assert row(done, "  lowest of 2 seeds")[4:] == row(done, "  highest of 2 seeds")[4:] == ["1.0000", "0.7500"]
    assert "the mean over seeds 3, 8" in done.stdout
    listed = list(csv.DictReader((tmp_path / "v.csv").open()))
    assert [(each["scenario"], each["seed"], each["signature"]) for each in listed] == [
        ("as given", "", "recall@2"), ("as given", "", "reciprocal_rank@2"),
        ("leave_one_out+sampled:1", "3", "recall@2"), ("leave_one_out+sampled:1", "3", "reciprocal_rank@2"),
        ("leave_one_out+sampled:1", "8", "recall@2"), ("leave_one_out+sampled:1", "8", "reciprocal_rank@2"),
    ]  # fmt: skip
    again = under(*ranked, "--scenario", "leave_one_out+sampled:1", "--seed", "3", "--seed", "8")
    assert again.stdout == done.stdout


def test_short_lists_give_at_least_and_at_most(evaluate, ranked, tmp_path: Path) -> None:
    (tmp_path / "full.csv").write_text("user,item,score\nann,1,2\nann,2,1\nbob,1,2\nbob,2,1\n")
    (tmp_path / "train.csv").write_text("user,item\ncyd,3\ncyd,4\ncyd,5\n")
    (tmp_path / "held.csv").write_text("user,item\nann,3\nbob,1\n")
    words = [*ranked, "--train", "train.csv", "-k", "3", "--metrics", "rmse", "--scenario", "sampled:4", "--seed", "1"]
    done = under(*words, "--out", "v.csv")
    # ann: 1 2 then 4, 5 (not listed) and 3 (relevant, not listed) in an order nobody knows; bob: 1 first
    assert row(done, "sampled:4, at least")[3:] == ["2", "0.5000", "0.5000", "0.5000", "0.5000", "–"]
    assert row(done, "sampled:4, at most")[3:] == ["2", "0.5000", "1.0000", "0.5000", "0.6667", "–"]
    ends = [each["end"] for each in csv.DictReader((tmp_path / "v.csv").open())]
    assert ends == [""] * 5 + ["lowest"] * 5 + ["highest"] * 5


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--scenario", "sampled_popular:1"], "it needs train data"),
        (["--scenario", "users:5"], "only 2 users have held-out items"),
        (["--scenario", "users:1", "--interval", "0.9"], "--scenario and --interval exclude each other"),
        (["--scenario", "users:1", "--by-user", "u.csv"], "--scenario and --by-user exclude each other"),
        (["--seed", "4"], "--seed 4: no scenario is named that draws"),
        (["--seed", "4", "--scenario", "train_filtered"], "--seed 4: no scenario is named that draws"),
        (["--scenario", "users:1", "--seed", "-1"], "--seed -1: a seed is a number from 0"),
        (["--scenario", "half"], "there is no scenario 'half'"),
    ],
)
def test_what_cannot_be_evaluated_says_what_to_type(evaluate, ranked, words: list[str], message: str) -> None:
    done = under(*ranked, *words)
    assert done.exit_code == 2, done.output
    assert message in done.stderr and "→" in done.stderr


@pytest.mark.parametrize(
    ("truth", "said"),
    [
        ("user,item\n1,1\n2,1\n", "Users in the truth without recommendations: 1."),
        ("user,item\n1,1\n1,7\n", "Pairs from the threshold up that are not in their user's list: 1."),
        (
            "user,item\n1,1\n" + "".join(f"0{user},1\n" for user in range(1, 11)),
            "1 of 11 users of the truth (9.1%) are among the 1 of the predictions",
        ),
    ],
)
def test_what_is_unusual_in_the_data_is_said_below_their_name(tmp_path: Path, truth: str, said: str) -> None:
    (tmp_path / "p.csv").write_text("user,item,score\n1,1,.9\n1,2,.5\n")
    (tmp_path / "t.csv").write_text(truth)
    done = audit("evaluate", str(tmp_path / "p.csv"), str(tmp_path / "t.csv"), "-k", "2")
    assert done.exit_code == 0 and said in " ".join(done.stdout.split())


def test_columns_of_other_names_are_read_where_they_are_said(evaluate, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(PREDICTIONS.replace("user,item,score", "who,what,how"))
    (tmp_path / "t.csv").write_text(TRUTH.replace("user,item", "who,what"))
    done = evaluate("-k", "2", "--metrics", "recall", "--columns", "user=who, item=what,score=how")
    assert row(done, "Recall@2")[1:3] == ["0.4444", "3"]  # (1/3 + 1 + 0) / 3
    wrong = evaluate("--columns", "customer=who")
    assert wrong.exit_code == 2 and "try --columns user=customer_id" in wrong.stderr


def test_several_libraries_stand_side_by_side(evaluate, told) -> None:
    done = evaluate("-k", "2", "--metrics", "recall", "--as", "alpha", "--as", "rs_metrics==0.4.0", *told)
    rows = [line.split()[1:3] for line in done.stdout.splitlines() if line.startswith("Recall@2 ")]
    assert rows == [["0.6667", "2"], ["0.4444", "3"]], done.output  # cyd, who has no list, counts for one of them
    assert "alpha 1.0: alpha.recall" in done.stdout and "rs_metrics 0.4.0: " in done.stdout


def test_a_threshold_that_nothing_reads_and_gains_that_nothing_reads_are_told(evaluate, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("user,item,gain\nann,1,5\nbob,2,1\n")
    plain = evaluate("-k", "2", "--metrics", "ndcg", "--threshold", "4")
    assert "--threshold 4 changes no number here" in plain.stdout and "Gains are 1 to 5" in plain.stdout
    read = evaluate("-k", "2", "--metrics", "ndcg|gain:linear,recall|relevance:at_least_t", "--threshold", "4")
    assert "changes no number" not in read.stdout and "Gains are" not in read.stdout


def test_gains_of_0_and_places_for_scores_are_said(evaluate, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("user,item,gain\nann,1,1\nbob,1,0\n")
    (tmp_path / "p.csv").write_text("user,item,score\nann,1,1\nann,2,2\nann,3,3\nbob,1,1\n")
    said = (
        "1 of 2 rows of the truth has a gain of 0 or less and counts as relevant: "
        "'|relevance:positive' leaves these out."
    )
    places = (
        "Scores count up from 1 or 0 in each list: if they are places in a ranking, each list is read from its end, "
        "since the highest score is taken as the best."
    )
    plain = " ".join(evaluate("-k", "1", "--metrics", "precision").stdout.split())
    assert said in plain and places in plain
    assert said not in " ".join(evaluate("-k", "1", "--metrics", "precision|relevance:positive").stdout.split())


def test_p_values_of_several_rows_are_corrected_and_shown_as_bounds(evaluate, tmp_path: Path) -> None:
    users = range(40)
    files = {"p.csv": "user,item,score", "o.csv": "user,item,score", "t.csv": "user,item"}
    rows = {"p.csv": "{0},1,2\n{0},2,1\n", "o.csv": "{0},2,2\n{0},1,1\n", "t.csv": "{0},1\n"}
    for name, head in files.items():
        (tmp_path / name).write_text(f"{head}\n" + "".join(rows[name].format(user) for user in users))
    done = evaluate("-k", "1", "--metrics", "recall,precision", "--against", "o.csv", "--out", "v.csv")
    # All 40 users lose their hit: only two of 2^40 exchanges give as large a difference.
    assert "≤ 0.0001  ≤ 0.0002" in done.stdout
    listed = list(csv.DictReader((tmp_path / "v.csv").open()))
    assert [float(each["p_value"]) for each in listed] == [pytest.approx(1 / 10_001)] * 2
    assert [float(each["p_holm"]) for each in listed] == [pytest.approx(2 / 10_001)] * 2


def test_no_number_is_cut_on_a_narrow_terminal(evaluate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    (tmp_path / "o.csv").write_text("user,item,score\nann,1,2\nann,2,1\nbob,2,2\nbob,1,1\n")
    done = evaluate("-k", "1", "--metrics", "recall,mrr", "--interval", "0.9", "--against", "o.csv")
    assert done.exit_code == 0, done.output
    assert "…" not in done.stdout and max(map(len, done.stdout.splitlines())) <= 60
    assert "Recall@1, MRR@1: canonical formula" in done.stdout
    assert "+0.3333" in done.stdout and "p (Holm)" in done.stdout


@pytest.mark.parametrize(
    ("name", "said"),
    [("v.md", "| Recall@2 | 0.4444 | 3 |"), ("v.tex", "Recall@2 & 0.4444 & 3 &"), ("v.html", '<td class="n">0.4444'),
     ("v.svg", ">0.4444</text>")],
)  # fmt: skip
def test_the_table_is_written_as_a_document_too(evaluate, tmp_path: Path, name: str, said: str) -> None:
    done = evaluate("-k", "2", "--metrics", "recall", "--out", name)
    assert done.exit_code == 0, done.output
    text = (tmp_path / name).read_text().replace("\u2060", "").replace("\\_", "_")
    assert said in text and "p.csv, 3 users, 4 rows" in text
    assert evaluate("--out", "v.xlsx").exit_code == 2
