"""Judgement of answers to held-out cases: two users, recall at 2 by hand.

ann has one hit of three relevant items, bob one of one: 1/3 and 1, over min(k, r) 1/2 and 1.
"""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.observations.fit import Fit, Fitting
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.audit.process.protocol import Crashed, Errored, Measured, Outcome, Unaskable
from recsys_metric_audit.audit.refutation.draft import Draft, DraftUser
from recsys_metric_audit.audit.refutation.held_out_cases import CASES, RARE
from recsys_metric_audit.audit.refutation.judgement import evidence_of, is_refused, mispredicted, predicts, variant
from recsys_metric_audit.audit.refutation.unusual_features import FEATURES, Setting
from recsys_metric_audit.reference.definitions.definition import parse

ANN = DraftUser(1, ((10, 1.0), (11, 0.5)), ((10, 4.0), (12, 4.0), (13, 4.0)))
BOB = DraftUser(2, ((10, 1.0), (11, 0.5)), ((11, 4.0),))
PROBES = tuple(
    Draft(users, (10, 11, 12, 13), 3.5, 2).probe(name) for name, users in (("both", (ANN, BOB)), ("bob", (BOB,)))
)
RECALL, MIN = parse("recall@k"), parse("recall@k|denominator:min")


def fit(*unidentified: str) -> Fit:
    return Fitting((RECALL,), 0.0, Tolerance(1e-9, "float64"), 9, unidentified_axes=unidentified)


def mean(number: float) -> Outcome:
    return Measured(number, None, None, "float", 0.0)


def masks(answers: dict[str, Outcome], *unidentified: str) -> list[list[bool]]:
    evidence = evidence_of(answers, PROBES)
    return [mispredicted(each, fit(*unidentified), evidence).tolist() for each in (RECALL, MIN)]


def test_a_case_is_mispredicted_where_its_number_is_another() -> None:
    assert masks({"both": mean(2 / 3), "bob": mean(1.0)}) == [[False, False], [True, False]]
    assert masks({"both": mean(3 / 4), "bob": mean(1.0)}) == [[True, False], [False, False]]
    assert masks({"both": mean(0.9), "bob": mean(0.9)}) == [[True, True], [True, True]]


def test_neither_refusals_nor_missing_answers_are_mispredicted() -> None:
    assert masks({"both": Errored("ValueError", "no", "")}) == [[False, False], [False, False]]


def test_an_axis_that_is_not_known_explains_any_of_its_values() -> None:
    quadratic = ((1 / 9 + 1) / 2) ** 0.5  # the quadratic mean of 1/3 and 1
    answers = {"both": mean(quadratic), "bob": mean(1.0)}
    assert masks(answers)[0] == [True, False]
    assert masks(answers, "mean")[0] == [False, False]
    assert predicts(RECALL, fit("mean"), evidence_of(answers, PROBES))
    assert not predicts(RECALL, fit(), evidence_of(answers, PROBES))


@pytest.mark.parametrize(
    ("outcome", "refused"),
    [
        (Errored("ValueError", "no", ""), True), (Unaskable("no"), True), (Crashed(-9, ""), False), (mean(1.0), False),
        (None, False),
    ],
)  # fmt: skip
def test_only_the_library_and_its_adapter_refuse(outcome: Outcome | None, refused: bool) -> None:
    assert is_refused(outcome) is refused


@pytest.mark.slow
def test_a_series_is_named_by_what_it_is_without() -> None:
    made = variant(0, frozenset({"ties", "repeated items"}), Setting(), None)
    assert made.probes[0].name == "held-out case 1.1 without repeated items, ties"
    assert variant(1, frozenset(), Setting(), None).probes[2].name == "held-out case 2.3"
    assert all(probe.k == 7 for probe in variant(0, frozenset(), Setting(), 7).probes)


def test_cases_of_which_nobody_is_left_are_left_out() -> None:
    made = variant(0, frozenset(FEATURES), Setting(), None)
    assert len(made.drafts) == len(made.probes) == len(made.problem.cases) <= CASES + RARE
    assert all(draft.users for draft in made.drafts)
