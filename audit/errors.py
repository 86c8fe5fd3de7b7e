"""The error for mistakes that the user can correct; it names the place and the next step."""

from __future__ import annotations


class UserError(Exception):
    """Bad usage or bad input; the command line prints message and hint and exits with ``exit_code``.

    Args:
        message: what is wrong, with file, column, row or name.
        hint: what to type next; empty if there is nothing to say.
    """

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
