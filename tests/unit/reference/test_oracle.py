"""The vectorised reference against the slow oracle, over the whole product of axes."""

from __future__ import annotations

import math

import pytest
from generated import cases, examples, sampled
from hypothesis import given
from hypothesis import strategies as st
from oracle_means import evaluate as slow

from reference.case import Case
from reference.definition import Definition
from reference.evaluation import Problem, evaluate
from reference.metrics import METRICS

DEFINITIONS_AN_EXAMPLE = 12


def same(fast: float, right: float) -> bool:
    if math.isnan(right) or math.isnan(fast):
        return math.isnan(right) and math.isnan(fast)
    return math.isclose(fast, right, rel_tol=1e-9, abs_tol=1e-9)


def comparable(definition: Definition) -> bool:
    """A value carried over from the user before is no one number while that user's ties are averaged; pairs of a
    user and an item have no text of their own, by which one ranking of all rows could order its ties."""
    values = definition.axes
    ties, stacked = values.get("ties", "given"), "stacked" in (values.get("scope"), values.get("over"))
    carried = ties == "average" and values.get("no_hit") == "previous"
    return not carried and not (stacked and ties.startswith("text"))


def agree(definition: Definition, problem: Problem, case: Case, k: int | None) -> None:
    """The definition's mean, refusal and per-user values are the oracle's."""
    fast, right = evaluate(definition, problem), slow(definition.metric, definition.axes, case, k)
    about = f"{definition.signature()} at k={k} on\n{case.predictions}\n{case.truth}\nt={case.threshold}"
    assert bool(fast.refused[0]) == right.refused, about
    if right.refused:
        return
    assert fast.counted.tolist() == [counted for _, counted in right.users], about
    for (value, counted), own in zip(right.users, fast.value.tolist(), strict=True):
        assert not counted or same(own, value), f"{own} for {value} of {right.users}: {about}"
    assert same(float(fast.mean[0]), right.mean), f"{fast.mean[0]} for {right.mean} of {right.users}: {about}"


def compare(name: str, case: Case, seed: int) -> None:
    for number in range(DEFINITIONS_AN_EXAMPLE):
        definition = sampled(METRICS[name], seed + number)
        if comparable(definition):
            k = definition.k if isinstance(definition.k, int) else None
            agree(definition, Problem.of([case], k), case, k)


@pytest.mark.parametrize("name", METRICS)
@examples(10)
@given(case=cases(), seed=st.integers(0, 2**32))
def test_agrees_with_the_oracle(name: str, case: Case, seed: int) -> None:
    compare(name, case, seed)


@pytest.mark.parametrize("name", ["auc", "ndcg", "average_precision", "f_score"])
@examples(12)
@given(case=cases(repeats=False, users=3), seed=st.integers(0, 2**32))
def test_the_widest_families_agree_without_repeats(name: str, case: Case, seed: int) -> None:
    compare(name, case, seed)
