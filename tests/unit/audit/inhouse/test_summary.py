"""The definition of each in-house function is found, in this process."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recsys_metric_audit.audit.inhouse.identify_function import identify_here
from recsys_metric_audit.audit.inhouse.shapes import SHAPES
from recsys_metric_audit.audit.inhouse.summary import Summary, summarise
from recsys_metric_audit.audit.inhouse.telling.summary_text import text
from tests.support import inhouse_functions
from tests.support.own_functions import identified_here

pytestmark = pytest.mark.slow  # processes of their own, or whole audits

LISTS = [
    ("precision", "precision", "precision@k"),
    ("precision_of_shown", "precision", "precision@k|denominator:shown"),
    ("precision_uncut", "precision", "precision@k|cutoff:hits_uncut"),
    ("recall", "recall", "recall@k"),
    ("hit_count", "hit_rate", "hit_rate@k|counts:hits"),
    ("f1", "f_score", "f_score@k"),
    ("reciprocal_rank_of_all", "reciprocal_rank", "reciprocal_rank@k|ranks:sum"),
    ("average_precision_of_all", "average_precision", "average_precision@k|denominator:r"),
    ("average_precision_of_hits", "average_precision", "average_precision@k|denominator:hits"),
    ("average_precision_nan", "average_precision", "average_precision@k|denominator:hits|no_hit:nan|no_list:nan"),
    ("ndcg", "ndcg", "ndcg@k"),
    ("ndcg_exponential", "ndcg", "ndcg@k|gain:exp2|no_hit:error"),
    ("ndcg_linear", "ndcg", "ndcg@k|gain:linear|no_hit:error"),
    ("ndcg_ideal_not_cut", "ndcg", "ndcg@k|ideal:all"),
    ("ndcg_ideal_retrieved", "ndcg", "ndcg@k|gain:exp2|ideal:retrieved"),
    ("ndcg_zero_based", "ndcg", "ndcg@k|discount:log2_off_by_one"),
    ("dcg_natural", "ndcg", "ndcg@k|discount:ln|ideal:none"),
    ("auc", "auc", "auc|unlisted:dropped|no_negatives:0"),
    ("recall", "ndcg", "recall@k"),
]
FRAMES = [
    ("frames_ndcg", "ndcg", "ndcg@k|nobody:error|truth_duplicates:once"),
    ("frames_f1_of_means", "f_score", "f_score@k|of:means|nobody:error|truth_duplicates:once"),
    ("frames_recall_of_listed", "recall", "recall@k|users:both|nobody:error|truth_duplicates:once"),
]


def found(function: str, metric: str, *, frames: bool = False, k: int | None = None) -> Summary:
    """Identify a function in this process."""
    shape = SHAPES["frames" if frames else "recommended"]
    return summarise(function, identified_here(getattr(inhouse_functions, function), metric, shape, k))


@pytest.mark.parametrize(("function", "metric", "signature"), LISTS)
def test_a_function_of_lists_is_named(function: str, metric: str, signature: str) -> None:
    made = found(function, metric)
    assert (made.signature, made.equivalent) == (signature, ())
    assert made.finding.verdict in ("agrees", "variant", "undocumented")
    assert {"users", "pooling", "weight", "mean"} <= set(made.not_asked)
    assert (made.finding.witness is None) == (made.signature == f"{metric}@k")


@pytest.mark.parametrize(("function", "metric", "signature"), FRAMES)
def test_a_function_of_frames_is_named(function: str, metric: str, signature: str) -> None:
    made = found(function, metric, frames=True)
    assert (made.signature, made.equivalent, made.not_asked) == (signature, (), ())


def test_errors_of_scores_need_frames() -> None:
    # Where no pair has both a score and a rating it gives NaN, as does the mean of no numbers; be it that there is no
    # such pair among the rows, or no row at all.
    assert found("frames_rmse", "rmse", frames=True).signature == "rmse|users:both|no_hit:skip"


@pytest.mark.parametrize(
    ("function", "metric"), [("squared_ndcg", "ndcg"), ("squared_reciprocal_rank", "reciprocal_rank")]
)
def test_what_no_definition_computes_is_unexplained(function: str, metric: str) -> None:
    made = found(function, metric)
    assert (made.signature, made.finding.verdict) == (None, "unexplained")
    assert made.finding.evidence.nearest is not None and made.finding.witness is not None


@pytest.mark.parametrize("k", [3, 10, 25])
def test_one_cutoff_is_enough(k: int) -> None:
    made = found("ndcg_exponential", "ndcg", k=k)
    assert made.finding.witness is not None and made.finding.witness.k == k
    assert (made.signature, made.equivalent) == (f"ndcg@{k}|gain:exp2", ())


def test_refused_data_loses_nothing_that_was_answered() -> None:
    """The synthetic data has fractional gains, as have some probes: only these are lost."""
    made = found("ndcg_of_whole_grades", "ndcg")
    assert (made.signature, made.finding.verdict) == ("ndcg@k|gain:exp2|no_hit:error", "variant")
    assert "ValueError: grades are whole numbers" in made.refusals
    assert made.finding.evidence.cases > 4 * sum(made.refusals.values())


def test_errors_that_differ_in_numbers_share_a_line_and_times_do_not() -> None:
    def fails(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        if len(recommended) > 6:
            raise ValueError(f"{len(recommended)} are too many")
        return float(any(item in relevant for item in recommended[:k]))

    result = identify_here(fails, "hit_rate", SHAPES["recommended"], None)
    assert result.summary is not None
    kinds = [each for each in result.summary.refusals if each.endswith("are too many")]
    assert len(kinds) > 1
    late = {"gave no answer within 30 s": 2, "gave no answer within 2 s": 1}
    summary = replace(
        result.summary, refusals={kinds[0]: 40, kinds[1]: 2, **late},
        refused_inputs={kinds[0]: "k = 1", **dict.fromkeys(late, "k = 1")},
    )  # fmt: skip
    shown = text(replace(result, summary=summary)).splitlines()
    assert [line.split("cases: ")[1] for line in shown if "cases: " in line] == [
        f"{kinds[0]} (or with other numbers)", "gave no answer within 30 s", "gave no answer within 2 s",
    ]  # fmt: skip


def test_a_top_grade_of_its_own_is_named() -> None:
    def err(gains: list[float], k: int) -> float:
        left, value = 1.0, 0.0
        for place, gain in enumerate(gains[:k], 1):
            stops = (2**gain - 1) / 2**4
            value, left = value + left * stops / place, left * (1 - stops)
        return value

    shown = " ".join(text(identify_here(err, "err", SHAPES["vector"], None)).split())
    assert "err computes err@k|top:4" in shown and "variant: computes another documented formula" in shown
