"""Hold the harness, run by hand too, on checkouts and stubs."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from importlib import metadata
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from recsys_metric_audit.audit.process import control_directory, harness, worker
from recsys_metric_audit.audit.process.child import HARNESS as HARNESS_OF_HARNESS_BY_HAND
from recsys_metric_audit.audit.process.protocol import Errored
from tests.support.control_samples import CASE, ask, fake
from tests.support.fake_conversations import CASES, PYTHON, mean, talk

# The harness by itself: what it takes for an answer, what it loads, and how old a Python may run it.

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
    (tmp_path / "case.json").write_text('{"columns": null}')
    _, columns = harness.read_case(str(tmp_path))
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


def test_installed_are_the_distributions_that_the_interpreter_finds() -> None:
    found = harness.installed()
    assert found == {each.metadata["Name"]: each.version for each in metadata.distributions()}
    assert found["numpy"] == np.__version__ and found["pandas"] == pd.__version__


def test_of_two_distributions_of_a_name_that_which_is_imported_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = "Metadata-Version: 2.1\nName: Own.Name\nVersion: {}\n\nVersion: 9\n"
    made = {"first/own_name-1.dist-info/METADATA": "1", "second/own_name-2.dist-info/METADATA": "2"}
    old = {"second/old.egg-info": "3", "second/older.egg-info/PKG-INFO": "4"}
    for name, version in (made | old).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        named = head if name in made else head.replace("Own.Name", Path(name).parts[1])
        (tmp_path / name).write_text(named.format(version))
    (tmp_path / "second/empty.dist-info/METADATA").mkdir(parents=True)  # nothing of it can be read
    monkeypatch.setattr(sys, "path", [str(tmp_path / "first"), str(tmp_path / "second"), str(tmp_path / "missing")])
    assert harness.installed() == {"Own.Name": "1", "old.egg-info": "3", "older.egg-info": "4"}


# The harness as a process, run by hand on a control directory: answers, logs, and nothing else.


def run(folder: Path, *, edit: dict[str, object] | None = None, name: str = "behaved") -> list[dict]:
    """Run the harness by hand, as a reader of a report would."""
    control_directory.write(folder, fake(name), {"tiny": CASE}, [ask("mean", "median", ks=(1, 2))])
    request = folder / "request.json"
    request.write_text(json.dumps({**json.loads(request.read_text()), **(edit or {})}))
    command = [sys.executable, HARNESS_OF_HARNESS_BY_HAND, folder]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
    return [json.loads(line) for line in (folder / "response.jsonl").read_text().splitlines()]


@pytest.mark.slow
def test_by_hand_it_leaves_response_and_logs_and_can_be_run_again(tmp_path: Path) -> None:
    first, second = run(tmp_path), run(tmp_path)
    assert len(first) == len(second) == 1 + 4
    assert (tmp_path / "stdout.log").read_text() == (tmp_path / "stderr.log").read_text() == ""
    assert first[1].pop("seconds") and second[1].pop("seconds")
    # users 1, 2, 3, 4 have 2, 1, 0, 0 recommendations
    assert first[1] == second[1]
    assert first[1]["mean"] == "0.5" and first[1]["users"] == [1, 2, 3, 4]
    assert first[1]["values"] == ["1.0", "1.0", "0.0", "0.0"]
    assert first[2]["values"] == ["2.0", "1.0", "0.0", "0.0"]


@pytest.mark.slow
def test_a_request_of_another_protocol_is_declined_in_the_hello(tmp_path: Path) -> None:
    [hello] = run(tmp_path, edit={"protocol": 99})
    assert hello["hello"]["functions"] == []
    assert "99" in hello["hello"]["message"]


@pytest.mark.slow
def test_nothing_is_written_beside_the_adapter(tmp_path: Path) -> None:
    copy = tmp_path / "behaved" / "adapter.py"
    copy.parent.mkdir()
    shutil.copy(fake("behaved"), copy)
    run(tmp_path / "control", edit={"adapter": str(copy)})
    assert list(copy.parent.iterdir()) == [copy]


@pytest.mark.slow
def test_what_cannot_be_copied_is_prepared_anew_for_each_fresh_call(tmp_path: Path) -> None:
    adapter = tmp_path / "adapter.py"
    adapter.write_text(
        "import os\n"
        "prepared = []\n"
        "def prepare(case):\n"
        "    prepared.append(case)\n"
        "    return [], open(os.devnull)\n"
        "def call(data, k):\n"
        "    data[0].append(k)\n"
        "    return len(prepared) + len(data[0]) / 10\n"
        "FUNCTIONS = {'statistics.mean': call, 'statistics.median': call}\n"
    )
    control_directory.write(tmp_path / "control", adapter, {"tiny": CASE}, [ask("mean", "median", ks=(1, 2))])
    subprocess.run([sys.executable, HARNESS_OF_HARNESS_BY_HAND, tmp_path / "control"], check=True)
    lines = (tmp_path / "control" / "response.jsonl").read_text().splitlines()
    assert [json.loads(line)["mean"] for line in lines[1:]] == ["2.1", "3.1", "4.1", "5.1"]


@pytest.mark.slow
def test_neither_the_harness_nor_an_adapter_shadows_a_library(tmp_path: Path) -> None:
    adapter = tmp_path / "json" / "adapter.py"
    adapter.parent.mkdir()
    (adapter.parent / "neighbour.py").write_text("")
    adapter.write_text(
        "import importlib.util, json\n"
        "json.loads\n"
        "FOUND = [n for n in ('worker', 'protocol', 'neighbour', 'adapter') if importlib.util.find_spec(n)]\n"
        "def prepare(case): return case\n"
        "FUNCTIONS = {'found: %s' % FOUND: None}\n"
    )
    assert (HARNESS_OF_HARNESS_BY_HAND.parent / "worker.py").exists() and (
        HARNESS_OF_HARNESS_BY_HAND.parent / "protocol.py"
    ).exists()
    [hello, *_] = run(tmp_path / "control", edit={"adapter": str(adapter)})
    assert hello["hello"]["functions"] == ["found: []"]


# What the worker puts in a library's way: its checkout, and stubs of what is not installed.


@pytest.mark.slow
def test_a_stub_can_be_imported_and_refuses_to_be_used(tmp_path: Path) -> None:
    found = talk(tmp_path, "stubbed", ask("mean", "median"), stubs=["heavy_framework.layers"]).answers
    assert mean(found[0]) == 1.5
    assert isinstance(found[1].outcome, Errored) and found[1].outcome.error == "ImportError"
    assert "heavy_framework.Session is a stub" in found[1].outcome.message


@pytest.mark.slow
def test_a_stub_never_hides_what_is_installed(tmp_path: Path) -> None:
    (answer,) = talk(tmp_path, "stubbed", ask("mean"), stubs=["heavy_framework", "wave"]).answers
    assert isinstance(answer.outcome, Errored)
    assert "wave is installed: a stub would hide it" in answer.outcome.message


CHECKOUT_ADAPTER = """\
import json
import package.core as core

