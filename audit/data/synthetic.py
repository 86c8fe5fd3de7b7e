"""Generates synthetic predictions and truth of any size by seed, and train rows for functions that count owners."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.data.dataset import Dataset, Labels, facts_of, rows_of
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.input.case import Case, Floats, Ids, Predictions, Train, Truth
from recsys_metric_audit.reference.input.distinct import distinct

PAPER = (2733, 7811)
SMALL = (200, 500)
_PAIRS_PER_USER = 38811 / 2733
_MEDIAN = 8.0
_SPREAD = 1.06  # of log r: the mean is 14 where the median is 8
_MOST_ROWS = 10**9


def parse_size(name: str, option: str) -> tuple[int, int]:
    """Return (users, items) of ``USERSxITEMS``; the small size if ``option`` is empty.

    Args:
        name: the dataset's name as typed, for the message.
        option: what stands after the colon of ``name``.

    Raises:
        UserError: if ``option`` is no size.
    """
    if not option:
        return SMALL
    found = re.fullmatch(r"(\d{1,9})x(\d{1,9})", option)
    users, items = (int(found[1]), int(found[2])) if found else (0, 0)
    if users < 1 or items < 2:
        message = f"{name!r}: {option!r} is no size of a synthetic dataset."
        raise UserError(message, "Write users (1 or more) and items (2 or more), e.g. synthetic:200x500.")
    if users * items > _MOST_ROWS:
        message = f"{name!r}: {users * items:,} rows are more than {_MOST_ROWS:,}."
        raise UserError(message, "Every item is ranked for every user: write fewer, e.g. synthetic:2000x500.")
    return users, items


def synthetic(users: int = PAPER[0], items: int = PAPER[1], *, pairs: int | None = None, seed: int = 0) -> Dataset:
    """Generate full rankings of all items for every user; ids count from 1; there is no train data.

    The default has the shape of the data of Tamm, Damdinov & Vasilev (RecSys 2021): 2,733 users × 7,811 items, 38,811
    relevant pairs with a heavy tail over users (r relevant items of a user: median 8, mean 14, up to a few hundred),
    gains 4.5 and 5. Popular items are more often relevant, and relevant items tend to score higher.

    Args:
        users: the number of users.
        items: the number of items.
        pairs: the number of relevant pairs; None for 14.2 per user, as far as r stays below the number of items.
        seed: of the random generator.
    """
    rng = np.random.default_rng(seed)
    wanted = round(users * _PAIRS_PER_USER) if pairs is None else pairs
    relevant = _relevant_counts(rng, users, items, wanted)
    popularity = -0.8 * np.log(rng.permutation(items) + 10.0)
    user = np.repeat(np.arange(1, users + 1), items)
    item = np.empty((users, items), dtype=np.int64)
    score = np.empty((users, items))
    truth_item = np.empty(int(relevant.sum()), dtype=np.int64)
    ends = np.cumsum(relevant)
    for row, (count, end) in enumerate(zip(relevant.tolist(), ends.tolist(), strict=True)):
        liked, item[row], score[row] = _one_user(rng, popularity, count)
        truth_item[end - count : end] = liked
    gain = np.where(rng.random(len(truth_item)) < 0.45, 5.0, 4.5)
    case = Case(
        name=f"synthetic:{users}x{items}",
        predictions=Predictions(user, item.ravel(), score.ravel()),
        truth=Truth(np.repeat(np.arange(1, users + 1), relevant), truth_item, gain),
        catalogue=np.arange(1, items + 1),
        threshold=4.5,
        scale=(0.5, 5.0),
        why="any size, by seed",
    )
    choices = (
        f"Synthetic, seed {seed}: {users} users, {items} items, {len(truth_item)} relevant pairs.",
        "Candidates: all items, best first; gains 4.5 and 5, all relevant; no train data.",
    )
    return Dataset(case.name, case, Labels(), Labels(), facts_of(case), choices)


def _one_user(rng: np.random.Generator, popularity: Floats, count: int) -> tuple[Ids, Ids, Floats]:
    """Return one user's ``count`` relevant items (ascending), all items best first, and their scores."""
    # the highest sums of log-weight and Gumbel noise are a weighted draw without replacement
    liked = np.argpartition(-(popularity + rng.gumbel(size=len(popularity))), count - 1)[:count]
    taste = 0.5 * popularity + rng.normal(size=len(popularity))
    taste[liked] += 0.5
    order = np.argsort(-taste, kind="stable")
    return np.sort(liked) + 1, order + 1, taste[order]


def _relevant_counts(rng: np.random.Generator, users: int, items: int, pairs: int) -> NDArray[np.int64]:
    """Draw the relevant items per user: log-normal, 1 to items − 1, ``pairs`` in total or as near as possible."""
    highest = items - 1
    pairs = min(max(pairs, users), users * highest)
    median = _MEDIAN * pairs / (users * _PAIRS_PER_USER)
    drawn = np.rint(rng.lognormal(np.log(median), _SPREAD, size=users)).astype(np.int64)
    counts = np.clip(drawn, 1, highest)
    while (left := pairs - int(counts.sum())) != 0:
        step = 1 if left > 0 else -1
        room = np.flatnonzero(counts < highest if step > 0 else counts > 1)
        chosen = rng.choice(room, size=min(abs(left), len(room)), replace=False)
        counts[chosen] += step
    return counts


_SEED = 27
_ROWS = 12
_NAME = re.compile(r"synthetic:\d+x\d+")
TRAIN_DRAWN = "train rows drawn by seed, without which synthetic data are; what is in them is not recommended"
"""What a finding says of a function that was asked with them."""


def with_train_rows(case: Case) -> Case:
    """Return synthetic data with train rows, whose pairs are recommended no more; any other data as they are.

    Each user has a tenth of the items, at most twelve, none of which is in the user's truth; an item that nobody has
    goes to one user more. Few items are popular.
    """
    if not _NAME.fullmatch(case.name) or len(case.train.user):
        return case
    users, items = distinct(case.predictions.user), case.catalogue
    rng = np.random.default_rng([_SEED, len(users), len(items)])
    liking = rng.gumbel(size=(len(users), len(items))) - np.log(rng.permutation(len(items)) + 3.0)
    liking[np.searchsorted(users, case.truth.user), np.searchsorted(items, case.truth.item)] = -np.inf
    count = max(min(_ROWS, len(items) // 10), 1)
    has = np.zeros(liking.shape, dtype=np.bool_)
    has[np.arange(len(users))[:, None], np.argpartition(-liking, count - 1, axis=1)[:, :count]] = True
    left = np.flatnonzero(~has.any(axis=0) & np.isfinite(liking).any(axis=0))
    has[np.argmax(liking[:, left], axis=0), left] = True
    user, item = np.nonzero(has)
    shown = case.predictions
    keep = ~has[np.searchsorted(users, shown.user), np.searchsorted(items, shown.item)]
    return replace(case, predictions=rows_of(shown, keep), train=Train(users[user], items[item]))
