"""Provides synthetic columns of the paper's sizes, 2,733 users × 7,811 items and 38,811 relevant pairs, and larger.

``paper`` are full rankings in list order, ``top-100`` their first hundred rows, ``grouped`` the full rankings with the
rows of each user in random order, ``random`` with all rows in random order. ``large`` are lists of 100 of any number of
users, with 10 relevant items each, in list order (:mod:`bench.scale_data`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from bench import scale_data

KINDS = ("paper", "top-100", "grouped", "random", "large")
USERS, ITEMS, PAIRS = 2_733, 7_811, 38_811


def relevant_counts(rng: np.random.Generator) -> np.ndarray:
    """Draw how many relevant items each user has: heavy-tailed, at least one, ``PAIRS`` in all."""
    weight = rng.lognormal(np.log(8), 1.05, USERS)
    count = np.maximum(1, np.round(weight * PAIRS / weight.sum())).astype(np.int64)
    while (missing := PAIRS - int(count.sum())) != 0:
        user = int(rng.integers(USERS))
        if missing > 0 or count[user] > 1:
            count[user] += 1 if missing > 0 else -1
    return count


def write(folder: Path, kind: str = "paper", large: int = 100_000_000, seed: int = 1) -> int:
    """Write the columns as .npy and return the number of rows: ``large``, or those of the paper.

    Columns are user, item (int64), score (float64); truth_user, truth_item, truth_gain. Those of ``large`` are of int32
    and float32.
    """
    if kind == "large":
        return _write_large(folder, large)
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=ITEMS)
    item, score = np.empty((USERS, ITEMS), dtype=np.int64), np.empty((USERS, ITEMS))
    truth: list[np.ndarray] = []
    for user, count in enumerate(counts := relevant_counts(rng)):
        guess = quality + rng.normal(size=ITEMS)
        item[user] = np.argsort(-guess)
        score[user] = guess[item[user]]
        liking = quality + 0.5 * guess + 1.5 * rng.gumbel(size=ITEMS)
        truth.append(np.argpartition(-liking, count)[:count])
    every = np.arange(USERS * ITEMS)
    within = rng.permuted(every.reshape(USERS, ITEMS), axis=1).ravel() if kind == "grouped" else every
    rows = {"paper": slice(None), "top-100": every % ITEMS < 100, "grouped": within, "random": rng.permutation(every)}[
        kind
    ]
    columns = {
        "user": np.repeat(np.arange(USERS), ITEMS)[rows], "item": item.ravel()[rows], "score": score.ravel()[rows],
        "truth_user": np.repeat(np.arange(USERS), counts), "truth_item": np.concatenate(truth),
        "truth_gain": np.where(rng.random(PAIRS) < 0.6, 4.0, 5.0),
    }  # fmt: skip
    for name, column in columns.items():
        np.save(folder / f"{name}.npy", column)
    return len(columns["user"])


def _write_large(folder: Path, rows: int) -> int:
    length = scale_data.LENGTH
    rows = rows // length * length
    _write_chunks(folder, "", rows, lambda number: scale_data.predictions(number, rows, "grouped", length))
    true = rows // length * scale_data.RELEVANT
    _write_chunks(folder, "truth_", true, lambda number: scale_data.truth(number, length))
    return rows


def _write_chunks(folder: Path, prefix: str, rows: int, made: Callable[[np.ndarray], dict[str, np.ndarray]]) -> None:
    held: dict[str, np.ndarray] = {}
    for number in scale_data.chunks(rows):
        for name, column in made(number).items():
            if name not in held:
                path = folder / f"{prefix}{name}.npy"
                held[name] = np.lib.format.open_memmap(path, "w+", column.dtype, (rows,))
            held[name][number[0] : number[-1] + 1] = column


def read(folder: Path) -> dict[str, np.ndarray]:
    """Return the columns of a folder."""
    return {path.stem: np.load(path) for path in folder.glob("*.npy")}
