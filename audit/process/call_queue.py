"""What is asked of one library, what is settled, and what is asked again after a process was lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from audit.process.control_directory import ResponseError
from audit.process.protocol import Answer, Ask, Crashed, Errored, Outcome, TimedOut

TIMEOUTS, LOSSES = 2, 5  # after so many, the remaining calls of a function are not asked any more

Loss = Errored | Crashed | TimedOut


class Key(NamedTuple):
    """One call of a conversation."""

    ask: int
    function: str
    k: int | None
    repetition: int


class Agenda:
    """All calls in the order asked, each with its outcome once it is settled.

    ``given_up`` says, by function, why no more was asked of it. ``progress`` hears (settled, all). Raises
    ``ValueError`` where two calls could not be told apart.
    """

    def __init__(self, asks: Sequence[Ask], progress: Callable[[int, int], None] | None = None) -> None:
        self.given_up: dict[str, str] = {}
        self._asks = asks
        self._plan = [
            Key(ask.id, function, k, repetition)
            for ask in asks
            for function in ask.functions
            for k in ask.ks
            for repetition in range(ask.repeat)
        ]
        if len(set(self._plan)) < len(self._plan):
            raise ValueError("two asks have the same id, or one ask names a function or a k twice")
        self._outcomes: dict[Key, Outcome] = {}
        self._timeouts: Counter[str] = Counter()
        self._losses: Counter[str] = Counter()
        self._progress = progress

    @property
    def settled(self) -> int:
        """The number of calls that have their outcome."""
        return len(self._outcomes)

    @property
    def finished(self) -> bool:
        """Whether every call has its outcome."""
        return len(self._outcomes) == len(self._plan)

    def pending(self) -> list[Key]:
        """Return the calls without an outcome, in the order in which :meth:`rest` asks them."""
        return [key for key in self._plan if key not in self._outcomes]

    def rest(self) -> list[Ask]:
        """Return what is pending as asks; the parts of an ask that had to be cut keep its id."""
        ks: dict[tuple[int, str], dict[int | None, None]] = {}
        for key in self.pending():
            ks.setdefault((key.ask, key.function), {})[key.k] = None
        asks = []
        for ask in self._asks:
            open_ks = [(tuple(ks.get((ask.id, function), ())), function) for function in ask.functions]
            for rest_ks, group in groupby(open_ks, key=lambda pair: pair[0]):
                if rest_ks:
                    asks.append(replace(ask, functions=tuple(function for _, function in group), ks=rest_ks))
        return asks

    def hear(self, answer: Answer, due: Key | None) -> None:
        """Enter an answer; raise ``ResponseError`` where it is not the one that is due."""
        key = Key(answer.ask, answer.function, answer.k, answer.repetition)
        if key != due:
            raise ResponseError(f"an answer to {tuple(key)} where one to {due and tuple(due)} was due")
        self._enter([key], answer.outcome)

    def settle_all(self, outcome: Outcome) -> None:
        """Give everything that is pending the same outcome."""
        self._enter(self.pending(), outcome)

    def settle_next(self, loss: Loss) -> None:
        """Give the call that was under way, with its repetitions, its outcome, and hold it against its function.

        A function that times out twice or is lost five times is not asked any more: its remaining calls
        get the same outcome, marked as not asked.
        """
        lost, *pending = self.pending()
        self._enter([lost, *(key for key in pending if key[:3] == lost[:3])], loss)
        self._losses[lost.function] += 1
        self._timeouts[lost.function] += isinstance(loss, TimedOut)
        if self._timeouts[lost.function] >= TIMEOUTS:
            self.given_up[lost.function] = f"timed out {TIMEOUTS} times; the rest was not asked"
        elif self._losses[lost.function] >= LOSSES:
            self.given_up[lost.function] = f"ended its process {LOSSES} times; the rest was not asked"
        else:
            return
        unasked = loss if isinstance(loss, Errored) else replace(loss, asked=False)
        self._enter([key for key in self.pending() if key.function == lost.function], unasked)

    def answers(self) -> tuple[Answer, ...]:
        """Return the outcome of every call, in the order asked."""
        return tuple(Answer(*key[:3], self._outcomes[key], key.repetition) for key in self._plan)

    def _enter(self, keys: Iterable[Key], outcome: Outcome) -> None:
        self._outcomes.update(dict.fromkeys(keys, outcome))
        if self._progress is not None:
            self._progress(self.settled, len(self._plan))
