"""Hold the public names: doctests, what an import costs, and the types that a user's type checker sees."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest

import recsys_metric_audit

NAMES = recsys_metric_audit.__all__
FUNCTIONS = [name for name in NAMES if name[0].islower()]
DOCUMENTED = [name for name in NAMES if name != "Table" and not name.endswith(("Error", "Warning"))]


def test_names_are_those_that_type_checkers_see() -> None:
    tree = ast.parse(inspect.getsource(recsys_metric_audit))
    (checked,) = (node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in checked.body if isinstance(node, ast.ImportFrom)]
    seen = {alias.name: node.module for node in imports for alias in node.names if alias.name == alias.asname}
    assert seen == {name: f"recsys_metric_audit.{module}" for name, module in recsys_metric_audit._HOME.items()}


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_there_and_documented(name: str) -> None:
    found = getattr(recsys_metric_audit, name)
    assert found is getattr(importlib.import_module(f"recsys_metric_audit.{recsys_metric_audit._HOME[name]}"), name)
    assert name == "Table" or (inspect.getdoc(found) or "")[0].isupper()


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'evalute'"):
        _ = recsys_metric_audit.evalute
    assert {"evaluate", "explain"} <= set(dir(recsys_metric_audit))


@pytest.mark.parametrize("name", [*DOCUMENTED, ""])
def test_doctests(name: str) -> None:
    subject = getattr(recsys_metric_audit, name) if name else recsys_metric_audit
    module = sys.modules[subject.__module__] if name else recsys_metric_audit
    tests = doctest.DocTestFinder(recurse=False).find(subject, name or "package", globs=vars(module).copy())
    tried = [doctest.DocTestRunner().run(test) for test in tests]
    assert sum(each.attempted for each in tried) > 0 and not any(each.failed for each in tried)


def parts(annotation: Any) -> list[Any]:
    return [annotation, *(part for each in get_args(annotation) for part in parts(each))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_type_of_a_function_is_any(name: str) -> None:
    hints = get_type_hints(getattr(recsys_metric_audit, name))
    assert "return" in hints
    named = {each: annotation for each, annotation in hints.items() if Any in parts(annotation)}
    assert named == {}
    assert not [each for each in hints.values() if each in (dict, list, tuple) and get_origin(each) is None]


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import recsys_metric_audit", "numpy pandas pyarrow polars pydantic typer rich matplotlib"),
        ("from recsys_metric_audit import evaluate", "pandas pyarrow polars pydantic typer rich matplotlib"),
        # Cases take a tenth of a second to be made.
        ("from recsys_metric_audit import compare", "recsys_metric_audit.reference.cases"),
    ],
)
def test_an_import_brings_nothing_heavy(statement: str, absent: str) -> None:
    code = f"import sys; {statement}; print(*sorted(set({absent.split()}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


USE = """\
import numpy as np
import pandas as pd
import polars as pl

from recsys_metric_audit import (
    Columns, compare, definitions, differing, evaluate, explain, identify, impossible_together, parse, which
)

frame, lists = pd.DataFrame({"user": [1], "item": [2], "score": [0.5]}), {1: [2, 3]}
found = evaluate(frame, lists, 10)
reveal_type(found)  # Results
reveal_type(found["map"])  # Values
reveal_type(found["map"].mean)  # float
reveal_type(found["map"].by_user())  # dict[Hashable, float]
reveal_type(found["map"].interval)  # tuple[float, float] | None
reveal_type(found.to_pandas())  # DataFrame
reveal_type(compare(lists, pl.DataFrame(frame), lists, 10)["map"].p_value)  # float
reveal_type(which("rows.csv", {"a": {"b": 1.0}}, {"map@10": "0.1"})[0].matches[0].values)  # tuple[float, ...]
reveal_type(impossible_together({"hr@1": "0.1"})[0].possible)  # tuple[tuple[Definition, Definition], ...]
reveal_type(impossible_together({"hr@1": "0.1"}).together)  # CheckedTable | None
reveal_type(explain("map").formula)  # tuple[str, ...]
reveal_type(identify(max).signature)  # str | None
reveal_type(parse("map"))  # Definition
reveal_type(definitions("map"))  # tuple[Variant, ...]
reveal_type(differing("map", "map@3"))  # dict[str, tuple[str, str]]
evaluate({"user": np.array([1]), "item": ["a"]}, pl.LazyFrame(), [1, 2], parse("map"), columns=Columns(user="u"))
"""
"""Uses every public function; each comment says the type that is to be revealed."""


@pytest.mark.slow
def test_a_users_type_checker_sees_the_types(tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text(USE + "evaluate([['tea']], lists, 10)\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", "cache", "use.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    *lines, error, _ = done.stdout.splitlines()
    revealed = [line.split('"')[1] for line in lines if "Revealed type" in line]
    wanted = [line.split("  # ")[1] for line in USE.splitlines() if line.startswith("reveal_type")]
    assert [re.sub(r"(?:\w+\.)+(\w+)", r"\1", each) for each in revealed] == wanted, done.stdout
    assert 'has incompatible type "list[list[str]]"' in error, "lists of lists name no users"
