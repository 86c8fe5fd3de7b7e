"""What a function prints on a console of 80 columns."""

from __future__ import annotations

import io
from collections.abc import Callable

from rich.console import Console


def at_80(show: Callable[..., None], *arguments: object) -> list[str]:
    """Return the lines that ``show(*arguments, console)`` prints."""
    console = Console(width=80, file=io.StringIO(), highlight=False, legacy_windows=False)
    show(*arguments, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def too_wide(lines: list[str]) -> list[str]:
    """Return lines that a terminal of 80 columns would break; a signature alone on its line may not be broken."""
    return [line for line in lines if len(line) > 80 and "|" not in line]
