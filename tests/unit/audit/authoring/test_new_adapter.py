"""Hold what audit new writes, and what it reads of a package: functions and calls."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from recsys_metric_audit.audit.authoring import new_adapter
from recsys_metric_audit.audit.authoring.adapter_trial import PLAIN_CASES, PlainCase
from recsys_metric_audit.audit.authoring.generated_calls import (
    GeneratedCall,
    MetricFunction,
    MissingModuleError,
    functions_of_calls,
    generated_calls,
    installed_package,
    metric_of,
    package_of_calls,
    told_calls,
)
from recsys_metric_audit.audit.authoring.new_adapter import NewLibrary, adapter_text
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.process import harness
from recsys_metric_audit.reference.input.case import Case
from tests.support.fake_libraries import write_library
from tests.support.installed_library import FILES, install

# The adapter that is written for each form passes plain cases on to a function of that form as they are.


def of_dicts(qrels: Any, run: Any, k: int) -> float:
    tops = {user: sorted(own, key=own.get, reverse=True)[:k] for user, own in run.items()}
    return sum(any(item in own for item in tops[user]) for user, own in qrels.items()) / len(qrels)


def of_frames(truth: Any, shown: Any, top_k: int) -> float:
    top = shown.sort_values(["user_id", "score"], ascending=[True, False]).groupby("user_id").head(top_k)
    return top.merge(truth, on=["user_id", "item_id"]).user_id.nunique() / truth.user_id.nunique()


def of_matrices(y_true: Any, y_score: Any, k: int) -> float:
    top = np.argsort(-y_score, axis=1)[:, :k]
    return float(np.take_along_axis(y_true > 0, top, axis=1).any(axis=1).mean())


def of_lists(recs: list[int], target: list[int], n: int) -> float:
    return float(not set(target).isdisjoint(recs[:n]))


def of_models(model: Any, test: Any, train: Any, k: int) -> float:
    users = np.unique(test.nonzero()[0])
    items, _ = model.recommend(users, None, N=k)
    return float(np.mean([test[user, own].any() for user, own in zip(users, items, strict=True)]))


def csr_matrix(given: Any, shape: tuple[int, int] | None = None) -> Any:
    """Stand in for SciPy's, which is installed beside libraries only."""
    if isinstance(given, np.ndarray):
        return given
    values, cells = given
    made = np.zeros(shape or (0, 0))
    made[cells] = values
    return made


class OfLists:
    def __init__(self, k: int) -> None:
        self.k = k

    def compute(self, actual: list[int], predicted: list[int]) -> float:
        return of_lists(predicted, actual, self.k)


FORMS: list[tuple[str, Callable[..., Any], tuple[str, ...], int]] = [
    ("dicts", of_dicts, ("qrels", "run", "k"), 10),
    ("frames", of_frames, ("truth", "shown", "top_k"), 10),
    ("matrix", of_matrices, ("y_true", "y_score", "k"), 7),
    ("per-list", of_lists, ("recs", "target", "n"), 10),
    ("model", of_models, ("model", "test", "train", "k"), 7),
]


def library_case(case: Case) -> Any:
    rows, truth, train = case.predictions, case.truth, case.train
    return harness.Case(
        recommended=harness.Table(user=rows.user, item=rows.item, score=rows.score),
        relevant=harness.Table(user=truth.user, item=truth.item, gain=truth.gain),
        train=harness.Table(user=train.user, item=train.item),
        catalogue=case.catalogue, users=np.unique(truth.user), threshold=case.threshold, scale=case.scale,
        name=case.name,
    )  # fmt: skip


def hit_rate(case: PlainCase) -> float:
    return sum(any(user.ranked[: case.k]) for user in case.users) / len(case.users)


