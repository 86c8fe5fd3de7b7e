"""Tests that what identifications share is made ahead."""

from __future__ import annotations

from audit.identification.hypotheses.pool_answers import expected_values, pool
from audit.identification.shared_tables import make_tables
from reference.definitions.definition import Definition


def test_what_was_made_ahead_is_not_made_again() -> None:
    expected_values.cache_clear()  # of another test
    make_tables()
    made = expected_values.cache_info().misses
    expected_values(Definition.of("ndcg"), pool(all_listed=False)[1])
    assert expected_values.cache_info().misses == made > 0
