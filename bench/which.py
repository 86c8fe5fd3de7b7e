"""``python -m bench.which``: how often a printed number leads back to the definition that gave it.

Definitions are drawn from the catalogue, and from all formulas two changes away with any who-counts and input choice;
each is evaluated on the default data, printed to four digits, and searched for as ``audit which`` does.

    python -m bench.which                           # 100 of the catalogue, 20 of the whole space: about ten minutes
    python -m bench.which --sample 10 --space 0
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from recsys_metric_audit.audit import data
from recsys_metric_audit.reference.catalogue import CATALOGUE
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.value_search.by_value import Found, Printed, definitions_giving
from recsys_metric_audit.reference.value_search.moves import formulas, moves
from recsys_metric_audit.reference.value_search.printed_number import read_printed_number

CUTOFFS = (5, 10, 20)
_DIGITS = 4
_TRIES = 1000


@dataclass(frozen=True)
class Trial:
    """Holds what one printed number led to.

    Attributes:
        definition: The definition that gave the number.
        printed: The number.
        listed: Whether a match gives every user the same value as the definition.
        first: Whether one of the matches with the fewest changes does.
        only: Whether all the matches with the fewest changes do: the right formula, alone or with those that the data
            cannot tell from it.
        formulas: Number of formulas that the list has.
    """

    definition: Definition
    printed: str
    listed: bool
    first: bool
    only: bool
    formulas: int


def trial(definition: Definition, problem: Problem, cutoffs: Sequence[int]) -> Trial:
    """Print the value of a definition at each cut-off, search for it, and judge what is found."""
    cut = [None] if definition.k is None else list(cutoffs)
    texts = [f"{_value(definition, problem, k):.{_DIGITS}f}" for k in cut]
    printed = [Printed(definition.metric, k, read_printed_number(text)) for k, text in zip(cut, texts, strict=True)]
    (found,) = definitions_giving(problem, printed)
    return _judged(definition, " ".join(texts), found, problem, cut)


def _judged(definition: Definition, printed: str, found: Found, problem: Problem, cutoffs: list[int | None]) -> Trial:
    fewest = min((match.changes for match in found.matches), default=0)
    own = _per_user(definition, problem, cutoffs)
    same = [
        np.array_equal(_per_user(match.definition, problem, cutoffs), own, equal_nan=True) for match in found.matches
    ]
    nearest = [right for right, match in zip(same, found.matches, strict=True) if match.changes == fewest]
    formulas_listed = len({match.formula for match in found.matches})
    return Trial(definition, printed, any(same), any(nearest), bool(nearest) and all(nearest), formulas_listed)


def _value(definition: Definition, problem: Problem, k: int | None) -> float:
    cut = definition if definition.k is None else definition.with_(k=k)
    return float(evaluate(cut, problem.at(k)).mean[0])


def _per_user(definition: Definition, problem: Problem, cutoffs: list[int | None]) -> np.ndarray:
    """Return the values of all users, those who are not counted NaN, and the mean, at every cut-off."""
    parts = []
    for k in cutoffs:
        made = evaluate(definition if definition.k is None else definition.with_(k=k), problem.at(k))
        parts += [np.where(made.counted, made.value, np.nan), made.mean]
    return np.round(np.concatenate(parts), 12)


def of_catalogue(number: int, seed: int, problem: Problem) -> list[Definition]:
    """Draw definitions of the catalogue that give a number on the data; each once before any is drawn again."""
    ranked = [variant.definition for variant in CATALOGUE if variant.definition.metric in METRICS]
    every = [definition for definition in ranked if _gives_number(definition, problem)]
    drawn: list[Definition] = []
    shuffle = random.Random(seed)
    while len(drawn) < number:
        drawn += shuffle.sample(every, len(every))
    return drawn[:number]


def of_space(number: int, seed: int, problem: Problem) -> list[Definition]:
    """Draw definitions with a documented formula or one two changes away, any who-counts and input choice."""
    shuffle = random.Random(seed)
    metrics = sorted({variant.definition.metric for variant in CATALOGUE} & METRICS.keys())
    drawn: list[Definition] = []
    for _ in range(_TRIES):
        if len(drawn) == number:
            break
        metric = shuffle.choice(metrics)
        values = dict(shuffle.choice(list(formulas(metric, 1))))
        for level in ("who_counts", "input"):
            values |= shuffle.choice(list(moves(metric, level, 1)))
        if METRICS[metric].refusal({**METRICS[metric].canonical, **values}) is None:
            made = Definition.of(metric, values)
            if _gives_number(made, problem) and len(shortest(made).differs_on) <= 2:
                drawn.append(made)
    return drawn


def _gives_number(definition: Definition, problem: Problem) -> bool:
    k = None if definition.k is None else CUTOFFS[0]
    made = evaluate(definition if k is None else definition.with_(k=k), problem.at(k))
    return not made.refused[0] and bool(np.isfinite(made.mean[0]))


def main(words: list[str]) -> int:
    """Run the trials and print the counts; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench.which", description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=100, help="definitions of the catalogue")
    parser.add_argument("--space", type=int, default=20, help="definitions of the whole space")
    parser.add_argument("--dataset", default="ml-100k")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(words)
    problem = Problem.of([data.load(chosen.dataset).case], None)
    shuffle = random.Random(chosen.seed)
    for name, drawn, cutoffs in (
        ("catalogue, one number", of_catalogue(chosen.sample, chosen.seed, problem), 1),
        ("whole space, one number", of_space(chosen.space, chosen.seed, problem), 1),
        ("whole space, k = 5, 10, 20", of_space(chosen.space, chosen.seed, problem), 3),
    ):
        began, made = time.monotonic(), []
        for definition in drawn:
            ks = CUTOFFS if cutoffs == 3 else [shuffle.choice(CUTOFFS)]
            made.append(trial(definition, problem, ks))
            if not made[-1].only:
                print(f"  {made[-1]}", flush=True)
        _print_counts(name, made, time.monotonic() - began)
    return 0


def _print_counts(name: str, trials: Sequence[Trial], seconds: float) -> None:
    if trials:
        listed, first, only = (sum(getattr(each, key) for each in trials) for key in ("listed", "first", "only"))
        formulas_listed = sum(each.formulas for each in trials) / len(trials)
        print(
            f"{name}: of {len(trials)}, listed {listed}, among those with the fewest changes {first}, alone there"
            f" {only}; {formulas_listed:.1f} formulas listed on average, {seconds / len(trials):.1f} s each",
            flush=True,
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
