"""The interface of a responder: what answers asks for one library version."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import Event
from typing import Protocol

from recsys_metric_audit.audit.process.protocol import Ask, Conversation
from recsys_metric_audit.reference.input.case import Case

FURTHER = "further"
"""Begins the names of inputs that are chosen by earlier answers."""
LATER = ("close scores", "truth copies", "truth longer", "all listed")
"""Begin the names of inputs that are asked since recordings were made."""
MAY_BE_MISSING = ("held-out", FURTHER, *LATER)
"""Beginnings of the names of inputs of which a recording needs no answers: without them, less is told."""

CallProgress = Callable[[int, int], None]
"""Called with (answered calls, all calls) while a library is asked."""


class Responder(Protocol):
    """Answers asks for one library version, and describes where its answers come from."""

    @property
    def live(self) -> bool:
        """Return True if the library itself answers, False if a recording does."""

    @property
    def asked_in_full(self) -> bool:
        """Return True if all initial questions are put to it, whatever is known: a recording is to hold the answers."""

    @property
    def recorded_on(self) -> str | None:
        """Return the day (ISO 8601) of the recording that is replayed, or None."""

    @property
    def cached_on(self) -> str | None:
        """Return the day (ISO 8601) on which the cached answers in use were given, or None."""

    @property
    def caution(self) -> str:
        """Return what a reader of the results must know: an unpinned checkout or a stale recording; else ""."""

    def ask(
        self, cases: Mapping[str, Case], asks: Sequence[Ask], progress: CallProgress, stop: Event, hash_seed: int = 0
    ) -> Conversation:
        """Answer `asks`, whose cases are in `cases` by name.

        Args:
            cases: at least every case that an ask names.
            asks: what to call, in order.
            progress: called with (answered calls, all calls).
            stop: set by another thread to end the call early (:class:`audit.process.stoppable.Stopped`).
            hash_seed: ``PYTHONHASHSEED`` of the library's process.
        """

    def close(self) -> None:
        """Release processes and temporary files; nothing is asked afterwards."""


class NoResponder(Exception):  # noqa: N818 - an outcome that becomes a row's status, not a fault of ours
    """Nothing can answer for a version; carries the `reason` and a `hint` with the next step."""

    def __init__(self, reason: str, hint: str) -> None:
        super().__init__(reason)
        self.reason, self.hint = reason, hint
