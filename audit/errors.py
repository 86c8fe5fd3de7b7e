"""What the user can mend: an error that names the place and the next step."""

from __future__ import annotations


class UserError(Exception):
    """Bad usage or bad input: ``message`` names file, column, row or name; ``hint`` says what to type next.

    The command line prints both and exits with ``exit_code`` (2 unless a subclass says otherwise).
    """

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
