"""A small case and short ways to name what is asked, for the tests of both ends of the protocol."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from recsys_metric_audit.audit.process.protocol import Answer, Ask
from recsys_metric_audit.reference.input.case import Case, Predictions, Train, Truth

FAKES = Path(__file__).parent.parent / "fakes"


def ids(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


CASE = Case(
    "tiny",
    Predictions(ids(1, 1, 2), ids(10, 11, 10), np.array([0.75, 0.5, 0.25])),
    Truth(ids(1, 3), ids(11, 12), np.array([1.0, 5.0])),
    Train(ids(4), ids(12)),
    catalogue=ids(10, 11, 12, 13),
    threshold=3.0,
    scale=(1.0, 5.0),
    why="user 2 without truth, user 3 without recommendations, user 4 in train only",
)


def fake(name: str) -> Path:
    return FAKES / name / "adapter.py"


def ask(*functions: str, ks: tuple[int | None, ...] = (1,), number: int = 0, **options: object) -> Ask:
    return Ask(number, "tiny", tuple(f"statistics.{name}" for name in functions), ks, **options)  # type: ignore[arg-type]


def key(answer: Answer) -> tuple[int, str, int | None, int]:
    return answer.ask, answer.function.removeprefix("statistics."), answer.k, answer.repetition
