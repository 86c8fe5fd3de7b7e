"""Foreign text on a terminal and in a workflow's log: readable, and nothing obeys it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recsys_metric_audit.audit.cli.shared.output import safe_text, say, show


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain – text\n  of two lines", "plain – text\n  of two lines"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("over\rwritten", "over\\x0dwritten"),
        ("two\r\nlines", "two\nlines"),
        ("::error::x\n  ::add-mask::y\na::b", ": :error::x\n  : :add-mask::y\na::b"),
        ("a ##[group]b", "a # #[group]b"),
        ("\u202eright to left", "\\u202eright to left"),
    ],
)
def test_text_is_shown_and_not_obeyed(text: str, shown: str) -> None:
    assert safe_text(text) == shown


def test_a_long_line_keeps_both_ends_and_tells_its_length() -> None:
    shown = safe_text("begin" + "x" * 10**6 + "end")
    assert shown.startswith("begin") and shown.endswith("end") and "(1,000,008 characters)" in shown
    assert len(shown) < 1000


def test_many_lines_keep_both_ends_and_tell_how_many_are_missing() -> None:
    lines = safe_text("\n".join(f"line {number}" for number in range(1000))).split("\n")
    assert (lines[0], lines[-1], len(lines)) == ("line 0", "line 999", 201)
    assert lines[100] == "… (800 lines are left out)"


@given(st.text() | st.text(alphabet="::#[ \n\x1b\r\t"))
def test_no_text_drives_a_terminal_or_a_workflow(text: str) -> None:
    shown = safe_text(text)
    assert all(char == "\n" or char == "\t" or ord(char) >= 32 for char in shown) and "\x7f" not in shown
    assert not any(line.lstrip().startswith("::") for line in shown.splitlines())
    assert "##[" not in shown


HOSTILE_LINES = "\x1b]0;owned\x07\n::error::owned\n##[group]owned\n\u202egnp.exe\n\x9b2J\r\udc41"


@pytest.mark.parametrize("speak", [say, show])
def test_nothing_that_is_printed_drives_a_terminal_or_a_workflow(
    speak: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    speak(HOSTILE_LINES)
    said = capsys.readouterr().out
    assert said.replace("\n", "").isprintable()
    assert not any(line.lstrip().startswith("::") or "##[" in line for line in said.splitlines())
    assert len(said.splitlines()) == 5


def test_what_was_asked_for_is_printed_whole_and_json_keeps_its_values(capsys: pytest.CaptureFixture[str]) -> None:
    held = {"text": HOSTILE_LINES.replace("\udc41", "") + "\U000e0001é\u200d", "long": "x" * 5000, "שלום": [0.1]}
    show(json.dumps(held, indent=1, ensure_ascii=False))
    said = capsys.readouterr().out
    assert json.loads(said) == held
    assert "\x9b" not in said and "\r" not in said and "##[" not in said and "é" in said


PRINTERS = {Path("audit/cli/shared/output.py")}
"""Where text is printed."""
ELSEWHERE = {
    Path("audit/environments/locking.py"): "run by itself where no command line is: paths of this repository",
    Path("audit/authoring/installed_code.py"): "runs in the environment of a library, whose output is read and checked",
    Path("audit/process/harness.py"): "likewise; it writes no message",
    Path("audit/__main__.py"): "where typer cannot be imported, that place cannot: a path, as ascii() escapes it",
}
ROOT = Path(__file__).parents[5]


def raw_prints(source: str) -> list[int]:
    """Return the lines that print text which did not pass through the one place that makes it safe."""
    found: list[int] = []
    if not re.search(r"print|echo|\.write|Text\(", source):  # parsing all takes seconds
        return found
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        raw = called in ("print", "typer.echo", "typer.secho", "click.echo") or re.fullmatch(
            r"(sys\.)?_*(stdout|stderr)_*(\.buffer)?\.write(lines)?", called
        )
        styled = called == "Text" and node.args and not _is_safe(node.args[0])
        console = called.endswith("console.print") and any(isinstance(each, ast.JoinedStr) for each in node.args)
        if raw or styled or console:
            found.append(node.lineno)
    return found


def _is_safe(text: ast.expr) -> bool:
    """Return True for what is written here, and for what `printable` made of a stranger's text."""
    match text:
        case ast.Constant():
            return True
        case ast.BinOp(op=ast.Add()):
            return _is_safe(text.left) and _is_safe(text.right)
        case ast.BinOp(op=ast.Mult()):  # a text so many times
            return _is_safe(text.left) or _is_safe(text.right)
        case ast.Call():
            words = ast.unparse(text.func)
            return words in ("printable", "one_line") or words.endswith((".replace", ".rstrip"))
    return False


@pytest.mark.parametrize("room", ["audit", "reports", "reference"])
def test_nothing_is_printed_past_the_one_place_that_makes_text_safe(room: str) -> None:
    files = [each.relative_to(ROOT) for each in sorted((ROOT / room).rglob("*.py"))]
    assert len(files) > 50
    found = {
        str(file): lines
        for file in files
        if file not in PRINTERS | set(ELSEWHERE) and (lines := raw_prints((ROOT / file).read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    "source",
    ["print(error)", "typer.echo(name, err=True)", "import sys\nsys.stderr.write(line)", "sys.stdout.buffer.write(raw)",
     "console.print(Text(name))", "console.print(f'{name}')", "Text(' ' + name)"],
)  # fmt: skip
def test_each_way_to_print_past_it_is_found(source: str) -> None:
    assert raw_prints(source)


@pytest.mark.parametrize("source", ["say(error)", "show(text)", "Text(printable(name))", "Text(' ' + printable(name))"])
def test_what_is_made_safe_is_let_be(source: str) -> None:
    assert raw_prints(source) == []
