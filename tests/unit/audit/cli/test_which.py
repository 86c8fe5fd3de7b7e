"""``audit which`` from files to the printed answer; the data are those of ``test_which`` in the reference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import Result

from tests.support.command_line import audit

PREDICTIONS = "user,item,score\nann,1,2\nann,2,1\nbob,1,2\nbob,2,1\n"
TRUTH = "user,item\nann,1\nann,3\nann,4\nbob,2\ncyd,1\n"


@pytest.fixture
def which(tmp_path: Path):
    (tmp_path / "p.csv").write_text(PREDICTIONS)
    (tmp_path / "t.csv").write_text(TRUTH)

    def run(*words: str) -> Result:
        files = ["--predictions", str(tmp_path / "p.csv"), "--truth", str(tmp_path / "t.csv")]
        return audit("which", *words, *files)

    return run


def test_the_formula_is_told_in_words_with_its_exact_value(which) -> None:
    done = which("--value", "recall@2=0.4444")  # (1/3 + 1 + 0) / 3
    assert done.exit_code == 0, done.output
    assert "Recall@2 = 0.4444" in done.stdout
    assert "  recall@2\n    the canonical formula\n    0.444444  who counts and input handling canonical" in done.stdout


def test_json_lists_every_match_and_the_libraries_of_the_formula(which) -> None:
    done = which("--metric", "map", "-k", "2", "--value", "27.78%", "--changes", "1", "--format", "json", "--library")
    # By r: ann 1/3, bob 1/2, cyd 0: 0.27778.
    (answer,) = json.loads(done.stdout)
    formula = next(each for each in answer["formulas"] if each["formula"] == "average_precision@2|denominator:r")
    assert formula["words"] == "divides by r"
    assert any(name.startswith("rs_metrics ") for name in formula["libraries"])
    assert formula["definitions"][0]["values"] == [pytest.approx(5 / 18)]


def test_where_nothing_fits_the_exit_code_is_4_and_the_reason_told(which) -> None:
    done = which("--value", "mrr@2=17.2", "--changes", "1")
    assert done.exit_code == 4
    said = " ".join(done.stdout.split())
    assert "impossible on any data" in said and "sums 1 / rank of all hits" in said
    assert "in percent, write 17.2%" in said and "the nearest are:" in said


def test_bad_input_says_what_to_type(which) -> None:
    done = which("--value", "ndcg@2=0,5")
    assert done.exit_code == 2 and "write 0.5" in done.stderr


def table(*numbers: str, more: tuple[str, ...] = ()) -> Result:
    return audit("which", *more, *(word for number in numbers for word in ("--value", number)))


def test_without_data_it_says_which_formulas_cannot_both_have_given_two_numbers() -> None:
    done = table("hr@10=0.30", "mrr@10=0.41")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("impossible: no users have these numbers together, by the usual formulas\n")
    assert "HitRate@10 = 0.30 and MRR@10 = 0.41\n" in done.stdout
    assert "impossible  hit_rate@10 with reciprocal_rank@10\n" in done.stdout
    assert "reciprocal_rank@10 ≤ hit_rate@10: without a hit it is 0" in done.stdout
    assert "left        hit_rate@10 with reciprocal_rank@10|ranks:sum\n" in done.stdout


def test_no_line_is_wider_than_the_terminal(which, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    answers = [table("hr@10=0.30", "mrr@10=0.41"), which("--value", "recall@2=0.4444", "--changes", "1")]
    assert all(len(line) <= 70 for done in answers for line in done.stdout.splitlines())


def test_numbers_against_which_nothing_speaks_are_possible_at_first_sight() -> None:
    assert table("hr@10=0.30", "mrr@10=0.21").stdout.startswith("possible: nothing speaks against these numbers")


ONE = ("--one-relevant",)


def test_three_numbers_are_impossible_together_of_which_no_two_are() -> None:
    """Hits at 1 and 2 with MRR .375 and HitRate .5 are of a quarter each: NDCG is .25 + .25 / log2(3) = .4077."""
    done = table("hr@2=0.500", "mrr@2=0.375", "ndcg@2=0.450", more=ONE)
    assert done.exit_code == 4, "nor by any other documented formulas"
    first, why = done.stdout.splitlines()[:2]
    assert first.startswith("impossible: no users with one relevant item each")
    assert why.startswith("  with hit_rate@2 = 0.500 and reciprocal_rank@2 = 0.375, ndcg@2 is 0.40")
    assert table("hr@2=0.500", "mrr@2=0.375", "ndcg@2=0.408", more=ONE).stdout.startswith("possible: some users")


@pytest.mark.parametrize(("mrr", "said"), [("0.74", "possible"), ("0.80", "impossible")])
def test_an_mrr_without_cut_off_reads_the_whole_list(mrr: str, said: str) -> None:
    """Half of the users hit at rank 1, the others at 2 or below: at most .5 + .5 / 2."""
    assert table("hr@1=0.50", f"mrr={mrr}", more=ONE).stdout.startswith(said)


def test_a_number_without_cut_off_is_searched_among_whole_lists(which) -> None:
    """Ann hits at rank 1, bob at 2, cyd has no list: 1.5 / 3."""
    done = which("--value", "mrr=0.500", "--changes", "0")
    assert done.exit_code == 0 and "  reciprocal_rank|cutoff:none\n" in done.stdout
    assert "@k" not in done.stdout


def test_a_table_that_no_documented_formulas_give_ends_with_4() -> None:
    done = table("recall@5=0.9", "recall@10=0.3", more=("--one-relevant", "--format", "json"))
    assert done.exit_code == 4, done.output
    answer = json.loads(done.stdout)
    (pair,) = answer["pairs"]
    assert answer["usual"] == "impossible" and answer["together"]["possible"] == []
    assert pair["possible"] == [] and pair["impossible"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--value", "hr@10=0.3"], "without them one number says nothing"),
        (["--one-relevant", "--dataset", "synthetic", "--value", "hr@10=0.3"], "leave it out, or the data"),
        (["--value", "mrr=0.3", "--value", "ndcg=0.2"], "two numbers with a cut-off are compared"),
        (["--one-relevant", "--value", "mrr=0.3", "--value", "ndcg=0.2"], "ranks have no end"),
    ],
)
def test_what_says_nothing_is_refused_and_never_answered_about_other_data(words: list[str], said: str) -> None:
    done = audit("which", *words)
    assert done.exit_code == 2 and said in done.stderr


def test_a_metric_that_takes_no_cut_off_is_not_compared_at_once() -> None:
    done = table("auc=0.8", "hr@10=0.5", more=ONE)
    assert done.exit_code == 2 and "--one-relevant: auc takes no cut-off" in done.stderr
