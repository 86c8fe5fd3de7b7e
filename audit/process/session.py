"""A session: a library's process that stays from one conversation to the next."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from recsys_metric_audit.audit.process.child import HARNESS, Child
from recsys_metric_audit.audit.process.sandbox import Sandbox


class Session:
    """Keeps a library's process alive between conversations, so that the library is imported once.

    A process that died, or whose conversation broke off, is replaced by a fresh one.
    """

    def __init__(
        self, python: Path, hash_seed: int = 0, harness: Path = HARNESS, sandbox: Sandbox | None = None
    ) -> None:
        self._python, self._harness, self._hash_seed, self._sandbox = python, harness, hash_seed, sandbox
        self._child: Child | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def child(self, control: Path) -> Child:
        """Return the process that answers `control`: the one that is alive, else a new one."""
        if self._child is not None and self._child.exit_code(0) is None:
            self._child.go_on(control)
        else:
            self.close()
            self._child = Child(self._python, self._harness, control, self._hash_seed, self._sandbox)
        return self._child

    def close(self) -> None:
        """End the process and all that it started."""
        if self._child is not None:
            self._child.end()
        self._child = None
