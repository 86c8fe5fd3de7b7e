"""The live library: asks are answered by a process in the library's own environment."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from audit.environments.environment import BuildFailed
from audit.process.protocol import Answer, Ask, Conversation, Errored, Limits
from audit.process.sandbox import Sandbox
from audit.process.scratch_folder import ScratchFolder
from audit.process.session import Session
from audit.process.worker import converse
from audit.responders.interface import CallProgress
from audit.sources.checkout import Checkout
from reference.input.case import Case


@dataclass
class LiveLibrary:
    """Runs the library in its environment, from its checkout if it has one.

    The process stays alive between two calls of :meth:`ask` and ends with :meth:`close`. Where the library cannot be
    started or imported, its environment is looked at once: ``repair`` is told the modules that could not be found if
    nothing else points to damage, builds it again if it is damaged, and returns what was damaged.
    """

    python: Path
    adapter: Path
    stubs: tuple[str, ...]
    limits: Limits
    checkout: Checkout | None = None
    live: bool = True
    recorded_on: str | None = None
    cached_on: str | None = None
    repair: Callable[[Sequence[str]], str] | None = None
    _repaired: str = field(default="", init=False)
    _session: Session | None = field(default=None, init=False)
    _folder: ScratchFolder | None = field(default=None, init=False)
    _ask_count: int = field(default=0, init=False)

    @property
    def caution(self) -> str:
        """Return why the checkout is not the pinned commit, or that the environment was damaged; else ""."""
        unpinned = self.checkout.unpinned if self.checkout else None
        return "; ".join(filter(None, [f"unpinned: {unpinned}" if unpinned else "", self._repaired]))

    def ask(
        self,
        cases: Mapping[str, Case],
        asks: Sequence[Ask],
        progress: CallProgress,
        stop: threading.Event,
        hash_seed: int = 0,
    ) -> Conversation:
        """Put `asks` to the library's process; a hash seed other than 0 gets a process of its own."""
        said = self._converse(cases, asks, progress, stop, hash_seed)
        if self.repair is None or not _cannot_start(said):
            return said
        repair, self.repair = self.repair, None
        folder = self.python.parent.parent
        try:
            damage = repair(_missing_modules(said))
        except BuildFailed as error:
            why = f"its environment {folder} is damaged and cannot be built again: {error.reason}"
            return replace(said, stderr=f"{why}\n{error.log_tail}".strip())
        if not damage:
            return said
        self._repaired = f"its environment was damaged ({damage}) and was built again"
        if self._session is not None:
            self._session.close()
        said = self._converse(cases, asks, progress, stop, hash_seed)
        if _cannot_start(said):
            why = f"{self._repaired}, in vain: remove {folder}, and the next run builds it anew"
            return replace(said, stderr=f"{why}\n{said.stderr}".strip())
        return said

    def _converse(
        self, cases: Mapping[str, Case], asks: Sequence[Ask], progress: CallProgress, stop: threading.Event,
        hash_seed: int,
    ) -> Conversation:  # fmt: skip
        """Put `asks` to the library's process; one that cannot be started answers nothing."""
        if self._folder is None:
            self._folder = ScratchFolder()
            self._session = self._start(0)
        self._ask_count += 1
        control = self._folder.path / f"control-{self._ask_count}"
        try:
            return self._put(cases, asks, control, progress, stop, hash_seed)
        except OSError as error:
            if error.filename != str(self.python.absolute()):
                raise
            why = f"{self.python} cannot be run: {error.strerror}"
            return Conversation(None, tuple(_unanswered(asks, Errored("NotStarted", why, ""))), 0.0, 0, why)

    def _start(self, hash_seed: int) -> Session:
        """Return a session of the library, in the sandbox that the limits name."""
        assert self._folder is not None
        return Session(
            self.python, hash_seed, sandbox=Sandbox(self._folder.path) if self.limits.sandbox is not None else None
        )

    def _put(
        self, cases: Mapping[str, Case], asks: Sequence[Ask], control: Path, progress: CallProgress,
        stop: threading.Event, hash_seed: int,
    ) -> Conversation:  # fmt: skip
        own = self._start(hash_seed) if hash_seed != 0 and self.limits.sandbox is not None else None
        try:
            return converse(
                self.python, self.adapter, cases, asks, control, self.limits, progress, stubs=self.stubs,
                source=self.checkout.folder if self.checkout else None, hash_seed=hash_seed,
                session=own or (self._session if hash_seed == 0 else None), stop=stop,
            )  # fmt: skip
        finally:
            if own is not None:
                own.close()

    def close(self) -> None:
        """End the process and remove its control directories."""
        try:
            if self._session is not None:
                self._session.close()
        finally:  # also where a second interrupt comes while the process ends
            if self._folder is not None:
                self._folder.remove()
            self._session = self._folder = None


_NOT_IMPORTED = ("ModuleNotFoundError", "ImportError", "NotStarted")
_NO_MODULE = re.compile(r"No module named '([\w.]+)'")


def _cannot_start(said: Conversation) -> bool:
    """Return True if the library did not start, or something could not be imported."""
    if said.hello is None or not said.hello.functions:
        return True
    return any(isinstance(each.outcome, Errored) and each.outcome.error in _NOT_IMPORTED for each in said.answers)


def _missing_modules(said: Conversation) -> tuple[str, ...]:
    """Return the modules that could not be found if they are all that failed at importing; else ()."""
    if said.hello is None or not said.hello.functions:
        return ()
    outcomes = [each.outcome for each in said.answers]
    failed = [each for each in outcomes if isinstance(each, Errored) and each.error in _NOT_IMPORTED]
    found = [_NO_MODULE.match(each.message) if each.error == "ModuleNotFoundError" else None for each in failed]
    names = [match[1] for match in found if match is not None]
    return tuple(dict.fromkeys(names)) if len(names) == len(failed) else ()


def _unanswered(asks: Sequence[Ask], outcome: Errored) -> Iterator[Answer]:
    for ask in asks:
        for function in ask.functions:
            for k in ask.ks:
                for repetition in range(ask.repeat):
                    yield Answer(ask.id, function, k, outcome, repetition)
