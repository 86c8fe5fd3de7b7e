"""Asking a library in its own environment, within limits of time and memory, until every call has its outcome.

A process that dies or hangs costs the call it was in; the remaining calls are asked again in a fresh process. The queue
of calls knows which have their outcome, and which are asked next.
"""

from __future__ import annotations

import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recsys_metric_audit.audit.process import control_directory
from recsys_metric_audit.audit.process.child import Child, Session
from recsys_metric_audit.audit.process.control_directory import ResponseError
from recsys_metric_audit.audit.process.protocol import (
    Answer,
    Ask,
    Conversation,
    Crashed,
    Errored,
    Limits,
    Outcome,
    TimedOut,
)
from recsys_metric_audit.audit.process.stoppable import Stopped

if TYPE_CHECKING:
    from recsys_metric_audit.reference.input.case import Case


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
        self._calls = [CallKey(ask.id, *call) for ask in asks for call in ask.calls()]
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


MAX_SILENT = 2  # processes in a row that may die before their hello
FIRST_POLL_SECONDS = 0.002  # until the first look at the responses: a few quick calls take no longer
POLL_GROWTH = 1.25  # of the time between two looks: an answer is seen at most a quarter later than it came
POLL_SECONDS = 0.05  # between two looks after a while; an exit is seen at once
CHECK_SECONDS = 0.1  # between two looks at memory and logs


def converse(
    python: Path,
    adapter: Path,
    cases: Mapping[str, Case],
    asks: Sequence[Ask],
    control: Path,
    limits: Limits | None = None,
    progress: Callable[[int, int], None] | None = None,
    *,
    stubs: Sequence[str] = (),
    source: Path | None = None,
    hash_seed: int = 0,
    session: Session | None = None,
    stop: threading.Event | None = None,
) -> Conversation:
    """Put `asks` to the library behind `adapter` and return an answer for every call, in the order asked.

    Args:
        python: the interpreter of the library's environment.
        adapter: the library's ``adapter.py``.
        cases: at least every case that an ask names.
        asks: what to call.
        control: becomes a control directory; calls that are asked again get ``control/again-1`` and so on.
        limits: of each process; by default those of :class:`Limits`.
        progress: called with (answered calls, all calls).
        stubs: modules that can be imported but not used.
        source: the checkout to import the library from, if it has one.
        hash_seed: ``PYTHONHASHSEED`` of the process; ignored with a `session`.
        session: keeps the process for the next conversation; without one, nothing of it survives this call.
        stop: ends the conversation when set by another thread.

    Raises:
        Stopped: if `stop` was set: the conversation is not finished. This, ``KeyboardInterrupt`` and ``OSError`` end
            the session's process too.
        OSError: if the control directory cannot be written.
        ValueError: if two calls are equal, or an ask names a case that is not in `cases`.
    """
    began = time.monotonic()
    queue = CallQueue(asks, progress)
    control_directory.write(control, adapter, cases, asks, stubs, source)
    hello, stderr, processes, silent = None, "", 0, 0
    with Session(python, hash_seed) if session is None else nullcontext(session) as kept:
        while not queue.finished:
            folder = control if processes == 0 else _again(control, processes, adapter, cases, queue, stubs, source)
            processes += 1
            child, loss = _run(kept, folder, queue, limits or Limits(), stop)
            said = child.responses
            hello, stderr = said.hello or hello, child.stderr_tail()
            silent = 0 if said.hello else silent + 1
            if said.failure is not None:
                queue.resolve_all(said.failure)
            elif loss is not None and silent == MAX_SILENT:
                queue.resolve_all(_with_stderr(loss, stderr))
            elif loss is not None and said.hello:
                queue.resolve_next(_with_stderr(loss, stderr))
        return Conversation(hello, queue.answers(), time.monotonic() - began, processes, stderr, queue.abandoned)


def _again(
    control: Path, number: int, adapter: Path, cases: Mapping[str, Case], queue: CallQueue, stubs: Sequence[str],
    source: Path | None,
) -> Path:  # fmt: skip
    """Write the control directory in which the remaining calls are asked; it shares the cases of the first."""
    folder, asks = control / f"again-{number}", queue.remaining_asks()
    if not control_directory.holds_cases(control, asks):  # the last process removed them
        control_directory.write(control, adapter, cases, asks, stubs, source)
    control_directory.write_request(folder, adapter, asks, stubs, source)
    (folder / "cases").unlink(missing_ok=True)
    (folder / "cases").symlink_to(Path("..") / "cases")
    return folder


def _run(
    session: Session, folder: Path, queue: CallQueue, limits: Limits, stop: threading.Event | None
) -> tuple[Child, ProcessLoss | None]:
    """Let the session's process answer `folder`; end it unless it has answered everything."""
    child = session.child(folder)
    try:
        loss = _listen(child, queue, limits, stop)
    except BaseException:
        session.close()
        raise
    if loss is not None or child.responses.failure is not None:
        session.close()
    return child, loss


def _listen(child: Child, queue: CallQueue, limits: Limits, stop: threading.Event | None) -> ProcessLoss | None:
    """Enter answers into `queue` as they come.

    Returns:
        None once the child has answered everything or reported that it cannot answer at all, else how it was lost.
    """
    due = iter(queue.pending())
    progress, last_progress, last_check = (False, queue.resolved), time.monotonic(), time.monotonic()
    wait = FIRST_POLL_SECONDS
    while True:
        exit_code = child.exit_code(wait)  # before reading: then what is read is all that it wrote
        wait = min(POLL_GROWTH * wait, POLL_SECONDS)
        try:
            for answer in child.responses.read():
                queue.record(answer, next(due, None))
        except control_directory.ResponseError as error:
            return Errored("BadLine", str(error), "")
        now, before = time.monotonic(), progress
        progress = (child.responses.hello is not None, queue.resolved)
        last_progress = last_progress if progress == before else now
        if queue.finished or child.responses.failure is not None:
            return None
        if exit_code is not None:
            return Crashed(exit_code, "")
        if now - last_progress > limits.seconds:
            return TimedOut(limits.seconds)
        if stop is not None and stop.is_set():
            raise Stopped
        if now - last_check > CHECK_SECONDS:
            last_check = now
            child.shorten_logs()
            if (taken := child.resident_bytes()) > limits.memory:
                return Crashed(-signal.SIGKILL, f"killed: {taken:,} bytes resident, {limits.memory:,} allowed")


def _with_stderr(loss: ProcessLoss, stderr: str) -> ProcessLoss:
    """Return a crash with the end of the process's stderr added, and any other loss as it is."""
    if not isinstance(loss, Crashed):
        return loss
    return replace(loss, stderr="\n".join(part for part in (loss.stderr, stderr) if part))
