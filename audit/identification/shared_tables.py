"""Makes the tables that all identifications of a process share, so that they are there when the first answers are."""

from __future__ import annotations

from recsys_metric_audit.audit.identification.hypotheses.pool_answers import expected_values, pool
from recsys_metric_audit.audit.questions.value_comparison import differing_cases
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.metrics import FAMILIES


def make_tables() -> None:
    """Make the cases on which definitions are compared, and evaluate one definition of each kind on them."""
    # One that reads relevance and one that reads which items are shown; another value makes all parts be compared.
    for metric in ("ndcg", "novelty"):
        canonical = Definition.of(metric)
        for axis in FAMILIES[metric].axes:
            are_equal(canonical, canonical.with_(**{axis.name: axis.names[-1]}))
    one, other = Definition.of("ndcg"), Definition.of("recall")
    expected_values(one, pool(items_of="", all_listed=False, k=None)[1])
    differing_cases((one, other), per_user=False, whole_gains=False)
