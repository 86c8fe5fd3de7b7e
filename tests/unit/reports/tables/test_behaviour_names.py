"""Names of behaviours for readers."""

from __future__ import annotations

from recsys_metric_audit.audit.behaviours.experiments import METAMORPHIC_TESTS
from recsys_metric_audit.reports.edges.edge_words import BEHAVIOUR_WORDS
from recsys_metric_audit.reports.tables.behaviour_names import AS_EXPECTED, BEHAVIOUR_MEANINGS, DASHED, readable_name


def test_names_are_read_as_words() -> None:
    assert readable_name("counted_once") == "counted once"
    assert readable_name("a\nb\x1b") == "a b\\x1b"


def test_every_name_with_a_role_or_short_words_has_a_meaning() -> None:
    assert METAMORPHIC_TESTS
    assert {*AS_EXPECTED, *DASHED, *BEHAVIOUR_WORDS} <= set(BEHAVIOUR_MEANINGS)
