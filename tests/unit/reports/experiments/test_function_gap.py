"""Two functions of one name on the same predictions, by the definitions that an audit found."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reports.experiments.function_gap import FunctionGap
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, Outcome
from recsys_metric_audit.reports.experiments.undocumented_meanings import UndocumentedMeanings
from recsys_metric_audit.reports.model.result import Finding
from tests.support.paper_findings import audited, identified

LOG3 = math.log2(3)

CASE = Case(
    "one list", Predictions(np.zeros(3, int), np.arange(3), np.array([3.0, 2.0, 1.0])),
    Truth(np.zeros(2, int), np.array([1, 2]), np.array([1.0, 1.0])),
)  # fmt: skip
"""One user with hits at ranks 2 and 3 of three."""

CANONICAL = (1 / LOG3 + 1 / 2) / (1 + 1 / LOG3)
CLIPPED = (1 + 1 / LOG3) / (1 + 1)
"""NDCG by hand, with the discount 1 / log2(j + 1) and with 1 / log2(max(j, 2))."""


def gap(findings: tuple[Finding, ...], shows: str, percent: float = 0.0, second: str = "other") -> Outcome:
    made = FunctionGap.model_validate(
        {"kind": "function_gap", "shows": shows, "percent": percent, "datasets": ["any"], "recommenders": ["one"],
         "cutoffs": [3], "first": {"library": "one", "version": "1", "function": "ndcg"},
         "second": {"library": second, "version": "1", "function": "ndcg"}}
    )  # fmt: skip
    return made.run(Bench(audited(*findings), lambda dataset, name: CASE))


def both(one: str, other: str) -> tuple[Finding, Finding]:
    return identified("one", "1", one), identified("other", "1", other)


DIFFERENT = both("ndcg@3|discount:log2_clipped", "ndcg@3")


def test_different_formulas_are_told_with_their_values_by_hand() -> None:
    made = gap(DIFFERENT, "differ")
    assert made.answer is Answer.yes and "log2(max(j, 2))" in made.reason and "the canonical formula" in made.reason
    percent = 100 * (CLIPPED / CANONICAL - 1)
    assert made.lines[-1] == (
        f"one 1 and other 1 for one on any at k = 3: {CLIPPED:.4f} and {CANONICAL:.4f} by the formulas alone "
        f"({percent:+.1f} %)"
    )


def test_one_formula_does_not_differ_whatever_is_done_with_unusual_rows() -> None:
    made = gap(both("ndcg@3|ties:worst", "ndcg@3"), "differ")
    assert made.answer is Answer.no and "both compute ndcg@k" in made.reason


def test_formulas_that_this_data_does_not_tell_apart() -> None:
    assert gap(both("ndcg@3|gain:linear", "ndcg@3"), "differ").answer is Answer.yes_but


@pytest.mark.parametrize(("percent", "answer"), [(1.0, Answer.yes), (90.0, Answer.in_part)])
def test_a_quoted_gap_is_explained_whole_or_in_part(percent: float, answer: Answer) -> None:
    assert gap(DIFFERENT, "explains", percent).answer is answer


def test_definitions_that_pull_the_other_way_explain_nothing() -> None:
    made = gap(both("ndcg@3", "ndcg@3|discount:log2_clipped"), "explains", 18)
    assert made.answer is Answer.no and f"{100 * (CANONICAL / CLIPPED - 1):+.1f} % of the quoted +18 %" in made.reason


def test_a_function_that_was_not_audited_leaves_the_claim_unknown() -> None:
    made = gap(DIFFERENT, "differ", second="nobody")
    assert made.answer is Answer.unknown and made.reason == "nobody 1 is not identified in this audit"


def undocumented(*findings: Finding, libraries: tuple[str, ...] = ("one", "other")) -> Outcome:
    made = UndocumentedMeanings.model_validate({"kind": "undocumented_meanings", "libraries": libraries})
    return made.run(Bench(audited(*findings)))


def found(name: str, **changes: Any) -> Finding:
    return identified(name, "1", "recall@20|denominator:min", **changes)


def test_a_formula_is_counted_if_no_source_states_it_or_its_documentation_another() -> None:
    nowhere, wrong = found("one", verdict="undocumented"), found("other", matches_claim=False)
    made = undocumented(nowhere, wrong)
    assert made.answer is Answer.yes and "1 of 1 formulas (Recall)" in made.reason
    assert any("stated nowhere" in line for line in made.lines)
    assert any("which contradicts its documentation" in line for line in made.lines)
    assert undocumented(nowhere, found("other")).answer is Answer.in_part
    assert undocumented(found("one"), found("other")).answer is Answer.no


def test_libraries_that_were_not_audited_are_named() -> None:
    made = undocumented(found("one", verdict="undocumented"))
    assert made.answer is Answer.in_part and made.reason.endswith("other is not in this audit")
    assert undocumented(found("one"), libraries=("nobody",)).answer is Answer.unknown


def test_unusual_users_and_rows_are_told_and_decide_nothing() -> None:
    made = undocumented(found("one", levels={"who_counts": ("users",)}), libraries=("one",))
    assert made.answer is Answer.no and "1 functions that treat unusual users" in made.reason
    assert "differs besides on users" in made.lines[0]
