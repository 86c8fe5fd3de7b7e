"""Recorded answers of one library version as values, and how two recordings differ.

A recording holds raw answers only, by what each depends on: identification runs anew on every replay. How recordings
are stored is in :mod:`audit.responders.recording_file`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from recsys_metric_audit.audit.data.dataset import input_digest
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Hello, Outcome
from recsys_metric_audit.audit.responders.outcome_json import to_json
from recsys_metric_audit.reference.input.case import Case

Key = tuple[str, int, str, int | None, int]
"""What an answer depends on: digest of the input, hash seed, function, k, repetition."""

_SHOWN = 200  # characters of an answer that a difference quotes
_IDENTITY = ("library", "version", "commit", "digest", "adapter")


@dataclass(frozen=True)
class Header:
    """Names the library version of a recording, and when, where and with what it was made.

    ``digest`` is the digest of the files that carry the metrics (:func:`audit.sources.checkout.digest`), ``adapter``
    the SHA-256 (hex) of the adapter that asked, ``date`` an ISO 8601 day, ``installed`` distribution → version.
    """

    library: str
    version: str
    commit: str
    digest: str
    adapter: str
    date: str
    python: str
    platform: str
    installed: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class AnswerLog:
    """Collects answers by what they depend on, in the order given; ``names`` maps input digests to names."""

    answers: dict[Key, list[Outcome]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def add(self, cases: Mapping[str, Case], asks: Iterable[Ask], answers: Iterable[Answer], hash_seed: int) -> None:
        """Append the answers of one conversation in which `asks` were put on `cases`."""
        case_of = {ask.id: ask.case for ask in asks}
        digests = {name: input_digest(cases[name]) for name in set(case_of.values())}
        for answer in answers:
            name = case_of[answer.ask]
            self.names.setdefault(digests[name], cases[name].name or name)
            key = (digests[name], hash_seed, answer.function, answer.k, answer.repetition)
            self.answers.setdefault(key, []).append(answer.outcome)


@dataclass(frozen=True, eq=False)
class Recording:
    """A header and the answers that were recorded under it."""

    header: Header
    log: AnswerLog

    @property
    def hello(self) -> Hello:
        """Return the greeting of the recorded process, rebuilt from the header."""
        functions = tuple(dict.fromkeys(key[2] for key in self.log.answers))
        return Hello(0, self.header.python, self.header.platform, self.header.installed, functions)


def differences(old: Recording, new: Recording) -> list[str]:
    """Return in words how `new` differs from `old`, to the last bit; date and machine are not compared."""
    found = [
        f"{name} was {getattr(old.header, name)!r} and is {getattr(new.header, name)!r}"
        for name in _IDENTITY
        if getattr(old.header, name) != getattr(new.header, name)
    ]
    before, now = _as_json(old.log), _as_json(new.log)
    names = {**old.log.names, **new.log.names}
    for key in [*before, *(key for key in now if key not in before)]:
        if before.get(key) != now.get(key):
            was, is_ = (str(answers.get(key, "not asked"))[:_SHOWN] for answers in (before, now))
            found.append(f"{key[2]} on {names[key[0]]} at k = {key[3]}: was {was}, is {is_}")
    return found


def _as_json(log: AnswerLog) -> Mapping[Key, Sequence[object]]:
    return {key: [to_json(outcome) for outcome in outcomes] for key, outcomes in log.answers.items()}
