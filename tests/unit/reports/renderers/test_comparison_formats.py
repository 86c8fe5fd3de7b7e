"""A comparison in every format."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from recsys_metric_audit.reports.renderers import comparison_formats
from recsys_metric_audit.reports.tables.comparison import compare_results
from tests.support.compared_results import two_runs
from tests.support.extreme_results import hostile
from tests.support.result_samples import small_result


def test_a_comparison_in_latex_compiles(tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    (tmp_path / "report.tex").write_text(
        comparison_formats.as_latex(compare_results(small_result(), hostile())), encoding="utf-8"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "report.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]


COMPARED = """\
5 changes. Computes another formula: 1, runs in one run only: 1, library version in one run only, or in another state: \
1, new function: 1 and another value, the same meaning: 1.

Computes another formula
  alpha 1.0 → 1.1 alpha.average_precision @20
    - average_precision@k
    + average_precision@k|denominator:k

Runs in one run only
  beta 2_3 beta.recall @20
    - failed
    + recall@k

Library version in one run only, or in another state
  new 1
    - nothing
    + audited

New function
  beta 2_3 beta.ndcg @20
    - nothing
    + ndcg@k

Another value, the same meaning
  beta 2_3 beta.average_precision @20
    - 0.0321
    + 0.0322
"""


def test_a_comparison_in_the_terminal() -> None:
    assert comparison_formats.as_text(compare_results(*two_runs())) == COMPARED


def test_a_comparison_in_every_other_form() -> None:
    made = compare_results(*two_runs())
    assert (
        "| computes another formula | alpha 1.0 → 1.1 alpha.average\\_precision @\u206020 | average\\_precision@k | "
        in (comparison_formats.as_markdown(made))
    )
    assert json.loads(comparison_formats.as_json(made))["changes"][1]["after"] == "recall@k"
    lines = list(csv.DictReader(io.StringIO(comparison_formats.as_csv(made))))
    assert [line["kind"] for line in lines] == ["formula", "status", "library", "new", "value"]
    assert pq.read_table(io.BytesIO(comparison_formats.as_parquet(made))).num_rows == 5
    page = comparison_formats.as_html(compare_results(small_result(), hostile()))
    assert page.count("<script") == 0 and "&lt;script&gt;" in page
