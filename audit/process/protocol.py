"""What crosses the border between the auditor and an adapter's process, as values.

The files themselves (layout of the control directory, names of the keys) are described in
``adapters/README.md``; :mod:`audit.process.worker` writes and reads them, :mod:`audit.process.harness` is the other
side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

PROTOCOL = 1


@dataclass(frozen=True)
class Ask:
    """One question to a library: these functions, on this case, at these cut-offs.

    ``fresh`` gives each call its own copy of what was prepared, so that none changes another's; ``repeat`` asks the
    same call several times on the same prepared data. A ``k`` of ``None`` stands for a metric without cut-off.
    """

    id: int
    case: str
    functions: tuple[str, ...]
    ks: tuple[int | None, ...]
    repeat: int = 1
    fresh: bool = True


@dataclass(frozen=True, eq=False)
class Measured:
    """What a library returned: its own mean, and its per-user values where it gives them.

    ``mean`` is ``None`` for a function that gives per-user values only; ``users`` and ``values`` are
    ``None`` for one that gives the mean only. ``dtype`` names the type as returned (``float``, ``float32``,
    ...): it decides the tolerance. ``seconds`` is the time of the call alone.
    """

    mean: float | None
    users: NDArray[np.int64] | None
    values: NDArray[np.float64] | None
    dtype: str
    seconds: float


@dataclass(frozen=True)
class NotOffered:
    """The library itself says that it does not offer this; ``why`` keeps its words."""

    why: str


@dataclass(frozen=True)
class Unaskable:
    """The adapter cannot pass the case on to its library, which was not asked; ``why`` is in the adapter's words."""

    why: str


@dataclass(frozen=True)
class Errored:
    """The call raised ``error`` with ``message``, or returned what is no number."""

    error: str
    message: str
    traceback: str


@dataclass(frozen=True)
class Crashed:
    """The process died in this ask; ``stderr`` is the end of what it said.

    ``asked`` is false for a call that was not put to it any more, its function having crashed too often.
    """

    exit_code: int
    stderr: str
    asked: bool = True


@dataclass(frozen=True)
class TimedOut:
    """No answer within ``seconds``; the process group was killed.

    ``asked`` is false for a call that was not put to it any more, its function having timed out too often.
    """

    seconds: float
    asked: bool = True


Declined = NotOffered | Unaskable
Outcome = Measured | Declined | Errored | Crashed | TimedOut


@dataclass(frozen=True, eq=False)
class Answer:
    """One line of the conversation: what came of one (ask, function, k, repetition)."""

    ask: int
    function: str
    k: int | None
    outcome: Outcome
    repetition: int = 0


@dataclass(frozen=True)
class Hello:
    """What a child says first: who it is and which functions its adapter names."""

    protocol: int
    python: str
    platform: str
    installed: Mapping[str, str]
    functions: tuple[str, ...]


@dataclass(frozen=True)
class Limits:
    """What one child may take: seconds for one ask (start-up included in the first), resident bytes."""

    seconds: float = 120.0
    memory: int = 6 * 1024**3


@dataclass(frozen=True, eq=False)
class Conversation:
    """All that was heard from one library version: an answer for every (ask, function, k, repetition)."""

    hello: Hello | None
    answers: tuple[Answer, ...]
    seconds: float
    processes: int = 1
    stderr: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)
