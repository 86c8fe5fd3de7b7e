"""Builds the locked environment in which Spark is measured and tested: PySpark, Arrow, numpy, nothing of ours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from recsys_metric_audit.audit.environments import uv

LOCK = Path(__file__).resolve().parents[1] / "requirements/spark.txt"


def build(folder: Path) -> Path:
    """Build the environment in a folder and return its Python."""
    python = folder / "environment/bin/python"
    install = ["pip", "install", "--python", str(python), "--require-hashes", "--requirement", str(LOCK)]
    for words in (["venv", "--python", sys.executable, str(folder / "environment")], install):
        subprocess.run([*uv.command(), "--quiet", *words], check=True)
    return python


def variables(python: Path) -> dict[str, str]:
    """Return the environment variables under which that Python finds this project, and its Spark workers do too."""
    return {**os.environ, "PYTHONPATH": str(LOCK.parents[1]), "PYSPARK_PYTHON": str(python)}
