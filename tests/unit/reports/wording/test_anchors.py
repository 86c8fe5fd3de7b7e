"""Anchors: readable where they can be, and always distinct."""

from __future__ import annotations

from recsys_metric_audit.reports.wording.anchors import finding_anchor, fragment, library_anchor
from tests.support.result_samples import finding, library


def test_plain_names_stay_readable() -> None:
    assert library_anchor(library()) == "library/alpha/1.0"
    assert finding_anchor(finding()) == "finding/alpha/1.0/alpha.ndcg/20"
    assert finding_anchor(finding("auc")) == "finding/alpha/1.0/alpha.auc"


def test_names_that_had_to_be_changed_stay_distinct() -> None:
    one, two = fragment("a b"), fragment("a/b")
    assert one.startswith("a-b/") and two.startswith("a-b/") and one != two
    assert len(fragment("x" * 500)) == 80 + 1 + 8, "80 characters, a slash, 8 of the digest"
