"""Functions under another name are found by the end of it; where several could be meant, none is."""

from __future__ import annotations

from recsys_metric_audit.reports.pins.expectation import FunctionExpectation
from recsys_metric_audit.reports.pins.meaning_changes import renamed_functions


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
