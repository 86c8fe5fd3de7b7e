"""Functions that take whole gains only are asked no others, and compared on what they were asked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recsys_metric_audit.audit.libraries.contract import Takes
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.questions.distinguishing import differing_inputs, distinguishing_inputs
from recsys_metric_audit.audit.questions.initial import DATA, plan
from recsys_metric_audit.audit.questions.own_data import SUFFIXES, data_for
from recsys_metric_audit.audit.questions.whole_gains import ROUNDED, has_whole_gains, with_whole_gains
from recsys_metric_audit.reference.cases.probe import case_from_rows
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case

WHOLE = SUFFIXES[ROUNDED]
ANY = Function(name="any", metric="ndcg")
ONLY_WHOLE = Function(name="whole", metric="ndcg", takes=Takes(gains="whole"))


def case(*gains: float) -> Case:
    rows = list(enumerate(gains, 11))
    recommended = [(1, item, 1.0 - item / 100) for item, _ in rows]
    return case_from_rows("own", recommended, [(1, item, gain) for item, gain in rows], [], why="own")


def gains(of: Case) -> Sequence[float]:
    out: list[float] = of.truth.gain.tolist()
    return out


def test_gains_are_rounded_up_to_whole_numbers_from_0_up() -> None:
    assert gains(with_whole_gains(case(4.5, 0.25, 3.0, 0.0, -0.5, -2.0))) == [5.0, 1.0, 3.0, 0.0, 0.0, 0.0]
    whole = case(4.0, 0.0)
    assert with_whole_gains(whole) is whole
    assert [has_whole_gains(each) for each in (whole, case(0.5), case(-1.0), case())] == [True, False, False, True]


def test_the_reference_is_given_the_rounded_gains_too() -> None:
    data = Problem.of([case(0.5, 3.5)], None)
    assert data_for(ANY, data) is data
    asked = data_for(ONLY_WHOLE, data).at(2)
    # (1 + 4 / log2 3) / (4 + 1 / log2 3): gains of 1 and 4 at ranks 1 and 2.
    expected = (1 + 4 / np.log2(3)) / (4 + 1 / np.log2(3))
    assert np.isclose(evaluate(parse("ndcg@2|gain:linear"), asked).mean[0], expected)
    whole = Problem.of([case(1.0, 4.0)], None)
    assert data_for(ONLY_WHOLE, whole) is whole
    assert data_for(ONLY_WHOLE, data) is data_for(ONLY_WHOLE, data), "placements are shared"


def test_each_function_is_asked_about_the_data_that_it_takes() -> None:
    made = plan([ANY, ONLY_WHOLE], case(4.5, 2.0), (1, 5), {"random": case(1.5)})
    asked = {ask.case: ask.functions for ask in made.asks if ask.id in made.data}
    assert asked == {DATA: ("any",), DATA + WHOLE: ("whole",)}
    assert gains(made.cases[DATA + WHOLE]) == [5.0, 2.0]
    others = {made.asks[number].functions: made.cases[made.asks[number].case] for number in made.other_recommenders}
    assert {functions: gains(each) for functions, each in others.items()} == {("any",): [1.5], ("whole",): [2.0]}
    assert set(made.other_recommenders.values()) == {"random"}


def test_whole_data_are_asked_of_all_at_once() -> None:
    made = plan([ANY, ONLY_WHOLE], case(4.0, 2.0), (1,))
    assert [ask.functions for ask in made.asks if ask.id in made.data] == [("any", "whole")]
    alone = plan([ONLY_WHOLE], case(4.5), (1,))
    assert DATA not in alone.cases and len(alone.data) == 1


def test_inputs_are_chosen_among_those_with_whole_gains() -> None:
    rules = [parse("recall@k|relevance:every_row"), parse("recall@k|relevance:positive")]
    every = [probe for probe, _ in differing_inputs(rules)]
    left = [probe for probe, _ in differing_inputs(rules, whole_gains=True)]
    assert left and all(has_whole_gains(probe.case) for probe in left)
    assert not all(has_whole_gains(probe.case) for probe in every)
    (chosen, *_) = distinguishing_inputs(rules, frozenset(), whole_gains=True)
    assert chosen in left
    asked = frozenset(probe.name for probe in left)
    assert distinguishing_inputs(rules, asked) and not distinguishing_inputs(rules, asked, whole_gains=True)
