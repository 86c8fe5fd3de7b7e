"""Causes that the paper names, moved alone."""

from __future__ import annotations

from recsys_metric_audit.reports.paper.judged_finding import ClaimVerdict
from tests.support.paper_findings import identified, judged_claim


def test_the_base_of_the_logarithm_is_not_why_dl_rs_evaluation_differs() -> None:
    """ln and log2 cancel where the ideal has the same: seeds of the answer are the definition found, and 0.0798 /
    0.0898 = 0.8884, which is none of 1, 1/ln 2 = 1.4427 and ln 2 = 0.6931."""
    made = judged_claim(
        12, identified("dl_rs_evaluation", "14e765bc", "ndcg@20|gain:exp2|ideal:all", function="metrics.ndcg")
    )
    assert made.verdict is ClaimVerdict.contradicted
    cause = made.subjects[0].cause
    assert cause is not None and cause.confirmed is False
    assert [(trial.change, trial.matters) for trial in cause.named] == [("discount from log2 to ln", False)]
    assert [(trial.change, trial.suffices) for trial in cause.found] == [("ideal from all to k", True)]
    assert not made.checks[0].holds and "0.8884" in made.checks[0].numbers
