"""Generated cases and definitions on which the reference and the slow oracle part ways: there should be none."""

from __future__ import annotations

import math
import random

from generated import random_case, sampled
from oracle_means import Result
from oracle_means import evaluate as slow

from reference.case import Case
from reference.definition import Definition
from reference.evaluation import Evaluated, Problem, evaluate, takes_one_ranking
from reference.metrics import METRICS

CASES_A_DEFINITION = 16


def disagreements(name: str, cases: int, seed: int = 0) -> list[str]:
    """What differs on so many cases of a family, each seen by one definition; told in full, three at most.

    The cases of a definition are evaluated side by side, and the first of them alone as well.
    """
    rng, out = random.Random(f"{name} {seed}"), []
    for _ in range(-(-cases // CASES_A_DEFINITION)):
        definition = drawn(name, rng)
        k = definition.k if isinstance(definition.k, int) else None
        chosen = [random_case(rng) for _ in range(CASES_A_DEFINITION)]
        together = split(definition, evaluate(definition, problem := Problem.of(chosen, k)), problem)
        alone = evaluate(definition, Problem.of(chosen[:1], k))
        for case, *fasts in zip(chosen, together, [alone, *together[1:]], strict=True):
            right = slow(name, definition.axes, case, k)
            out += [told(definition, case, k, difference) for fast in fasts if (difference := differs(fast, right))]
        if len(out) > 2:
            break
    return out


def drawn(name: str, rng: random.Random) -> Definition:
    """A definition that can be compared."""
    while not comparable(definition := sampled(METRICS[name], rng.randrange(2**32))):
        pass
    return definition


def split(definition: Definition, whole: Evaluated, problem: Problem) -> list[Evaluated]:
    """What was evaluated side by side, case by case."""
    stacked = takes_one_ranking(definition)
    case_of = problem.placed(definition.axes, stacked=stacked).case
    own = [(case_of == number, slice(number, number + 1)) for number in range(len(problem.cases))]
    return [
        Evaluated(
            *(column[users] for column in (whole.value, whole.counted)),
            whole.mean[here],
            whole.refused[here],
            *(column[users] for column in (whole.regular, whole.conventional)),
        )
        for users, here in own
    ]


def comparable(definition: Definition) -> bool:
    """A value carried over from the user before is no one number while that user's ties are averaged."""
    carried = "previous" in (definition.axes.get("no_hit"), definition.axes.get("no_list"))
    return not (carried and definition.axes.get("ties") == "average")


def same(fast: float, right: float) -> bool:
    if math.isnan(right) or math.isnan(fast):
        return math.isnan(right) and math.isnan(fast)
    return math.isclose(fast, right, rel_tol=1e-9, abs_tol=1e-9)


def differs(fast: Evaluated, right: Result) -> str:
    """How the mean, the refusal or a user's value of one case differs; empty where nothing does."""
    if bool(fast.refused[0]) != right.refused:
        return f"refused {fast.refused[0]} for {right.refused}"
    if right.refused:
        return ""
    if fast.counted.tolist() != [counted for _, counted in right.users]:
        return f"counted {fast.counted.tolist()} for {right.users}"
    for (value, counted), own in zip(right.users, fast.value.tolist(), strict=True):
        if counted and not same(own, value):
            return f"{own} for {value} of {right.users}"
    return "" if same(float(fast.mean[0]), right.mean) else f"mean {fast.mean[0]} for {right.mean} of {right.users}"


def told(definition: Definition, case: Case, k: int | None, difference: str) -> str:
    train, items = [*zip(case.train.user.tolist(), case.train.item.tolist(), strict=True)], len(case.catalogue)
    rows = f"{case.predictions}\n{case.truth}\ntrain={train} t={case.threshold} items={items}"
    return f"{difference}: {definition.signature()} at k={k} on\n{rows}"
