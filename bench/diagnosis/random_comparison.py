"""A comparison of definitions on random cases with every oddity at once: what differs anywhere differs here."""

from __future__ import annotations

from functools import cache

import numpy as np

from recsys_metric_audit.reference.cases.probe import case_from_rows
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate, takes_one_ranking

CASES = 400
"""How many cases are drawn."""
GAINS = (-1.0, 0.0, 1.0, 1.0, 2.0, 2.0, 2.5, 3.0, 4.0, 6.0)
SCORES = (-0.5, 0.0, 0.0, 0.2, 0.2, 0.4, 0.5, 0.7, 0.9)


@cache
def problem() -> Problem:
    """Draw small cases of up to four users.

    They have ties, repeats on both sides, empty lists and truths, gains and scores below and above 0 and the threshold,
    some lists of more than ten items, and some items that were seen in training. Every other case is plain, so that
    differences on ordinary users show too.
    """
    rng = np.random.default_rng(11)
    cases, ks = [], []
    for number in range(CASES):
        rec, rel = [], []
        odd = number % 2 == 0
        for user in range(1, int(rng.integers(1, 5)) + 1):
            length = 12 if number % 20 == 7 else int(rng.integers(0 if odd else 1, 7))
            items = rng.choice(12, size=length, replace=odd and rng.random() < 0.3) + 5
            scores = rng.choice(SCORES, size=len(items)) if odd else rng.random(len(items)) + 0.01
            if rng.random() < 0.7:
                scores = np.sort(scores)[::-1]
            rec += [(user, int(item), float(score)) for item, score in zip(items, scores, strict=True)]
            held = rng.choice(14, size=int(rng.integers(0 if odd else 1, 6)), replace=odd and rng.random() < 0.3) + 5
            gains = rng.choice(GAINS if odd else (2.0, 4.0), size=len(held))
            rel += [(user, int(item), float(gain)) for item, gain in zip(held, gains, strict=True)]
        seen = [(1, 90), (2, 91), (2, 92)]
        if number % 4 == 0:
            seen += [(user, item) for user, item, _ in rec if rng.random() < 0.3]
        cases.append(case_from_rows(f"r{number}", rec, rel, seen, threshold=float(rng.choice([1.0, 2.0, 3.0]))))
        ks.append(int(rng.integers(1, 7)))
    return Problem.of(cases, ks)


def differing_cases(one: Definition, other: Definition) -> int:
    """Count the cases on which two definitions give different numbers, or only one of them refuses the input.

    Where nobody is left under one of them only, 0 and NaN do not differ: what comes out is a rule of its own.
    """
    first, second = evaluate(one, problem()), evaluate(other, problem())
    same = np.isclose(first.mean, second.mean, rtol=0, atol=1e-9, equal_nan=True)
    silent = (first.nobody & ~_one_ranking(one)) ^ (second.nobody & ~_one_ranking(other))
    nothing = [np.isnan(each.mean) | (each.mean == 0) for each in (first, second)]
    differ = (first.refused != second.refused) | (~same & ~first.refused)
    return int((differ & ~(silent & nothing[0] & nothing[1])).sum())


def _one_ranking(definition: Definition) -> np.bool_:
    return np.bool_(takes_one_ranking(definition))
