"""Hold the values that measures of the items shown can have, by hand."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, Outcome
from recsys_metric_audit.reports.experiments.small_lists import ReachableValues, values_in
from tests.support.paper_findings import audited, identified


@pytest.mark.parametrize(
    ("signature", "low", "high"),
    [
        # Two users with two of four items each: all alike (1/4 each), or the same two (0, 0, 1/2, 1/2):
        # (-3 * 0 - 1 * 0 + 1 / 2 + 3 / 2) / 3 = 2/3.
        ("gini", 0, 2 / 3),
        ("gini|direction:diversity", 1 / 3, 1),
        ("catalogue_coverage", 1 / 2, 1),
        ("shannon_entropy", 1, 2),
    ],
)
def test_two_lists_of_two_of_four_items(signature: str, low: float, high: float) -> None:
    values = values_in(parse(signature), 2, 4, 2)
    assert len(values) == 6 * 6 and (values.min(), values.max()) == pytest.approx((low, high))


def run(*signatures: str, worlds: tuple[tuple[int, int, int], ...]) -> Outcome:
    made = ReachableValues.model_validate(
        {"kind": "reachable_values", "metrics": ["gini", "catalogue_coverage"], "worlds": worlds}
    )
    return made.run(Bench(audited(*(identified("one", "1", each) for each in signatures))))


def test_functions_fall_short_of_0_to_1_or_not() -> None:
    # Four users with one of four items each can show all alike, or one alone: Gini 0 to 1, coverage 1/4 to 1.
    assert run("gini@1", worlds=((4, 4, 1),)).answer is Answer.no
    made = run("gini@1", "catalogue_coverage@1", worlds=((4, 4, 1),))
    assert made.answer is Answer.in_part and made.reason == (
        "1 of 2 pairs of a function and a world go from 0 to 1; of 2 functions 1 begin at 0 in no world, 0 end at "
        "1 in none, and 0 have no value for some lists"
    )
    assert made.lines[1].endswith("is 0.250 to 1.000 with 4 users, 4 items, k = 1")
    assert run("gini@1", worlds=((4, 4, 1), (2, 4, 2))).answer is Answer.yes


def test_a_value_that_some_lists_do_not_have() -> None:
    # Of the items shown alone: one item has no other to differ from.
    made = run("gini@1|over:shown", worlds=((2, 2, 1),))
    assert made.answer is Answer.yes and "0.000 to 0.000 (undefined for 2 of 4 ways)" in made.lines[0]
    assert made.reason.endswith("and 1 have no value for some lists")


def test_functions_that_were_not_audited() -> None:
    made = run("ndcg@1", worlds=((2, 2, 1),))
    assert made.answer is Answer.unknown and "no function of gini, catalogue_coverage is identified" in made.reason
