"""Scatter plots: equal values of users are drawn once for all findings that have them."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reports.model.result import USERS_DRAWN, Bin
from recsys_metric_audit.reports.plots.scatters import draw_scatters
from tests.support.result_samples import differing, finding, library, result

ONE, OTHER = (Bin(canonical=0.5, library=0.25, users=7),), (Bin(canonical=0.5, library=0.75, users=2),)

BETA = differing("ndcg", "beta", "gain", "exp2", 0.3, scatter=ONE)
GAMMA = differing("ndcg", "gamma", "ideal", "all", 0.4, scatter=ONE)
DELTA = differing("ndcg", "delta", "gain", "linear", 0.2, scatter=OTHER)
AGREES = finding("ndcg", scatter=ONE)
EMPTY = differing("ndcg", "omega", "discount", "ln", 0.1)
RECALL = differing("recall", "beta", "denominator", "min", 0.1, scatter=ONE)
DRAWN = draw_scatters(
    result(
        libraries=[library(name) for name in ("alpha", "beta", "gamma", "delta", "omega")],
        findings=(AGREES, BETA, GAMMA, DELTA, EMPTY, RECALL),
    )
)


def test_findings_of_one_metric_with_equal_values_share_a_plot() -> None:
    shared, own = DRAWN.of_metric("ndcg")
    assert DRAWN.of_finding(BETA) is DRAWN.of_finding(GAMMA) is shared
    assert DRAWN.of_finding(DELTA) is own
    assert [len(each.marks) for each in (shared, own)] == [2, 1]
    assert len({mark for each in (shared, own) for mark, _ in each.marks}) == 3, "three formulas, three letters"


def test_equal_values_of_another_metric_are_another_plot() -> None:
    (recall,) = DRAWN.of_metric("recall")
    assert recall is DRAWN.of_finding(RECALL)
    assert recall.plot.caption == "7 of 7 users off the diagonal."


def test_every_plot_has_an_anchor_of_its_own() -> None:
    plots = (*DRAWN.of_metric("ndcg"), *DRAWN.of_metric("recall"))
    assert [each.anchor for each in plots] == ["scatter/ndcg/1", "scatter/ndcg/2", "scatter/recall/3"]
    assert [each.shapes for each in plots] == ["drawn-1", "drawn-2", "drawn-3"]


def test_neither_canonical_findings_nor_findings_without_users_are_drawn() -> None:
    assert DRAWN.of_metric("precision") == ()
    with pytest.raises(KeyError):
        DRAWN.of_finding(EMPTY)
    assert draw_scatters(result(findings=(AGREES,))).of_metric("ndcg") == ()


def test_a_plot_of_a_sample_says_so_and_is_none_of_all_users() -> None:
    drawn = "7 of 90 users, drawn with the seed 1"
    seen = BETA.evidence.model_copy(update={"range": {USERS_DRAWN: drawn}})
    sampled = BETA.model_copy(update={"evidence": seen})
    made = draw_scatters(result(libraries=[library("beta"), library("gamma")], findings=(sampled, GAMMA)))
    part, whole = made.of_finding(sampled).plot, made.of_finding(GAMMA).plot
    assert part.caption == f"7 of 7 users off the diagonal. Users' values: {drawn}."
    assert "each user drawn" in part.title and "every user" in whole.title
