"""Hold evaluation on Spark equal to evaluation in memory, to the last digit."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bench import spark_environment

pytestmark = [pytest.mark.live, pytest.mark.long]

ANSWER = Path(__file__).parent / "spark/answer.py"


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Any:
    python = spark_environment.build(tmp_path_factory.mktemp("spark"))
    done = subprocess.run([str(python), str(ANSWER)], env=spark_environment.variables(python), capture_output=True,
                          text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("case", ["numbers", "text", "empty", "no predictions"])
def test_spark_gives_the_same_digits(case: str, answers: Any) -> None:
    """``empty`` has more buckets than users."""
    made = answers["cases"][case]
    assert len(made["spark"]) == (1 if case == "no predictions" else 11)
    assert made["spark"] == made["local"]
    assert len({mean for mean, _, _ in made["spark"].values()}) > (0 if case == "no predictions" else 8)


@pytest.mark.parametrize(("asked", "kind", "words"), [
    ("text scores", "ValueError", "column 'score' holds string, not numbers"),
    ("float ids", "ValueError", "column 'user' holds double; ids are whole numbers or text"),
    ("no score", "KeyError", "no column 'score'; there are: user, item"),
    ("missing id", "ValueError", "column 'user' has missing ids"),
    ("missing score", "RowsError", "NaN score"),
    ("refused", "InputRefusedError", "duplicates"),
    ("all rows", "NotUserByUserError", "all users at once"),
])  # fmt: skip
def test_bad_input_is_named(asked: str, kind: str, words: str, answers: Any) -> None:
    raised, said = answers["errors"][asked]
    assert raised == kind, said
    assert words in said
