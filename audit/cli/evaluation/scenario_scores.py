"""Provides the values of definitions under scenarios: on the data as given, and under each scenario and seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from recsys_metric_audit.audit.cli.evaluation.scores import Score, scores
from recsys_metric_audit.audit.cli.evaluation.wanted import Wanted
from recsys_metric_audit.audit.cli.progress.heartbeat import said_while
from recsys_metric_audit.audit.data.dataset import Dataset
from recsys_metric_audit.audit.scenarios import Scenario
from recsys_metric_audit.reference.input.case import Case

AS_GIVEN = "as given"
_RANKED = frozenset({
    "hit_rate", "precision", "recall", "f_score", "reciprocal_rank", "average_precision", "average_recall", "ndcg",
    "auc", "r_precision", "rbp", "err", "bpref",
})  # fmt: skip
"""The metrics that never fall when a relevant item rises in its list, so that two orders give bounds."""

End = Literal["", "lowest", "highest"]


@dataclass(frozen=True, eq=False)
class ScenarioScores:
    """Holds the scores of one case: ``scenario`` as typed, its ``seed`` where something is drawn, its ``notes``.

    ``end`` tells which of the possible orders the case has, where the lists do not tell the order of all candidates.
    """

    scenario: str
    seed: int | None
    end: End
    users: int
    scores: tuple[Score, ...]
    notes: tuple[str, ...] = ()


def scenario_scores(
    data: Dataset, scenarios: Sequence[Scenario], seeds: Sequence[int], wanted: Sequence[Wanted], cutoffs: Sequence[int]
) -> list[ScenarioScores]:
    """Evaluate definitions on the data as given, and then under each scenario with each seed.

    Args:
        data: The data.
        scenarios: The scenarios.
        seeds: Seeds of the scenarios in which something is drawn.
        wanted: The definitions.
        cutoffs: Cut-offs of definitions that name none.

    Raises:
        UserError: if the data cannot carry a scenario; nothing is evaluated before all were made once.
    """
    with said_while(f"evaluating scenarios of {data.name}"):
        for scenario in scenarios:
            scenario.apply(data.case, seeds[0])
        made = [_scores(data, data.case, AS_GIVEN, None, "", wanted, cutoffs)]
        for scenario in scenarios:
            for seed in seeds if scenario.drawn else (None,):
                made += _under(data, scenario, seed, wanted, cutoffs)
    return made


def _under(
    data: Dataset, scenario: Scenario, seed: int | None, wanted: Sequence[Wanted], cutoffs: Sequence[int]
) -> Iterator[ScenarioScores]:
    """Yield the scores under one scenario and seed: one row, or two where the lists leave an order open."""
    applied = scenario.apply(data.case, 0 if seed is None else seed)
    ends: list[tuple[End, Case]] = [("", applied.case)]
    if applied.highest is not None:
        ends = [("lowest", applied.case), ("highest", applied.highest)]
    for end, case in ends:
        row = _scores(data, case, scenario.name, seed, end, wanted, cutoffs)
        yield replace(row, notes=applied.notes, scores=tuple(_bound(score, data.case, end) for score in row.scores))


def _scores(
    data: Dataset, case: Case, name: str, seed: int | None, end: End, wanted: Sequence[Wanted], cutoffs: Sequence[int]
) -> ScenarioScores:
    made = scores(replace(data, case=case), wanted, cutoffs)
    return ScenarioScores(name, seed, end, len(np.unique(case.truth.user)), tuple(made))


def _bound(score: Score, case: Case, end: End) -> Score:
    """Return the score of one end, without a value where the two ends are no bounds of it."""
    bounded = score.definition.metric in _RANKED and float(case.truth.gain.min()) >= 0
    if not end or bounded:
        return score
    return replace(score, values=None, refusal="depends on candidates whose order the lists do not tell")
