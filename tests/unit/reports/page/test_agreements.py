"""The library versions that compute one meaning."""

from __future__ import annotations

from recsys_metric_audit.reports.page.matrix import agreements
from recsys_metric_audit.reports.page.page import build_page
from tests.support.result_samples import differing, finding, library, result


def test_library_versions_with_the_same_formula_are_known_as_the_same() -> None:
    versions = [library("alpha", "1.0"), library("beta", "2"), library("gamma", "3"), library("delta", "4")]
    found = (
        finding(), finding(name="beta", version="2"), differing("ndcg", "gamma", "gain", "exp2", 0.1, version="3"),
        finding(name="delta", version="4", verdict="unexplained", signature=None, definition={}),
    )  # fmt: skip
    made = build_page(result(libraries=tuple(versions), findings=found))
    same = {line.title: line.same for line in made.matrices[0].rows}
    assert same["Alpha"] == same["Beta"]
    assert len({same["Alpha"], same["Gamma"], same["Delta"]}) == 3
    ((name, _, groups),) = made.agreements
    assert name == "NDCG"
    assert [(g.label, g.libraries, g.versions) for g in groups] == [
        ("canonical", "Alpha 1.0; Beta 2", 2),
        ("gain 2^g - 1", "Gamma 3", 1),
    ]


def test_what_is_not_identified_agrees_with_nothing() -> None:
    lost = {"verdict": "unexplained", "signature": None, "definition": {}}
    assert agreements(result(libraries=(library(),), findings=(finding(**lost),)), 20) == ()


def test_versions_of_one_library_stand_together_and_the_largest_group_first() -> None:
    entries = (library("beta"), library("alpha", "2.0"), library("alpha", "1.0"))
    found = (differing("ndcg", "beta", "gain", "exp2", 0.1), finding(version="2.0"), finding(version="1.0"))
    ((_, _, groups),) = agreements(result(libraries=entries, findings=found), 20)
    assert [(group.libraries, group.versions) for group in groups] == [("Alpha 2.0 and 1.0", 2), ("Beta 1.0", 1)]
