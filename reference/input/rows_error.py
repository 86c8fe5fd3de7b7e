"""Errors in rows that somebody gave, apart from errors in how they are evaluated."""

from __future__ import annotations


class RowsError(ValueError):
    """Tells that rows cannot be evaluated as they are: a file is damaged, an id is missing, a score is no number."""


class MissingColumnError(RowsError, KeyError):
    """Tells that a table lacks a column."""

    def __str__(self) -> str:
        """Return the message as it is; that of a ``KeyError`` stands in quotes."""
        return str(self.args[0])
