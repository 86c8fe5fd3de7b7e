"""The pool of cases generated to tell definitions apart, the same in every run, each with its unusual features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from math import perm, prod

import numpy as np

from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.questions import crafted_cases
from recsys_metric_audit.audit.questions.case_features import FEATURES, has_all_listed
from recsys_metric_audit.audit.questions.random_cases import one_user_case, several_users_case
from recsys_metric_audit.audit.questions.whole_gains import has_whole_gains, with_whole_gains
from recsys_metric_audit.reference.cases import MIXED, Probe
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Bools, Case
from recsys_metric_audit.reference.placement.tie_ranks import MAX_ORDERS

Generated = tuple[Probe, frozenset[str]]
"""A case and its unusual features."""

PER_FEATURE_SET = 6
"""Cases for every set of unusual features of several users."""
PER_ONE_USER_SET = 2
"""Cases for every set of unusual features of one user."""
EACH_CONFIRMED = 2
"""Cases per feature that a definition is confirmed on."""

_AT_K_1 = (("no truth",), ("no list",), ("no hit",), ("no list", "no truth"), ("no hit", "no list"))
"""Sets of features of additional cases at k = 1, where a cut-off of k - 1 leaves nothing."""
_OF_ONE_USER = (
    "unsorted", "ties", "repeats", "copies", "gains", "signs", "seen in training", "gains of 1", "rated misses",
    "one relevant item",
)  # fmt: skip
"""Features of cases of one user."""
_REPEATED_MISS = frozenset({"repeats", "one relevant item"})


@dataclass(frozen=True, eq=False)
class Pool:
    """Holds all cases, and the features of each; cases with the fewest features come first, the mixed probes last."""

    probes: tuple[Probe, ...]
    features: tuple[frozenset[str], ...]

    @cached_property
    def features_of(self) -> Mapping[str, frozenset[str]]:
        """Return the unusual features of each case, by its name."""
        return {probe.name: features for probe, features in zip(self.probes, self.features, strict=True)}

    @cached_property
    def problem(self) -> Problem:
        """Return all cases as one problem."""
        return problem_of(self.probes)

    @cached_property
    def problem_of_whole_gains(self) -> Problem:
        """Return all cases as one problem, with their gains rounded up to whole numbers."""
        return Problem.of([with_whole_gains(probe.case) for probe in self.probes], [probe.k for probe in self.probes])

    @cached_property
    def has_whole_gains(self) -> Bools:
        """Return a mask of the cases whose gains are whole numbers from 0 up."""
        return np.array([has_whole_gains(probe.case) for probe in self.probes])

    @cached_property
    def all_listed(self) -> Bools:
        """Return a mask of the cases whose relevant items are all in the lists of their users."""
        return np.array(list(map(has_all_listed, self.probes)))

    @property
    def with_one_feature(self) -> Bools:
        """Return a mask of the cases with at most one unusual feature."""
        return np.array([len(features) < 2 for features in self.features])

    def without_features(self, barred: Collection[str]) -> Bools:
        """Return a mask of the cases without some features."""
        return np.array([features.isdisjoint(barred) for features in self.features])


@cache
def pool() -> Pool:
    """Return the pool, made once."""
    made = [(probe, features) for probe, features in _generate() if _orders_of_ties(probe.case) <= MAX_ORDERS]
    return Pool(*zip(*made, strict=True))


def features_of(probe: Probe) -> frozenset[str]:
    """Return the unusual features of a generated case; none of any other probe."""
    return pool().features_of.get(probe.name, frozenset())


def _generate() -> Iterator[Generated]:
    numbers = range(PER_FEATURE_SET)
    for chosen in _sets(FEATURES, (0, 1, 2)):
        yield from ((several_users_case(chosen, number), chosen) for number in numbers)
    for what, features in crafted_cases.TIED_NAMES.items():
        yield from ((crafted_cases.tied_names_case(number, what), features) for number in numbers)
    copies = [(crafted_cases.tied_copies_case(number), frozenset({"ties", "repeats"})) for number in numbers]
    rated = [
        (crafted_cases.repeated_miss_case(number, rated=True), _REPEATED_MISS | {"rated misses"}) for number in numbers
    ]
    misses = [(crafted_cases.repeated_miss_case(number, rated=False), _REPEATED_MISS) for number in numbers]
    yield from (*copies, *rated, *misses)
    for number, state in enumerate(crafted_cases.STATE_BESIDE_NEGATIVE_GAIN):
        yield crafted_cases.negative_gain_case(number), frozenset({"gains", state})
    for number in range(len(crafted_cases.WORTHLESS_GAINS)):
        yield crafted_cases.worthless_case(number, listed=False), frozenset({"gains", "no list"})
        yield crafted_cases.worthless_case(number, listed=True), frozenset({"gains"})
    yield crafted_cases.all_relevant_case(listed=False), frozenset({"no list"})
    yield crafted_cases.all_relevant_case(listed=True), frozenset({"only hits"})
    hits = [(crafted_cases.repeated_hit_case(number), _REPEATED_MISS) for number in numbers]
    yield from hits
    for probe, features in (*copies, *misses, *hits):
        yield crafted_cases.with_gains_of_1(probe), features | {"gains of 1"}
    yield from _long_cases()
    for names in _AT_K_1:
        yield several_users_case(frozenset(names), PER_FEATURE_SET, k=1), frozenset(names)
    for chosen in _sets(_OF_ONE_USER, (1, 2)):
        yield from ((one_user_case(chosen, number), chosen) for number in range(PER_ONE_USER_SET))
    yield from ((probe, frozenset(FEATURES)) for probe in MIXED)


def _long_cases() -> Iterator[Generated]:
    for all_relevant in (False, True):
        for number in range(4):
            yield crafted_cases.long_lists_case(number, all_relevant=all_relevant), frozenset({"long lists"})
    for number in range(2):
        yield crafted_cases.long_tied_lists_case(number, unsorted=False), frozenset({"long lists", "ties"})
    for number in range(2):
        yield crafted_cases.long_tied_lists_case(number, unsorted=True), frozenset({"long lists", "ties", "unsorted"})
    yield crafted_cases.long_tied_lists_case(1, unsorted=False, relevant=3), frozenset({"long lists", "ties"})


def _sets(names: tuple[str, ...], sizes: tuple[int, ...]) -> Iterator[frozenset[str]]:
    return (frozenset(each) for size in sizes for each in combinations(names, size))


def _orders_of_ties(case: Case) -> int:
    """Return the number of orders of ties, by where the relevant items stand, in one ranking of all rows."""
    relevant = set(zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True))
    rows = zip(case.predictions.user.tolist(), case.predictions.item.tolist(), strict=True)
    scores = case.predictions.score.tolist()
    tied, hits = Counter(scores), Counter(score for score, row in zip(scores, rows, strict=True) if row in relevant)
    return prod(perm(tied[score], count) for score, count in hits.items())
