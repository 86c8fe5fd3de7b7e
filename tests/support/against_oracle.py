"""Generated cases and definitions on which the reference and the slow oracle part ways: there should be none.

Cases come in batches. All families see a batch under definitions of their own that share what they do about order,
edges and averaging, so that both sides resolve its lists once: thousands of cases a family cost seconds.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass, field

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate, takes_one_ranking
from recsys_metric_audit.reference.evaluation.evaluated import Evaluated
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.metrics import METRICS
from tests.support.generated_inputs import random_case, sampled_like, shared_values
from tests.support.oracle import forget
from tests.support.oracle_means import Result
from tests.support.oracle_means import evaluate as slow

A_BATCH = 40
A_FEW = 2
_ZERO = 1e-12
"""A value of a user nearer to 0 than this is 0 up to rounding."""


@dataclass
class Compared:
    """How many cases each family was compared on, in how many of them something unusual stood, and what differed."""

    cases: Counter[str] = field(default_factory=Counter)
    unusual: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


def compared(cases: int, names: tuple[str, ...] = tuple(METRICS), seed: int = 0) -> Compared:
    """At least so many cases for each family, in batches that are seen by one definition of every family; what
    differs is told in full.

    The cases of a batch are evaluated side by side, and the first of them alone as well.
    """
    rng, out = random.Random(seed), Compared(Counter(dict.fromkeys(names, 0)))
    while min(out.cases.values()) < cases and len(out.differences) <= 2:
        batch = [random_case(rng) for _ in range(A_BATCH)]
        k, shared = rng.choice((1, 2, 3, 5, 8)), shared_values(rng)
        problems = {size: Problem.of(batch[:size], k) for size in (1, A_FEW, A_BATCH)}
        out.unusual.update(kind for case in batch for kind in unusual(case, k))
        forget()
        for name in names:
            definition = sampled_like(METRICS[name], shared, k, rng)
            # All rows as one ranking have thousands of orders where ties are averaged.
            many = takes_one_ranking(definition) and definition.axes.get("ties") == "average"
            size = A_FEW if many else A_BATCH
            out.cases[name] += size
            out.differences += _differences(definition, problems[size], problems[1], k)
    return out


def _differences(definition: Definition, whole: Problem, first: Problem, k: int) -> list[str]:
    cut = None if definition.k is None else k
    together = split(definition, evaluate(definition, whole), whole)
    alone = evaluate(definition, first)
    out = []
    for case, *fasts in zip(whole.cases, together, [alone, *together[1:]], strict=True):
        right = slow(definition.metric, definition.axes, case, cut)
        out += [told(definition, case, k, difference) for fast in fasts if (difference := differs(fast, right))]
    return out


def unusual(case: Case, k: int) -> set[str]:
    """Return what is out of the ordinary in a case."""
    rec = list(zip(case.predictions.user.tolist(), case.predictions.item.tolist(), strict=True))
    true = list(zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True))
    scores = list(zip(case.predictions.user.tolist(), case.predictions.score.tolist(), strict=True))
    listed, known = Counter(user for user, _ in rec), {user for user, _ in true}
    found = {
        "ties": len(set(scores)) < len(scores),
        "lists shorter than k": any(number < k for number in listed.values()),
        "users without a list or without relevant items": bool(known ^ set(listed)),
        "items recommended twice": len(set(rec)) < len(rec),
        "items twice in the truth": len(set(true)) < len(true),
        "unequal gains": len(set(case.truth.gain.tolist())) > 1,
    }
    return {kind for kind, holds in found.items() if holds}


def split(definition: Definition, whole: Evaluated, problem: Problem) -> list[Evaluated]:
    """Return what was evaluated side by side, case by case."""
    stacked = takes_one_ranking(definition)
    case_of = problem.placement_for(definition.axes, stacked=stacked).case
    own = [(case_of == number, slice(number, number + 1)) for number in range(len(problem.cases))]
    return [
        Evaluated(
            *(column[users] for column in (whole.value, whole.counted)),
            whole.mean[here],
            whole.refused[here],
            whole.nobody[here],
            *(column[users] for column in (whole.regular, whole.conventional, whole.mixed)),
        )
        for users, here in own
    ]


def same(fast: float, right: float) -> bool:
    cancelled = [math.isnan(number) or abs(number) > 1e12 for number in (fast, right)]
    if all(cancelled):  # NaN, or a harmonic mean of values whose inverses cancel
        return True
    if any(cancelled):
        return False
    return math.isclose(fast, right, rel_tol=1e-9, abs_tol=1e-9)


def differs(fast: Evaluated, right: Result) -> str:
    """How the mean, the refusal or a user's value of one case differs; empty where nothing does."""
    if bool(fast.refused[0]) != right.refused:
        return f"refused {fast.refused[0]} for {right.refused}"
    if right.refused:
        return ""
    if fast.counted.tolist() != [counted for _, counted in right.users]:
        return f"counted {fast.counted.tolist()} for {right.users}"
    pairs = [(own, right_) for own, (right_, counted) in zip(fast.value.tolist(), right.users, strict=True) if counted]
    for own, value in pairs:
        if not same(own, value):
            return f"{own} for {value} of {right.users}"
    if any(own != value and abs(value) < _ZERO for own, value in pairs):
        return ""  # the logarithm or the inverse of what is 0 up to rounding is anything
    return "" if same(float(fast.mean[0]), right.mean) else f"mean {fast.mean[0]} for {right.mean} of {right.users}"


def told(definition: Definition, case: Case, k: int | None, difference: str) -> str:
    train, items = [*zip(case.train.user.tolist(), case.train.item.tolist(), strict=True)], len(case.catalogue)
    rows = f"{case.predictions}\n{case.truth}\ntrain={train} t={case.threshold} items={items}"
    return f"{difference}: {definition.signature()} at k={k} on\n{rows}"
