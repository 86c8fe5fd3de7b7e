"""The harness by itself: what it takes for an answer, what it loads, and how old a Python may run it."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from recsys_metric_audit.audit.process import harness

HARNESS = Path(harness.__file__)


def generated() -> Iterator[float]:
    yield from (0.25, 1.0)


@pytest.mark.parametrize(
    ("answer", "mean", "dtype"),
    [
        (0.1, 0.1, "float"),
        (1, 1.0, "int"),
        (True, 1.0, "bool"),
        (np.float64(0.1), 0.1, "float64"),
        (np.float32(0.1), 0.10000000149011612, "float32"),
        (np.float16(0.5), 0.5, "float16"),
        (np.int64(3), 3.0, "int64"),
        (np.array(0.5, dtype=np.float32), 0.5, "float32"),
        (Decimal("0.5"), 0.5, "Decimal"),
        (Fraction(1, 4), 0.25, "Fraction"),
    ],
)
def test_a_number_of_any_type_is_a_mean(answer: object, mean: float, dtype: str) -> None:
    assert harness.normalise(answer) == (mean, None, None, dtype)


@pytest.mark.parametrize(
    ("users", "values", "dtype"),
    [
        ([3, 1], [0.25, 1.0], "float"),
        ((3, 1), (0.25, 1), "float"),
        ([3, 1], [Decimal("0.25"), Decimal(1)], "Decimal"),
        ([3, 1], [np.float32(0.25), 1.0], "float32"),
        ([3, 1], [np.float64(0.25), 1.0], "float64"),
        (np.array([3, 1], dtype=np.int32), np.array([0.25, 1.0], dtype=np.float32), "float32"),
        (np.array([3, 1], dtype=np.uint64), np.array([0.25, 1.0], dtype=object), "float"),
        (pd.Series([3, 1]), pd.Series([0.25, 1.0]), "float64"),
        (pd.Index([3, 1]), pd.Series([0.25, 1.0], dtype="Float32"), "float32"),
        ({3: 0.25, 1: 1.0}.keys(), {3: 0.25, 1: 1.0}.values(), "float"),
        (["3", "1"], generated(), "float"),
        ([3.0, 1.0], [0.25, 1.0], "float"),
    ],
)
def test_users_and_values_may_be_any_sequences(users: object, values: object, dtype: str) -> None:
    mean, ids, numbers, name = harness.normalise((None, users, values))
    assert mean is None
    assert (ids.tolist(), ids.dtype) == ([3, 1], np.int64)
    assert (numbers.tolist(), numbers.dtype) == ([0.25, 1.0], np.float64)
    assert name == dtype


def test_whole_numbers_and_no_users_keep_their_type() -> None:
    assert harness.normalise((None, [1, 2], [0, 1]))[3] == "int"
    assert harness.normalise((None, [1, 2], np.array([True, False])))[3] == "bool"
    mean, ids, numbers, _ = harness.normalise((0.0, [], []))
    assert (mean, ids.size, numbers.size) == (0.0, 0, 0)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "None"),
        ("0.5", "str '0.5'"),
        (b"0.5", "bytes"),
        ([0.5], "list"),
        ({"mean": 0.5}, "dict"),
        (1 + 2j, "complex"),
        (np.array([0.5]), r"ndarray of shape \(1,\)"),
        (pd.Series([0.5]), r"Series of shape \(1,\)"),
        (np.array("0.5"), "no number"),
        ((), "tuple of 0"),
        ((0.5, [1]), "tuple of 2"),
        (("0.5", [1], [0.5]), "str '0.5'"),
        ((0.5, [1, 2], [0.5]), "2 users but 1 values"),
        ((0.5, None, [0.5]), "users are no sequence: None"),
        ((0.5, [1], None), "values are no sequence: None"),
        ((0.5, [1], 0.5), "values are no sequence: float 0.5"),
        ((0.5, [1], "1"), "values are no sequence: str"),
        ((0.5, [1], [None]), "no number: None"),
        ((0.5, [1, 2], ["0.5", "1"]), "values are no numbers"),
        ((0.5, [1, 2], [[0.5], [1.0]]), "one dimension"),
        ((0.5, [1, 2], [[0.5], [1.0, 2.0]]), "values are no flat sequence"),
        ((0.5, [1, 2], [0.5, np.array([1, 2])]), "values are no flat sequence"),
        ((0.5, [1.5], [0.5]), "users are no integer ids: 1.5"),
        ((0.5, [True], [0.5]), "users are no integer ids: True"),
        ((0.5, [float("nan")], [0.5]), "users are no integer ids"),
        ((0.5, ["anna"], [0.5]), "users are no integer ids.*anna"),
        ((0.5, [None], [0.5]), "users are no integer ids"),
    ],
)
def test_what_is_no_answer_is_named(answer: object, words: str) -> None:
    with pytest.raises(harness.BadAnswer, match=words):
        harness.normalise(answer)


SCATTERED = harness.Table(
    user=np.array([7, 3, 7, 0, 7]), item=np.array([4, 1, 2, 4, 0]), score=np.array([0.5, 1.0, 0.25, -1.0, 0.5])
)  # rows in no order of users


def test_columns_by_other_names() -> None:
    named = SCATTERED.named("u", "i", "s")
    assert list(named) == ["u", "i", "s"]
    assert named["u"] is SCATTERED.user and named["i"] is SCATTERED.item and named["s"] is SCATTERED.score


def test_what_is_written_to_a_large_column_stays_out_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    np.save(tmp_path / "catalogue.npy", np.arange(9))
    np.save(tmp_path / "train_user.npy", np.empty(0, dtype=np.int64))
    monkeypatch.setattr(harness, "MAPPED", 1 << 7)
    columns = harness.read_columns(str(tmp_path))
    assert {name: type(column) for name, column in columns.items()} == dict.fromkeys(columns, np.ndarray)
    columns["catalogue"][0] = 7
    assert columns["catalogue"].tolist() == [7, *range(1, 9)] and columns["train_user"].tolist() == []
    assert np.load(tmp_path / "catalogue.npy").tolist() == list(range(9))


def test_a_column_without_its_runs() -> None:
    assert harness.without_runs(np.array([3, 3, 1, 1, 1, 3])).tolist() == [3, 1, 3]
    assert harness.without_runs(np.empty(0, dtype=np.int64)).tolist() == []


def test_entries_of_each_user_in_the_order_of_the_rows() -> None:
    own = SCATTERED.by_user("item")
    assert {user: items.tolist() for user, items in own.items()} == {7: [4, 2, 0], 3: [1], 0: [4]}
    assert list(own) == [7, 3, 0], "in the order of their first rows"
    assert SCATTERED.users == [0, 3, 7]
    both = SCATTERED.by_user("item", "score", users=[0, 5, 7])
    assert {user: [column.tolist() for column in columns] for user, columns in both.items()} == {
        0: [[4], [-1.0]], 5: [[], []], 7: [[4, 2, 0], [0.5, 0.25, 0.5]],
    }  # fmt: skip
    assert all(type(user) is int for user in own)
    assert both[5][0].dtype == np.int64 and both[5][1].dtype == np.float64


def test_entries_of_nobody() -> None:
    empty = harness.Table(user=np.zeros(0, dtype=np.int64), item=np.zeros(0, dtype=np.int64))
    assert empty.by_user("item") == {} and empty.users == []
    assert [items.tolist() for items in empty.by_user("item", users=[1]).values()] == [[]]


def test_coordinates_of_a_sparse_matrix() -> None:
    values, (users, items) = SCATTERED.coordinates("score")
    assert values is SCATTERED.score and users is SCATTERED.user and items is SCATTERED.item
    assert SCATTERED.coordinates()[0].tolist() == [1.0] * 5


def test_scores_as_a_matrix() -> None:
    case = harness.Case(recommended=SCATTERED, users=np.array([0, 3, 7, 8]), catalogue=np.array([0, 1, 2, 4]))
    assert case.shape == (9, 5)
    scores = case.score_matrix()
    assert scores.shape == (9, 5) and scores.dtype == np.float64
    found = {(user, item): scores[user, item] for user, item in zip(*np.nonzero(np.isfinite(scores)), strict=True)}
    assert found == {(7, 4): 0.5, (3, 1): 1.0, (7, 2): 0.25, (0, 4): -1.0, (7, 0): 0.5}
    assert np.isneginf(scores).sum() == 40
    assert case.score_matrix(np.float32).dtype == np.float32
    nothing = harness.Case(users=np.zeros(0, dtype=np.int64), catalogue=np.zeros(0, dtype=np.int64))
    assert nothing.shape == (0, 0)


def test_a_path_that_is_absent_is_told_from_one_that_is_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    package = tmp_path / "half_installed"
    package.mkdir()
    (package / "__init__.py").write_text("def f(): pass\n")
    (package / "broken.py").write_text("import no_such_dependency\n")
    (package / "misnamed.py").write_text("from half_installed import no_such_name\n")
    assert harness.absent("half_installed.f") is None
    assert harness.absent("half_installed.f[mode=x.y]") is None
    assert "no attribute 'g'" in harness.absent("half_installed.g")
    assert "no attribute 'nothing'" in harness.absent("half_installed.nothing.g")
    assert "no attribute 'g'" in harness.absent("half_installed.f.g")
    with pytest.raises(ModuleNotFoundError, match="no_such_dependency"):
        harness.absent("half_installed.broken.f")
    with pytest.raises(ImportError, match="no_such_name"):
        harness.absent("half_installed.misnamed.f")
    with pytest.raises(ModuleNotFoundError, match="not_installed"):
        harness.absent("not_installed.f")


def test_it_is_written_for_the_oldest_python_with_numpy_alone() -> None:
    tree = ast.parse(HARNESS.read_text(), feature_version=(3, 6))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").split(".")[0])
    assert imported <= {*sys.stdlib_module_names, "numpy"}


def interpreters() -> list[str]:
    root = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser()
    found = [shutil.which(f"python3.{minor}") for minor in range(6, 15)]  # a shim of pyenv may lead nowhere
    named = [Path(path) for path in found if path and "shims" not in path]
    return [str(path) for path in [*sorted(root.glob("versions/3.*/bin/python")), *named]]


@pytest.mark.parametrize("python", interpreters() or [sys.executable])
def test_every_python_found_here_compiles_it(python: str) -> None:
    source = "import sys; compile(open(sys.argv[1], encoding='utf-8').read(), 'harness.py', 'exec')"
    subprocess.run([python, "-c", source, HARNESS], check=True)


def test_metadata_is_found_without_importlib(monkeypatch: pytest.MonkeyPatch) -> None:
    found = dict(harness.scan_metadata())
    assert found["numpy"] == np.__version__ and found["pandas"] == pd.__version__
    assert harness.installed()["numpy"] == np.__version__
