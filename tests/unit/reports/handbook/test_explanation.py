"""One definition explained: what it equals, and whether a source states it."""

from __future__ import annotations

from recsys_metric_audit import parse
from recsys_metric_audit.reports.handbook.explanation import explain


def test_equals_are_found_across_metrics() -> None:
    assert "recall@k" in explain(parse("hit_rate@20|counts:recall")).equals
    assert "miss_rate@k" not in explain(parse("recall@k")).equals
    assert explain(parse("ndcg@5|discount:ln")).simplified == "ndcg@5"
    assert "discount:ln" in explain(parse("ndcg@5")).inactive
    assert "discount:ln" not in explain(parse("ndcg@5|ideal:none")).inactive


def test_what_nobody_states_is_said_to_be_so() -> None:
    assert explain(parse("ndcg@k|gain:square_minus_1")).status == "documented nowhere that we know"
    assert explain(parse("ndcg@k|discount:ln")).status == "canonical"


def test_what_is_documented_is_told_apart_from_a_documented_formula_of_other_users() -> None:
    assert explain(parse("ndcg@k|gain:exp2")).status == "documented"
    assert explain(parse("ndcg@k|gain:exp2|users:all|undefined:0")).status == "documented in its formula"
    assert explain(parse("ndcg@k|users:all|undefined:0")).status == "canonical in its formula"


def test_what_comes_out_where_nobody_is_left_tells_definitions_apart() -> None:
    assert "recall@k" not in explain(parse("recall@k|nobody:0")).equals
    assert explain(parse("recall@k|nobody:0")).status == "canonical in its formula"
