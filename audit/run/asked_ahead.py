"""Asks a library ahead: what its answers to small cases lead to is asked while it computes on large data.

Nothing is decided ahead. Identification goes its whole way once more with the answers on the data; what it asks then
has mostly been asked, and what it computes on probes is cached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recsys_metric_audit.audit.data.dataset import input_digest
from recsys_metric_audit.audit.process.protocol import Ask, Conversation
from recsys_metric_audit.audit.run.initial_answers import AskLibrary
from recsys_metric_audit.reference.input.case import Case

_Key = tuple[int, tuple[Ask, ...], tuple[tuple[str, str], ...]]


class AskedAhead:
    """Holds conversations that were held ahead; each is given once, to whoever asks the same in the same order."""

    def __init__(self, ask: AskLibrary, ask_ahead: AskLibrary) -> None:
        """Hold nothing yet.

        Args:
            ask: Puts to the library what was not asked ahead.
            ask_ahead: Puts to it what is.
        """
        self._ask, self._ask_ahead = ask, ask_ahead
        self._held: dict[_Key, list[Conversation]] = {}

    def ahead(self, cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int = 0) -> Conversation:
        """Put `asks` to the library, and hold the conversation."""
        conversation = self._ask_ahead(cases, asks, hash_seed)
        self._held.setdefault(_key(cases, asks, hash_seed), []).append(conversation)
        return conversation

    def __call__(self, cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int = 0) -> Conversation:
        """Return the conversation that was held ahead, or put `asks` to the library."""
        held = self._held.get(_key(cases, asks, hash_seed)) if self._held else None
        return held.pop(0) if held else self._ask(cases, asks, hash_seed)


def _key(cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int) -> _Key:
    named = sorted({ask.case for ask in asks})
    return hash_seed, tuple(asks), tuple((name, input_digest(cases[name])) for name in named)
