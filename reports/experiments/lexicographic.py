"""Compares recommenders user by user by the places of all relevant items, from the first on or from the last on.

Lexicographic precision prefers the list whose first relevant item comes earlier; where they tie, the second decides,
and so on. Lexicographic recall begins with the last (Diaz 2023, arXiv 2306.07908; Diaz, Ekstrand & Mitra 2025, arXiv
2302.11370). A relevant item that is not listed comes after all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Floats, Ids
from recsys_metric_audit.reports.experiments.changed_case import changed
from recsys_metric_audit.reports.experiments.outcome import Bench, ClaimExperiment, Outcome, Signature, share_answer

_NOWHERE = np.iinfo(np.int64).max
_CLEAR = 1.96
Places = Mapping[int, tuple[int, ...]]
"""For each user the 1-based places of the relevant items, ascending."""


def places_of(case: Case) -> Places:
    """Return the places of each user's relevant items; rows that score the same stay as given."""
    of, width = case.predictions, int(max(case.predictions.item.max(initial=0), case.truth.item.max(initial=0))) + 1
    order = np.lexsort((-of.score, of.user))
    user, key = of.user[order], of.user[order] * width + of.item[order]
    _, first, group = np.unique(user, return_index=True, return_inverse=True)
    by_key = np.argsort(key)
    wanted = case.truth.user * width + case.truth.item
    found = by_key[np.searchsorted(key[by_key], wanted).clip(max=len(key) - 1)] if len(key) else np.zeros(0, int)
    place: Ids = np.where(key[found] == wanted, found - first[group[found]] + 1, _NOWHERE)
    out: dict[int, list[int]] = {}
    for owner, at in sorted(zip(case.truth.user.tolist(), place.tolist(), strict=True)):
        out.setdefault(owner, []).append(at)
    return {owner: tuple(each) for owner, each in out.items()}


def preferences(one: Places, other: Places, begin: Literal["first", "last"]) -> dict[int, int]:
    """Return for each user 1 if ``one`` is preferred, -1 if ``other`` is, 0 if no place differs."""
    step = 1 if begin == "first" else -1
    return {
        user: (other[user][::step] > places[::step]) - (other[user][::step] < places[::step])
        for user, places in one.items()
    }


class TiedUsers(ClaimExperiment):
    """Counts the users for whom ``metric`` gives two recommenders the same; the claim is that places tell more apart.

    Lexicographic precision has to tie for fewer users than the metric and to keep each of its preferences, for every
    dataset, pair of recommenders and cut-off: "yes"; for some: "in part".
    """

    kind: Literal["tied_users"]
    metric: Signature
    cutoffs: Annotated[tuple[int, ...], Field(min_length=1)]
    datasets: Annotated[tuple[str, ...], Field(min_length=1)]
    recommenders: Annotated[tuple[str, ...], Field(min_length=2)]

    def _measure(self, bench: Bench) -> Outcome:
        lines, held, counts = [], [], np.zeros(4, dtype=np.int64)
        for dataset, pair, k in product(self.datasets, combinations(self.recommenders, 2), self.cutoffs):
            cases = [bench.data(dataset, name) for name in pair]
            definition = parse(self.metric).with_(k=k)
            one, other = (_by_user(definition, each, k) for each in cases)
            lexicographic = preferences(places_of(cases[0]), places_of(cases[1]), "first")
            tied = [one[user] == other[user] for user in lexicographic]
            turned = sum((one[user] - other[user]) * sign < 0 for user, sign in lexicographic.items())
            undecided = list(lexicographic.values()).count(0)
            counts += (sum(tied), undecided, turned, len(tied))
            held.append(undecided < sum(tied) and not turned)
            lines.append(
                f"{' and '.join(pair)} on {dataset}: {definition.signature()} ties for {sum(tied)} of {len(tied)} "
                f"users, lexicographic precision for {undecided}, and turns {turned} preferences round"
            )
        metric, places = counts[:2] / counts[3]
        reason = (
            f"of all comparisons of a user's two lists the metric ties in {metric:.1%}, lexicographic precision in "
            f"{places:.1%}, and it turns {counts[2]} preferences round"
        )
        return Outcome(share_answer(held), f"{reason}; {lines[0]}", tuple(lines))


class LostLabels(ClaimExperiment):
    """Drops labels and counts the pairs of recommenders still told apart; the claim is on lexicographic recall.

    A pair is told apart if the mean over users of what prefers one of them, 1, 0 or -1 by lexicographic recall and the
    difference of values by a metric, is more than 1.96 standard errors from 0, on the side where it is with all labels.
    Lexicographic recall has to do so more often than each of ``metrics`` at ``k``, on every dataset and at every share
    of labels: "yes"; on some: "in part".
    """

    kind: Literal["lost_labels"]
    metrics: Annotated[tuple[Signature, ...], Field(min_length=1)]
    k: Annotated[int, Field(ge=1)]
    datasets: Annotated[tuple[str, ...], Field(min_length=1)]
    recommenders: Annotated[tuple[str, ...], Field(min_length=2)]
    shares: Annotated[tuple[float, ...], Field(min_length=1)]
    seeds: Annotated[int, Field(ge=1)]

    def _measure(self, bench: Bench) -> Outcome:
        lines, held = [], []
        names = ["lexicographic recall", *(parse(each).with_(k=self.k).signature() for each in self.metrics)]
        every = {name: [bench.data(name, each) for each in self.recommenders] for name in self.datasets}
        sides = {name: np.sign(self._errors_from_0(cases)) for name, cases in every.items()}
        for dataset, share in product(self.datasets, self.shares):
            cases, whole = every[dataset], sides[dataset]
            apart = np.zeros(len(names))
            for seed in range(self.seeds):
                lost = self._errors_from_0([changed(case, [f"labels:{share}:{seed}"]) for case in cases])
                apart += (lost * whole > _CLEAR).mean(axis=1) / self.seeds
            told = ", ".join(f"{name} {each:.0%}" for name, each in zip(names, apart.tolist(), strict=True))
            lines.append(f"{dataset} with {share:.0%} of the labels: {told}")
            held += [bool(apart[0] > other) for other in apart[1:]]
        reason = (
            f"pairs of recommenders told apart beyond chance, over {self.seeds} draws of labels, more often than by a "
            f"metric in {sum(held)} of {len(held)} comparisons: {'; '.join(lines)}"
        )
        return Outcome(share_answer(held), reason, tuple(lines))

    def _errors_from_0(self, cases: Sequence[Case]) -> Floats:
        """Return for lexicographic recall and each metric how many standard errors each pair is from 0."""
        places = [places_of(case) for case in cases]
        rows = [[_errors(list(preferences(one, other, "last").values())) for one, other in combinations(places, 2)]]
        for metric in self.metrics:
            values = [_by_user(parse(metric).with_(k=self.k), case, self.k) for case in cases]
            rows.append([
                _errors([one[user] - other[user] for user in places[0]]) for one, other in combinations(values, 2)
            ])  # fmt: skip
        return np.array(rows)


def _errors(differences: Sequence[float]) -> float:
    """Return the mean in standard errors; 0 without a difference."""
    error = float(np.std(differences)) / len(differences) ** 0.5
    mean = float(np.mean(differences))
    return mean / error if error else np.sign(mean) * np.inf if mean else 0.0


def _by_user(definition: Definition, case: Case, k: int) -> dict[int, float]:
    problem = Problem.of([case], k)
    return dict(zip(problem.placement.users.tolist(), evaluate(definition, problem).value.tolist(), strict=True))
