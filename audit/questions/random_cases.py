"""Cases drawn at random with given unusual features; the same in every run."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.audit.questions.case_features import FEATURES, SEED, Row, generated_probe, threshold_for
from recsys_metric_audit.reference.cases import Probe

_TRAINING_SHARE = 0.4
"""Share of the recommended items that were seen in training, in cases with that feature."""
_ONE_USER_SEED = 50
"""Added to the number of a case of one user, so that it draws other numbers than a case of several."""


def several_users_case(features: frozenset[str], number: int, k: int | None = None) -> Probe:
    """Draw a case of three or four users; the first one has all features, each other one about half of them."""
    rng = np.random.default_rng([SEED, number, *_indices(features)])
    recommended: list[Row] = []
    truth: list[Row] = []
    for user in range(1, 4 + number % 2):
        # In the order of FEATURES: the order of a set differs from process to process.
        own = frozenset(name for name in FEATURES if name in features and (user == 1 or rng.random() < 0.5))
        rows, relevant = _user(rng, own)
        recommended += [(user, *row) for row in rows]
        truth += [(user, *row) for row in relevant]
    seen = [(user, 900 + place) for user in range(1, 4 + number % 2) for place in range(user)]
    if "seen in training" in features:
        seen += [(user, item) for user, item, _ in recommended if rng.random() < _TRAINING_SHARE]
    k = k or (4 if "short list" in features else int(rng.integers(1, 5)))
    title = f"{number + 1}: {', '.join(sorted(features)) or 'nothing unusual'}"
    return generated_probe(title, recommended, truth, k, threshold=threshold_for(features), seen=tuple(seen))


def one_user_case(features: frozenset[str], number: int) -> Probe:
    """Draw a case of one user, to whom averaging does not apply."""
    rng = np.random.default_rng([SEED, _ONE_USER_SEED + number, *_indices(features)])
    rows, relevant = _user(rng, features)
    marked = (item for item, _ in rows if "seen in training" in features and rng.random() < _TRAINING_SHARE)
    seen = ((1, 900), *((1, item) for item in marked))
    title = f"{number + 1}: one user, {', '.join(sorted(features))}"
    recommended, truth = [(1, *row) for row in rows], [(1, *row) for row in relevant]
    k = int(rng.integers(1, 5))
    return generated_probe(title, recommended, truth, k, threshold=threshold_for(features), seen=seen)


def _indices(features: frozenset[str]) -> list[int]:
    return sorted(FEATURES.index(name) for name in features)


def _user(rng: np.random.Generator, own: frozenset[str]) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """Draw one user with some features; return the recommended (item, score) and the relevant (item, gain)."""
    length = 0 if "no list" in own else int(rng.integers(1, 4) if "short list" in own else rng.integers(4, 8))
    items = rng.permutation(np.arange(10, 10 + max(length, 4)))[:length]
    scores = np.round(np.sort(rng.uniform(0.05, 0.95, length))[::-1], 6)
    relevant = rng.random(length) < 0.45
    if length and not relevant.any():
        relevant[int(rng.integers(0, length))] = True
    if "only hits" in own:
        relevant[:] = True
    if "no hit" in own:
        relevant[:] = False
    if "ties" in own:
        scores[1 : 2 + int(rng.integers(1, 3))] = scores[1:2]
    if "signs" in own:
        scores = np.round(scores - 0.5, 6)
        scores[np.abs(scores) == np.abs(scores).min(initial=9)] = 0.0
    rows = [(int(item), float(score)) for item, score in zip(items, scores, strict=True)]
    if "repeats" in own and length > 2:
        rows[-1] = (rows[0][0], rows[-1][1]) if rng.random() < 0.5 else (rows[1][0], rows[-1][1])
    truth = _truth(rng, own, rows, dict.fromkeys(item for (item, _), hit in zip(rows, relevant, strict=True) if hit))
    if "unsorted" in own:
        rows = [rows[place] for place in rng.permutation(len(rows))]
    return rows, [] if "no truth" in own else truth


def _truth(
    rng: np.random.Generator, own: frozenset[str], rows: list[tuple[int, float]], hits: dict[int, None]
) -> list[tuple[int, float]]:
    """Draw the (item, gain) of one user, given the recommended rows and the items among them that are relevant."""
    grades = (2.0, 3.0, 4.0, 0.0, -1.0) if "gains" in own else (1.0,) if "gains of 1" in own else (2.0, 4.0)
    # These are the numbers that Generator.choice would draw, in a tenth of its time.
    truth = [(item, grades[rng.integers(len(grades))]) for item in hits]
    truth += [(500 + place, grades[rng.integers(len(grades))]) for place in range(rng.integers(0 if truth else 1, 3))]
    if "one relevant item" in own:
        truth = truth[:1]
    if "rated misses" in own:
        truth += [(item, 1.0) for item in dict.fromkeys(item for item, _ in rows) if item not in dict(truth)]
    if "copies" in own:
        truth += truth[:2]
    return truth
