"""Counts the house: code lines, branches and caches of each room; run by ``make count``.

A code line holds a token other than a comment or a docstring; a multi-line string counts all its lines. A branch is an
if, loop, except, match case, comprehension, ternary or assert, and each further operand of ``and`` or ``or``. A cache
is a function with a decorator whose text contains ``cache``; cached properties are none.
"""

from __future__ import annotations

import ast
import io
import subprocess
import tokenize
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("audit", "reference", "reports", "recsys_metric_audit")
OTHERS = ("adapters", "bench", "tests")
_AS_DATA = (Path("tests/functions_of_others"), Path("tests/support/calls_of_others"))
"""Functions that tests ask about, and a call of each: data of the tests, counted apart."""
_LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
_BRANCHES = (
    ast.If, ast.For, ast.While, ast.IfExp, ast.ExceptHandler, ast.match_case, ast.comprehension, ast.Assert,
)  # fmt: skip
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_TEXTS = {"templates and scripts": (".html", ".j2", ".css", ".js", ".txt"), "data": (".toml", ".csv", ".bib")}


def counts_of(source: str) -> Counter[str]:
    """Return the code lines, branches, caches and ``fmt: skip`` comments of a module."""
    nodes = list(ast.walk(ast.parse(source)))
    documentation: set[int] = set()
    for node in nodes:
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            documentation.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    operands = sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    decorators = [
        [ast.unparse(each) for each in node.decorator_list]
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return Counter(
        files=1,
        code=len(lines - documentation),
        branches=sum(isinstance(node, _BRANCHES) for node in nodes) + operands,
        caches=sum(any("cache" in each and "cached_property" not in each for each in every) for every in decorators),
        skips=source.count("fmt: skip"),
    )


def tracked() -> list[Path]:
    """Return the files that git tracks, but for links, relative to the root."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [
        path for path in map(Path, listed.splitlines()) if (ROOT / path).is_file() and not (ROOT / path).is_symlink()
    ]


def _total(paths: Iterable[Path]) -> Counter[str]:
    total: Counter[str] = Counter()
    for path in paths:
        total += counts_of((ROOT / path).read_text(encoding="utf-8"))
    return total


def _room(path: Path) -> str:
    return "/".join(path.parts[: 2 if len(path.parts) > 2 else 1])


def _row(name: str, counted: Counter[str]) -> str:
    return f"{name:28}" + "".join(f"{counted[each]:>10,}" for each in ("files", "code", "branches", "caches", "skips"))


def main() -> None:
    """Print a row for each room of the product, and for what is beside it."""
    files = tracked()
    python = [path for path in files if path.suffix == ".py"]
    print(f"{'':28}" + "".join(f"{each:>10}" for each in ("files", "code", "branches", "caches", "fmt:skip")))
    own = [path for path in python if path.parts[0] in PRODUCT]
    for room in sorted({_room(path) for path in own}):
        print(_row(room, _total(path for path in own if _room(path) == room)))
    print(_row("the product", _total(own)))
    asked = [path for path in python if any(map(path.is_relative_to, _AS_DATA))]
    for folder in OTHERS:
        print(_row(folder, _total(path for path in python if path.parts[0] == folder and path not in asked)))
    print(_row("functions of others", _total(asked)))
    for name, endings in _TEXTS.items():
        texts = [path for path in files if path.suffix in endings and path.parts[0] in (*PRODUCT, "adapters")]
        texts = [path for path in texts if "locks" not in path.parts]
        lines = sum(len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in texts)
        print(f"{'lines of ' + name:28}{len(texts):>10,}{lines:>10,}")
    print(f"all tracked files: {sum((ROOT / path).stat().st_size for path in files) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
