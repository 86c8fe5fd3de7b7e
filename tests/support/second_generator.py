"""A second generator of inputs, for fuzzing published signatures: it shares no code with the cases of the auditor."""

from __future__ import annotations

import random

import numpy as np

from recsys_metric_audit.reference.input.case import Case, Predictions, Train, Truth

_K = (1, 3, 6, 12, 30)


def fuzzed_case(
    seed: int, *, ties: bool = True, repeats: bool = True, copies: bool = True, low_gains: bool = True
) -> tuple[Case, int]:
    """Draw a case of 30 users, and its cut-off.

    Args:
        seed: The seed.
        ties: Whether rows tie.
        repeats: Whether items stand twice, in lists and in the truth.
        copies: Whether they may do so in the truth.
        low_gains: Whether items of the truth have gains below the threshold.
    """
    rng = random.Random(f"second generator {seed}")
    rows: list[tuple[int, int, float]] = []
    truth: list[tuple[int, int, float]] = []
    train: list[tuple[int, int]] = []
    for number in range(30):
        user = 7 * number + 3
        items = rng.sample(range(1, 120), 60)
        length = rng.choice((0, 1, 4, 9, 15, 30, 45)) if number else 20
        scores = rng.sample(range(1, 4000), length)
        if ties and length > 20:
            scores[2:22] = [scores[2]] * 20
        listed = list(zip(items[:length], sorted(scores, reverse=True), strict=True))
        rows += [(user, item, score / 512) for item, score in listed]
        if repeats and length > 3 and rng.random() < 0.2:
            rows.append((user, listed[1][0], listed[-1][1] / 512 - 0.5 / 512))
        relevant = rng.sample(items[: max(length, 3)], min(rng.randrange(0, 5), max(length, 3)))
        relevant += rng.sample(items[50:], rng.randrange(0, 3))
        own = [(user, item, rng.choice((0.5, 1.0, 2.0, 2.5, 4.0, 5.0))) for item in dict.fromkeys(relevant)]
        copied = own[:1] if repeats and rng.random() < 0.15 else []
        truth += own + (copied if copies else [])
        train += [(user, item) for item in items[:length] if rng.random() < 0.1]
    case = Case(
        f"fuzzed case {seed}",
        Predictions(_ids(rows, 0), _ids(rows, 1), np.array([row[2] for row in rows])),
        Truth(_ids(truth, 0), _ids(truth, 1), np.array([row[2] for row in truth])),
        Train(_ids(train, 0), _ids(train, 1)),
        np.arange(1, 121),
        rng.choice((0.75, 1.5, 2.0, 3.0)) if low_gains else 0.5,
    )
    return case, _K[seed % len(_K)]


def _ids(rows: list[tuple[int, int, float]] | list[tuple[int, int]], column: int) -> np.ndarray:
    return np.array([row[column] for row in rows], dtype=np.int64)
