"""The live library: asks are answered by a process in the library's own environment."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from audit.process.protocol import Ask, Conversation, Limits
from audit.process.scratch_folder import ScratchFolder
from audit.process.session import Session
from audit.process.worker import converse
from audit.responders.interface import CallProgress
from audit.sources.checkout import Checkout
from reference.input.case import Case


@dataclass
class LiveLibrary:
    """Runs the library in its environment, from its checkout if it has one.

    The process stays alive between two calls of :meth:`ask` and ends with :meth:`close`.
    """

    python: Path
    adapter: Path
    stubs: tuple[str, ...]
    limits: Limits
    checkout: Checkout | None = None
    live: bool = True
    recorded_on: str | None = None
    cached_on: str | None = None
    _session: Session | None = field(default=None, init=False)
    _folder: ScratchFolder | None = field(default=None, init=False)
    _ask_count: int = field(default=0, init=False)

    @property
    def caution(self) -> str:
        """Return why the checkout is not the pinned commit, or ""."""
        unpinned = self.checkout.unpinned if self.checkout else None
        return f"unpinned: {unpinned}" if unpinned else ""

    def ask(
        self,
        cases: Mapping[str, Case],
        asks: Sequence[Ask],
        progress: CallProgress,
        stop: threading.Event,
        hash_seed: int = 0,
    ) -> Conversation:
        """Put `asks` to the library's process; a hash seed other than 0 gets a process of its own."""
        if self._folder is None:
            self._folder, self._session = ScratchFolder(), Session(self.python)
        self._ask_count += 1
        control = self._folder.path / f"control-{self._ask_count}"
        return converse(
            self.python, self.adapter, cases, asks, control, self.limits, progress, stubs=self.stubs,
            source=self.checkout.folder if self.checkout else None, hash_seed=hash_seed,
            session=self._session if hash_seed == 0 else None, stop=stop,
        )  # fmt: skip

    def close(self) -> None:
        """End the process and remove its control directories."""
        try:
            if self._session is not None:
                self._session.close()
        finally:  # also where a second interrupt comes while the process ends
            if self._folder is not None:
                self._folder.remove()
            self._session = self._folder = None
