"""What a candidate may be at each multi-user stage."""

from __future__ import annotations

import pytest

from audit.identification.edge_choices import (
    STAGES,
    averaged_users_choices,
    averaging_choices,
    formula_decides_edges,
    one_ranking_choices,
    stage_choices,
    with_unshown_policies,
)
from reference.cases import Kind
from reference.definitions.definition import Definition, parse
from reference.metrics import METRICS
from reference.space import edges
from reference.space.axis import Axis

RECALL = parse("recall@k").axes
AVERAGING = {"users", "pooling", "weight", "mean"}


def moved(made: dict[str, str], values: dict[str, str] = RECALL) -> set[str]:
    return {axis for axis in values if made[axis] != values[axis]}


def test_averages_move_the_axes_of_averaging_only() -> None:
    made = averaging_choices(RECALL, "recall")
    assert RECALL in made
    assert set().union(*(moved(each) for each in made)) == AVERAGING
    assert {each["users"] for each in made} == {"truth", "one_relevant", "hits"}


def test_a_metric_that_can_rank_all_rows_together_may_do_so() -> None:
    values = Definition.of("auc").axes
    stacked = [each for each in averaging_choices(values, "auc") if each["scope"] == "stacked"]
    assert stacked and all(each["pooling"] == values["pooling"] and each["mean"] == values["mean"] for each in stacked)


def test_copies_may_count_in_r_only_where_r_weights_the_mean() -> None:
    once = {**RECALL, "truth_duplicates": "once"}
    r_only = [each for each in averaging_choices(once, "recall") if each["truth_duplicates"] == "r_only"]
    assert r_only and all((each["pooling"], each["weight"]) == ("weighted", "relevant") for each in r_only)


def test_averaged_users() -> None:
    assert [moved(each) for each in averaged_users_choices(RECALL, "recall")] == [set(), {"users"}, {"users"}]


@pytest.mark.parametrize(("signature", "decides"), [("recall@k", False), ("recall|cutoff:none", True)])
def test_a_formula_may_decide_what_an_unusual_user_gets(signature: str, decides: bool) -> None:
    assert formula_decides_edges(parse(signature).axes, "recall") is decides


@pytest.mark.parametrize(
    ("metric", "axes"),
    [
        ("recall", {"users", "undefined", "no_list"}),
        # All users have the same denominator: a ratio of sums is the mean, but for what is carried over.
        ("precision", {"users", "undefined", "no_list", "pooling"}),
    ],
)
def test_every_stage_tries_its_own_edge(metric: str, axes: set[str]) -> None:
    values = Definition.of(metric).axes
    decided = {
        axis
        for number in range(1, len(STAGES))
        for made in stage_choices(number, metric, Kind("multi_user"), averaging_choices)(values)
        for axis in moved(made, values)
    }
    assert decided == axes


def test_users_without_relevant_items_are_left_out_refused_or_averaged() -> None:
    undefined = next(number for number, stage in enumerate(STAGES) if stage.axes == ("undefined",))
    made = stage_choices(undefined, "recall", Kind("multi_user"), averaging_choices)(RECALL)
    assert {each["undefined"] for each in made if each["users"] == "all"} == {"0", "1", "half", "nan", "error"}
    assert RECALL in made and {**RECALL, "undefined": "error"} in made


@pytest.mark.parametrize(
    ("edge", "signature"),
    [
        (edges.UNDEFINED, "recall|cutoff:none"), (edges.NO_LIST, "recall|cutoff:none"), (edges.NO_NEGATIVES, "auc"),
        (edges.NO_HIT, "average_precision@k|denominator:hits"),
    ],
    ids=lambda each: getattr(each, "name", ""),
)  # fmt: skip
def test_every_policy_that_an_edge_admits_is_tried(edge: Axis, signature: str) -> None:
    # The formula may decide the values of unusual users; left out are those of users with one relevant item, too.
    definition = parse(signature)
    tried = {
        made[edge.name]
        for number in range(1, len(STAGES))
        for users in ("truth", "one_relevant")
        for made in stage_choices(number, definition.metric, Kind("multi_user"), averaging_choices)(
            {**definition.axes, "users": users}
        )
    }
    assert tried == set(edge.names)


def test_the_last_stage_leaves_everything_as_it_is() -> None:
    assert stage_choices(len(STAGES) - 1, "recall", Kind("multi_user"), averaging_choices)(RECALL) == [RECALL]


def test_policies_of_states_that_were_shown_are_not_tried_again() -> None:
    known = parse("recall@k")
    assert with_unshown_policies(known, [Kind("multi_user")], ()) == [known]
    unshown = with_unshown_policies(known, [], ())
    assert unshown[0] == known and len(unshown) > 1
    assert all(
        each.axes["undefined"] == RECALL["undefined"]
        for each in with_unshown_policies(known, [], ("undefined", "users"))
    )


def test_only_one_ranking_has_its_own_edges() -> None:
    assert one_ranking_choices(0, "auc")(Definition.of("auc").axes) == [Definition.of("auc").axes]
    stacked = parse("auc|scope:stacked").axes
    tried = [
        axis
        for number in range(4)
        for each in one_ranking_choices(number, "auc")(stacked)
        for axis in moved(each, stacked)
    ]
    assert tried and set(tried) <= {"no_hit", "no_negatives", "undefined", "no_list", "users"}


def test_one_policy_for_three_states_may_be_that_of_users_without_listed_relevant_items() -> None:
    one = parse("ndcg@k|ideal:listed|users:all|undefined:nan|no_hit:nan|no_list:nan")
    two = parse("ndcg@k|ideal:listed|users:all|undefined:nan|no_hit:nan")
    assert parse("ndcg@k|ideal:listed|truth:listed|users:all|undefined:nan") in with_unshown_policies(one, (), ())
    others = [*with_unshown_policies(two, (), ()), *with_unshown_policies(one, (), ("no_hit",))]
    assert {each.axes["truth"] for each in others} == {"all"}


@pytest.mark.parametrize("metric", sorted(METRICS))
@pytest.mark.slow
def test_every_metric_has_policies_for_states_that_were_not_shown(metric: str) -> None:
    edges = [edge for edge in ("undefined", "no_hit", "no_list") if edge in METRICS[metric].canonical]
    alike = Definition.of(metric, {"users": "all"} | dict.fromkeys(edges, "nan"))
    tried = with_unshown_policies(alike, (), ())
    assert alike.simplified(edges_known=True) in tried and {each.metric for each in tried} == {metric}
