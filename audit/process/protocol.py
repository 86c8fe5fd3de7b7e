"""The values that the auditor and an adapter's process exchange: asks, outcomes, answers, limits.

The files themselves (layout of the control directory, names of the keys) are described in
``adapters/README.md``; :mod:`audit.process.control_directory` writes and reads them for the auditor,
:mod:`audit.process.harness` for the process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.process.sandbox import SandboxKind

PROTOCOL = 1


@dataclass(frozen=True)
class Ask:
    """A request to call these functions of a library on this case at these cut-offs.

    ``fresh`` gives each call its own copy of the prepared data, so that no call changes another's; ``repeat`` makes
    each call several times on one copy. A ``k`` of ``None`` stands for a metric without cut-off. Without ``values``, a
    function that gives a mean is asked for that alone, not for users' values.
    """

    id: int
    case: str
    functions: tuple[str, ...]
    ks: tuple[int | None, ...]
    repeat: int = 1
    fresh: bool = True
    values: bool = True

    def calls(self) -> list[tuple[str, int | None, int]]:
        """Return its calls in their order: function, cut-off, repetition."""
        return list(product(self.functions, self.ks, range(self.repeat)))


@dataclass(frozen=True, eq=False)
class Measured:
    """The numbers that a library returned: its own mean, its per-user values, or both.

    ``mean`` is ``None`` for a function that returns per-user values only; ``users`` (ids) and ``values``, of equal
    length, are ``None`` for one that returns the mean only. ``dtype`` names the returned type (``float``,
    ``float32``, ...), which decides the tolerance. ``seconds`` is the duration of the call alone.
    """

    mean: float | None
    users: NDArray[np.int64] | None
    values: NDArray[np.float64] | None
    dtype: str
    seconds: float


@dataclass(frozen=True)
class NotOffered:
    """The library reports that it does not offer this; ``why`` is its message."""

    why: str


@dataclass(frozen=True)
class NotAnswered(NotOffered):
    """Says that there is no answer, and that asking again gives none: it was not recorded, or nothing came back."""


@dataclass(frozen=True)
class Unaskable:
    """The adapter cannot pass the case on to its library, which was not asked; ``why`` is in the adapter's words."""

    why: str


@dataclass(frozen=True)
class Errored:
    """The call raised the exception ``error`` with ``message``, or returned something that is no number."""

    error: str
    message: str
    traceback: str


@dataclass(frozen=True)
class Crashed:
    """The process died during this call; ``stderr`` is the end of what it wrote there.

    ``asked`` is false for a call that was never made because its function had crashed too often.
    """

    exit_code: int
    stderr: str
    asked: bool = True


@dataclass(frozen=True)
class TimedOut:
    """No answer came within ``seconds``; the process group was killed.

    ``asked`` is false for a call that was never made because its function had timed out too often.
    """

    seconds: float
    asked: bool = True


Declined = NotOffered | Unaskable
Outcome = Measured | Declined | Errored | Crashed | TimedOut


@dataclass(frozen=True, eq=False)
class Answer:
    """The outcome of one call: an ask, function, cut-off and repetition."""

    ask: int
    function: str
    k: int | None
    outcome: Outcome
    repetition: int = 0


@dataclass(frozen=True)
class Hello:
    """The first line of a process: its interpreter and platform, and the functions that its adapter names."""

    protocol: int
    python: str
    platform: str
    installed: Mapping[str, str]
    functions: tuple[str, ...]


@dataclass(frozen=True)
class Limits:
    """Limits one process: seconds for one call (the first includes start-up), resident bytes, and its sandbox."""

    seconds: float = 120.0
    memory: int = 6 * 1024**3
    sandbox: SandboxKind | None = None


@dataclass(frozen=True, eq=False)
class Conversation:
    """The answers of one library version to a list of asks, and how they were obtained.

    ``hello`` is None if no process ever greeted. ``seconds`` is the duration of the whole conversation, ``processes``
    the number of processes it took, ``stderr`` the end of what the last one wrote there. ``abandoned`` says, by
    function, why its remaining calls were not made.
    """

    hello: Hello | None
    answers: tuple[Answer, ...]
    seconds: float
    processes: int = 1
    stderr: str = ""
    abandoned: Mapping[str, str] = field(default_factory=dict)


def join_conversations(asks: Sequence[Ask], first: Conversation, second: Conversation) -> Conversation:
    """Return two conversations as one, with the answers in the order of the asks."""
    place = {ask.id: number for number, ask in enumerate(asks)}
    answers = sorted((*first.answers, *second.answers), key=lambda answer: place[answer.ask])
    return Conversation(
        first.hello or second.hello, tuple(answers), first.seconds + second.seconds, first.processes + second.processes,
        "\n".join(filter(None, [first.stderr, second.stderr])), {**first.abandoned, **second.abandoned},
    )  # fmt: skip
