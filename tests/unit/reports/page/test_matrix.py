"""The matrix of library versions and metrics: cells, shares, versions with the same meanings."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reports.page.matrix import columns, matrices, matrix_cell, meaning_numbers
from recsys_metric_audit.reports.page.page import build_page
from recsys_metric_audit.reports.wording.variant_letters import assign_letters
from tests.support.result_samples import differing, finding, library, lost, result


def test_the_matrix_has_a_cell_for_every_library_and_metric() -> None:
    matrix = build_page(result()).matrices[0]
    assert [name for name, _ in matrix.metrics] == ["HitRate", "MAP", "MRR", "NDCG", "Precision", "Recall", "AUC"]
    beta = next(line for line in matrix.rows if line.title == "Beta")
    assert [(s.text, s.mark, s.label) for s in beta.cells[:4]] == [
        ("1.151", "a", "counts the hits"),
        ("0.032", "a", "divides by r"),
        ("0.186", "", "canonical"),
        ("0.093", "", "canonical"),
    ]
    assert beta.cells[3].also == 1, "ndcg has a second function, with another gain"
    assert [s.equal for s in beta.cells[:4]] == [False, False, True, True]
    counts = {share.verdict: share.count for share in matrix.shares}
    assert counts == {
        "agrees": 14, "variant": 6, "undocumented": 1, "ambiguous": 1, "unexplained": 1, "unstable": 1,
        "not_offered": 1, "failed": 1, "crashed": 1, "timed_out": 1,
    }  # fmt: skip
    assert sum(share.width for share in matrix.shares) == pytest.approx(1000, abs=1)


def test_versions_with_one_meaning_in_every_metric_share_a_number() -> None:
    versions = [library("alpha", "1.0"), library("beta", "2"), library("gamma", "3"), library("delta", "4")]
    found = (
        finding(), finding(name="beta", version="2"), differing("ndcg", "gamma", "gain", "exp2", 0.1, version="3"),
        finding(name="delta", version="4", verdict="unexplained", signature=None, definition={}),
    )  # fmt: skip
    numbers = meaning_numbers(result(libraries=tuple(versions), findings=found))
    assert numbers["alpha", "1.0"] == numbers["beta", "2"]
    assert len(set(numbers.values())) == 3


def test_a_cell_without_a_value_shows_its_status_or_that_values_are_per_user() -> None:
    marks = assign_letters(result())
    assert matrix_cell(None, 0, marks, None).text == "–"
    late = matrix_cell(lost("auc", "gamma", "timed_out", "no answer within 120 s"), 1, marks, None)
    assert (late.verdict, late.more) == ("timed_out", "gamma.auc: no answer within 120 s")
    assert matrix_cell(finding(value=None), 1, marks, None).text == "per user"


def test_columns_are_those_of_the_paper_then_the_others() -> None:
    found = [finding(metric) for metric in ("recall", "ndcg")]
    other = found[0].model_copy(update={"metric": "novelty"})
    assert columns([other, *found]) == ["ndcg", "recall", "novelty"]


def test_there_is_a_matrix_for_every_cut_off() -> None:
    assert [each.k for each in matrices(result(k=(20, 5)))] == [20, 5]
