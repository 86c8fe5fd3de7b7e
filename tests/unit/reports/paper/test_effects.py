"""Changes measured on the data of a run, and functions beside a claim."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reports.model.result import Step
from recsys_metric_audit.reports.paper.claims import Beside, Effect
from recsys_metric_audit.reports.paper.effects import findings_beside, measured_effects
from tests.support.paper_findings import audited, identified

WEIGHTED = "auc|pooling:weighted|weight:relevant"
EFFECT = Effect(library="recbole", function="(?i)gauc", axes=("pooling", "weight"), label="weighting alone")


def test_an_effect_is_read_off_the_steps_of_a_finding() -> None:
    steps = [("", 0.75), ("negatives", 0.5), ("pooling", 0.5), ("weight", 0.25), ("users", 0.125)]
    decomposition = tuple(Step(axis=axis, signature="auc", value=value) for axis, value in steps)
    finding = identified("recbole", "1.2.1", WEIGHTED, function="recbole.GAUC", decomposition=decomposition)
    (made,) = measured_effects((EFFECT,), audited(finding))
    assert (made.before, made.after, made.version) == (0.5, 0.25, "1.2.1")


def test_a_finding_without_these_steps_measures_nothing() -> None:
    step = Step(axis="", signature="auc", value=0.5)
    finding = identified("recbole", "1.2.1", "auc", function="recbole.GAUC", decomposition=(step,))
    assert measured_effects((EFFECT,), audited(finding)) == ()


@pytest.mark.parametrize(
    ("signature", "words"),
    [("ndcg@20|ideal:all", "divides by the DCG of all relevant items"), ("ndcg@20", "computes the canonical formula")],
)
def test_functions_beside_a_claim_are_told_in_words(signature: str, words: str) -> None:
    beside = Beside(library="openrec", metric="ndcg", version="0.3.0", function="tf1", label="tf1")
    finding = identified("openrec", "0.3.0", signature, function="openrec.tf1.NDCG", formula=signature)
    assert [each.words for each in findings_beside((beside,), audited(finding))] == [words]
    assert [each.words for each in findings_beside((beside,), audited())] == [""]
