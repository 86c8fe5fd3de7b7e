"""Lists the public functions and classes of an installed package; runs in that package's own environment.

    PYTHON installed_code.py list DISTRIBUTION     its summary, homepage, and what its files define, not imported
    PYTHON installed_code.py reach < PATHS.json    the shortest path by which users reach each, imported
    PYTHON installed_code.py modules < NAMES.json  the module that each dotted name begins with, imported

Imports nothing of ours, and the standard library only: from Python 3.8 on. Prints one line of JSON, the last.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.metadata
import inspect
import json
import sys
from pathlib import PurePosixPath
from typing import Any

_NOT_THE_LIBRARY = {"test", "tests", "testing", "examples", "example", "benchmarks", "docs"}


def described(distribution: str) -> dict[str, Any]:
    """Return what a distribution says of itself, and what its files define at their top level."""
    said = importlib.metadata.metadata(distribution)
    addresses = [
        said["Home-page"] or "",
        *(each.partition(",")[2].strip() for each in said.get_all("Project-URL") or []),
    ]
    homepage = next((each for each in addresses if each.startswith("http")), "")
    return {"summary": said["Summary"] or "", "homepage": homepage, "functions": listed(distribution)}


def listed(distribution: str) -> list[dict[str, Any]]:
    """Return what the files of a distribution define at their top level, with parameters and methods."""
    found: list[dict[str, Any]] = []
    for file in importlib.metadata.files(distribution) or []:
        path = PurePosixPath(str(file))
        if path.suffix != ".py" or not _NOT_THE_LIBRARY.isdisjoint(path.parts) or ".." in path.parts:
            continue
        module = ".".join(path.with_suffix("").parts)
        module = module[: -len(".__init__")] if module.endswith(".__init__") else module
        try:
            with open(str(file.locate()), encoding="utf-8") as source:  # noqa: PTH123 - a str on every Python
                tree = ast.parse(source.read())
        except (OSError, SyntaxError, ValueError):
            continue
        found += [_entry(module, node) for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    return [each for each in found if not each["name"].startswith("_")]


def _entry(module: str, node: ast.FunctionDef | ast.ClassDef) -> dict[str, Any]:
    if isinstance(node, ast.FunctionDef):
        methods: dict[str, list[str]] = {}
        parameters = _parameters(node)
    else:
        methods = {each.name: _parameters(each)[1:] for each in node.body if isinstance(each, ast.FunctionDef)}
        parameters = methods.get("__init__", [])
    kind = "class" if isinstance(node, ast.ClassDef) else "function"
    return {"path": f"{module}.{node.name}", "name": node.name, "kind": kind, "parameters": parameters,
            "methods": methods}  # fmt: skip


def _parameters(node: ast.FunctionDef) -> list[str]:
    given = node.args
    return [each.arg for each in (*getattr(given, "posonlyargs", []), *given.args, *given.kwonlyargs)]


def reached(path: str) -> dict[str, Any]:
    """Return the shortest public path to the same object, or why its module cannot be imported.

    A class has its methods with it.
    """
    module, _, name = path.rpartition(".")
    try:
        target = getattr(importlib.import_module(module), name)
    except BaseException as error:
        return {"error": f"{type(error).__name__}: {error}"}
    methods = _methods(target) if isinstance(target, type) else {}
    parts = module.split(".")
    for depth in range(1, len(parts)):
        parent = sys.modules.get(".".join(parts[:depth]))
        if parent is not None and getattr(parent, name, None) is target:
            return {"path": ".".join([*parts[:depth], name]), "methods": methods}
    return {"path": path, "methods": methods}


def _methods(target: type) -> dict[str, list[str]]:
    """Return the named parameters of a class's methods, inherited ones too."""
    found = {}
    for name in dir(target):
        method = getattr(target, name, None)
        if (name == "__call__" or not name.startswith("_")) and inspect.isroutine(method):
            with contextlib.suppress(ValueError, TypeError):
                given = list(inspect.signature(method).parameters.values())
                found[name] = [
                    each.name for each in given[1:] if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
                ]
    return found


def module_of(name: str) -> dict[str, Any]:
    """Return the longest module that a dotted name begins with, or why the first one cannot be imported."""
    parts, found = name.split("."), ""
    for depth in range(1, len(parts) + 1):
        try:
            importlib.import_module(".".join(parts[:depth]))
        except BaseException as error:
            return {"module": found} if found else {"error": f"{type(error).__name__}: {error}"}
        found = ".".join(parts[:depth])
    return {"module": found}


if __name__ == "__main__":
    sys.path[:] = [each for each in sys.path if PurePosixPath(each) != PurePosixPath(__file__).parent]
    if sys.argv[1] == "list":
        made = described(sys.argv[2])
    else:
        tell = {"reach": reached, "modules": module_of}[sys.argv[1]]
        made = {name: tell(name) for name in json.load(sys.stdin)}
    print("\n" + json.dumps(made))
