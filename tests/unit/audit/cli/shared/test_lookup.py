"""What a subject of ``audit explain`` names, and what to type where it names nothing; nothing is printed here."""

from __future__ import annotations

import pytest

from recsys_metric_audit import parse
from recsys_metric_audit.audit.cli.shared.lookup import (
    AuditedFunction,
    ChoosingGuide,
    Metric,
    documented_definitions,
    look_up,
)
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.catalogue import CATALOGUE
from recsys_metric_audit.reports.model.default_run import LoadedRun
from tests.support.result_samples import finding, library
from tests.support.result_samples import result as sample

RUN = LoadedRun(
    sample(
        libraries=(library(), library(version="2.0")),
        findings=(
            finding(function="alpha.metrics.ndcg"),
            finding(version="2.0", function="alpha.metrics.ndcg"),
            finding("recall", function="alpha.metrics.recall"),
        ),
    ),
    "this run",
)


def never() -> LoadedRun:
    raise AssertionError("no run is needed for this")


def test_what_is_no_function_needs_no_run() -> None:
    assert look_up("choosing", never) == ChoosingGuide()
    assert look_up("ndcg", never) == Metric("ndcg")
    assert look_up("ndcg@20|gain:exp2", never) == parse("ndcg@20|gain:exp2")


def test_a_function_is_found_in_every_version_or_in_the_one_named() -> None:
    both = look_up("alpha:ndcg", lambda: RUN)
    assert isinstance(both, AuditedFunction)
    assert [(each.version, each.function) for each in both.findings] == [
        ("1.0", "alpha.metrics.ndcg"), ("2.0", "alpha.metrics.ndcg"),
    ]  # fmt: skip
    assert both.origin == "this run"
    one = look_up("alpha==2.0:alpha.metrics.ndcg", lambda: RUN)
    assert isinstance(one, AuditedFunction)
    assert [each.version for each in one.findings] == ["2.0"]


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("ndgc", "did you mean 'ndcg'", "one of: hit_rate"),
        ("ndcg@20|gain:exp", "\n  ndcg@20|gain:exp\n  " + " " * 13 + "^", "audit explain ndcg lists its axes"),
        ("alpha", "alpha is a library", "name one of its functions: alpha:alpha.metrics.ndcg"),
        ("alpha==2.0", "alpha==2.0 is a library", "functions: alpha==2.0:alpha.metrics.ndcg"),
        ("beta:ndcg", "this run: no library 'beta'", "audit run -l beta, then audit explain beta:ndcg"),
        ("alpha==3.0:ndcg", "this run: no version 3.0 of alpha", "it holds 1.0, 2.0"),
        ("alpha:ndgc", "this run: alpha has no function 'ndgc'", "audit explain alpha:alpha.metrics.ndcg"),
    ],
)
def test_what_names_nothing_says_what_to_type(text: str, message: str, hint: str) -> None:
    with pytest.raises(UserError) as raised:
        look_up(text, lambda: RUN)
    assert message in raised.value.message and hint in raised.value.hint


def test_documented_definitions_of_one_metric_or_of_all() -> None:
    assert len(documented_definitions(None)) == len(CATALOGUE)
    assert {each.definition.metric for each in documented_definitions("ndcg")} == {"ndcg"}
    with pytest.raises(UserError, match="there is no metric 'ndgc'"):
        documented_definitions("ndgc")