def answers(like: str, function: MetricFunction, target: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return what the adapter answers to every plain case, and what it refuses to pass on."""
    return answers_of(like, generated_calls((function,), like), {function.path: target}, monkeypatch)


def answers_of(
    like: str, calls: tuple[GeneratedCall, ...], library: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> dict[str, Any]:
    """Return the answers of the first of an adapter's functions, as :func:`answers` does."""
    module = ModuleType("onelib")
    for path, target in library.items():
        setattr(module, path.rpartition(".")[2], target)
    monkeypatch.setitem(sys.modules, "onelib", module)
    monkeypatch.setitem(sys.modules, "audit_harness", harness)
    sparse = ModuleType("scipy.sparse")
    monkeypatch.setattr(sparse, "csr_matrix", csr_matrix, raising=False)
    monkeypatch.setitem(sys.modules, "scipy", ModuleType("scipy"))
    monkeypatch.setitem(sys.modules, "scipy.sparse", sparse)
    adapter: dict[str, Any] = {}
    exec(compile(adapter_text("onelib", like, ["onelib"], calls), "adapter.py", "exec"), adapter)
    found: dict[str, Any] = {}
    for each in PLAIN_CASES:
        try:
            found[each.name] = adapter["FUNCTIONS"][calls[0].path](adapter["prepare"](library_case(each.case)), each.k)
        except harness.Unaskable as error:
            found[each.name] = error
    return found


def mean(answer: Any) -> float:
    return float(np.mean(answer[2])) if isinstance(answer, tuple) else float(answer)


@pytest.mark.parametrize(("like", "target", "parameters", "askable"), FORMS, ids=[form[0] for form in FORMS])
def test_each_form_passes_cases_on(
    like: str, target: Any, parameters: tuple[str, ...], askable: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    function = MetricFunction("onelib.hit_rate", "hit_rate", "function", parameters, "", parameters)
    found = answers(like, function, target, monkeypatch)
    given = {name: mean(answer) for name, answer in found.items() if not isinstance(answer, harness.Unaskable)}
    assert given == pytest.approx({each.name: hit_rate(each) for each in PLAIN_CASES if each.name in given})
    assert len(given) == askable


def test_a_class_is_made_with_the_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    function = MetricFunction("onelib.Hits", "hit_rate", "class", ("k",), "compute", ("actual", "predicted"))
    found = answers("per-list", function, OfLists, monkeypatch)
    assert {name: mean(answer) for name, answer in found.items()} == pytest.approx(
        {each.name: hit_rate(each) for each in PLAIN_CASES}
    )


def test_functions_of_one_name_get_names_of_their_own() -> None:
    two = tuple(
        MetricFunction(path, "recall", "function", ("actual", "predicted"), "", ("actual", "predicted"))
        for path in ("onelib.fast.recall", "onelib.slow.recall")
    )
    text = adapter_text("onelib", "per-list", ["onelib.fast", "onelib.slow"], generated_calls(two, "per-list"))
    assert '"onelib.fast.recall": recall,' in text
    assert '"onelib.slow.recall": slow_recall,' in text


@pytest.mark.parametrize(
    ("like", "target", "call"),
    [
        ("dicts", of_dicts, "hit_rate=onelib.told(truth, run=shown, k=k)"),
        ("frames", of_frames, "hit_rate=onelib.told(truth, shown, k)"),
        ("per-list", of_lists, "hit_rate=onelib.told(recommended, relevant, k)"),
        ("dicts", lambda qrels: lambda run, k: {
            user: {"hit": float(any(item in qrels[user] for item in sorted(own, key=own.get, reverse=True)[:k]))}
            for user, own in run.items()
        }, "hit_rate=onelib.told(truth)(shown, k)"),
    ],
    ids=["dicts", "frames", "per-list", "dictionary by user"],
)  # fmt: skip
def test_a_told_call_passes_cases_on(like: str, target: Any, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = functions_of_calls(told_calls([call], like))
    found = answers_of(like, calls, {"onelib.told": target}, monkeypatch)
    full = {each.name for each in PLAIN_CASES if all(any(user.ranked) or user.ranked for user in each.users)}
    given = {name: mean(answer) for name, answer in found.items() if name in full}
    assert given == pytest.approx({each.name: hit_rate(each) for each in PLAIN_CASES if each.name in full})


# The functions of an installed package that are named after a metric are found, and how they are called.


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
    with pytest.raises(UserError, match="newlib imports a_module_that_is_nowhere, which is not installed") as error:
        installed_package(install(tmp_path, monkeypatch, files), "newlib")
    assert error.value.hint.endswith("--requires a_module_that_is_nowhere")


def test_a_build_for_a_gpu_is_answered_with_what_to_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Path:
        raise UserError("torch==2.15.0 is not the CPU build", "see library.toml")

    monkeypatch.setattr(new_adapter, "write_lock", refuse)
    manifest, _ = write_library(tmp_path / "fake")
    with pytest.raises(UserError, match="not the CPU build") as error:
        new_adapter._lock(manifest)
    assert "--requires torch==2.13.0" in error.value.hint


def test_what_a_package_imports_and_does_not_ask_for_is_added_if_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []

    def write(wanted: NewLibrary, seconds: float, progress: object) -> None:
        asked.append(wanted.requires)
        for module in ("sklearn", "elsewhere"):
            if {"sklearn": "scikit-learn"}.get(module, module) not in wanted.requires:
                raise MissingModuleError(f"lib imports {module}", module)

    monkeypatch.setattr(new_adapter, "_write", write)
    said: list[str] = []
    with pytest.raises(MissingModuleError, match="elsewhere"):  # whose distribution that is nobody can know
        new_adapter.write_new_adapter(NewLibrary("lib", "lib", "dicts", Path()), 1.0, said.append)
    assert asked == [(), ("scikit-learn",)] and said == ["lib imports sklearn: scikit-learn is added"]


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


# Calls that a user tells: what they name, what they import, and the function that is written for each.


def test_a_call_names_its_metric_its_modules_and_its_path() -> None:
    (told,) = told_calls(['map=lib.Evaluator(truth, {f"map.{k}"}).evaluate(shown)'], "dicts")
    assert (told.metric, told.path) == ("average_precision", "lib.Evaluator.evaluate[map]")
    assert told.chains == ("lib.Evaluator",)


def test_neither_variables_nor_builtins_are_taken_for_modules() -> None:
    text = "recall=a.b.recall({u: int(g) for u, g in truth.items()}, sorted(shown, key=lambda row: row), c.D @ k)[c.D]"
    (told,) = told_calls([text], "dicts")
    assert sorted(told.chains) == ["a.b.recall", "c.D"]
    assert told.path == "a.b.recall[recall]"


@pytest.mark.parametrize(
    ("like", "text", "call"),
    [
        ("dicts", "ndcg=lib.f(truth, shown, k)", "of_users(lib.f(data.truth, data.shown, k))"),
        ("per-list", "ndcg=lib.f(relevant, recommended[:k])",
         "each_user(data, lambda relevant, recommended: lib.f(relevant, recommended[:k]))"),
        ("tensors", "ndcg=lib.f(preds, target)", "each_user(data, lambda preds, target: lib.f(preds, target))"),
    ],
)  # fmt: skip
def test_each_form_reads_what_its_adapter_prepares(like: str, text: str, call: str) -> None:
    (made,) = functions_of_calls(told_calls([text], like))
    assert made.call == call
    assert made.cutoff == ("k" if "k)" in text or "k]" in text else None)


def test_functions_get_names_that_hide_nothing() -> None:
    made = functions_of_calls(told_calls(["map=lib.f(truth, shown)", "MAP=lib.g(truth, shown)"], "dicts"))
    assert [each.python_name for each in made] == ["f_map", "g_map"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lib.f(truth, shown)", "names no metric"),
        ("f(a=truth)", "names no metric"),
        ("ndgc=lib.f(truth, shown)", "is no metric known here"),
        ("ndcg=lib.f(truth, shown", "is no expression: '(' was never closed at column"),
        ("ndcg=lib.f(truth, k)", "does not read shown"),
        ("ndcg=truth + shown", "calls nothing"),
        ("ndcg=", "is no expression"),
    ],
)
def test_what_is_no_call_of_a_metric_is_refused(text: str, said: str) -> None:
    with pytest.raises(UserError, match="--call") as caught:
        told_calls([text], "dicts")
    assert said in caught.value.message and caught.value.hint


def test_a_metric_that_resembles_none_is_answered_with_all_names() -> None:
    with pytest.raises(UserError) as caught:
        told_calls(["qqqqqqqq=lib.f(truth, shown)"], "dicts")
    assert "one of: hit_rate, precision, recall" in (caught.value.hint or "")


def test_one_call_told_twice_is_refused() -> None:
    with pytest.raises(UserError, match="told twice"):
        told_calls(["ndcg=lib.f(truth, shown)", "ndcg=lib.f(truth, shown, k)"], "dicts")
