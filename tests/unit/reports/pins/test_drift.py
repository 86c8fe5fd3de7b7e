"""Drift between two expectations: its kind, and the axes and experiments that moved."""

from __future__ import annotations

from recsys_metric_audit.reports.model.level_meaning import Move, meaning_of_signatures
from recsys_metric_audit.reports.pins.drift import Drift, find_drift, same_meaning
from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, VersionExpectation


def test_sets_of_formulas_are_compared_as_sets() -> None:
    """Fewer that fit: the file has to follow. None that fitted before: the meaning changed. Another order: nothing."""
    old = expectation("ambiguous", "ndcg@k|gain:exp2", "ndcg@k|gain:linear")
    assert list(drift(old, expectation("ambiguous", "ndcg@k|gain:linear", "ndcg@k|gain:exp2"))) == []
    assert drift(old, expectation("variant", "ndcg@k|gain:exp2")) == ["stale"]
    assert drift(old, expectation("variant", "ndcg@k|gain:square_minus_1")) == ["changed"]
    assert drift(old, expectation("agrees", "ndcg@k")) == ["stale"]
    assert drift(old, expectation("agrees", "ndcg@k"), to="2.0") == ["changed"]
    assert drift(old, expectation("variant", "ndcg@k|gain:exp2"), to="2.0") == ["unclear"]
    assert drift(old, expectation("unexplained")) == ["changed"]


def expectation(verdict: str, *definitions: str) -> FunctionExpectation:
    said = meaning_of_signatures(definitions).model_dump() if definitions else {}
    return FunctionExpectation(metric="ndcg", status="measured", verdict=verdict, **said)


def drift(old: FunctionExpectation, new: FunctionExpectation, to: str = "1.0") -> list[str]:
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
    assert drift(one, expectation("undocumented", "precision@k|users:all|undefined:0")) == []
    assert drift(one, expectation("undocumented", "precision@k|users:all|undefined:1")) == ["changed"]
    listed = expectation("agrees", "ndcg@k|no_list:skip")
    assert drift(listed, expectation("agrees", "ndcg@k|users:both")) == []


def test_a_policy_that_acts_on_users_who_are_not_told_is_drift() -> None:
    """Over users with relevant items alone no policy for others acts; the adapter may choose others."""
    hidden = {"does_not_apply": ("users",)}
    zero, one = (
        expectation("agrees", f"ndcg@k|users:all|undefined:{value}").model_copy(update=hidden) for value in ("0", "1")
    )
    assert drift(zero, one) == ["changed"]
    assert drift(zero, zero) == []


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
    assert drift(old, new, to="2.0") == []


def test_no_warning_where_a_version_is_lost_new_broken_or_stale() -> None:
    for kind in ("lost", "new", "broken", "stale", "unclear", "unaccepted"):
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
