"""Functions that count who has an item are asked about synthetic data with train rows."""

from __future__ import annotations

from recsys_metric_audit.audit.data.synthetic import synthetic
from recsys_metric_audit.audit.data.synthetic_train import TRAIN_DRAWN
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.questions.initial import DATA, plan
from recsys_metric_audit.audit.questions.own_data import SUFFIXES, change_for, data_for
from recsys_metric_audit.reference.evaluation.evaluate import Problem

RECALL, NOVELTY = Function(name="recall", metric="recall"), Function(name="novelty", metric="novelty")
CASE = synthetic(10, 30).case


def test_each_function_is_asked_about_data_of_its_own() -> None:
    made = plan([RECALL, NOVELTY], CASE, (1, 5), {"random": CASE})
    asked = {ask.case: ask.functions for ask in made.asks if ask.id in made.data}
    assert asked == {DATA: ("recall",), DATA + SUFFIXES[TRAIN_DRAWN]: ("novelty",)}
    assert made.cases[DATA] is CASE and len(made.cases[DATA + SUFFIXES[TRAIN_DRAWN]].train.user) >= 30
    assert set(made.other_recommenders.values()) == {"random"}


def test_the_reference_is_given_the_train_rows_too() -> None:
    data = Problem.of([CASE], None)
    assert data_for(RECALL, data) is data
    assert len(data_for(NOVELTY, data).cases[0].train.user) >= 30
    assert data_for(NOVELTY, data) is data_for(NOVELTY, data), "placements are shared"
    assert change_for(NOVELTY)[1] == TRAIN_DRAWN
