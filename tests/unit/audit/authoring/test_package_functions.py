"""The functions of an installed package that are named after a metric are found, and how they are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.authoring.package_functions import installed_package, metric_of, package_of_calls
from recsys_metric_audit.audit.errors import UserError
from tests.support.installed_library import FILES, install


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("ndcg_at_k", "ndcg"), ("NDCGAtK", "ndcg"), ("ndcg_score", "ndcg"), ("mapk", "average_precision"),
        ("RetrievalMAP", "average_precision"), ("retrieval_hit_rate", "hit_rate"),
        ("MeanReciprocalRank", "reciprocal_rank"),
        ("mean_average_precision", "average_precision"), ("HitRate", "hit_rate"), ("hr_at_n", "hit_rate"),
        ("r2_score", "r_squared"), ("recall_top_k", "recall"), ("get_user_recall", "recall"), ("rank", None),
        ("k", None), ("download", None), ("top_k", None), ("RecallTest", None),
    ],
)  # fmt: skip
def test_a_name_tells_its_metric(name: str, metric: str | None) -> None:
    assert metric_of(name) == metric


@pytest.fixture
def python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install(tmp_path, monkeypatch)


def test_functions_are_named_by_the_shortest_path(python: Path) -> None:
    found = installed_package(python, "newlib")
    assert found.homepage == "https://example.org/newlib"
    assert found.summary == 'Counts "hits", and more.'
    assert [each.path for each in found.functions] == [
        "newlib.HitRate", "newlib.ranking.MAP", "newlib.ranking.mrr", "newlib.ranking.precision_at_k",
        "newlib.ranking.rmse",
        "newlib.recall_at_k",
    ]  # fmt: skip
    by_metric = {each.metric: each for each in found.functions}
    assert by_metric["hit_rate"].method == "compute"
    assert by_metric["hit_rate"].given == ("relevant", "recommended")
    assert {metric: each.cutoff for metric, each in by_metric.items()} == {
        "hit_rate": "top_k", "reciprocal_rank": None, "precision": "k", "rmse": None, "recall": "k",
        "average_precision": None,
    }  # fmt: skip
    assert [metric for metric, each in by_metric.items() if not each.truth_first] == ["average_precision", "recall"]
    assert by_metric["average_precision"].method == "update"
    assert list(found.broken) == ["newlib.broken.ndcg"]
    assert "a_module_that_is_nowhere" in found.broken["newlib.broken.ndcg"]


def test_a_package_without_metrics_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {name: text for name, text in FILES.items() if "ranking" not in name} | {"newlib/__init__.py": ""}
    with pytest.raises(UserError, match="no function of newlib that is named after a metric can be imported: Module"):
        installed_package(install(tmp_path, monkeypatch, files), "newlib")


def test_a_class_has_the_methods_that_it_inherits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module takes anything, as torch's do, and passes it on to the method whose parameters have names."""
    module = (
        "class Module:\n    def __call__(self, *given, **named): pass\n"
        "class Metric(Module):\n    def update(self, preds, target, indexes): pass\n    def compute(self): pass\n"
        "class NDCG(Metric): pass\n"
    )
    files = {name: text for name, text in FILES.items() if not name.startswith("newlib/")}
    found = installed_package(install(tmp_path, monkeypatch, {**files, "newlib/__init__.py": module}), "newlib")
    (only,) = found.functions
    assert (only.path, only.method, only.given) == ("newlib.NDCG", "__call__", ("preds", "target", "indexes"))


def test_names_of_calls_begin_with_their_modules(python: Path) -> None:
    package, modules = package_of_calls(python, "newlib", ["newlib.ranking.mrr", "newlib.recall_at_k"])
    assert modules == ("newlib.ranking", "newlib") and package.homepage == "https://example.org/newlib"
    with pytest.raises(UserError, match=r"--call: oldlib\.mrr cannot be imported: ModuleNotFoundError"):
        package_of_calls(python, "newlib", ["oldlib.mrr"])
