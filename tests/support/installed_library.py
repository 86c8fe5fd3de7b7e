"""Provides an installed package that this interpreter finds, and a package index that has two releases."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from tests.support.fake_libraries import FakeUv

FILES = {
    "newlib/__init__.py": "from newlib.ranking import HitRate, recall_at_k\n",
    "newlib/ranking.py": """\
def precision_at_k(actual, predicted, k=10):
    return len(set(predicted[:k]) & set(actual)) / k

def recall_at_k(predicted, actual, k=10):
    return len(set(predicted[:k]) & set(actual)) / len(actual)

class HitRate:
    def __init__(self, top_k):
        self.top_k = top_k

    def compute(self, relevant, recommended):
        return float(any(item in relevant for item in recommended[: self.top_k]))

class MAP:
    def update(self, input, target):
        self.value = 0.5
        return self

    def compute(self):
        return self.value

def mrr(targets, recs):
    return next((1 / rank for rank, item in enumerate(recs, 1) if item in targets), 0.0)

def rmse(y_true, y_pred):
    return 0.0

def download(url):
    raise SystemExit(url)
""",
    "newlib/broken.py": "import a_module_that_is_nowhere\n\ndef ndcg(true, pred, k):\n    return 0.0\n",
    "newlib/tests/helpers.py": "def average_precision(true, pred):\n    return 1.0\n",
    "newlib-1.1.dist-info/METADATA": """\
Metadata-Version: 2.1
Name: newlib
Version: 1.1
Summary: Counts "hits",  and
 more.
Project-URL: Homepage, https://example.org/newlib
""",
}


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str] | None = None) -> Path:
    """Lay the package into ``folder``, and return an interpreter that finds it; fake uv, and an index of releases."""
    site = folder / "site"
    files = FILES if files is None else files
    for name, text in files.items():
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (site / "newlib-1.1.dist-info" / "RECORD").write_text("".join(f"{name},,\n" for name in files), encoding="utf-8")
    python = folder / "environment" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(
        f"#!{sys.executable}\n"
        "import runpy, sys\n"
        f"sys.path[:1] = [{str(site)!r}]\n"
        "sys.argv = [each for each in sys.argv[1:] if not each.startswith('-')]\n"
        "runpy.run_path(sys.argv[0], run_name='__main__')\n"
    )
    python.chmod(0o755)
    FakeUv(folder, monkeypatch)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder / "index"))
    (folder / "index").mkdir()
    for release in ("1.0", "1.1"):
        (folder / "index" / f"newlib-{release}-py3-none-any.whl").touch()

    def ensure(manifest: Manifest, version: Version, *, progress: environment.Progress) -> environment.Environment:
        return environment.Environment(python, python.parent.parent)

    monkeypatch.setattr(environment, "ensure", ensure)
    return python
