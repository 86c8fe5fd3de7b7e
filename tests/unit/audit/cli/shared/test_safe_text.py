"""Foreign text on a terminal and in a workflow's log: readable, and nothing obeys it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.cli.shared.safe_text import safe_text


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
