"""Meanings level by level: what signatures say of each level, and the axes on which two meanings differ."""

from __future__ import annotations

from recsys_metric_audit.reports.model.level_meaning import (
    LevelMeaning,
    Move,
    compared_formulas,
    level_meaning,
    level_moves,
    levels_in_words,
    meaning_of_signatures,
)
from tests.support.result_samples import finding


def test_a_signature_is_told_by_level_and_puts_together_again() -> None:
    text = "ndcg@20|gain:exp2|ideal:all|users:both|no_list:skip|ties:best"
    said = meaning_of_signatures((text,))
    assert said.formulas == ("ndcg@k|gain:exp2|ideal:all",)
    assert (said.who_counts, said.input) == ({"users": "both", "no_list": "skip"}, {"ties": "best"})
    assert said.signature == text.replace("@20", "@k")


def test_axes_that_are_not_known_or_do_not_apply_have_no_value() -> None:
    said = meaning_of_signatures(("ndcg@k|users:both|ties:best",), unknown=("users",), does_not_apply=("ties",))
    assert (said.who_counts, said.input, said.signature) == ({}, {}, "ndcg@k")


def test_a_finding_says_its_own_formula_and_those_that_fit_as_well() -> None:
    found = finding(signature="ndcg@20|users:both", formula="ndcg@20", equivalent=("ndcg@20|gain:exp2",))
    assert level_meaning(found).formulas == ("ndcg@k", "ndcg@k|gain:exp2")
    assert level_meaning(found).who_counts == {"users": "both"}
    assert level_meaning(finding(verdict="unexplained", signature=None)) == LevelMeaning()


def test_moves_are_told_by_level_in_the_order_of_the_levels() -> None:
    old = meaning_of_signatures(("ndcg@k|users:both|ties:best",))
    new = meaning_of_signatures(("ndcg@k|gain:exp2|ties:worst",))
    assert level_moves(old, new) == (
        Move("gain", "binary", "exp2", "formula"),
        Move("users", "both", "truth", "who_counts"),
        Move("ties", "best", "worst", "input"),
    )


def test_an_axis_of_the_formula_moves_only_where_no_value_fits_both() -> None:
    old = meaning_of_signatures(("ndcg@k|gain:exp2", "ndcg@k|gain:exp2|ideal:all"))
    assert level_moves(old, meaning_of_signatures(("ndcg@k|ideal:all",))) == (Move("gain", "exp2", "binary"),)


def test_another_metric_moves_nothing_else() -> None:
    old, new = meaning_of_signatures(("recall@k|users:both",)), meaning_of_signatures(("hit_rate@k",))
    assert level_moves(old, new) == (Move("metric", "recall", "hit_rate"),)


def test_what_became_known_or_unknown_is_no_change() -> None:
    known, unknown = meaning_of_signatures(("ndcg@k|ties:best",)), meaning_of_signatures(("ndcg@k",), unknown=("ties",))
    assert level_moves(known, unknown) == (Move("ties", "best", "not known", "input", "unknown"),)
    assert level_moves(unknown, known) == (Move("ties", "not known", "best", "input", "known"),)
    assert level_moves(unknown, unknown) == ()
    ruled_out = meaning_of_signatures(("ndcg@k",), does_not_apply=("ties",))
    assert level_moves(known, ruled_out)[0].new == "does not apply"
    assert level_moves(unknown, ruled_out) == ()


def test_a_formula_axis_that_one_side_leaves_open_changes_no_formula() -> None:
    """The value shown where an axis is open is the canonical one, which nobody claimed."""
    known, opened = meaning_of_signatures(("ndcg@k|gain:exp2",)), meaning_of_signatures(("ndcg@k",), unknown=("gain",))
    before, after = compared_formulas(known, opened)
    assert before == after
    assert level_moves(known, opened) == (Move("gain", "exp2", "not known", "formula", "unknown"),)


def test_an_axis_that_this_version_does_not_know_moves_nothing() -> None:
    old = meaning_of_signatures(("ndcg@k|mood:good",))
    assert old.formulas == ("ndcg@k|mood:good",)
    assert level_moves(old, meaning_of_signatures(("ndcg@k",))) == ()
    assert level_moves(LevelMeaning(), meaning_of_signatures(("ndcg@k",))) == ()
    before, after = compared_formulas(old, meaning_of_signatures(("ndcg@k",)))
    assert before != after


def test_levels_have_titles() -> None:
    assert levels_in_words(("input", "formula")) == "formula and input handling"
    assert levels_in_words(("formula", "who_counts", "input")) == "formula, who counts and input handling"


def test_a_finding_states_the_rule_for_nobody_at_any_value_and_an_older_one_is_silent_of_it() -> None:
    told = level_meaning(finding(signature="ndcg@20", formula="ndcg@20", definition={"nobody": "nan"}))
    assert (told.who_counts, told.signature) == ({"nobody": "nan"}, "ndcg@k")
    idle = finding(signature="auc", formula="auc", definition={"nobody": "nan"}, cannot_matter={"nobody": "why"})
    assert level_meaning(idle).who_counts == {}
    assert level_meaning(finding(signature="ndcg@20", formula="ndcg@20")).who_counts == {}


def test_the_rule_for_nobody_moves_only_where_both_sides_tell_of_it() -> None:
    silent, unknown = meaning_of_signatures(("ndcg@k",)), meaning_of_signatures(("ndcg@k",), unknown=("nobody",))
    zero = meaning_of_signatures(("ndcg@k|nobody:0",))
    nan = silent.model_copy(update={"who_counts": {"nobody": "nan"}})
    assert level_moves(silent, zero) == level_moves(zero, silent) == level_moves(silent, unknown) == ()
    assert level_moves(nan, zero) == (Move("nobody", "nan", "0", "who_counts"),)
    assert level_moves(zero, unknown) == (Move("nobody", "0", "not known", "who_counts", "unknown"),)
