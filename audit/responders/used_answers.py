"""Keeps account of the answers that an audit was given, so that what follows from them can be believed again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recsys_metric_audit.audit.process.protocol import Outcome
from recsys_metric_audit.audit.responders.outcome_json import to_json
from recsys_metric_audit.audit.responders.recording import AnswerLog, Key

Keys = Mapping[str, Sequence[Sequence[Any]]]
"""The calls that an audit made, by the digest of their input: hash seed, function, k, repetition, number of answers."""


@dataclass
class UsedAnswers:
    """Collects the answers that an audit was given; equal calls of one conversation are counted by their turn.

    ``repeatable`` is false once an answer was not to be kept, or one call was answered in two ways: a later run might
    be given another answer.
    """

    repeatable: bool = True
    _digests: dict[tuple[Key, int], str] = field(default_factory=dict)

    def add(self, key: Key, turn: int, outcome: Outcome) -> None:
        """Add the answer to a call, after `turn` equal calls of its conversation."""
        digest = _digest(outcome)
        if self._digests.setdefault((key, turn), digest) != digest:
            self.repeatable = False

    def keys(self) -> Keys:
        """Return the calls whose answers were added."""
        turns: dict[Key, int] = {}
        for key, turn in self._digests:
            turns[key] = max(turns.get(key, 0), turn + 1)
        keys: dict[str, list[list[Any]]] = {}
        for (digest, *call), number in turns.items():
            keys.setdefault(digest, []).append([*call, number])
        return keys

    def digest(self) -> str:
        """Return the SHA-256 of the calls and of their answers; it does not depend on their order."""
        return _digest_of_all(self._digests)


def digest_in(log: AnswerLog, keys: Keys) -> str | None:
    """Return the SHA-256 of `keys` and of their answers in `log`, None if one is missing there.

    Raises:
        ValueError: if `keys` are none of :meth:`UsedAnswers.keys`.
    """
    digests: dict[tuple[Key, int], str] = {}
    for digest, calls in keys.items():
        for seed, function, k, repetition, number in calls:
            key = (digest, seed, function, k, repetition)
            found = log.answers.get(key, ())
            if not isinstance(number, int) or len(found) < number:
                return None
            digests |= {(key, turn): _digest(found[turn]) for turn in range(number)}
    return _digest_of_all(digests)


def _digest(outcome: Outcome) -> str:
    return hashlib.sha256(json.dumps(to_json(outcome)).encode()).hexdigest()


def _digest_of_all(digests: Mapping[tuple[Key, int], str]) -> str:
    lines = sorted(json.dumps([*key, turn, digest]) for (key, turn), digest in digests.items())
    return f"sha256:{hashlib.sha256(chr(10).join(lines).encode()).hexdigest()}"
