"""The error that users of result files and reports can act on."""

from __future__ import annotations


class ReportError(Exception):
    """A result file or report folder that cannot be read or written.

    ``message`` names the file and the place in it, ``hint`` says what to do next.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
