"""Thresholds of a function's own: found above ordinary gains, too, and asked for to the last decimal."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from recsys_metric_audit.audit.identification.given_answers import has_high_threshold
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, SHAPES
from recsys_metric_audit.audit.observations.evidence import gather_evidence
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.questions.threshold_cases import own_threshold, with_reached_threshold
from recsys_metric_audit.reference.definitions.definition import parse
from tests.support.own_functions import identified_here
from tests.support.slow_parameters import slow_but_first

Gains = dict[str, float]


def precision_of_four_and_more(recommended: list[int], relevant: dict[int, float], k: int) -> float:
    return sum(relevant.get(item, 0) >= 4 for item in recommended[:k]) / k


def recall_of_four_and_more(recommended: list[int], relevant: dict[int, float], k: int) -> float:
    good = {item for item, gain in relevant.items() if gain >= 4}
    return len(good & set(recommended[:k])) / len(good) if good else 0.0


def recall_of_five(recommended: list[int], relevant: dict[int, float], k: int) -> float:
    good = {item for item, gain in relevant.items() if gain >= 5}
    return len(good & set(recommended[:k])) / len(good) if good else 0.0


def precision_of_three_for_all(qrels: dict[str, Gains], run: dict[str, Gains], k: int) -> float:
    found = [
        sum(
            own.get(item, 0) >= 3
            for item in sorted(run.get(user, {}), key=lambda item, user=user: -run[user][item])[:k]
        )
        for user, own in qrels.items()
    ]
    return sum(found) / k / len(found) if found else 0.0


@pytest.mark.parametrize(
    ("function", "metric", "shape", "signature"),
    slow_but_first(
        [
            (
                precision_of_four_and_more,
                "precision",
                "recommended",
                "precision@k|users:truth_rows|undefined:0|relevance:4",
            ),
            (recall_of_four_and_more, "recall", "recommended", "recall@k|users:truth_rows|undefined:0|relevance:4"),
            (recall_of_five, "recall", "recommended", "recall@k|users:truth_rows|undefined:0|relevance:5"),
            (
                precision_of_three_for_all,
                "precision",
                "qrels-run",
                "precision@k|users:truth_rows|undefined:0|nobody:0|relevance:3",
            ),
        ],
        1,
    ),
)
def test_a_threshold_above_most_gains_is_found(
    function: Callable[..., float], metric: str, shape: str, signature: str
) -> None:
    found = identified_here(function, metric, SHAPES[shape])
    assert has_high_threshold(found.observation)
    assert [each.with_(duplicates="counted").signature() for each in found.fit.definitions] == [signature]


def test_what_the_few_gains_above_a_threshold_do_not_show_is_told_as_unknown() -> None:
    fit = identified_here(recall_of_five, "recall").fit
    # It counts an item once that is recommended twice. No item of gain 5 is in any input.
    assert isinstance(fit, Fitting) and "duplicates" in fit.unidentified_axes


def test_a_threshold_is_lowered_to_what_gains_of_cases_reach() -> None:
    lowered = {"5": "4", "above_4": "4", "4.5": "4", "4": "4", "above_3": "above_3", "at_least_t": "at_least_t"}
    for rule, reached in lowered.items():
        made = with_reached_threshold(parse(f"recall@k|relevance:{rule}"))
        assert made.axes["relevance"] == reached, rule


def recall_from(is_relevant: Callable[[float], bool]) -> Callable[..., float]:
    def recall(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        good = {item for item, gain in relevant.items() if is_relevant(gain)}
        return len(good & set(recommended[:k])) / len(good) if good else 0.0

    return recall


def told(function: Callable[..., float], k: int | None = None) -> tuple[str, int]:
    """Return the rule of relevance that a function's answers tell, and how many further inputs it was asked."""
    found = identified_here(function, "recall", DEFAULT, k)
    assert isinstance(found.fit, Fitting)
    bracket = own_threshold(found.fit, gather_evidence(found.observation.probes, found.asked))
    assert bracket is None or bracket.is_narrow
    chosen = [probe for probe in found.asked if probe.case.why.startswith("is an item of gain")]
    return found.fit.definitions[0].axes["relevance"], len(chosen)


@pytest.mark.parametrize(
    ("is_relevant", "rule", "most"),
    [
        (lambda gain: gain > 0.5, "above_0.5", 2),
        (lambda gain: gain >= 1, "1", 2),
        (lambda gain: gain >= 0.7, "0.7", 8),
        (lambda gain: gain > 0.62, "above_0.62", 24),
        (lambda gain: gain > 2, "above_2", 2),
        (lambda gain: gain >= 3.75, "3.75", 24),
        (lambda gain: gain > 0, "positive", 0),
        (lambda gain: True, "every_row", 0),
    ],
)
@pytest.mark.slow
def test_the_threshold_is_asked_for(is_relevant: Callable[[float], bool], rule: str, most: int) -> None:
    found, asked = told(recall_from(is_relevant))
    assert found == rule and asked <= most


@pytest.mark.slow
def test_the_threshold_is_asked_for_at_one_cut_off() -> None:
    assert told(recall_from(lambda gain: gain > 0.5), 10)[0] == "above_0.5"


@pytest.mark.slow
def test_a_threshold_that_is_no_round_number_is_told_to_five_decimals() -> None:
    rule, _ = told(recall_from(lambda gain: gain * 3 >= 1))
    assert abs(float(rule) - 1 / 3) < 3e-5
