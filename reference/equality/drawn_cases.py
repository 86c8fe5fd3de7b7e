"""Cases drawn at random that show how definitions differ: few rows, in which anything may be unusual at once."""

from __future__ import annotations

from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from reference.cases import Probe
from reference.cases.probe import Kind, case_from_rows

_SEED = 20211
_ITEMS = (2, 9, 10, 11, 30, 100, 7, 8)
"""Ids whose order as text is not their order as numbers."""
_GAINS: tuple[tuple[float, ...], ...] = (
    (1,), (2, 4), (0, 1), (1, 2, 3, 4, 5), (0.5, 1, 2.5, 4), (-1, 0, 2, 4), (0, 0.5, 1, 2, 2.5, 3, 4),
)  # fmt: skip
_THRESHOLDS = (0.0, 1.0, 2.0, 3.0)
_SCORES: tuple[tuple[float, ...], ...] = (
    (), (3, 2, 2, 1, 0.5, 0, -1), (5, 4.5, 4, 3, 2.5, 2, 1), (0.9, 0.7, 0.6, 0.5, 0.4, 0.2, 0.1),
)  # fmt: skip
"""What scores are drawn of; no two scores are equal if that is nothing."""
_MOST_ORDERS = 720
"""No case is in more orders of its ties than this, if all rows are one ranking: their mean is exact and quick."""


def drawn_probes(count: int) -> tuple[Probe, ...]:
    """Draw cases, each with a cut-off: one to four users, of whom one has rows, up to seven; the same in every run."""
    rng = np.random.default_rng(_SEED)
    made: list[Probe] = []
    while len(made) < count:
        probe = _drawn(rng, len(made))
        if probe.size and _orders(probe.case.predictions.score) <= _MOST_ORDERS:
            made.append(probe)
    return tuple(made)


def _orders(scores: NDArray[np.float64]) -> int:
    """Return in how many orders rows of these scores can be, if equal ones can be in any."""
    return prod(factorial(int(size)) for size in np.unique(scores, return_counts=True)[1])


def _drawn(rng: np.random.Generator, number: int) -> Probe:
    recommended: list[tuple[int, int, float]] = []
    truth: list[tuple[int, int, float]] = []
    train: list[tuple[int, int]] = []
    gains, scores = _GAINS[rng.integers(len(_GAINS))], _SCORES[rng.integers(len(_SCORES))]
    repeats, copies, seen = rng.random(3) < 0.3
    all_are_relevant = rng.random() < 0.1
    hits = rng.choice((0.2, 0.5, 0.8))
    for user in rng.permutation(np.arange(1, 31))[: rng.choice((1, 1, 2, 3, 4))]:
        length = 0 if rng.random() < 0.15 else rng.integers(1, 8)
        items = rng.choice(_ITEMS, length, replace=bool(repeats))
        own = rng.choice(scores, length) if scores else np.round(rng.uniform(0.05, 0.95, length), 6)
        recommended += [(int(user), int(item), float(score)) for item, score in zip(items, own, strict=True)]
        share = 1 if all_are_relevant else rng.choice((0, hits, hits, hits, 1))
        rated = [int(item) for item in dict.fromkeys(items.tolist()) if rng.random() < share]
        rated += [int(item) for item in rng.choice((500, 501, 502), rng.integers(0, 3), replace=False)]
        if rng.random() < 0.2:
            rated = rated[:1] if rng.random() < 0.5 else []
        if copies and rated:
            rated += rng.choice(rated, rng.integers(1, 3)).tolist()
        truth += [(int(user), item, float(rng.choice(gains))) for item in rng.permutation(rated).tolist()]
        unlisted = rng.choice((50, 51, 52), rng.integers(0, 3), replace=False).tolist()
        if not all_are_relevant:
            train += [(int(user), item) for item in (*unlisted, *(items[rng.random(length) < 0.3 * seen]))]
    if rng.random() < 0.5:
        recommended.sort(key=lambda row: -row[2])
    if rng.random() < 0.5:
        truth = [truth[place] for place in rng.permutation(len(truth))]
    case = case_from_rows(
        f"drawn {number + 1}", recommended, truth, sorted({(user, int(item)) for user, item in train}),
        threshold=float(rng.choice(_THRESHOLDS)), unseen=(800, 801)[: 0 if all_are_relevant else rng.integers(3)],
    )  # fmt: skip
    return Probe(Kind("mixed"), case, int(rng.integers(1, 7)))
