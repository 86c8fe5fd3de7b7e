"""Hazards of functions are told in sentences whose values follow by hand from the two users of the inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from recsys_metric_audit.audit.inhouse.calling import call_shapes
from recsys_metric_audit.audit.inhouse.calling.call_answers import Caller
from recsys_metric_audit.audit.inhouse.calling.call_parameters import Parameters
from recsys_metric_audit.audit.inhouse.function_inputs import as_adapter_sees
from recsys_metric_audit.audit.inhouse.shapes import SHAPES
from recsys_metric_audit.audit.inhouse.telling.hazards import CHANGES, K, hazard_cases, hazards
from recsys_metric_audit.audit.process.harness import normalise, number
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome


def told(function: Callable[..., Any], shape: str) -> list[str]:
    answers: dict[str, Outcome] = {}
    for name, case in hazard_cases(SHAPES[shape]).items():
        caller = Caller(call_shapes, function, shape, Parameters(function), True)
        try:
            mean, users, values, dtype = normalise(caller(as_adapter_sees(case), K, number))
            answers[name] = Measured(mean, users, values, dtype, 0.0)
        except (ZeroDivisionError, TypeError) as error:
            answers[name] = Errored(type(error).__name__, str(error), "")
    return hazards(SHAPES[shape], answers)


def test_lists() -> None:
    """Three hits on one relevant item are 3 / 1; nothing relevant divides by 0."""

    def recall(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        return sum(item in relevant for item in recommended[:k]) / len(relevant)

    ties, lists, positives = told(recall, "recommended")
    assert ties.endswith("whoever makes the lists decides.")
    assert lists == (
        "A relevant item recommended three times lifts the value above 1, to 3; a user with an empty list gives 0."
    )
    assert positives == (
        "A user without a relevant item gives an error (ZeroDivisionError: division by zero); the value was not "
        "seen to depend on the order of rows, nor on names of items (4 renamings tried)."
    )


def test_a_truth_cut_as_it_is_listed() -> None:
    """Of items 14, 15, 501 and 502 the first three hold both hits of the first three places, 14 alone; turned, none."""

    def recall(recommended: list[int], relevant: list[int], k: int) -> float:
        truth = list(relevant)[:k]
        return len({*recommended[:k]} & {*truth}) / len(truth)

    assert (
        "; the value depends on the order of the truth, not on names of items (4 renamings tried)."
        in told(recall, "recommended")[-1]
    )


def test_ties_by_row() -> None:
    """Of four tied rows those at 2 and 4 are relevant; turned, those at 1 and 3: the reciprocal rank is 1/2, then 1."""

    def by_row(labels: Any, scores: Any, k: int) -> float:
        order = np.argsort(-np.asarray(scores), kind="stable")[:k]
        hits = np.flatnonzero(np.asarray(labels)[order])
        return 1 / (hits[0] + 1) if len(hits) else 0.0

    ties, lists, positives = told(by_row, "scores")
    assert ties == "A scorer that gives every item one score gives 0.5 or, with the rows the other way round, 1."
    assert lists == "An item cannot be recommended twice in this call; nor can a list be empty."
    assert positives.startswith("A user without a relevant item gives 0; the value was not seen to depend on")


def test_users_of_a_mean() -> None:
    """Beside a user of value 1/3, one without a list counts 0 and one without a relevant item is left out.

    Of the four tied items 11, 12, 14, 15 the first three hold one relevant one, 14; renamed 28, 27, 21, 22 they hold
    both, 21 and 22.
    """

    def precision(qrels: dict[str, Any], run: dict[str, Any], k: int) -> float:
        values = []
        for user, gains in qrels.items():
            ranked = sorted(run.get(user, {}), key=lambda item: (-run[user][item], item))[:k]
            values.append(sum(item in gains for item in ranked) / k)
        return float(np.mean(values)) if values else 0.0

    ties, lists, positives = told(precision, "qrels-run")
    assert ties == "A scorer that gives every item one score gives 0.333333, with the rows the other way round too."
    assert lists.endswith("a user with an empty list counts 0 in the mean.")
    assert positives == (
        "A user without a relevant item is left out of the mean, or counts 0.333333; the value depends on names of "
        "items."
    )


def test_a_set_that_loses_the_order_of_the_list_depends_on_names() -> None:
    """Of the set {11, 12, 14, 15} the first is 11; of {6, 7, 8, 9}, which Python orders by remainders, another one."""

    def by_set(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        return next((1 / rank for rank, item in enumerate(set(recommended), 1) if item in relevant), 0.0)

    assert "depends on names of items" in told(by_set, "recommended")[2]


def test_a_function_that_changes_its_arguments_is_told() -> None:
    def emptied(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        recommended.clear()
        return 0.0

    def kept(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        return 0.0

    case = as_adapter_sees(hazard_cases(SHAPES["recommended"])["plain"])
    assert Caller(call_shapes, emptied, "recommended", Parameters(emptied)).changes(case, K) == 1
    assert Caller(call_shapes, kept, "recommended", Parameters(kept)).changes(case, K) == 0
    told_it = hazards(SHAPES["recommended"], {CHANGES: Measured(1.0, None, None, "float", 0.0)})
    assert told_it[-1] == "It changes the arguments that it is given."
