"""One answer of every kind, and a recording of them, for the tests of recordings and replays."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from recsys_metric_audit.audit.process.protocol import (
    Answer,
    Ask,
    Crashed,
    Errored,
    Measured,
    NotOffered,
    Outcome,
    TimedOut,
    Unaskable,
)
from recsys_metric_audit.audit.responders.recording_file import AnswerLog, Header, Recording
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth

HEADER = Header(
    library="tiny", version="1.0", commit="0" * 40, digest="sha256:" + "0" * 64, adapter="1" * 64, date="2021-05-04",
    python="3.11.9", platform="Linux", installed={"numpy": "1.26.4"},
)  # fmt: skip
OUTCOMES: dict[str, Outcome] = {
    "mean": Measured(0.1 + 0.2, None, None, "float64", 1.5),
    "users": Measured(None, np.array([3, 1]), np.array([1 / 3, math.nan]), "float32", 0.1),
    "nobody": Measured(math.inf, np.array([], dtype=np.int64), np.array([]), "float", 0.0),
    "absent": NotOffered("no module named x"),
    "unaskable": Unaskable("an item without a score"),
    "raises": Errored("ValueError", "k must be \ud800 small\n", "Traceback in /home/somebody"),
    "dies": Crashed(-11, "segmentation fault"),
    "hangs": TimedOut(3.0),
}


def one_row_case(item: int = 1, threshold: float = 1.0, name: str = "one") -> Case:
    """Return a case of one user who is recommended `item` and finds it relevant."""
    rows = np.array([7]), np.array([item])
    return Case(name, Predictions(*rows, np.array([0.5])), Truth(*rows, np.array([1.0])), threshold=threshold)


def log_of(cases: dict[str, Case], asks: Sequence[Ask], answers: Sequence[Answer], seed: int = 0) -> AnswerLog:
    """Return a log of one conversation."""
    log = AnswerLog()
    log.add(cases, asks, answers, seed)
    return log


def every_outcome() -> Recording:
    """Return a recording in which each function of ``OUTCOMES`` was asked once, at k = 5, on ``one_row_case()``."""
    ask = Ask(0, "p0", tuple(OUTCOMES), (5,))
    answers = [Answer(0, name, 5, outcome) for name, outcome in OUTCOMES.items()]
    return Recording(HEADER, log_of({"p0": one_row_case()}, [ask], answers))


def comparable(outcome: Outcome) -> object:
    """Return an outcome as a value that is equal to another only if every bit but the seconds is."""
    if isinstance(outcome, Measured):
        columns = [None if each is None else each.tobytes() for each in (outcome.users, outcome.values)]
        return (repr(outcome.mean), *columns, outcome.dtype)
    return outcome
