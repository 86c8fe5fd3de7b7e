"""Every in-house function through the command line, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.inhouse_table import FRAMES, LISTS

pytestmark = pytest.mark.live

SUPPORT = Path(__file__).parents[1] / "support"
AUDIT = [sys.executable, "-c", "from audit.cli import main; main()", "identify"]


@pytest.mark.parametrize(("function", "metric", "signature"), LISTS)
def test_lists(function: str, metric: str, signature: str) -> None:
    named(function, metric, signature)


@pytest.mark.parametrize(("function", "metric", "signature"), FRAMES)
def test_frames(function: str, metric: str, signature: str) -> None:
    named(function, metric, signature, "--frames")


def named(function: str, metric: str, signature: str, *words: str) -> None:
    file = f"{SUPPORT / 'inhouse_functions.py'}:{function}"
    typed = [*AUDIT, file, "--metric", metric, "--format", "json", *words]
    done = subprocess.run(typed, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["signature"], answer["equivalent"]) == (signature, [])
