"""Meanings of findings."""

from __future__ import annotations

from reports.wording.meanings import meaning
from tests.support.result_samples import differing, finding


def test_a_meaning_leaves_the_cutoff_open_and_only_the_cutoff() -> None:
    found = differing("ndcg", "alpha", "no_hit", "1/k", 0.1)
    assert meaning(found) == "ndcg@k|no_hit:1/k"
    assert meaning(finding("auc")) == "auc"
    assert meaning(finding(verdict="ambiguous")) == ""