prepare = lambda case: case
FUNCTIONS = {"package.core.mean": lambda case, k: core.mean(case, json.dumps), "package.core.other": core.mean}
"""


def checkout(folder: Path) -> Path:
    """Write a package whose `__init__` needs a module that is still to be compiled, and an adapter beside it."""
    (folder / "root" / "package" / "cython").mkdir(parents=True)
    (folder / "root" / "package" / "__init__.py").write_text("from .cython.fast import sample\n")
    (folder / "root" / "package" / "core.py").write_text("mean = lambda case, k: float(len(case.users))\n")
    (folder / "adapter.py").write_text(CHECKOUT_ADAPTER)
    return folder / "root"


@pytest.mark.slow
def test_a_library_is_imported_from_its_checkout_and_leaves_nothing_in_it(tmp_path: Path) -> None:
    root, asked = checkout(tmp_path), replace(ask("mean"), functions=("package.core.mean",))
    found = worker.converse(
        PYTHON,
        tmp_path / "adapter.py",
        CASES,
        [asked],
        tmp_path / "control",
        source=root,
        stubs=["package.cython.fast"],
    )
    assert mean(found.answers[0]) is not None
    assert not list(root.rglob("__pycache__"))
    without = worker.converse(PYTHON, tmp_path / "adapter.py", CASES, [asked], tmp_path / "second", source=root)
    assert isinstance(without.answers[0].outcome, Errored)
    assert "No module named 'package.cython.fast'" in without.answers[0].outcome.message


@pytest.mark.slow
def test_a_stub_stands_aside_for_what_the_user_has_compiled(tmp_path: Path) -> None:
    root, asked = checkout(tmp_path), replace(ask("mean"), functions=("package.core.mean",))
    (root / "package" / "cython" / "fast.py").write_text("sample = None\nprint('the real one')\n")
    found = worker.converse(
        PYTHON, tmp_path / "adapter.py", CASES, [asked], tmp_path / "control", source=root,
        stubs=["package.cython.fast"],
    )  # fmt: skip
    assert mean(found.answers[0]) is not None
    assert "the real one" in (tmp_path / "control" / "stdout.log").read_text()
