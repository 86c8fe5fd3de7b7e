"""``audit diff`` from what is typed to the printed answer; the values are worked out in the test of findings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from recsys_metric_audit.audit import cli

PREDICTIONS = "user,item,score\nann,1,2\nann,2,1\nbob,1,2\nbob,2,1\n"
TRUTH = "user,item\nann,1\nann,3\nann,4\nbob,2\ncyd,1\n"


@pytest.fixture
def diff(tmp_path: Path):
    (tmp_path / "p.csv").write_text(PREDICTIONS)
    (tmp_path / "t.csv").write_text(TRUTH)

    def run(*words: str) -> Result:
        files = ["--predictions", str(tmp_path / "p.csv"), "--truth", str(tmp_path / "t.csv")]
        return CliRunner().invoke(cli.app, ["diff", *words, *files], prog_name="audit")

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
)  # fmt: skip
def test_what_is_no_definition_is_refused(diff, words: tuple[str, str], said: str) -> None:
    done = diff(*words)
    assert done.exit_code == 2
    assert said in done.stderr + str(done.exception)


def test_a_cutoff_of_a_metric_that_has_none_is_told() -> None:
    done = CliRunner().invoke(cli.app, ["diff", "auc@20", "ndcg@20"])
    assert done.exit_code == 2
    assert "auc@20" in done.stderr and "no cut-off acts" in done.stderr


def test_the_arguments_that_make_a_library_compute_the_other_are_told(diff) -> None:
    done = diff("rectools:Precision", "precision|denominator:min", "-k", "2")
    assert "to make A compute B, or its formula\n  pass r_precision=True (rectools 0.19.0: " in done.stdout
    assert "to make B compute A" not in done.stdout  # B is no function of a library
    answer = json.loads(diff("rectools:Precision", "precision|denominator:min", "-k", "2", "--format", "json").stdout)
    assert answer["agreeing_functions"]["A"][0]["arguments"] == "r_precision=True"
    assert answer["agreeing_functions"]["B"] == []
