"""Histories: versions side by side, with the changes between those that ran."""

from __future__ import annotations

from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, VersionExpectation
from recsys_metric_audit.reports.pins.version_history import version_history
from tests.support.result_samples import library


def version(number: str, *signatures: str) -> VersionExpectation:
    functions = {
        f"a.f{place}": FunctionExpectation(metric="ndcg", status="measured", verdict="variant", formulas=(each,))
        for place, each in enumerate(signatures)
    }
    return VersionExpectation(library="a", version=number, dataset="d", k=20, functions=functions)


def test_a_version_that_did_not_run_is_skipped_when_its_neighbours_are_compared() -> None:
    away = library("a", "2.0", status="unavailable", reason="no Python")
    known = (version("1.0", "ndcg@k"), away, version("3.0", "ndcg@k|gain:exp2", "ndcg@k"))
    made = version_history("a", known, ("a.f0", "a.f1"), {"3.0"})
    first, second = made.rows
    assert (made.versions, made.audited) == (("1.0", "2.0", "3.0"), ("3.0",))
    assert [cell.words for cell in first.cells] == ["ndcg@k", "unavailable", "ndcg@k|gain:exp2"]
    assert first.changed_in == ("3.0",)
    assert first.changed_levels == {"3.0": ("formula",)}
    assert first.cells[2].change is not None and first.cells[2].change.against == "1.0"
    assert [cell.words for cell in second.cells] == ["not asked", "unavailable", "ndcg@k"]
    assert second.changed_in == (), "a new function is no change of meaning"
