"""The live library: asks are answered by a process in the library's own environment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event

from recsys_metric_audit.audit.data.large_data import is_large
from recsys_metric_audit.audit.environments.environment import BuildFailed, Repair
from recsys_metric_audit.audit.process.child import Session
from recsys_metric_audit.audit.process.control_directory import keep_in_memory
from recsys_metric_audit.audit.process.patience import Patience
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Conversation, Errored, Limits, join_conversations
from recsys_metric_audit.audit.process.sandbox import Sandbox
from recsys_metric_audit.audit.process.scratch_folder import ScratchFolder, place_in_memory
from recsys_metric_audit.audit.process.worker import converse
from recsys_metric_audit.audit.remove_tree import remove_tree
from recsys_metric_audit.audit.responders.interface import CallProgress
from recsys_metric_audit.audit.sources.checkout import Checkout
from recsys_metric_audit.reference.input.case import Case


@dataclass
class LiveLibrary:
    """Runs the library in its environment, from its checkout if it has one.

    The process stays alive between two calls of :meth:`ask` and ends with :meth:`close`. No answer is returned of an
    environment that is not as it was installed: ``repair`` builds it again, once, and what changes again while it is
    asked is refused.

    Asks about large data go to a process of their own, with ``means`` as the file that calls the library where there is
    one: they may be put in one thread while another puts others. Other calls get less time once some were late.
    """

    python: Path
    adapter: Path
    stubs: tuple[str, ...]
    limits: Limits
    checkout: Checkout | None = None
    live: bool = True
    asked_in_full: bool = False
    recorded_on: str | None = None
    cached_on: str | None = None
    repair: Repair | None = None
    means: Path | None = None
    _repaired: str = field(default="", init=False)
    _patience: Patience | None = field(default=None, init=False)
    _session: Session | None = field(default=None, init=False)
    _folder: ScratchFolder | None = field(default=None, init=False)
    _memory: ScratchFolder | None = field(default=None, init=False)
    _opening: threading.Lock = field(default_factory=threading.Lock, init=False)
    _in_use: threading.Lock = field(default_factory=threading.Lock, init=False)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1), init=False)

    @property
    def caution(self) -> str:
        """Return why the checkout is not the pinned commit, or that the environment was damaged; else ""."""
        unpinned = self.checkout.unpinned if self.checkout else None
        return "; ".join(filter(None, [f"unpinned: {unpinned}" if unpinned else "", self._repaired]))

    def ask(
        self, cases: Mapping[str, Case], asks: Sequence[Ask], progress: CallProgress, stop: Event, hash_seed: int = 0
    ) -> Conversation:
        """Put `asks` to the library's process; a hash seed other than 0 gets a process of its own."""
        converse = partial(self._converse, cases, asks, progress, stop, hash_seed)
        if any(not _is_on_large_data(cases, ask) for ask in asks):
            with self._in_use:
                return self._of_whole_environment(converse(), asks, converse, self._repaired)
        before = self._repaired
        said = converse()
        with self._in_use:
            return self._of_whole_environment(said, asks, converse, before)

    def _of_whole_environment(
        self, said: Conversation, asks: Sequence[Ask], again: Callable[[], Conversation], before: str
    ) -> Conversation:
        """Return what was said by an environment as it was installed; asks again after it was repaired.

        Args:
            said: What was said.
            asks: What was asked.
            again: Asks once more.
            before: What was repaired before `said`; another thread may have repaired something since.
        """
        if self.repair is None:
            return said
        # A Python that hangs is waited for once.
        damage = self.repair.damage(started=said.hello is not None or self._repaired != "")
        if not damage and self._repaired == before:
            return said
        folder = self.python.parent.parent
        if not self._repaired:
            try:
                self.repair.build_again(damage)
            except BuildFailed as error:
                why = f"its environment {folder} is damaged ({damage}) and cannot be built again: {error.reason}"
                return _refused(asks, f"{why}\n{error.log_tail}".strip())
            self._repaired = f"its environment was damaged ({damage}) and was built again"
            damage = ""
        if not damage:
            if self._session is not None:
                self._session.close()
            said = again()
            damage = self.repair.damage()
        if damage:
            return _refused(asks, f"{self._repaired}, in vain: {damage}, too, while it was asked")
        if said.hello is None:
            why = f"{self._repaired}, in vain: remove {folder}, and the next run builds it anew"
            return replace(said, stderr=f"{why}\n{said.stderr}".strip())
        return said

    def _converse(
        self, cases: Mapping[str, Case], asks: Sequence[Ask], progress: CallProgress, stop: Event, hash_seed: int
    ) -> Conversation:
        """Put `asks` to the library's process, and those about large data to one of their own."""
        with self._opening:
            if self._folder is None:
                self._folder = ScratchFolder()
                self._session = self._start(0)
                memory = None if self.limits.sandbox is not None else place_in_memory()  # a sandbox hides it
                self._memory = None if memory is None else ScratchFolder(memory)
        large = [ask for ask in asks if _is_on_large_data(cases, ask)]
        if not large:
            own = hash_seed != 0 and self.limits.sandbox is not None
            session = None if own or hash_seed else self._session
            self._patience = self._patience or Patience(self.limits)
            said = self._put(self._new_control(), self.adapter, session, own, cases, asks, progress, stop, hash_seed)
            self._patience.heed(said)
            return said
        others = [ask for ask in asks if ask not in large]
        answered, total = (sum(len(ask.calls()) for ask in each) for each in (others, asks))

        def on_large(done: int, _: int) -> None:
            progress(answered + done, total)

        first = _NOTHING_SAID
        if others:
            first = self._converse(cases, others, lambda done, _: progress(done, total), stop, hash_seed)
        control, adapter = self._new_control(), self.means or self.adapter
        second = self._put(control, adapter, None, True, cases, large, on_large, stop, hash_seed)
        remove_tree(control)  # large, and read
        return join_conversations(asks, first, second)

    def _new_control(self) -> Path:
        """Return a path for a control directory."""
        assert self._folder is not None
        return self._folder.path / f"control-{next(self._numbers)}"

    def _put(
        self, control: Path, adapter: Path, session: Session | None, own: bool, cases: Mapping[str, Case],
        asks: Sequence[Ask], progress: CallProgress, stop: Event, hash_seed: int,
    ) -> Conversation:  # fmt: skip
        """Put `asks` to a process that calls the library by `adapter`; one that cannot be started answers nothing.

        Args:
            control: Becomes the control directory.
            adapter: The file that calls the library.
            session: The session of that process; without any, the process ends with the conversation.
            own: Whether the process gets a session of its own, in the sandbox that the limits name.
            cases: At least every case that an ask names.
            asks: What to call.
            progress: Is told of answered calls.
            stop: Ends the conversation when set.
            hash_seed: ``PYTHONHASHSEED`` of a process without session.
        """
        if self._memory is not None:
            keep_in_memory(control, self._memory.path, {ask.case: cases[ask.case] for ask in asks}.values())
        made = self._start(hash_seed) if own else None
        large = any(_is_on_large_data(cases, ask) for ask in asks)
        limits = self.limits if self._patience is None or large else self._patience.limits
        try:
            return converse(
                self.python, adapter, cases, asks, control, limits, progress, stubs=self.stubs,
                source=self.checkout.folder if self.checkout else None, hash_seed=hash_seed,
                session=made or session, stop=stop,
            )  # fmt: skip
        finally:
            if made is not None:
                made.close()

    def _start(self, hash_seed: int) -> Session:
        """Return a session of the library, in the sandbox that the limits name."""
        assert self._folder is not None
        return Session(
            self.python, hash_seed, sandbox=Sandbox(self._folder.path) if self.limits.sandbox is not None else None
        )

    def close(self) -> None:
        """End the process and remove its control directories."""
        try:
            if self._session is not None:
                self._session.close()
        finally:  # also where a second interrupt comes while the process ends
            for folder in filter(None, (self._folder, self._memory)):
                folder.remove()
            self._session = self._folder = self._memory = None


_NOTHING_SAID = Conversation(None, (), 0.0, 0)


def _is_on_large_data(cases: Mapping[str, Case], ask: Ask) -> bool:
    """Return True if a process of its own answers `ask`."""
    return is_large(cases[ask.case])


def _refused(asks: Sequence[Ask], why: str) -> Conversation:
    """Return a conversation without an answer."""
    outcome = Errored("NotStarted", why, "")
    answers = (Answer(ask.id, name, k, outcome, repetition) for ask in asks for name, k, repetition in ask.calls())
    return Conversation(None, tuple(answers), 0.0, 0, why)
