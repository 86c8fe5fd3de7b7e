"""Everything that README, CONTRIBUTING and docs/ name exists: files, folders, pages and commands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from recsys_metric_audit.audit.cli import app
from tests.support.command_line import audit

ROOT = Path(__file__).parents[3]
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
def test_what_the_readme_shows_is_what_the_commands_print(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines between dots follow one another; the end of a line may be left out."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")
    shown = re.findall(r"^    \$ audit (.+)\n((?:    .*\n)+)", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert len(shown) == 2
    for command, block in shown:
        printed = [line.strip() for line in audit(*shlex.split(command)).stdout.splitlines()]
        for part in re.split(r"^ +\.\.\.$", block, flags=re.MULTILINE):
            lines = [line.strip() for line in part.splitlines() if line.strip()]
            starts = [n for n, line in enumerate(printed) if lines and line.startswith(lines[0])]
            assert not lines or any(
                all(own.startswith(line) for own, line in zip(printed[n:], lines, strict=False)) for n in starts
            ), (command, lines)
