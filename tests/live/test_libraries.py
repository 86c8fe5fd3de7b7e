"""An audit of the core libraries, through the command line, held against what sources say of them.

The newest version of each, and those that the paper's formulas are held against. ``make test-libraries``
(``AUDIT_LIBRARIES=all``) audits every light library; ``make test`` asks those beyond the core in the smallest form, the
single-hit list (``test_harness_faults.py``, ``test_heavy.py``).

Expected formulas are those that Tamm, Damdinov & Vasilev 2021 (Quality Metrics in Recommender Systems) report of the
libraries, where a version behaves as theirs did; nothing here was taken from this tool's own output.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover, select
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.model.result_file import read_result

pytestmark = pytest.mark.live

CORE = ("daisyrec", "recommenders", "rectools", "replay", "rs_metrics")
"""Many metrics, four forms of input, and neither torch nor TensorFlow nor Spark."""
EVERY_LIBRARY = os.environ.get("AUDIT_LIBRARIES") == "all"
STATED = (
    # function, version, formula axes that the paper states, where
    ("rs_metrics", "0.5.0", "rs_metrics.mapr", {"denominator": "r", "indicator": "kept"}, "§4.4"),
    ("rs_metrics", "0.5.0", "rs_metrics.hitrate", {"counts": "any"}, "§4.2"),
    ("rs_metrics", "0.5.0", "rs_metrics.mrr", {"ranks": "first"}, "§4.3"),
    ("rs_metrics", "0.5.0", "rs_metrics.ndcg", {"gain": "binary", "discount": "log2"}, "§4.5"),
    ("rs_metrics", "0.5.0", "rs_metrics.recall", {"denominator": "r"}, "§4.1"),
    ("replay", "0.22.0", "replay.metrics.MAP", {"denominator": "min", "indicator": "kept"}, "§4.4"),
    ("replay", "0.22.0", "replay.metrics.NDCG", {"gain": "binary", "discount": "log2", "ideal": "k"}, "§4.5"),
    ("replay", "0.22.0", "replay.metrics.RocAuc", {"scope": "user", "list": "topk"}, "§4.6"),
    ("recbole", "1.2.1", "recbole.evaluator.metrics.MAP", {"denominator": "min", "indicator": "kept"}, "§4.4"),
    ("recbole", "1.2.1", "recbole.evaluator.metrics.NDCG", {"gain": "binary", "ideal": "k"}, "§4.5"),
    ("recommenders", "1.1.1", "recommenders.evaluation.python_evaluation.map_at_k", {"denominator": "r"}, "§4.4"),
    ("recommenders", "1.1.1", "recommenders.evaluation.python_evaluation.ndcg_at_k", {"gain": "binary"}, "§4.5"),
    ("recommenders", "1.1.1", "recommenders.evaluation.python_evaluation.precision_at_k", {"denominator": "k"}, "§4.1"),
    ("recommenders", "1.1.1", "recommenders.evaluation.python_evaluation.recall_at_k", {"denominator": "r"}, "§4.1"),
)
FORMULAS = tuple(stated for stated in STATED if EVERY_LIBRARY or stated[0] in CORE)


Pinned = tuple[Manifest, Version]


def asked() -> list[Pinned]:
    """Return the newest light version of each library, and those of FORMULAS."""
    every = select(discover([adapters_dir()]))
    light = [(m, v) for m, v in every if v.heavy is None and not v.unavailable and (EVERY_LIBRARY or m.name in CORE)]
    newest = {manifest.name: version.version for manifest, version in reversed(light)}
    named = {(library, version) for library, version, *_ in FORMULAS} | set(newest.items())
    return [(m, v) for m, v in light if (m.name, v.version) in named]


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    out = tmp_path_factory.mktemp("run") / "report"
    command = [Path(sys.executable).with_name("audit"), "run", "--out", str(out)]
    command += [part for m, v in asked() for part in ("-l", f"{m.name}=={v.version}")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert {path.name for path in out.iterdir()} == {"audit.json", "index.html", "tables.md"}
    return read_result(out)


def test_every_version_was_audited(result: Result) -> None:
    assert [(entry.library, entry.version) for entry in result.libraries] == [(m.name, v.version) for m, v in asked()]
    assert {entry.status for entry in result.libraries} == {"audited"}


def test_every_function_of_every_version_has_its_finding(result: Result) -> None:
    found = {(each.library, each.version, each.function) for each in result.findings}
    for manifest, version in asked():
        assert {(manifest.name, version.version, f.name) for f in manifest.functions_of(version)} <= found


def test_every_verdict_has_its_evidence(result: Result) -> None:
    for finding in result.findings:
        if finding.status == "measured":
            # Few probes refute a hypothesis; it then has to predict what more than these users get.
            assert finding.evidence.cases > 30 or finding.evidence.held_out_users > 100, finding
            assert finding.evidence.tolerance is not None, finding
            if finding.verdict == "unexplained":
                assert finding.evidence.range.get("stage"), finding
        else:
            assert finding.reason, finding


@pytest.mark.parametrize(("library", "version", "function", "formula", "where"), FORMULAS)
def test_formulas_are_those_that_the_paper_reports(
    result: Result, library: str, version: str, function: str, formula: dict[str, str], where: str
) -> None:
    (finding,) = _findings(result, library, version, function)
    assert finding.verdict not in ("unexplained", "unstable"), finding
    assert {name: finding.definition[name] for name in formula} == formula, (finding.signature, where)
    for other in finding.equivalent:
        assert {name: parse(other).axes[name] for name in formula} == formula, (other, where)


def _findings(result: Result, library: str, version: str, function: str) -> list[Finding]:
    return [
        each for each in result.findings if (each.library, each.version, each.function) == (library, version, function)
    ]
