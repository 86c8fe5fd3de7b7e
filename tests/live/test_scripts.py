"""Scripts for issues, run in the environments of the libraries they are about: they show the numbers they state."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover, select
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.run import Request, run
from tests.support.one_metric_library import Endings

pytestmark = pytest.mark.live

CHOSEN = (
    ("rs_metrics==0.6.0", ("rs_metrics.mapr", "rs_metrics.precision")),
    ("daisyrec==2.3.0", ("daisy.utils.metrics.NDCG", "daisy.utils.metrics.Metric.run[precision]")),
    (
        "recommenders==1.2.1",
        (
            "recommenders.evaluation.python_evaluation.map_at_k",
            "recommenders.evaluation.python_evaluation.ndcg_at_k[score_type=exp]",
            "recommenders.models.deeprec.deeprec_utils.dcg_score",
        ),
    ),
    ("rectools==0.19.0", ("rectools.metrics.NDCG", "rectools.metrics.calc_metrics[MAP(divide_by_k=True)]")),
    ("replay==0.22.0", ("replay.metrics.NDCG", "replay.metrics.OfflineMetrics[RocAuc,polars]")),
    ("recbole==1.2.1", ("recbole.evaluator.metrics.GAUC", "recbole.evaluator.Evaluator.evaluate[metrics=GAUC]")),
)


@pytest.mark.parametrize(("library", "functions"), CHOSEN, ids=[library for library, _ in CHOSEN])
def test_scripts_show_the_stated_numbers(library: str, functions: tuple[str, ...], tmp_path: Path) -> None:
    manifest, version = select(discover([adapters_dir()]), [library])[0]
    chosen = tuple(each for each in manifest.functions_of(version) if each.name in functions)
    assert len(chosen) == len(functions)
    alone = manifest.model_copy(update={"functions": chosen})
    result = run(Request(((alone, version),), data.load("synthetic:20x30"), (5,), 1, Limits(), "audit run"), Endings())
    place = environment.ensure(manifest, version)
    for finding in result.findings:
        assert finding.script is not None, finding.function
        assert finding.witness is not None
        script = tmp_path / "issue.py"
        script.write_text(finding.script, encoding="utf-8")
        done = subprocess.run([place.python, script], capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 0, done.stderr[-2000:]
        if finding.witness.library_value is None:
            raised = done.stdout.splitlines()[-3].partition(": ")[2]
            assert f"the library refuses the input ({raised})" in finding.witness.text, finding.function
            continue
        now, seen, canonical = (float(line.split()[-1]) for line in done.stdout.splitlines()[-3:])
        assert seen == pytest.approx(finding.witness.library_value, rel=0, abs=0, nan_ok=True)
        assert canonical == pytest.approx(finding.witness.canonical_value, rel=0, abs=0, nan_ok=True)
        assert now == pytest.approx(seen, rel=1e-6, nan_ok=True), finding.function
        assert now != pytest.approx(canonical, abs=1e-4, nan_ok=True), "no difference is shown"
