"""Plots are drawn without a word of matplotlib's, also where it finds no folder for its settings and fonts."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # processes of their own

DRAW = """\
from recsys_metric_audit.reports.plots.canvas import Canvas
canvas = Canvas(100, 100, 0, (0, 1), (0, 1))
canvas.line((0, 1), (0, 1), "black")
canvas.to_drawing()
"""


@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "MPLCONFIGDIR"])
@pytest.mark.parametrize("put", [lambda path: path.symlink_to(path), Path.touch])
def test_a_folder_that_is_none_is_replaced_and_removed(
    variable: str, put: Callable[[Path], object], tmp_path: Path
) -> None:
    put(tmp_path / "none")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    environ = {**os.environ, variable: str(tmp_path / "none"), "TMPDIR": str(temporary)}
    done = subprocess.run([sys.executable, "-c", DRAW], env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(temporary.iterdir()) == []
