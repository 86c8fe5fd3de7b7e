"""Answers kept beside an environment: what a locked library answered before on an input is not asked again.

They lie in the environment's folder as a recording, one file for each state of the adapter and of the harness, and go
with the environment. Kept is what was answered in whole: a call that crashed or hung is made again, and so is every
call of its function in that conversation. Large inputs are asked each time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from audit.errors import UserError
from audit.process.protocol import Answer, Ask, Conversation, Crashed, Hello, TimedOut
from audit.process.worker import HARNESS
from audit.responders import recording
from reference.input.case import Case

ROWS = 1_000_000
"""Predicted rows of the largest input of which answers are kept."""

AskFor = Callable[[Sequence[Ask]], Conversation]
"""Puts asks to the library itself."""
_Call = tuple[int, str, int | None, int]


@dataclass
class Kept:
    """What one library version answered before under one state of what asks it, and what it answers now."""

    path: Path
    about: recording.About
    tape: recording.Tape
    used: str | None = field(default=None, init=False)
    """The day on which the last of them were kept, once some of them have been used."""
    _new: bool = field(default=False, init=False)

    @staticmethod
    def beside(folder: Path, library: str, version: str, adapter: Path) -> Kept:
        """The answers kept in an environment's ``folder``; none where there is no file of them that can be read."""
        asking = hashlib.sha256(adapter.read_bytes() + HARNESS.read_bytes()).hexdigest()
        path = folder / "answers" / f"{asking[:16]}.jsonl"
        about = recording.About(library, version, "", "", asking, "", "", "", {})
        with suppress(UserError):
            before = recording.read(path)
            answers = {key: list(outcomes) for key, outcomes in before.answers.items()}
            return Kept(path, before.about, recording.Tape(answers, dict(before.names)))
        return Kept(path, about, recording.Tape())

    def answered(
        self, cases: Mapping[str, Case], asks: Sequence[Ask], ask_for: AskFor, hash_seed: int = 0
    ) -> Conversation:
        """All answers to ``asks``: those that are kept, and those that the library is asked for now."""
        small = {name: case for name, case in cases.items() if len(case.predictions.user) <= ROWS}
        before = recording.Recording(self.about, self.tape.answers, self.tape.names)
        heard, _ = recording.replay(before, small, [ask for ask in asks if ask.case in small], hash_seed)
        found = {_call(answer): answer for answer in heard}
        if found and not self._new:
            self.used = self.about.date
        missing = [each for ask in asks if (each := _without(ask, found)) is not None]
        if not missing:
            return Conversation(before.hello, tuple(found[call] for ask in asks for call in _calls(ask)), 0.0)
        said = ask_for(missing)
        lost = {each.function for each in said.answers if isinstance(each.outcome, Crashed | TimedOut)}
        if said.hello is not None:
            asked = [ask for ask in missing if ask.case in small]
            numbers = {ask.id for ask in asked}
            whole = [each for each in said.answers if each.ask in numbers and each.function not in lost]
            self.tape.keep(small, asked, whole, hash_seed)
            self.about, self._new = _told(self.about, said.hello), True
        found |= {_call(answer): answer for answer in said.answers}
        return replace(said, answers=tuple(found[call] for ask in asks for call in _calls(ask)))

    def save(self) -> None:
        """Write what is new; on a disk that cannot be written to nothing is kept."""
        if self._new:
            with suppress(OSError):
                recording.write(self.path, self.about, self.tape)
            self._new = False


def _told(about: recording.About, hello: Hello) -> recording.About:
    return replace(
        about, python=hello.python, platform=hello.platform, installed=dict(hello.installed),
        date=datetime.now(UTC).date().isoformat(),
    )  # fmt: skip


def _call(answer: Answer) -> _Call:
    return answer.ask, answer.function, answer.k, answer.repetition


def _calls(ask: Ask) -> list[_Call]:
    return [
        (ask.id, function, k, turn) for function in ask.functions for k in ask.ks for turn in range(ask.repeat)
    ]  # fmt: skip


def _without(ask: Ask, found: Mapping[_Call, Answer]) -> Ask | None:
    """What is left of an ask when the functions of which all calls are found need not be asked."""
    left = tuple(
        name for name in ask.functions if any(call not in found for call in _calls(replace(ask, functions=(name,))))
    )
    return replace(ask, functions=left) if left else None
