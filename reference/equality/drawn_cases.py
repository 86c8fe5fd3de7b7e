"""Cases drawn at random that show how definitions differ: few rows, in which anything may be unusual at once."""

from __future__ import annotations

import random
from collections import Counter
from math import factorial, prod

from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.cases.probe import Kind, case_from_rows

_SEED = 20211
_ITEMS = (2, 9, 10, 11, 30, 100, 7, 8)
"""Ids whose order as text is not their order as numbers."""
_GAINS: tuple[tuple[float, ...], ...] = (
    (1,), (2, 4), (0, 1), (0, 2, 4), (1, 2, 3, 4, 5), (0.5, 1, 2.5, 4), (-1, 0, 2, 4), (0, 0.5, 1, 2, 2.5, 3, 4),
)  # fmt: skip
_CUTOFFS = (1, 1, 2, 2, 3, 3, 4, 5, 6)
_THRESHOLDS = (0.0, 1.0, 2.0, 3.0)
_SCORES: tuple[tuple[float, ...], ...] = (
    (), (3, 2, 2, 1, 0.5, 0, -1), (2, 1), (5, 4.5, 4, 3, 2.5, 2, 1), (0.9, 0.7, 0.6, 0.5, 0.4, 0.2, 0.1),
)  # fmt: skip
"""Lists the scores to draw from; of an empty one no two scores are equal."""
_MOST_ORDERS = 720
"""No case is in more orders of its ties than this, if all rows are one ranking: their mean is exact and quick."""


def drawn_probes(count: int) -> tuple[Probe, ...]:
    """Draw cases, each with a cut-off: one to four users, of whom one has rows, up to seven; the same in every run."""
    rng, made = random.Random(_SEED), list[Probe]()
    while len(made) < count:
        probe = _drawn(rng, len(made))
        if probe.size and _orders(probe.case.predictions.score.tolist()) <= _MOST_ORDERS:
            made.append(probe)
    return tuple(made)


def _orders(scores: list[float]) -> int:
    """Return in how many orders rows of these scores can be, if equal ones can be in any."""
    return prod(map(factorial, Counter(scores).values()))


def _drawn(rng: random.Random, number: int) -> Probe:
    recommended: list[tuple[int, int, float]] = []
    truth: list[tuple[int, int, float]] = []
    train: set[tuple[int, int]] = set()
    gains, scores = rng.choice(_GAINS), rng.choice(_SCORES)
    repeats, copies, seen = (rng.random() < 0.3 for _ in range(3))
    all_are_relevant, one_is_relevant, few_items = rng.random() < 0.1, rng.random() < 0.2, rng.random() < 0.2
    every = _ITEMS[:3] if few_items else _ITEMS
    hits = rng.choice((0.2, 0.5, 0.8))
    for user in rng.sample(range(1, 31), rng.choice((1, 1, 2, 3, 4))):
        length = 0 if rng.random() < 0.15 else rng.randint(1, 3 if few_items else 7)
        items = rng.choices(every, k=length) if repeats else rng.sample(every, length)
        own = [rng.choice(scores) if scores else round(rng.uniform(0.05, 0.95), 6) for _ in items]
        recommended += [(user, item, float(score)) for item, score in zip(items, own, strict=True)]
        share = 1 if all_are_relevant else rng.choice((0, hits, hits, hits, 1))
        rated = [item for item in dict.fromkeys(items) if rng.random() < share]
        rated += rng.sample((500, 501, 502), rng.randint(0, 2))
        if one_is_relevant or rng.random() < 0.1:
            rated = rated[:1] if one_is_relevant else []
        if copies and rated:
            rated += rng.choices(rated, k=rng.randint(1, 2))
        rng.shuffle(rated)
        truth += [(user, item, float(rng.choice(gains))) for item in rated]
        if not all_are_relevant:
            train |= {(user, item) for item in rng.sample((50, 51, 52), rng.randint(0, 2))}
            train |= {(user, item) for item in items if seen and rng.random() < 0.3}
    if rng.random() < 0.5:
        recommended.sort(key=lambda row: -row[2])
    if rng.random() < 0.5:
        rng.shuffle(truth)
    case = case_from_rows(
        f"drawn {number + 1}", recommended, truth, sorted(train), threshold=rng.choice(_THRESHOLDS),
        unseen=(800, 801)[: 0 if all_are_relevant else rng.randint(0, 2)],
    )  # fmt: skip
    return Probe(Kind("mixed"), case, rng.choice(_CUTOFFS))
