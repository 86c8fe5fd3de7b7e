"""Makes the consoles of Rich, which believes any width that COLUMNS names and pads every line to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

WIDEST = 1000
"""Columns; a line of a hundred million of them would take minutes and all memory."""


def make_console(*, stderr: bool = False, at_least: int = 1) -> Console:
    """Return a console as wide as the terminal, within what makes sense.

    Args:
        stderr: Print on standard error.
        at_least: The least width, in columns.
    """
    from rich.console import Console

    usual = Console(stderr=stderr, highlight=False)
    width = min(max(usual.width, at_least), WIDEST)
    return usual if width == usual.width else Console(stderr=stderr, highlight=False, width=width)
