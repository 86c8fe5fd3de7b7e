"""Tells what changes between versions: only what both state, whatever a function is called in them."""

from __future__ import annotations

from recsys_metric_audit.reports.model.level_meaning import Move
from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, VersionExpectation
from recsys_metric_audit.reports.pins.meaning_changes import VersionStep, version_steps

CANONICAL, SHOWN = "precision@k", "precision@k|denominator:shown"


def function(formula: str, metric: str = "precision", **fields: object) -> FunctionExpectation:
    stated = {"status": "measured", "verdict": "variant", "formulas": (formula,) if formula else ()}
    return FunctionExpectation.model_validate({"metric": metric, **stated, **fields})


def pin(version: str, **functions: FunctionExpectation) -> VersionExpectation:
    named = {name.replace("__", "."): entry for name, entry in functions.items()}
    return VersionExpectation(library="a", version=version, dataset="d", k=20, functions=named)


def step(old: VersionExpectation, new: VersionExpectation, witness: str = "") -> VersionStep:
    (found,) = version_steps([old, new], {}, lambda *_: witness)
    return found


def test_equal_changes_of_formula_are_one_with_its_witness() -> None:
    old = pin("1", a__f=function(CANONICAL), a__g=function(CANONICAL), a__h=function(CANONICAL))
    found = step(old, pin("2", a__f=function(SHOWN), a__g=function(SHOWN), a__h=function(CANONICAL)))
    (change,) = found.formulas
    assert (change.metric, change.old, change.new, change.functions) == ("precision", CANONICAL, SHOWN, ("a.f", "a.g"))
    assert change.witness is not None and (change.witness.old, change.witness.new) == (0.5, 1.0)
    assert (found.before, found.after, found.compared, found.handling, found.offers) == ("1", "2", 3, (), ())
    assert found.changed


def test_a_function_under_another_name_is_compared_with_its_old_self() -> None:
    found = step(pin("1", old__f_=function(CANONICAL)), pin("2", new__F=function(SHOWN)))
    assert [(change.old, change.new, change.functions) for change in found.formulas] == [(CANONICAL, SHOWN, ("new.F",))]
    assert (found.new_metrics, found.gone_metrics) == ((), ())


def test_who_counts_and_input_handling_are_told_with_an_input_that_shows_them() -> None:
    old = pin("1", a__f=function(CANONICAL, who_counts={"no_list": "nan"}))
    found = step(old, pin("2", a__f=function(CANONICAL, input={"ties": "best"})), "a probe")
    (change,) = found.handling
    assert set(change.moves) == {Move("no_list", "nan", "0", "who_counts"), Move("ties", "given", "best", "input")}
    assert (change.functions, change.witness, found.formulas) == ({"a.f": "precision"}, "a probe", ())


def test_an_input_that_shows_another_formula_is_no_witness_of_handling() -> None:
    old = pin("1", a__f=function(CANONICAL, who_counts={"no_list": "nan"}))
    found = step(old, pin("2", a__f=function(SHOWN)), "a probe")
    assert [change.witness for change in found.handling] == [""]


def test_an_axis_that_one_side_does_not_know_is_no_change() -> None:
    old = pin("1", a__f=function(CANONICAL, unknown=("ties",)))
    found = step(old, pin("2", a__f=function(CANONICAL, input={"ties": "best"})))
    assert not found.changed


def test_what_one_version_does_not_know_is_not_compared() -> None:
    old = pin("1", a__f=function("", verdict="unexplained"), a__g=function("", verdict="unexplained"))
    found = step(old, pin("2", a__f=function(SHOWN), a__g=function("", verdict="unexplained")))
    assert (found.compared, found.not_compared, found.changed) == (0, ("a.f",), False)


def test_formulas_that_no_function_computes_any_more() -> None:
    old = pin("1", a__precision_at=function(CANONICAL), a__also=function("precision@k|denominator:min"))
    found = step(old, pin("2", b__Prec=function(SHOWN), a__also=function("precision@k|denominator:min")))
    (change,) = found.offers
    assert (change.metric, change.gone, change.came) == ("precision", (CANONICAL,), (SHOWN,))
    assert change.witness is not None and change.witness.k == 2
    assert found.changed


def test_a_formula_more_is_no_change_of_meaning() -> None:
    found = step(pin("1", a__f=function(CANONICAL)), pin("2", a__f=function(CANONICAL), a__g=function(SHOWN)))
    assert [(change.gone, change.came, change.witness) for change in found.offers] == [((), (SHOWN,), None)]
    assert not found.changed


def test_a_change_of_formula_is_not_told_twice() -> None:
    new = pin("2", a__f=function(SHOWN), a__g=function(SHOWN))
    assert step(pin("1", a__f=function(CANONICAL)), new).offers == ()


def test_metrics_that_come_and_go() -> None:
    recall = function("recall@k", "recall")
    found = step(pin("1", a__f=function(CANONICAL)), pin("2", a__r=recall))
    assert (found.new_metrics, found.gone_metrics, found.changed) == (("recall",), ("precision",), False)
    offered = function("", "recall", status="not_offered", verdict=None)
    found = step(pin("1", a__r=offered), pin("2", a__r=recall))
    assert found.new_metrics == ("recall",)


def test_a_metric_beyond_accuracy_is_new_only_where_the_older_pin_speaks_of_it() -> None:
    coverage = function("catalogue_coverage@k", "catalogue_coverage")
    plain, new = function(CANONICAL), {"a__f": function(CANONICAL), "a__c": coverage}
    assert step(pin("1", a__f=plain), pin("2", **new)).new_metrics == ()
    missing = function("", "catalogue_coverage", status="not_offered", verdict=None)
    assert step(pin("1", a__f=plain, a__c=missing), pin("2", **new)).new_metrics == ("catalogue_coverage",)
