"""``audit convert``: intervals from printed means, exact values from a file of ranks, and what is no such file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from recsys_metric_audit.audit import cli

HEAD = "user,rank,relevant\n"


def audit(*words: object) -> Result:
    return CliRunner().invoke(cli.app, ["convert", *map(str, words)], prog_name="audit")


def test_a_printed_hit_rate_becomes_an_interval() -> None:
    done = audit("NDCG@10", "recall@10", "--value", "HR@10=0.52")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[1:] == [
        "ndcg@10    0.1489 to 0.5250",
        "recall@10  0.5150 to 0.5250",
    ]  # 0.515 / log2(11)


def test_a_file_of_ranks_becomes_values(tmp_path: Path) -> None:
    file = tmp_path / "ranks.csv"
    file.write_text(f"{HEAD}a,1,3\na,4,3\nb,,2\n", encoding="utf-8")
    done = audit("MRR@10", "P@4", "--ranks", file, "--format", "json")
    assert json.loads(done.stdout) == [
        {"definition": "reciprocal_rank@10", "low": 0.5, "high": 0.5},
        {"definition": "precision@4", "low": 0.25, "high": 0.25},
    ]


def test_numbers_that_do_not_go_together_end_with_4() -> None:
    done = audit("NDCG@10", "--value", "HR@10=0.30", "--value", "MRR@10=0.41")
    assert done.exit_code == 4 and "no users with one relevant item each" in done.stderr


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("user,rank\na,1\n", "no column relevant"), (f"{HEAD}a,x,1\n", "line 2, column rank: 'x' is no whole number"),
        (f"{HEAD}a,1,1\na,2,3\n", "line 3: user a has 3 relevant items here and 1 above"), (HEAD, "it has no user"),
        (f"{HEAD}a,1,1\na,2,1\n", "user a: 2 hits of 1 relevant items"), (f"{HEAD}a,1\n", "column relevant: ''"),
    ],
)  # fmt: skip
def test_a_file_that_holds_no_ranks_is_refused(tmp_path: Path, rows: str, said: str) -> None:
    file = tmp_path / "ranks.csv"
    file.write_text(rows, encoding="utf-8")
    done = audit("NDCG@10", "--ranks", file)
    assert done.exit_code == 2 and said in done.stderr and "ranks.csv" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["NDCG@10"], "give printed means with --value"), (["NDCG", "--value", "HR@5=0.3"], "at which cut-off?"),
        (["NDCG@5", "--value", "0.3"], "not of the form"), (["NDCG@5", "--value", "HR@5=a"], "'a' is not a number"),
        (["NDGC@5", "--value", "HR@5=0.3"], "ndgc"), (["coverage@5", "--value", "HR@5=0.3"], "which items are shown"),
        (["NDCG@5", "--ranks", "none.csv"], "none.csv: No such file"),
    ],
)  # fmt: skip
def test_what_is_typed_wrongly_is_refused(words: list[str], said: str) -> None:
    done = audit(*words)
    assert done.exit_code == 2 and said.lower() in done.stderr.lower()
