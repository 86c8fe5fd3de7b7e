"""Tests that what identifications share is made ahead."""

from __future__ import annotations

from recsys_metric_audit.audit.identification.hypotheses.pool_answers import PoolAnswers, expected_values
from recsys_metric_audit.audit.identification.shared_tables import make_tables
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.reference.definitions.definition import Definition


def test_what_was_made_ahead_is_not_made_again() -> None:
    expected_values.cache_clear()  # of another test
    make_tables()
    made = expected_values.cache_info().misses
    answers = PoolAnswers.of(Function(name="f", metric="ndcg"), Observation("f", {}, {}))
    expected_values(Definition.of("ndcg"), answers.initial.problem)
    assert expected_values.cache_info().misses == made > 0
