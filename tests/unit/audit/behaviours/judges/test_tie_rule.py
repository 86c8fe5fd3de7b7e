"""The tie rule is named from answers to four tied and two untied cases."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.reference.input.case import Case
from tests.support.behaviour_samples import Given, judged

TIED = [scenario.name for scenario in scenarios.TIES]

ABOVE, BELOW = (scenario.name for scenario in scenarios.UNTIED)


@pytest.mark.parametrize(
    ("tied", "name"),
    [
        # upper row with lower, with higher id; lower row with lower, with higher id; 1 where the hit counts as above
        ((1, 1, 0, 0), "row_order"),
        ((0, 0, 1, 1), "reverse_row_order"),
        ((1, 0, 1, 0), "lower_item_first"),
        ((0, 1, 0, 1), "higher_item_first"),
        ((1, 1, 1, 1), "hits_first"),
        ((0, 0, 0, 0), "misses_first"),
        ((1, 0, 0, 0), "mixed"),
        ((0.5, 0.5, 0.5, 0.5), "shared"),
        ((0.5, 0.25, 0.5, 0.5), "mixed"),
    ],
)
def test_tie_rules(tied: tuple[float, ...], name: str) -> None:
    answers: dict[str, Given | Sequence[Given]] = dict(zip(TIED, tied, strict=True))
    assert judged("ties", {**answers, ABOVE: 1.0, BELOW: 0.0}).name == name


def test_ties_cannot_be_told_where_places_are_not() -> None:
    answers = dict.fromkeys([*TIED, ABOVE, BELOW], 0.25)
    assert judged("ties", answers).name == "not_askable"


def test_ties_cannot_be_told_where_scores_are_read() -> None:
    answers = {**dict.fromkeys(TIED, 1.0), ABOVE: 1.0, BELOW: 0.9, scenarios.ORDINARY: 1.2, "scores × 100": 80.0}
    assert judged("ties", answers).name == "not_askable"


CLOSE = [scenario.name for scenario in scenarios.CLOSE_SCORES]


@pytest.mark.parametrize(
    ("answers", "name"),
    [
        ((0.0, 1.0, 0.0, 1.0), "unchanged"),
        ((0.0, 1.0, 0.0, 0.0), "tied"),
        ((0.0, 1.0, 1.0, 1.0), "tied"),
        ((0.0, 1.0, 0.5, 0.5), "tied"),
        ((0.0, 1.0, 1.0, 0.0), "changes"),
        ((0.25, 0.25, 0.25, 0.25), "not_askable"),
    ],
)
def test_scores_that_single_precision_does_not_tell_apart(answers: tuple[float, ...], name: str) -> None:
    given: dict[str, Given | Sequence[Given]] = dict(zip(CLOSE, answers, strict=True))
    assert judged("close_scores", given).name == name


@pytest.mark.parametrize(("precision", "name"), [(np.float64, "unchanged"), (np.float32, "tied")])
def test_a_function_of_one_precision_is_told_by_its_answers(precision: type[np.floating], name: str) -> None:
    def precision_at_1(case: Case) -> float:
        rec = case.predictions
        best = rec.item[np.argsort(-rec.score.astype(precision), kind="stable")][:1]
        return float(np.isin(best, case.truth.item).sum())

    answers: dict[str, Given | Sequence[Given]] = {
        each.name: precision_at_1(each.case) for each in scenarios.CLOSE_SCORES
    }
    assert judged("close_scores", answers).name == name


def test_a_recording_without_close_scores_was_not_asked() -> None:
    assert judged("close_scores", {scenarios.ORDINARY: 0.5}).name == "not_asked"
