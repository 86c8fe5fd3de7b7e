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
    assert "impossible on any data" in done.stdout and "sums 1 / rank of all hits" in done.stdout
    assert "in percent, write 17.2%" in done.stdout and "the nearest are:" in done.stdout


def test_bad_input_says_what_to_type(which) -> None:
    done = which("--value", "ndcg@2=0,5")
    assert done.exit_code == 2 and "write 0.5" in done.stderr


def table(*words: str) -> Result:
    return audit("which", "--no-data", *words)


def test_without_data_it_says_which_formulas_cannot_both_have_given_two_numbers() -> None:
    done = table("--value", "hr@10=0.30", "--value", "mrr@10=0.41")
    assert done.exit_code == 0, done.output
    assert "HitRate@10 = 0.30 and MRR@10 = 0.41\n" in done.stdout
    assert "impossible  hit_rate@10 with reciprocal_rank@10\n" in done.stdout
    assert "reciprocal_rank@10 ≤ hit_rate@10: without a hit it is 0" in done.stdout
    assert "left        hit_rate@10 with reciprocal_rank@10|ranks:sum" in done.stdout


def test_a_table_that_no_documented_formulas_give_ends_with_4() -> None:
    done = table("--one-relevant", "--value", "recall@5=0.9", "--value", "recall@10=0.3", "--format", "json")
    assert done.exit_code == 4, done.output
    (pair,) = json.loads(done.stdout)
    assert pair["possible"] == [] and pair["impossible"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--no-data", "--value", "hr@10=0.3"], "compares two numbers"),
        (["--one-relevant", "--value", "hr@10=0.3"], "add --no-data"),
        (["--no-data", "--dataset", "synthetic", "--value", "hr@10=0.3", "--value", "hr@5=0.2"], "leave out the data"),
    ],
)
def test_a_table_without_data_needs_two_numbers_and_nothing_else(words: list[str], said: str) -> None:
    done = audit("which", *words)
    assert done.exit_code == 2 and said in done.stderr
