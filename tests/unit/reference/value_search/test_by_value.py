"""Which definitions give a printed number, on data small enough to compute by hand.

ann has three relevant items and a list of two, of which the first is relevant: recall 1/3, over min(k, r) 1/2.
bob has one relevant item, the second of two: recall 1. cyd has a relevant item and no list: recall 0.

Definitions one change away are enough here; two changes, the default, are tried in ``audit which`` and in the doctest
of ``recsys_metric_audit.which``, which takes ten times as long.
"""

from __future__ import annotations

import pytest

from recsys_metric_audit import which
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.conversion import case_from_tables
from recsys_metric_audit.reference.value_search.by_value import Found, Printed, definitions_giving
from recsys_metric_audit.reference.value_search.printed_number import PrintedNumberError, read_printed_number

ROWS = {"user": ["ann", "ann", "bob", "bob"], "item": [1, 2, 1, 2], "score": [2.0, 1.0, 2.0, 1.0]}
TRUE = {"user": ["ann", "ann", "ann", "bob", "cyd"], "item": [1, 3, 4, 2, 1]}


def found(**printed: str) -> tuple[Found, ...]:
    return which(ROWS, TRUE, {f"{metric}@2": number for metric, number in printed.items()}, changes=1)


@pytest.mark.parametrize(
    ("number", "first"),
    [
        ("0.4444", "recall@2"),  # (1/3 + 1 + 0) / 3
        ("0.5000", "recall@2|denominator:min"),  # (1/2 + 1 + 0) / 3
        ("0.6667", "recall@2|users:both"),  # (1/3 + 1) / 2
        ("0.4000", "recall@2|pooling:pooled"),  # 2 hits of 5 relevant items
    ],
)
def test_the_definitions_with_the_fewest_changes_stand_first(number: str, first: str) -> None:
    (only,) = found(recall=number)
    fewest = [str(match.definition) for match in only.matches if match.changes == only.matches[0].changes]
    assert first in fewest
    assert [match.changes for match in only.matches] == sorted(match.changes for match in only.matches)


def test_every_match_evaluates_to_the_printed_number() -> None:
    problem = Problem.of([case_from_tables(ROWS, TRUE).case], None)
    for number in ("0.50", "0.67", "1.0"):
        (only,) = found(recall=number)
        for match in only.matches:
            value = float(evaluate(match.definition, problem.at(2)).mean[0])
            assert match.values == (value,) and read_printed_number(number).is_printed_for(value)


def test_two_metrics_of_one_table_agree_on_who_counts() -> None:
    (alone,) = found(recall="0.6667")
    # Precision is 1/2 for ann and bob and 0 for cyd; 1/2 comes out where cyd is left out.
    both = found(recall="0.6667", precision="0.5000")
    assert len(both[0].matches) < len(alone.matches)
    chosen = [{match.definition.axes["users"] for match in each.matches} for each in both]
    assert "both" in chosen[0] and chosen[0] <= chosen[1]


def test_numbers_that_go_with_no_one_choice_are_answered_each_by_itself() -> None:
    apart = found(recall="0.4444", precision="0.5000")
    assert all(each.matches for each in apart)


def test_several_cutoffs_narrow_each_other() -> None:
    problem = Problem.of([case_from_tables(ROWS, TRUE).case], None)

    def printed(k: int, text: str) -> Printed:
        return Printed("recall", k, read_printed_number(text))

    def giving(*numbers: Printed) -> Found:
        return definitions_giving(problem, numbers, changes=1)[0]

    # At 1, ann has 1/3 and the others 0: 0.1111. No formula of recall is 0.4444 at 2 and 0.9999 at 1 here.
    one = giving(printed(2, "0.4444"))
    two = giving(printed(2, "0.4444"), printed(1, "0.1111"))
    assert two.matches[0].values == (pytest.approx(4 / 9), pytest.approx(1 / 9))
    assert len(two.matches) <= len(one.matches)
    assert not giving(printed(2, "0.4444"), printed(1, "0.9999")).matches


def test_where_nothing_fits_the_nearest_are_told() -> None:
    (none,) = found(reciprocal_rank="17.25")
    assert none.matches == () and none.nearest
    off = [abs(match.values[0] - 17.25) for match in none.nearest]
    assert off == sorted(off)


def test_what_is_asked_must_have_a_cutoff_and_a_number() -> None:
    with pytest.raises(ValueError, match="recall@20"):
        which(ROWS, TRUE, {"recall": "0.5"})
    with pytest.raises(PrintedNumberError, match="comma"):
        which(ROWS, TRUE, {"recall@2": "0,5"})
