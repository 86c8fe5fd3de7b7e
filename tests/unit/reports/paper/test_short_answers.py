"""The answer to each claim on one line, and the reason in a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.paper.short_answers import ShortAnswer, short_answer
from tests.support.paper_findings import identified, judged_claim


def answered(number: int, *findings: Finding) -> ShortAnswer:
    return short_answer(judged_claim(number, *findings))


def dl(metric: str, computes: str, **more: Any) -> Finding:
    return identified("dl_rs_evaluation", "14e765bc", computes, function=f"Base.Evaluation.metrics.{metric}", **more)


def test_hits_are_k_times_precision_on_full_lists_only() -> None:
    made = answered(2, dl("hit", "hit_rate@20|counts:hits"), dl("precision", "precision@20|denominator:shown"))
    assert made.answer == "yes, but"
    assert made.reason.startswith("Dl_Rs_Evaluation: divides by min(k, list length) on lists shorter than k")


@pytest.mark.parametrize(
    ("number", "found", "reasons"),
    [
        (4, [("daisyrec", "1.1.2", "average_precision@20|denominator:shown"),
             ("daisyrec", "2.3.0", "average_precision@20|denominator:hits")],
         ["on lists shorter than k", "Daisyrec 2.3.0: divides by the number of hits"]),
        (5, [("rs_metrics", "0.5.0", "average_precision@20|denominator:r"),
             ("rs_metrics", "0.4.1", "average_precision@20|denominator:hits")],
         ["Rs_Metrics 0.4.1: divides by the number of hits"]),
    ],
)  # fmt: skip
def test_what_other_versions_compute_is_told(
    number: int, found: list[tuple[str, str, str]], reasons: list[str]
) -> None:
    reason = answered(number, *(identified(*each) for each in found)).reason
    assert all(part in reason for part in reasons), reason


def test_the_compiled_default_is_told_beside_the_python_file() -> None:
    computes = "average_precision@20|denominator:cumulative"
    made = answered(8, identified("neurec", "f8d3ab79", computes, function="evaluator.backend.python.metric.map"))
    assert made.answer == "yes" and made.reason.startswith("The compiled default of the same commit divides by min(k")
    built = identified("neurec", "f8d3ab79", "average_precision@20", function="evaluator.backend.cpp.evaluate[MAP]")
    python = identified("neurec", "f8d3ab79", computes, function="evaluator.backend.python.metric.map")
    assert (
        "the compiled default of the same commit: computes the canonical" in answered(8, python, built).reason.lower()
    )


def test_functions_for_tensorflow_1_are_told_beside_those_for_2() -> None:
    made = answered(
        10,
        identified("openrec_tf2", "0.3.0", "ndcg@20|ideal:none"),
        identified("openrec", "0.3.0", "ndcg@20|ideal:all", function="openrec.tf1.utils.evaluators.EvalManager[NDCG]",
                   formula="ndcg@20|ideal:all"),
    )  # fmt: skip
    assert made.answer == "yes"
    assert "functions for TensorFlow 1: divides by the DCG of all relevant items" in made.reason


def test_undefined_users_and_the_number_of_irrelevant_items_speak_against_claim_15() -> None:
    computes = "auc|negatives:catalogue_plus_one|users:both|no_negatives:error"
    made = answered(15, identified("elliot", "0.3.1", computes, function="elliot.metrics.GAUC"))
    assert made.answer == "no"
    assert "counts all unseen items as irrelevant, and one more" in made.reason
    assert "undefined" in made.reason and made.reason.count("users without a class") == 1


def test_recboles_value_is_not_explained_by_weighting_and_says_by_what() -> None:
    other = identified("recbole", "1.2.1", "auc|pooling:weighted|weight:relevant", function="recbole.GAUC")
    for made in (answered(16), answered(16, other)):
        assert made.answer == "no", "another version cannot bear out why the paper's has 0.858"
        assert "weighting lowers the mean (0.705 becomes 0.688)" in made.reason
        assert "0.858 needs 17 to 19 %" in made.reason


def test_the_three_faults_of_daisyrec_come_with_what_they_amount_to() -> None:
    failed = Finding(
        library="daisyrec", version="1.1.2", function="daisy.auc_at_k", metric="auc", k=20, status="failed",
        reason="NameError: name 'pred_all' is not defined",
    )  # fmt: skip
    made = answered(18, failed)
    assert made.answer == "yes" and made.reason.startswith("Three faults: ")
    assert "without them 0.283, as DL RS Evaluation" in made.reason


def test_a_set_that_is_compared_with_an_item_is_told_where_no_mean_was_asked() -> None:
    hit = identified("neurec", "f8d3ab79", "hit_rate@20", function="metric.hit", value=None)
    made = answered(19, hit)
    assert made.answer == "unknown" and made.reason.startswith("Its hit compares each recommended item with the whole")


def test_a_base_of_the_logarithm_that_cancels_is_not_named() -> None:
    made = answered(12, dl("ndcg", "ndcg@20|gain:exp2|ideal:all"))
    assert made.answer == "no" and "ratio 0.888" in made.reason and "log_b" not in made.reason
    assert "DL RS Evaluation: divides by the DCG of all relevant items" in made.reason.replace("Dl_Rs_", "DL RS ")


def test_what_nothing_limits_names_where_it_was_found() -> None:
    assert answered(7, identified("elliot", "0.3.1", "average_precision@20|denominator:k|indicator:every",
                                  function="elliot.metrics.MAP")).reason == "Found so in Elliot 0.3.1."  # fmt: skip
