"""Changes predictions and truth in ways that claims are about: codes in place of items, coarse scores, lost labels.

A change is written as a name and, after a colon each, numbers: ``alike_codes:4``, ``labels:0.5:7``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np
from pydantic import AfterValidator

from recsys_metric_audit.reference.input.case import Case, Floats, Ids, Predictions, Truth
from recsys_metric_audit.reports.experiments.outcome import DataMissingError


def changed(case: Case, changes: Sequence[str]) -> Case:
    """Return the case with the changes made, the first first."""
    for text in changes:
        name, *numbers = text.split(":")
        case = _CHANGES[name](case, *map(float, numbers))
    return case


def with_codes(case: Case, code: Mapping[int, int]) -> Case:
    """Return the case with the code of each item in place of the item; rows stay where they are."""
    every = np.array(sorted(code))
    codes = np.array([code[item] for item in every.tolist()])
    listed, truth = case.predictions, case.truth
    owner, wanted = truth.user, codes[np.searchsorted(every, truth.item)]
    _, first = np.unique(np.stack([owner, wanted]), axis=1, return_index=True)
    return replace(
        case,
        predictions=replace(listed, item=codes[np.searchsorted(every, listed.item)]),
        truth=Truth(owner[first], wanted[first], truth.gain[first]),
        catalogue=np.unique(codes),
    )


def _items(case: Case) -> Ids:
    return np.unique(np.concatenate([case.predictions.item, case.truth.item, case.train.item]))


def _drawn_codes(case: Case, size: float, seed: float = 0) -> Case:
    """Give each code ``size`` items, drawn."""
    order = np.random.default_rng(int(seed)).permutation(_items(case))
    return with_codes(case, {item: place // int(size) for place, item in enumerate(order.tolist())})


def _alike_codes(case: Case, size: float) -> Case:
    """Give each code ``size`` items: by falling popularity, each free item takes the free ones nearest by cosine."""
    if not len(case.train.item):
        raise DataMissingError(f"{case.name} has no train data to tell which items are alike")
    items = _items(case)
    users, row = np.unique(case.train.user, return_inverse=True)
    seen = np.zeros((len(items), len(users)))
    seen[np.searchsorted(items, case.train.item), row] = 1
    likeness = (seen @ seen.T) / np.maximum(np.sqrt(np.outer(seen.sum(1), seen.sum(1))), 1)
    code, free = np.full(len(items), -1), np.ones(len(items), dtype=np.bool_)
    for number, item in enumerate(np.argsort(-seen.sum(1), kind="stable")):
        if free[item]:
            likeness[item, item] = np.inf
            near = np.argsort(-likeness[item], kind="stable")
            group = near[free[near]][: int(size)]
            code[group], free[group] = number, False
    return with_codes(case, dict(zip(items.tolist(), code.tolist(), strict=True)))


def _coarse(case: Case, levels: float) -> Case:
    """Cut each user's scores into ``levels`` of equal width; 1 makes all scores equal."""
    of = case.predictions
    _, user = np.unique(of.user, return_inverse=True)
    low, high = np.full(user.max() + 1, np.inf), np.full(user.max() + 1, -np.inf)
    np.minimum.at(low, user, of.score)
    np.maximum.at(high, user, of.score)
    width = np.where(high > low, high - low, 1)[user] / levels
    level = np.minimum(np.floor((of.score - low[user]) / width), levels - 1)
    return replace(case, predictions=replace(of, score=level))


def _by(case: Case, key: Floats) -> Case:
    """Return the case with each user's rows in ascending order of ``key``; scores go with their rows."""
    of = case.predictions
    order = np.lexsort((key, of.user))
    return replace(case, predictions=Predictions(of.user[order], of.item[order], of.score[order]))


def _relevant(case: Case) -> Floats:
    of, width = case.predictions, int(_items(case).max()) + 1
    return np.isin(of.user * width + of.item, case.truth.user * width + case.truth.item).astype(np.float64)


def _labels(case: Case, share: float, seed: float = 0) -> Case:
    """Keep each label with probability ``share``; users who lose all are not evaluated."""
    truth = case.truth
    kept = np.random.default_rng(int(seed)).random(len(truth.user)) < share
    return replace(case, truth=Truth(truth.user[kept], truth.item[kept], truth.gain[kept]))


_CHANGES: Mapping[str, Callable[..., Case]] = {
    "drawn_codes": _drawn_codes,
    "alike_codes": _alike_codes,
    "coarse_scores": _coarse,
    "relevant_given_first": lambda case: _by(case, -_relevant(case)),
    "relevant_given_last": lambda case: _by(case, _relevant(case)),
    "given_shuffled": lambda case, seed=0: _by(
        case, np.random.default_rng(int(seed)).random(len(case.predictions.user))
    ),
    "labels": _labels,
}


def _known(text: str) -> str:
    if text.partition(":")[0] not in _CHANGES:
        raise ValueError(f"{text} is no change; there are: {', '.join(_CHANGES)}")
    return text


Change = Annotated[str, AfterValidator(_known)]
"""A change as a setting."""
