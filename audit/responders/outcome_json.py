"""Outcomes as JSON, for files of recorded and cached answers.

Floats are written as ``repr``, so that every digit, ``nan`` and ``inf`` survive. Seconds, tracebacks and the end of
stderr are dropped: they describe a machine, not a metric, and may hold its paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from recsys_metric_audit.audit.process.protocol import (
    Crashed,
    Errored,
    Measured,
    NotOffered,
    Outcome,
    TimedOut,
    Unaskable,
)


def to_json(outcome: Outcome) -> list[Any]:
    """Return `outcome` as a JSON list: its kind, then its fields."""
    match outcome:
        case Measured(mean, users, values, dtype):
            number = None if mean is None else repr(mean)
            if users is None or values is None:
                return ["measured", dtype, number]
            return ["measured", dtype, number, users.tolist(), " ".join(map(repr, values.tolist()))]
        case NotOffered(why):
            return ["not_offered", why]
        case Unaskable(why):
            return ["unaskable", why]
        case Errored(error, message):
            return ["errored", error, message]
        case Crashed(code):
            return ["crashed", code]
        case TimedOut(seconds):
            return ["timed_out", seconds]


def from_json(written: Sequence[Any]) -> Outcome:
    """Return the outcome that :func:`to_json` wrote.

    Raises:
        ValueError: for an unknown kind, or users and values of different length.
    """
    kind, *rest = written
    match kind:
        case "measured":
            return _measured(*rest)
        case "not_offered":
            return NotOffered(rest[0])
        case "unaskable":
            return Unaskable(rest[0])
        case "errored":
            return Errored(rest[0], rest[1], "")
        case "crashed":
            return Crashed(rest[0], "as recorded")
        case "timed_out":
            return TimedOut(rest[0])
    raise ValueError(f"{kind!r} is no kind of answer")


def _measured(dtype: str, number: str | None, users: list[int] | None = None, values: str | None = None) -> Measured:
    mean = None if number is None else float(number)
    if users is None or values is None:
        return Measured(mean, None, None, dtype, 0.0)
    ids = np.array(users, dtype=np.int64)
    numbers = np.array([float(value) for value in values.split()], dtype=np.float64)
    if len(ids) != len(numbers):
        raise ValueError(f"{len(ids)} users but {len(numbers)} values")
    return Measured(mean, ids, numbers, dtype, 0.0)
