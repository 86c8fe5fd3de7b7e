"""The normal form of averaging and edges: which states are possible, and which policies are equal."""

from __future__ import annotations

from reference.definitions.normal_form import UserState, normal_form, possible_states
from reference.metrics import METRICS


def values(metric: str, **changed: str) -> dict[str, str]:
    return {**METRICS[metric].canonical, **changed}


def states_at(edge: str, metric: str, **changed: str) -> list[UserState]:
    return [state for state in possible_states(METRICS[metric], values(metric, **changed)) if state.edge == edge]


def test_a_user_without_relevant_items_has_rows_if_every_truth_row_is_relevant() -> None:
    """Its truth rows, none of which is relevant, or else a list."""

    def rows(**changed: str) -> list[tuple[bool, bool]]:
        return [(state.rated, state.listed) for state in states_at("undefined", "recall", **changed)]

    assert rows() == [(False, True)]
    assert rows(relevance="positive") == [(True, True), (True, False), (False, True)]


def test_recall_always_has_a_denominator_and_needs_no_irrelevant_items() -> None:
    assert not states_at("no_hit", "recall") and not states_at("no_negatives", "recall")
    assert states_at("no_negatives", "auc")


def test_the_reciprocal_rank_without_a_hit_is_0_by_convention() -> None:
    assert [state.hit for state in states_at("no_hit", "reciprocal_rank")] == [False]
    assert [state.hit for state in states_at("", "reciprocal_rank")] == [True]


def test_leaving_out_users_without_a_hit_is_averaging_over_users_with_one() -> None:
    start = values("reciprocal_rank", users="both", no_hit="skip")
    assert normal_form(METRICS["reciprocal_rank"], start) == values("reciprocal_rank", users="hits")


def test_a_policy_for_users_who_are_not_averaged_over_does_not_act() -> None:
    start = values("recall", users="both", no_list="1")
    assert normal_form(METRICS["recall"], start)["no_list"] == "0"


def test_canonical_values_stay() -> None:
    for metric in METRICS.values():
        assert normal_form(metric, dict(metric.canonical)) == metric.canonical


def test_averaged_ties_are_left_as_they_are() -> None:
    start = values("reciprocal_rank", users="both", no_hit="skip", ties="average")
    assert normal_form(METRICS["reciprocal_rank"], start) == start
