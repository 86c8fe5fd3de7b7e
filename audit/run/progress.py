"""The progress of an audit, as it is reported to whoever watches it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from recsys_metric_audit.reports.model.result import Finding


class Progress(Protocol):
    """Receives what happens to each library version; called from several threads.

    A version may skip steps: nothing is built if its environment is there, and nothing is asked if all its answers
    are cached. ``finished`` always comes, and comes last.
    """

    def building(self, library: str, version: str, message: str) -> None:
        """Receive a step of building the environment of a version, in words."""

    def asking(self, library: str, version: str, done: int, total: int) -> None:
        """Receive that a version has answered `done` of the `total` calls of one conversation."""

    def identifying(self, library: str, version: str, done: int, total: int) -> None:
        """Receive that `done` of the `total` functions of a version will be asked nothing more."""

    def finished(self, library: str, version: str, status: str, seconds: float, findings: Sequence[Finding]) -> None:
        """Receive that a version is done, with its status and its findings in the result, after so many seconds."""
