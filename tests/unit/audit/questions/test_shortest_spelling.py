"""The shortest spelling is the shortest: each axis that a simplified definition names is shown by some input."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest

from audit.questions.value_comparison import differing_cases
from reference.cases import EXHAUSTIVE, PROBES
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem, evaluate
from reference.metrics import METRICS
from reference.placement.tie_ranks import TooManyOrdersError
from reference.space.input_axes import WITHOUT_RULE
from tests.support.generated_inputs import random_case, sampled

SEEDS = 12
NOT_SHOWN_HERE = ("nobody", "cutoff")
"""Leaves out what shows on cases of its own, an average over nobody, and whole lists where there is no k."""
UNKNOWN: Mapping[str, frozenset[str]] = {
    "mean_average_markedness": frozenset({"no_negatives"}), "miss_rate": frozenset({"pooling"}),
    "ndcg": frozenset({"miss_gain"}), "spearman_rho": frozenset({"order"}),
}  # fmt: skip
"""The axes of equalities that no rule knows. What is told is compared on all generated inputs as well, and the equal
definition of fewer axes is told."""


@cache
def problems() -> tuple[Problem, ...]:
    """Return the probes, and random cases at several cut-offs."""
    rng = random.Random(11)
    cases = [random_case(rng, users=rng.choice((1, 1, 2, 3, 4))) for _ in range(400)]
    probes = (*PROBES, *EXHAUSTIVE)
    given = Problem.of([probe.case for probe in probes], [probe.k for probe in probes])
    return (given, *(Problem.of(cases, k) for k in (1, 2, 3, 5, 8)))


def differ(one: Definition, other: Definition) -> bool:
    """Return True if some input tells two definitions apart, or shares too many orders of ties to tell."""
    if differing_cases((one, other), per_user=False, whole_gains=False).any():
        return True
    for asked in problems():
        try:
            first, second = evaluate(one, asked), evaluate(other, asked)
        except TooManyOrdersError:
            return True
        alike = np.isclose(first.mean, second.mean, rtol=1e-9, atol=1e-9, equal_nan=True)
        if ((first.refused != second.refused) | ~(alike | first.refused)).any():
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, metric in METRICS.items() if metric.reads == "relevance"])
def test_every_axis_that_a_simplified_definition_names_is_shown_by_an_input(name: str) -> None:
    family, resets, idle = METRICS[name], 0, set[str]()
    for seed in range(SEEDS):
        for moved in (0.1, 0.2, 0.35):
            simple = sampled(family, seed, moved).simplified()
            if not WITHOUT_RULE.isdisjoint(simple.axes.values()):
                continue
            for axis in set(simple.differs_on).difference(NOT_SHOWN_HERE):
                shorter = simple.with_(**{axis: family.canonical[axis]})
                if family.refusal(shorter.axes) or len(shorter.simplified().differs_on) >= len(simple.differs_on):
                    continue
                resets += 1
                if not differ(simple, shorter):
                    idle.add(axis)
    assert resets > 10
    assert idle == UNKNOWN.get(name, frozenset())
