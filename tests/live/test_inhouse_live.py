"""Every in-house function through the command line, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.inhouse_table import FRAMES, LISTS

pytestmark = pytest.mark.live
ALWAYS = {"precision_of_shown", "average_precision_nan", "ndcg_exponential", "auc", "frames_f1_of_means"}
"""Functions that `make test` asks for; `make test-libraries` asks for all."""

SUPPORT = Path(__file__).parents[1] / "support"
AUDIT = [sys.executable, "-c", "from recsys_metric_audit.audit.cli import main; main()", "identify"]


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
    typed = [*AUDIT, file, "--metric", metric, "--format", "json", *words]
    done = subprocess.run(typed, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["signature"], answer["equivalent"]) == (signature, [])
