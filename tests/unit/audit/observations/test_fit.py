"""A fit that no definition survived: the nearest one, how far it is, and the probe that shows it."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.observations.evidence import gather_evidence
from recsys_metric_audit.audit.observations.fit import Fitting, contradicted
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.audit.process.protocol import Errored, Measured
from recsys_metric_audit.reference.cases import Kind, Probe, User
from recsys_metric_audit.reference.cases.probe import case_from_users
from recsys_metric_audit.reference.definitions.definition import parse

EXACT = Tolerance(1e-9, "float64")
# One hit of two relevant items in a list of one, at k = 2.
SHORT = Probe(Kind("single_user"), case_from_users("short", [User((2,), (2,))]), 2)
# Two hits of three relevant items in a list of two, at k = 2.
FULL = Probe(Kind("single_user"), case_from_users("full", [User((2, 2), (2,))]), 2)


def mean(value: float) -> Measured:
    return Measured(value, None, None, "float", 0.0)


def test_the_nearest_is_what_the_fewest_probes_contradict() -> None:
    # Over k: 1/2 and 1; over the list's length: 1 and 1. The answers are 1 and 0.9.
    tried = [parse("precision@k"), parse("precision@k|denominator:shown")]
    evidence = gather_evidence({"short": mean(1.0), "full": mean(0.9)}, [SHORT, FULL])
    fit = contradicted("single_user", evidence, tried, EXACT, 7)
    assert (fit.definitions, fit.stage, fit.cases) == ((), "single_user", 7)
    assert fit.nearest == tried[1] and fit.counterexample is FULL
    assert fit.residual == pytest.approx(0.1)


def test_of_equally_near_ones_the_canonical_most_is_taken() -> None:
    tried = [parse("precision@k|denominator:shown"), parse("precision@k")]
    fit = contradicted("single_user", gather_evidence({"full": mean(0.9)}, [FULL]), tried, EXACT, 1)
    assert fit.nearest == tried[1]


def test_errors_contradict_only_where_several_users_are_averaged() -> None:
    evidence = gather_evidence({"full": Errored("ValueError", "", ""), "short": mean(0.9)}, [FULL, SHORT])
    assert contradicted("single_user", evidence, [parse("precision@k")], EXACT, 1).counterexample is SHORT
    alone = gather_evidence({"full": Errored("ValueError", "", "")}, [FULL])
    assert contradicted("multi_user", alone, [parse("precision@k")], EXACT, 1).counterexample is FULL


def fitting(told: str, tested: str | None, *unknown: str) -> Fitting:
    hypothesis = None if tested is None else parse(tested)
    return Fitting((parse(told),), 0.0, EXACT, 1, unidentified_axes=unknown, hypothesis=hypothesis)


def test_what_a_definition_was_tested_with_is_assumed_where_it_is_not_identified() -> None:
    found = fitting("ndcg@k", "ndcg@k|users:both|no_list:nan|no_hit:error", "no_hit", "no_list")
    assert found.assumed == {"users": "both", "no_list": "nan", "no_hit": "error"}


def test_nothing_is_assumed_of_a_definition_that_was_changed_since() -> None:
    assert fitting("recall@k", None).assumed == {}
    assert fitting("recall@k", "precision@k").assumed == {}
    assert fitting("recall@k|ties:item_asc", "recall@k", "no_list").assumed == {}
