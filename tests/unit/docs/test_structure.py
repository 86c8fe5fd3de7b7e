"""Hold the rules of CONTRIBUTING on the structure: short modules, small packages, names used once, no import cycle."""

from __future__ import annotations

import ast
import re
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[3]
SOURCES = ("audit", "reports", "reference")
LONGER = {Path("audit/process/harness.py")}
"""The harness is one file by need: it is run inside foreign environments, without the package around it."""
NAMED_AFTER_WHAT_THEY_LIST = {Path("audit/cli"), Path("reference/metrics")}
"""Packages with a file a verb and a file a metric, which may be many and bear the names of others."""


def modules(*folders: str) -> list[Path]:
    return sorted(file.relative_to(ROOT) for folder in folders for file in (ROOT / folder).rglob("*.py"))


def length(module: Path) -> int:
    return len((ROOT / module).read_text(encoding="utf-8").splitlines())


def docstring(module: Path) -> str:
    return ast.get_docstring(ast.parse((ROOT / module).read_text(encoding="utf-8"))) or ""


def test_no_module_is_longer_than_500_lines() -> None:
    found = {str(module): length(module) for module in modules(*SOURCES, "tests", "bench") if module not in LONGER}
    assert len(found) > 300
    assert {name: lines for name, lines in found.items() if lines > 500} == {}


def test_no_package_holds_more_than_14_modules() -> None:
    held = Counter(module.parent for module in modules(*SOURCES) if module.name != "__init__.py")
    assert {str(p): n for p, n in held.items() if n > 14 and p not in NAMED_AFTER_WHAT_THEY_LIST} == {}


@pytest.mark.parametrize("source", SOURCES)
def test_no_two_modules_bear_one_name(source: str) -> None:
    own = [module for module in modules(source) if module.parent not in NAMED_AFTER_WHAT_THEY_LIST]
    names = Counter(module.name for module in own if module.name not in ("__init__.py", "__main__.py"))
    assert [name for name, times in names.items() if times > 1] == []


def test_no_two_test_modules_bear_one_name() -> None:
    names = Counter(module.name for module in modules("tests") if module.name.startswith("test_"))
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize("source", SOURCES)
def test_tests_lie_where_their_package_lies(source: str) -> None:
    tests = modules(f"tests/unit/{source}")
    assert tests
    assert [str(test) for test in tests if not (ROOT / test.relative_to("tests/unit").parent).is_dir()] == []


def test_every_package_says_in_three_lines_what_lives_there() -> None:
    packages = [module for module in modules(*SOURCES) if module.name == "__init__.py"]
    told = {str(package.parent): docstring(package) for package in packages if package != Path("reference/__init__.py")}
    assert [name for name, text in told.items() if not text] == []
    assert {name: text for name, text in told.items() if len([line for line in text.splitlines() if line]) > 3} == {}


def test_no_file_imports_itself_by_way_of_others() -> None:
    graph = grimp.build_graph("recsys_metric_audit", cache_dir=None)
    assert len(graph.modules) > 300
    arrows = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(list(TopologicalSorter(arrows).static_order())) == len(graph.modules)  # raises CycleError with the cycle


def test_an_adapter_longer_than_60_lines_says_why() -> None:
    long = [module for module in modules("adapters") if length(module) > 60]
    assert long
    reason = re.compile(r"longer\s+than\s+(most|60\s+lines)", re.IGNORECASE)
    assert [str(module) for module in long if not reason.search(docstring(module))] == []
