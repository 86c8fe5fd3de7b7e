"""The queue of all calls to one library: which have their outcome, and which are asked next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from recsys_metric_audit.audit.process.control_directory import ResponseError
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Crashed, Errored, Outcome, TimedOut

MAX_TIMEOUTS, MAX_LOSSES = 2, 5  # after so many, a function's remaining calls are not asked any more

ProcessLoss = Errored | Crashed | TimedOut
"""How a process was lost: it wrote nonsense, died, or was killed for its silence."""


class CallKey(NamedTuple):
    """One call: the ask it belongs to, function, cut-off and repetition."""

    ask: int
    function: str
    k: int | None
    repetition: int


class CallQueue:
    """All calls of a conversation in the order asked, each with its outcome once that is known.

    ``abandoned`` says, by function, why its remaining calls are not asked. ``progress`` is called with (calls that
    have an outcome, all calls). Raises ``ValueError`` if two calls are equal.
    """

    def __init__(self, asks: Sequence[Ask], progress: Callable[[int, int], None] | None = None) -> None:
        self.abandoned: dict[str, str] = {}
        self._asks = asks
        self._calls = [
            CallKey(ask.id, function, k, repetition)
            for ask in asks
            for function in ask.functions
            for k in ask.ks
            for repetition in range(ask.repeat)
        ]
        if len(set(self._calls)) < len(self._calls):
            raise ValueError("two asks have the same id, or one ask names a function or a k twice")
        self._outcomes: dict[CallKey, Outcome] = {}
        self._timeouts: Counter[str] = Counter()
        self._losses: Counter[str] = Counter()
        self._progress = progress

    @property
    def resolved(self) -> int:
        """Return the number of calls that have an outcome."""
        return len(self._outcomes)

    @property
    def finished(self) -> bool:
        """Return True if every call has an outcome."""
        return len(self._outcomes) == len(self._calls)

    def pending(self) -> list[CallKey]:
        """Return the calls without an outcome, in the order in which :meth:`remaining_asks` asks them."""
        return [call for call in self._calls if call not in self._outcomes]

    def remaining_asks(self) -> list[Ask]:
        """Return the pending calls as asks; an ask that has to be split keeps its id in all its parts."""
        ks: dict[tuple[int, str], dict[int | None, None]] = {}
        for call in self.pending():
            ks.setdefault((call.ask, call.function), {})[call.k] = None
        asks = []
        for ask in self._asks:
            open_ks = [(tuple(ks.get((ask.id, function), ())), function) for function in ask.functions]
            for remaining, group in groupby(open_ks, key=lambda pair: pair[0]):
                if remaining:
                    asks.append(replace(ask, functions=tuple(function for _, function in group), ks=remaining))
        return asks

    def record(self, answer: Answer, due: CallKey | None) -> None:
        """Enter the outcome of `answer`.

        Raises:
            ResponseError: if it does not answer the call `due`.
        """
        call = CallKey(answer.ask, answer.function, answer.k, answer.repetition)
        if call != due:
            raise ResponseError(f"an answer to {tuple(call)} where one to {due and tuple(due)} was due")
        self._enter([call], answer.outcome)

    def resolve_all(self, outcome: Outcome) -> None:
        """Give every pending call the outcome `outcome`."""
        self._enter(self.pending(), outcome)

    def resolve_next(self, loss: ProcessLoss) -> None:
        """Give the first pending call and its repetitions the outcome `loss`, and count it against its function.

        A function that timed out ``MAX_TIMEOUTS`` times or was lost ``MAX_LOSSES`` times is abandoned: its remaining
        calls get the same outcome, marked as not asked.
        """
        lost, *others = self.pending()
        self._enter([lost, *(call for call in others if call[:3] == lost[:3])], loss)
        self._losses[lost.function] += 1
        self._timeouts[lost.function] += isinstance(loss, TimedOut)
        if self._timeouts[lost.function] >= MAX_TIMEOUTS:
            self.abandoned[lost.function] = f"timed out {MAX_TIMEOUTS} times; the rest was not asked"
        elif self._losses[lost.function] >= MAX_LOSSES:
            self.abandoned[lost.function] = f"ended its process {MAX_LOSSES} times; the rest was not asked"
        else:
            return
        unasked = loss if isinstance(loss, Errored) else replace(loss, asked=False)
        self._enter([call for call in self.pending() if call.function == lost.function], unasked)

    def answers(self) -> tuple[Answer, ...]:
        """Return an answer for every call, in the order asked.

        Raises:
            KeyError: if a call has no outcome yet.
        """
        return tuple(Answer(*call[:3], self._outcomes[call], call.repetition) for call in self._calls)

    def _enter(self, calls: Iterable[CallKey], outcome: Outcome) -> None:
        self._outcomes.update(dict.fromkeys(calls, outcome))
        if self._progress is not None:
            self._progress(self.resolved, len(self._calls))
