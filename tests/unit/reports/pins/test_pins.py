"""Pins: expectations, drift, changes of meaning, histories and badges."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.audit.behaviours.experiments import EXPERIMENTS
from recsys_metric_audit.reports.model.level_meaning import Move, meaning_of_signatures
from recsys_metric_audit.reports.model.result import REFUSED, Behaviour, EvidenceSummary
from recsys_metric_audit.reports.pins import drift
from recsys_metric_audit.reports.pins.drift import Drift, find_drift, level_of_experiment, same_meaning
from recsys_metric_audit.reports.pins.expectation import (
    FunctionExpectation,
    VersionExpectation,
    function_expectation,
    meaning_lines,
    version_expectation,
)
from recsys_metric_audit.reports.pins.meaning_changes import (
    FormulaWitness,
    VersionStep,
    renamed_functions,
    smallest_list,
    version_steps,
)
from recsys_metric_audit.reports.pins.version_history import version_history
from tests.support.result_samples import finding, library, lost, result

# Expectations: what of a finding is pinned.


def test_all_definitions_are_pinned_with_their_cutoff_open_and_only_what_was_asked() -> None:
    asked = {"ties": Behaviour(name="shared"), "empty": Behaviour(name="zero"), "nan": Behaviour(name="not_asked")}
    found = finding(verdict="ambiguous", equivalent=("ndcg@20|ideal:all", "ndcg@20"), behaviours=asked)
    pinned = function_expectation(found)
    assert pinned.formulas == ("ndcg@k", "ndcg@k|ideal:all")
    assert list(pinned.behaviours.items()) == [("empty", "zero"), ("ties", "shared")]
    assert pinned.words == "ndcg@k (or 1 more formula)"


def test_words_without_a_definition() -> None:
    assert function_expectation(lost("ndcg", "alpha", "timed_out", "slow")).words == "timed out"
    assert FunctionExpectation(metric="ndcg", status="measured", verdict="unexplained").words == "unexplained"


def test_levels_are_pinned_apart() -> None:
    found = finding(
        signature="ndcg@20|gain:exp2|users:both|ties:best", formula="ndcg@20|gain:exp2", unknown=("no_list",),
        does_not_apply={"order": "a ranked list"}, verdict="variant",
    )  # fmt: skip
    pinned = function_expectation(found)
    assert pinned.formulas == ("ndcg@k|gain:exp2",)
    assert (pinned.who_counts, pinned.input) == ({"users": "both"}, {"ties": "best"})
    assert (pinned.unknown, pinned.does_not_apply) == (("no_list",), ("order",))
    assert pinned.words == "ndcg@k|gain:exp2|users:both|ties:best"


def test_what_is_assumed_is_pinned_and_is_no_meaning() -> None:
    found = finding(signature="ndcg@20", does_not_apply={"order": "a ranked list"}, assumed={"order": "rows"})
    pinned = function_expectation(found)
    assert pinned.assumed == {"order": "rows"}
    assert same_meaning(pinned, function_expectation(finding(signature="ndcg@20", does_not_apply={"order": "a"})))
    assert pinned.words == "ndcg@k"


def test_a_version_has_its_own_functions_only() -> None:
    two = (library(), library(version="2.0"))
    made = result(libraries=two, findings=(finding(), finding(version="2.0", function="alpha.new")))
    assert list(version_expectation(made, "alpha", "2.0").functions) == ["alpha.new"]


# Every experiment has one level, and none is named that does not exist.


def test_the_tables_name_experiments_that_exist_and_none_twice() -> None:
    known = {experiment.name for experiment in EXPERIMENTS}
    assert known >= drift._WHO_COUNTS | drift._INPUT
    assert not drift._WHO_COUNTS & drift._INPUT


def test_a_missing_user_is_about_who_counts_and_a_tie_about_input() -> None:
    assert level_of_experiment("no_truth") == "who_counts"
    assert level_of_experiment("ties") == "input"
    assert level_of_experiment("perfect") == "formula"


def test_what_holds_of_ordinary_input_is_about_the_formula() -> None:
    formula = {each.name for each in EXPERIMENTS if level_of_experiment(each.name) == "formula"}
    assert formula == {
        "perfect", "worst", "per_user", "repeated_call", "other_metrics", "several_k", "hash_seed", "range",
        "second_route",
    }  # fmt: skip


# Drift between two expectations: its kind, and the axes and experiments that moved.


def test_sets_of_formulas_are_compared_as_sets() -> None:
    """Fewer that fit: the file has to follow. None that fitted before: the meaning changed. Another order: nothing."""
    old = expectation("ambiguous", "ndcg@k|gain:exp2", "ndcg@k|gain:linear")
    assert list(drift_of(old, expectation("ambiguous", "ndcg@k|gain:linear", "ndcg@k|gain:exp2"))) == []
    assert drift_of(old, expectation("variant", "ndcg@k|gain:exp2")) == ["stale"]
    assert drift_of(old, expectation("variant", "ndcg@k|gain:square_minus_1")) == ["changed"]
    assert drift_of(old, expectation("agrees", "ndcg@k")) == ["stale"]
    assert drift_of(old, expectation("agrees", "ndcg@k"), to="2.0") == ["changed"]
    assert drift_of(old, expectation("variant", "ndcg@k|gain:exp2"), to="2.0") == ["unclear"]
    assert drift_of(old, expectation("unexplained")) == ["changed"]


def expectation(verdict: str, *definitions: str) -> FunctionExpectation:
    said = meaning_of_signatures(definitions).model_dump() if definitions else {}
    return FunctionExpectation(metric="ndcg", status="measured", verdict=verdict, **said)


def drift_of(old: FunctionExpectation, new: FunctionExpectation, to: str = "1.0") -> list[str]:
    before, after = (
        VersionExpectation(library="a", version=version, dataset="d", k=20, functions={"a.ndcg": one})
        for version, one in (("1.0", old), (to, new))
    )
    return [each.kind for each in find_drift(before, after)]


def version(number: str, **functions: FunctionExpectation) -> VersionExpectation:
    return VersionExpectation(library="a", version=number, dataset="d", k=20, functions=functions)


def test_functions_that_came_went_or_broke() -> None:
    measured = expectation("agrees", "ndcg@k")
    broken = FunctionExpectation(metric="ndcg", status="failed")
    absent = FunctionExpectation(metric="ndcg", status="not_offered")
    old = version("1.0", gone=measured, breaks=measured, mended=broken, never=absent, left=absent)
    new = version("2.0", breaks=broken, mended=measured, fresh=measured, never=absent)
    found = {each.function: (each.kind, each.old, each.new, each.against) for each in find_drift(old, new)}
    assert found == {
        "breaks": ("lost", "ndcg@k (agrees)", "failed", "1.0"),
        "mended": ("new", "failed", "ndcg@k (agrees)", "1.0"),
        "fresh": ("new", "not there", "ndcg@k (agrees)", "1.0"),
        "gone": ("lost", "ndcg@k (agrees)", "not there", "1.0"),
    }


def one_drift(old: FunctionExpectation, new: FunctionExpectation, to: str = "1.0") -> Drift:
    (found,) = find_drift(version("1.0", f=old), version(to, f=new))
    return found


def test_only_experiments_asked_on_both_sides_can_move() -> None:
    one = expectation("agrees", "ndcg@k").model_copy(update={"behaviours": {"empty_lists": "zero", "ties": "raises"}})
    two = expectation("agrees", "ndcg@k").model_copy(update={"behaviours": {"empty_lists": "one", "nan": "shared"}})
    found = one_drift(one, two)
    assert (found.kind, found.moves) == ("behaviour", (Move("empty_lists", "zero", "one", "who_counts"),))


def test_ties_without_a_rule_on_both_sides_are_no_drift_whatever_a_short_list_showed() -> None:
    """Short lists show no rule of an unstable sort: what it does to two rows depends on the processor."""
    other = expectation("agrees", "ndcg@k|ties:other").model_copy(update={"behaviours": {"ties": "row_order"}})
    plain = expectation("agrees", "ndcg@k").model_copy(update={"behaviours": {"ties": "reverse_row_order"}})
    refuted = plain.model_copy(update={"unknown": ("ties",)})
    assert list(find_drift(version("1.0", f=other), version("1.0", f=refuted))) == []
    assert list(find_drift(version("1.0", f=refuted), version("1.0", f=other))) == []
    assert one_drift(other, plain).kind == "changed"  # a rule is a rule: rows as given
    assert [move.name for move in one_drift(plain, refuted).moves] == ["ties"]


def test_equal_definitions_in_other_words_are_no_drift() -> None:
    one = expectation("undocumented", "precision@k|users:all|undefined:formula")
    assert drift_of(one, expectation("undocumented", "precision@k|users:all|undefined:0")) == []
    assert drift_of(one, expectation("undocumented", "precision@k|users:all|undefined:1")) == ["changed"]
    listed = expectation("agrees", "ndcg@k|no_list:skip")
    assert drift_of(listed, expectation("agrees", "ndcg@k|users:both")) == []


def test_a_policy_that_acts_on_users_who_are_not_told_is_drift() -> None:
    """Over users with relevant items alone no policy for others acts; the adapter may choose others."""
    hidden = {"does_not_apply": ("users",)}
    zero, one = (
        expectation("agrees", f"ndcg@k|users:all|undefined:{value}").model_copy(update=hidden) for value in ("0", "1")
    )
    assert drift_of(zero, one) == ["changed"]
    assert drift_of(zero, zero) == []


def test_a_drift_says_on_which_levels_and_is_titled_by_the_first() -> None:
    old = expectation("agrees", "ndcg@k|users:both|ties:best")
    formula = one_drift(old, expectation("variant", "ndcg@k|gain:exp2|ties:best"))
    who = one_drift(old, expectation("agrees", "ndcg@k|ties:worst"))
    handling = one_drift(old, expectation("agrees", "ndcg@k|users:both"))
    assert [each.levels for each in (formula, who, handling)] == [
        ("formula", "who_counts"), ("who_counts", "input"), ("input",),
    ]  # fmt: skip
    assert [each.title for each in (formula, who, handling)] == [
        "computes another formula", "counts users otherwise", "handles unusual input otherwise",
    ]  # fmt: skip
    assert [each.is_warning for each in (formula, who, handling)] == [False, False, True]


def test_input_handling_that_changed_beside_who_counts_is_no_warning() -> None:
    """The tie rule is another axis value; that a user without truth raises now shows in an experiment only."""
    old = expectation("agrees", "ndcg@k").model_copy(update={"behaviours": {"no_truth": "skipped"}})
    new = expectation("agrees", "ndcg@k|ties:best").model_copy(update={"behaviours": {"no_truth": "raises"}})
    found = one_drift(old, new)
    assert (found.kind, found.levels, found.is_warning) == ("changed", ("who_counts", "input"), False)


def test_behaviours_warn_by_their_level() -> None:
    for name, warns in (("ties", True), ("no_list", False), ("perfect", False)):
        sides = [
            expectation("agrees", "ndcg@k").model_copy(update={"behaviours": {name: what}}) for what in ("zero", "one")
        ]
        assert one_drift(*sides).is_warning is warns, name


def test_what_became_known_or_unknown_is_told_apart_from_what_changed() -> None:
    known = expectation("agrees", "ndcg@k|users:both")
    unknown = expectation("agrees", "ndcg@k").model_copy(update={"unknown": ("users",)})
    for old, new, kind in ((known, unknown, "unknown"), (unknown, known, "known")):
        found = one_drift(old, new)
        assert (found.kind, found.levels, found.is_warning) == ("known", (), True)
        assert [(move.name, move.kind) for move in found.moves] == [("users", kind)]
        assert same_meaning(old, new)
    assert not same_meaning(known, expectation("agrees", "ndcg@k"))


def test_who_documents_a_formula_is_drift_of_the_pin_and_not_between_versions() -> None:
    old, new = expectation("undocumented", "ndcg@k|ideal:listed"), expectation("variant", "ndcg@k|ideal:listed")
    found = one_drift(old, new)
    assert (found.kind, found.is_warning) == ("documented", True)
    assert drift_of(old, new, to="2.0") == []


def test_data_that_are_refused_by_one_side_only_are_drift() -> None:
    valued = version("1.0", f=expectation("agrees", "ndcg@k"))
    refused = valued.model_copy(update={"no_value": "ValueError: one item"})
    (found,) = find_drift(valued, refused)
    assert (found.kind, found.function, found.old, found.new) == (
        "refused",
        "",
        "a value",
        "no value: ValueError: one item",
    )
    assert [each.kind for each in find_drift(refused, valued)] == ["refused"]
    assert not [*find_drift(refused, refused.model_copy(update={"no_value": "ValueError: in other words"}))]


def test_a_pin_tells_why_nothing_has_a_value() -> None:
    told = finding(value=None, evidence=EvidenceSummary(range={"data": f"{REFUSED}ValueError: one item"}))
    made = version_expectation(result(findings=(told,)), "alpha", "1.0")
    assert made.no_value == "ValueError: one item"
    assert meaning_lines(made).splitlines() == [
        "  alpha.ndcg  ndcg@k",
        f"  no value on {made.dataset}: {made.no_value}",
    ]
    assert version_expectation(result(findings=(finding(),)), "alpha", "1.0").no_value == ""


def test_no_warning_where_a_version_is_lost_new_broken_or_stale() -> None:
    for kind in ("lost", "new", "broken", "refused", "stale", "unclear", "unaccepted"):
        assert not Drift("a", "1", "f", kind).is_warning


def test_a_signature_that_does_not_parse_any_more_is_another_formula() -> None:
    old = expectation("variant", "ndcg@k|mood:good")
    found = one_drift(old, expectation("variant", "ndcg@k|gain:exp2"))
    assert (found.kind, found.levels, found.moves) == ("changed", ("formula",), ())


def test_functions_that_fail_otherwise_are_neither_warned_of_nor_forgotten() -> None:
    old, new = (FunctionExpectation(metric="ndcg", status=status) for status in ("failed", "timed_out"))
    assert one_drift(old, new).kind == "stale"
    assert one_drift(old, new, to="2.0").kind == "unclear"
    assert not same_meaning(old, new)


# Finds the smallest lists on which two formulas differ, with both values by hand.


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        # One hit in a list of one, k two: 1 / 2 and 1 / min(2, 1).
        ("precision@k", "precision@k|denominator:shown", FormulaWitness((2.0,), (), 2, 1 / 2, 1 / 1)),
        # Two relevant, k one: precision at the hit is 1, over r two and over min(1, 2).
        ("average_precision@k|denominator:r", "average_precision@k", FormulaWitness((2.0, 2.0), (), 1, 1 / 2, 1 / 1)),
        # The only hit stands second: 1 / 2 and nothing.
        ("reciprocal_rank@k", "reciprocal_rank@k|ranks:top_only", FormulaWitness((0.0, 2.0), (), 2, 1 / 2, 0.0)),
        # Only where a relevant item is not listed is the ideal of what is shown another: 1 and 1 / (1 + 1 / log2(3)).
        ("ndcg@k|ideal:shown", "ndcg@k", FormulaWitness((2.0,), (2.0,), 2, 1.0, 1 / (1 + 1 / math.log2(3)))),
    ],
)
def test_smallest_lists(old: str, new: str, expected: FormulaWitness) -> None:
    found = smallest_list(old, new)
    assert found is not None
    assert (found.ranked, found.missed, found.k) == (expected.ranked, expected.missed, expected.k)
    assert (found.old, found.new) == pytest.approx((expected.old, expected.new))


def test_gains_are_told_apart_on_lists_with_several() -> None:
    found = smallest_list("ndcg@k|gain:linear", "ndcg@k|gain:exp2")
    assert found is not None and len({*found.ranked, *found.missed} - {0.0}) > 1


def test_where_every_item_is_listed_none_is_missing() -> None:
    ideals = "ndcg@k|gain:linear|ideal:rows", "ndcg@k|gain:linear"
    found = smallest_list(*ideals)
    assert found is not None and found.missed
    assert smallest_list(*ideals, every_item_listed=True) is None


@pytest.mark.parametrize(
    ("old", "new"), [("recall@k", "recall@k"), ("auc|scope:stacked", "auc"), ("ndcg|no:axis", "ndcg")]
)
def test_none_is_made_up(old: str, new: str) -> None:
    assert smallest_list(old, new) is None


# Tells what changes between versions: only what both state, whatever a function is called in them.

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


# Functions under another name are found by the end of it; where several could be meant, none is.


def functions(**metrics: str) -> dict[str, FunctionExpectation]:
    """Return functions by name (``__`` for a dot), each of a metric."""
    return {
        name.replace("__", "."): FunctionExpectation(metric=metric, status="failed") for name, metric in metrics.items()
    }


def test_a_moved_function_is_found_by_its_last_name_whatever_its_case() -> None:
    found = renamed_functions(functions(old__metrics__ndcg_="ndcg"), functions(new__eval__NDCG="ndcg"))
    assert found == {"new.eval.NDCG": "old.metrics.ndcg_"}


def test_longer_ends_are_paired_first() -> None:
    lost = functions(a__full__auc="auc", a__part__auc="auc")
    came = functions(b__part__auc="auc", b__full__auc="auc")
    assert renamed_functions(lost, came) == {"b.part.auc": "a.part.auc", "b.full.auc": "a.full.auc"}


def test_what_is_left_after_longer_ends_may_be_paired_by_a_shorter_one() -> None:
    lost = functions(a__full__auc="auc", a__part__auc="auc")
    came = functions(b__full__auc="auc", b__other__auc="auc")
    assert renamed_functions(lost, came) == {"b.full.auc": "a.full.auc", "b.other.auc": "a.part.auc"}


def test_nothing_is_paired_that_could_be_two() -> None:
    assert renamed_functions(functions(a__x__f="auc", a__y__f="auc"), functions(b__f="auc")) == {}


def test_metric_and_options_are_part_of_the_name() -> None:
    assert renamed_functions(functions(a__f="auc"), functions(b__f="ndcg")) == {}
    one = {"a.f[x=1]": FunctionExpectation(metric="auc", status="failed")}
    two = {"b.f[x=2]": FunctionExpectation(metric="auc", status="failed")}
    assert renamed_functions(one, two) == {}


# Histories: versions side by side, with the changes between those that ran.


def accepted(number: str, *signatures: str) -> VersionExpectation:
    functions = {
        f"a.f{place}": FunctionExpectation(metric="ndcg", status="measured", verdict="variant", formulas=(each,))
        for place, each in enumerate(signatures)
    }
    return VersionExpectation(library="a", version=number, dataset="d", k=20, functions=functions)


def test_a_version_that_did_not_run_is_skipped_when_its_neighbours_are_compared() -> None:
    away = library("a", "2.0", status="unavailable", reason="no Python")
    known = (
        accepted("1.0", "ndcg@k"),
        away,
        accepted("3.0", "ndcg@k|gain:exp2", "ndcg@k"),
    )
    made = version_history("a", known, ("a.f0", "a.f1"), {"3.0"})
    first, second = made.rows
    assert (made.versions, made.audited) == (("1.0", "2.0", "3.0"), ("3.0",))
    assert [cell.words for cell in first.cells] == ["ndcg@k", "unavailable", "ndcg@k|gain:exp2"]
    assert first.changed_in == ("3.0",)
    assert first.changed_levels == {"3.0": ("formula",)}
    assert first.cells[2].change is not None and first.cells[2].change.against == "1.0"
    assert [cell.words for cell in second.cells] == ["not asked", "unavailable", "ndcg@k"]
    assert second.changed_in == (), "a new function is no change of meaning"
