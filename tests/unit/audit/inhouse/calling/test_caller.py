"""Functions, methods, classes and entries are loaded from their author's file."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit.inhouse.calling.caller import load, module_name


def test_a_file_of_a_package_has_its_dotted_name(tmp_path: Path) -> None:
    package = tmp_path / "team" / "metrics"
    package.mkdir(parents=True)
    assert module_name(package / "own.py") == (str(package), "own")
    (package / "__init__.py").touch()
    (package.parent / "__init__.py").touch()
    assert module_name(package / "own.py") == (str(tmp_path), "team.metrics.own")


def test_a_function_is_loaded_by_its_dotted_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", list(sys.path))
    file = tmp_path / "loaded_by_test_caller.py"
    file.write_text("class Metrics:\n    recall = staticmethod(lambda *_: 0.25)\nlimit = 3\n")
    assert load(str(file), "Metrics.recall")() == 0.25
    with pytest.raises(LookupError, match="did you mean 'Metrics'"):
        load(str(file), "Metric")
    with pytest.raises(LookupError, match=r"limit in .* is no function but int"):
        load(str(file), "limit")


SOURCE = """
def chosen(preds, k, metrics):
    assert metrics == ["HR"]
    return {"HR@%d" % k: len(preds) / k, "HR": 1 / k}

def named(k):
    return {"NDCG@%d" % k: k / 10, "Recall@%d" % k: 0.0}

class Recall:
    def __init__(self, top_k=None):
        self.top_k, self.rows = top_k, []

    def update(self, preds, target):
        self.rows.append((preds, target))

    def compute(self):
        return len(self.rows[0][0]) + self.top_k / 10

class Reported:
    def __init__(self, k_list=(1, 5)):
        self.k_list, self.found = k_list, 0

    def evaluate(self, preds, labels):
        self.found += len(preds)

    def reset(self):
        self.found = 0

    def share_of_all(self):
        return self.found / self.k_list[0]

class OfConfig(Reported):
    def __init__(self, config):
        super().__init__(config["cutoffs"])

class Maker:
    def __init__(self, weight=2):
        self.weight = weight

    def score(self, recommended):
        return self.weight * recommended

    def __call__(self, value):
        return value + self.weight

def make():
    return Maker(5)

def several(recommended, k):
    return {"precision": recommended / k, 10: 0.5}

def pair(recommended):
    return recommended, -recommended

def nested(recommended):
    return {"ndcg": [recommended, 2 * recommended]}, 0
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("sys.path", list(sys.path))
    path = tmp_path / "shapes_of_test_caller.py"
    path.write_text(SOURCE)
    return str(path)


def test_a_method_is_called_on_an_object(file: str) -> None:
    assert load(file, "Maker.score")(3) == 6
    assert load(file, "make().score")(3) == 15
    assert load(file, "Maker")(3) == 5


def test_an_entry_of_what_is_returned_is_picked(file: str) -> None:
    assert load(file, "several[precision]")(1, k=4) == 0.25
    assert load(file, "several[10]")(1, 4) == 0.5
    assert load(file, "pair[1]")(3) == -3
    assert load(file, "nested[0][ndcg][1]")(3) == 6
    assert load(file, "named[NDCG@k]")(7) == 0.7
    assert list(inspect.signature(load(file, "several[10]")).parameters) == ["recommended", "k"]
    for entry, value in {"chosen[HR@k]": 0.5, "chosen[HR]": 0.25}.items():
        assert load(file, entry)([1, 2], 4) == value
        assert list(inspect.signature(load(file, entry)).parameters) == ["preds", "k"]


def test_a_class_that_accumulates_is_made_anew_for_each_call(file: str) -> None:
    recall = load(file, "Recall")
    assert list(inspect.signature(recall).parameters) == ["preds", "target", "top_k"]
    assert [recall(preds=[1, 2], target=[0, 1], top_k=5), recall(preds=[1], target=[0], top_k=5)] == [2.5, 1.5]


def test_the_only_method_without_arguments_ends_what_is_accumulated(file: str) -> None:
    assert load(file, "Reported")([1, 2], [1], k_list=(8,)) == 0.25


def test_a_class_is_left_as_it_is_where_nobody_can_tell_what_it_is_made_of(file: str) -> None:
    assert load(file, "OfConfig").__name__ == "OfConfig"
