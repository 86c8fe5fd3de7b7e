"""Hold what the repository says of itself: the rules on its structure, its pages and what they name, its citation."""

from __future__ import annotations

import ast
import re
import shlex
import tomllib
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

from recsys_metric_audit.audit.cli import app
from recsys_metric_audit.reference.catalogue.bibliography import TAMM
from recsys_metric_audit.reports.model.result_file import packaged_run
from recsys_metric_audit.reports.renderers.findings_page import render_findings
from recsys_metric_audit.reports.writers import data_set, readme
from tests.support.command_line import audit

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


# CITATION.cff names the version and the licence of the package, and the sources that the catalogue cites.

CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def field(name: str) -> str:
    found = re.search(rf"^{name}: (.+)$", CITATION, re.MULTILINE)
    assert found is not None, name
    return found[1].strip('"')


def test_version_licence_and_title_are_those_of_the_package() -> None:
    assert (field("version"), field("license")) == (PROJECT["version"], PROJECT["license"])
    assert field("title").startswith(PROJECT["name"])
    assert field("cff-version") == "1.2.0"


def test_the_paper_is_the_one_that_the_catalogue_cites() -> None:
    assert TAMM.title in CITATION and TAMM.link.removeprefix("https://doi.org/") in CITATION


# What `make docs` makes of committed data is what is committed; the pages on papers have a test of their own.

RENEW = "renew it: make docs"


def committed(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_the_tables_of_the_readme_are_those_of_the_recorded_run() -> None:
    text = committed(readme.README)
    assert readme.replace_tables(text, packaged_run().result) == text, RENEW


def test_the_picture_of_the_readme_is_that_of_the_recorded_run() -> None:
    assert committed(readme.PICTURE) == readme.picture(packaged_run().result), RENEW


def test_the_page_of_tables_is_that_of_the_recorded_run() -> None:
    assert committed(readme.TABLES) == readme.tables_page(packaged_run().result), RENEW


def test_the_page_of_findings_is_that_of_the_recorded_run() -> None:
    assert committed(readme.FINDINGS) == render_findings(packaged_run().result), RENEW


@pytest.mark.slow
def test_then_and_now_is_made_of_the_committed_pins(tmp_path: Path) -> None:
    made = audit("history", "--page", str(tmp_path / "page.md"))
    assert made.exit_code == 0, made.output
    assert committed(tmp_path / "page.md") == committed(ROOT / "docs" / "then-and-now.md"), RENEW


def test_the_page_on_the_data_set_is_made_of_the_docstrings() -> None:
    assert committed(data_set.PAGE) == data_set.page(), RENEW


def test_make_docs_makes_every_page_that_is_marked_as_generated() -> None:
    marked = set(re.findall(r"^docs/(\S+) linguist-generated$", committed(ROOT / ".gitattributes"), re.MULTILINE))
    assert marked == {"papers/*.md", "findings.md", "tables.md", "then-and-now.md", "data-set.md"}
    recipe = re.search(r"^docs:.*\n((?:\t.*\n)+)", committed(ROOT / "Makefile"), re.MULTILINE)
    assert recipe is not None
    for command in (
        "recsys_metric_audit.reports.writers.readme",
        "--page docs/then-and-now.md",
        "paper_answers docs/papers",
        "writers.data_set",
    ):
        assert command in recipe[1]


# Everything that README, CONTRIBUTING and docs/ name exists: files, folders, pages and commands.

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")
PATH = re.compile(r"`((?:audit|reports|reference|tests|adapters|bench|docs)/[\w./-]*)`")
COMMAND = re.compile(r"(?:^    |`)audit ([a-z]+)", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_is_named_exists(page: Path) -> None:
    for named in PATH.findall(page.read_text(encoding="utf-8")):
        assert (ROOT / named).exists(), named


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_that_is_shown_exists(page: Path) -> None:
    known = {command.name for command in app.registered_commands}
    assert set(COMMAND.findall(page.read_text(encoding="utf-8"))) <= known


def test_the_ten_questions_are_answered_by_a_file_each() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+\?) \| `([^`]+)`", text, re.MULTILINE)
    assert len(rows) == 10
    assert all((ROOT / path).exists() for _, path in rows)


def test_the_glossary_has_at_most_fifteen_words() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    glossary = text[: text.index("## Where is what")]
    assert 10 <= len(re.findall(r"^\| (?!word|---)", glossary, re.MULTILINE)) <= 15


def test_the_readme_has_at_most_150_lines() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


@pytest.mark.slow
def test_what_the_readme_shows_is_what_the_commands_print(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines between dots follow one another; the end of a line may be left out."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")  # away from the reports of the checkout, which would be read
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    shown = re.findall(r"^    \$ audit (.+)\n((?:    .*\n)+)", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert len(shown) == 4
    for command, block in shown:
        printed = [line.strip() for line in audit(*shlex.split(command)).stdout.splitlines()]
        for part in re.split(r"^ +\.\.\.$", block, flags=re.MULTILINE):
            lines = [line.strip() for line in part.splitlines() if line.strip()]
            starts = [n for n, line in enumerate(printed) if lines and line.startswith(lines[0])]
            assert not lines or any(
                all(own.startswith(line) for own, line in zip(printed[n:], lines, strict=False)) for n in starts
            ), (command, lines)
