"""Every in-house function through the command line; each is called in a process of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import audit
from tests.support.inhouse_table import FRAMES, LISTS

pytestmark = pytest.mark.live
ALWAYS = {"precision_of_shown", "average_precision_nan", "ndcg_exponential", "auc", "frames_f1_of_means"}
"""Functions that `make test` asks for; `make test-libraries` asks for all."""

SUPPORT = Path(__file__).parents[1] / "support"


def rows(table: list[tuple[str, str, str]]) -> list[Any]:
    return [pytest.param(*row, marks=[] if row[0] in ALWAYS else pytest.mark.long) for row in table]


@pytest.mark.parametrize(("function", "metric", "signature"), rows(LISTS))
def test_lists(function: str, metric: str, signature: str) -> None:
    named(function, metric, signature)


@pytest.mark.parametrize(("function", "metric", "signature"), rows(FRAMES))
def test_frames(function: str, metric: str, signature: str) -> None:
    named(function, metric, signature, "--frames")


def named(function: str, metric: str, signature: str, *words: str) -> None:
    file = f"{SUPPORT / 'inhouse_functions.py'}:{function}"
    done = audit("identify", file, "--metric", metric, "--format", "json", *words)
    assert done.exit_code == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["signature"], answer["equivalent"]) == (signature, [])
