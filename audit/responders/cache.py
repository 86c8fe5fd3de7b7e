"""The cached library: asks only what was not answered before, and keeps the new answers.

The cache lies in the folder of the library's environment, one file for each state of adapter and harness, and is
removed with the environment. Only functions that answered a whole conversation without crash or timeout enter it.
Answers on large inputs are not cached.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

from recsys_metric_audit.audit.data.large_data import LARGE
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.process.child import HARNESS
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Conversation, Crashed, Hello, Outcome, TimedOut
from recsys_metric_audit.audit.responders import recording_file
from recsys_metric_audit.audit.responders.interface import CallProgress
from recsys_metric_audit.audit.responders.live import LiveLibrary
from recsys_metric_audit.audit.responders.recording_file import (
    AnswerLog,
    Header,
    Keys,
    Recording,
    UsedAnswers,
    digest_in,
)
from recsys_metric_audit.audit.responders.replay import calls_in_turn
from recsys_metric_audit.reference.input.case import Case

MAX_ROWS = LARGE
"""Predicted rows of the largest input whose answers are cached."""

AskLibrary = Callable[[Sequence[Ask]], Conversation]
"""Puts asks to the library itself."""
_Call = tuple[int, str, int | None, int]


@dataclass
class AnswerCache:
    """The cached answers of one library version under one state of adapter and harness.

    ``used_on`` is the day on which the newest of them were given, None until one of them is used. ``damage`` says what
    was wrong with the file, whose answers are then asked anew. ``used`` are all answers that were given, old and new.
    """

    path: Path
    header: Header
    log: AnswerLog
    damage: str = ""
    used_on: str | None = field(default=None, init=False)
    used: UsedAnswers = field(default_factory=UsedAnswers, init=False)
    _changed: bool = field(default=False, init=False)

    @staticmethod
    def open(folder: Path, library: str, version: str, adapter: Path) -> AnswerCache:
        """Return the cache in an environment's `folder`; it is empty if its file is missing or damaged."""
        state = hashlib.sha256(adapter.read_bytes() + HARNESS.read_bytes()).hexdigest()
        path = folder / "answers" / f"{state[:16]}.jsonl"
        empty, damage = Header(library, version, "", "", state, "", "", "", {}), ""
        if path.exists() or path.is_symlink():  # a link to itself does not exist
            try:
                stored = recording_file.read_cache(path)
            except UserError as error:
                damage = error.message.removeprefix(f"{path}: ")
            else:
                own = stored.header
                if (own.library, own.version, own.adapter) == (library, version, state):
                    return AnswerCache(path, own, stored.log)
                damage = f"holds answers of {own.library} {own.version}, or to another adapter"
        return AnswerCache(path, empty, AnswerLog(), damage)

    def answer(
        self, cases: Mapping[str, Case], asks: Sequence[Ask], ask_library: AskLibrary, hash_seed: int = 0
    ) -> Conversation:
        """Answer `asks` from the cache, and put to `ask_library` the asks that it does not answer in full.

        Returns:
            One answer for every call of `asks`, in their order.
        """
        small = {name: case for name, case in cases.items() if len(case.predictions.user) <= MAX_ROWS}
        calls = calls_in_turn(small, [ask for ask in asks if ask.case in small], hash_seed)
        found = {}
        for ask, key, turn in calls:
            if turn < len(cached := self.log.answers.get(key, ())):
                found[ask.id, *key[2:]] = cached[turn]
        if found and not self._changed:
            self.used_on = self.header.date
        missing = [remaining for ask in asks if (remaining := _without(ask, found)) is not None]
        if missing:
            conversation = ask_library(missing)
            self._add(small, missing, conversation, hash_seed)
            found |= {(each.ask, each.function, each.k, each.repetition): each.outcome for each in conversation.answers}
        else:
            conversation = Conversation(self.hello, (), 0.0)
        self.used.repeatable &= len(small) == len(cases)
        for ask, key, turn in calls:
            self.used.add(key, turn, found[ask.id, *key[2:]])
        answers = (Answer(ask.id, *call[:2], found[ask.id, *call], call[2]) for ask in asks for call in ask.calls())
        return replace(conversation, answers=tuple(answers))

    @property
    def hello(self) -> Hello:
        """Return the greeting of the process that gave the cached answers."""
        return Recording(self.header, self.log).hello

    def still_answers(self, keys: Keys, digest: str) -> bool:
        """Return True if the answers to `keys` have this `digest` today; they count as used then."""
        if digest_in(self.log, keys) != digest:
            return False
        if not self._changed:
            self.used_on = self.header.date
        return True

    def _add(self, small: Mapping[str, Case], asks: Sequence[Ask], conversation: Conversation, hash_seed: int) -> None:
        if conversation.hello is None:
            return
        lost = {each.function for each in conversation.answers if isinstance(each.outcome, Crashed | TimedOut)}
        asked = [ask for ask in asks if ask.case in small]
        numbers = {ask.id for ask in asked}
        whole = [each for each in conversation.answers if each.ask in numbers and each.function not in lost]
        self.log.add(small, asked, whole, hash_seed)
        self.header, self._changed = _made_today(self.header, conversation.hello), True

    def save(self) -> None:
        """Write new answers to the cache's file; a disk that cannot be written to is no error."""
        if self._changed:
            with suppress(OSError):
                recording_file.write_cache(self.path, Recording(self.header, self.log))
            self._changed = False


@dataclass
class CachedLibrary:
    """Asks a live library only what its cache does not answer.

    ``damaged_findings`` says that a file of findings beside the cache was damaged; "" if none was.
    """

    library: LiveLibrary
    cache: AnswerCache
    live: bool = True
    asked_in_full: bool = False
    recorded_on: str | None = None
    damaged_findings: str = ""

    @property
    def caution(self) -> str:
        """Return which kept file was damaged and what is done anew for it, or what the library says; else ""."""
        damage = self.cache.damage
        told = f"asked anew: the file of its cached answers was damaged ({damage})" if damage else ""
        return "; ".join(filter(None, [told, self.damaged_findings, self.library.caution]))

    @property
    def cached_on(self) -> str | None:
        """Return the day on which the newest cached answers in use were given, or None."""
        return self.cache.used_on

    def ask(
        self, cases: Mapping[str, Case], asks: Sequence[Ask], progress: CallProgress, stop: Event, hash_seed: int = 0
    ) -> Conversation:
        """Answer `asks` from the cache, and ask the library for the missing answers."""
        return self.cache.answer(
            cases, asks, lambda missing: self.library.ask(cases, missing, progress, stop, hash_seed), hash_seed
        )

    def close(self) -> None:
        """End the library's process, if there is one, and save the cache."""
        self.library.close()
        self.cache.save()


def _made_today(header: Header, hello: Hello) -> Header:
    return replace(
        header, python=hello.python, platform=hello.platform, installed=dict(hello.installed),
        date=datetime.now(UTC).date().isoformat(),
    )  # fmt: skip


def _without(ask: Ask, found: Mapping[_Call, Outcome]) -> Ask | None:
    """Return `ask` less the functions of which every call is in `found`, or None if no function remains."""
    remaining = tuple(
        name for name in ask.functions if any((ask.id, *call) not in found for call in ask.calls() if call[0] == name)
    )
    return replace(ask, functions=remaining) if remaining else None
