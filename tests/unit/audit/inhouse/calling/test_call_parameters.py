"""The shape of a call and its cut-off are recognised from parameter names."""

from __future__ import annotations

from typing import Any

import pytest

from recsys_metric_audit.audit.inhouse.calling.call_parameters import Parameters, likely_shapes, speaks_for


@pytest.mark.parametrize(
    ("parameters", "shape"),
    [
        ("recommended, relevant, k", "recommended"), ("recs, gt, topk", "recommended"),
        ("ranked, truth", "recommended"),
        ("actual, predicted, k=10", "actual"), ("gold_items, ranked_list, n", "actual"),
        ("y_true, y_score, k=None", "scores"), ("r, k", "vector"), ("relevances, k", "vector"), ("rs", "vector"),
        ("qrels, run", "qrels-run"), ("run, qrels, cutoff", "run-qrels"), ("preds, target, indexes", "indexes"),
        ("preds, labels, whose", "indexes"), ("logits, clicks, request_id", "indexes"),
        ("labels, probs, group_name", "indexes-labels-first"), ("r, cut", "vector"), ("r, mrr_at_k", "vector"),
        ("estimator, X, y", "scorer"), ("a, b, c", "recommended"), ("predictedItems, actualItems, K", "recommended"),
        ("pos_scores, neg_scores, k", "positive-negatives"), ("y_pred_pos, y_pred_neg, K", "positive-negatives"),
        ("pos_index, pos_len", "hits-counts"), ("r, k, all_pos_num", "vector-count"),
        ("hits, n_relevant, k", "vector-count"), ("recs, gt, max_k=20", "recommended"),
        ("pred_list, topk=10", "ranks"), ("rank, k", "ranks"), ("logits, target_ids, k", "scores-target"),
        ("preds, lgb_dataset", "scores-dataset"), ("indices, targets", "recommended"),
        ("rank, ground_truth", "recommended"), ("ranks", "ranks"),
        ("qids, targets, preds", "users-labels-scores"), ("group_ids, y_score, labels, k", "users-scores-labels"),
        ("y_true_list, y_reco_list, users, k", "actual-users-listed"), ("test_data, r, k", "truth-hits"),
        ("is_relevant, n_test_items", "vector-count"), ("prediction_and_labels, k", "list-pairs"),
        ("ranks, gt_ranks, K", "vector-ideal"), ("batch_predict_rankings, batch_ideal_rankings, k", "vector-ideal"),
    ],
)  # fmt: skip
def test_parameter_names_speak_for_a_shape(parameters: str, shape: str) -> None:
    assert likely_shapes(Parameters(eval(f"lambda {parameters}: 0")))[0] == shape


@pytest.mark.parametrize(
    ("parameters", "cutoff"),
    [
        ("recs, gt, max_k=20", "max_k"), ("recs, gt, list_depth=5", "list_depth"), ("k, recs, gt", "k"),
        ("shown, wanted, max_predictions=100", "max_predictions"),
        ("rank, k", "k"), ("recs, gt, n_items=1000", None), ("recs, gt, batch_size=256", None),
        ("labels, max_grade=4", None), ("recs, gt, top_down=False", None),
    ],
)  # fmt: skip
def test_a_cut_off_is_named_so_or_by_a_word_beside_a_whole_number(parameters: str, cutoff: str | None) -> None:
    assert Parameters(eval(f"lambda {parameters}: 0")).cutoff == cutoff


@pytest.mark.parametrize(
    ("kind", "several"),
    [(list, True), (list[int], True), ("List[int]", True), (int, False), ("int | list[int]", False)],
)
def test_an_annotation_tells_that_several_cut_offs_are_taken(kind: object, several: bool) -> None:
    def metric(recs: object, gt: object, topk: int) -> float:
        return 0.0

    metric.__annotations__["topk"] = kind
    assert Parameters(metric).many is several


def test_several_cut_offs_are_passed_as_a_list_of_one() -> None:
    assert Parameters(lambda scores, labels, ks: 0).call(lambda scores, labels, ks: ks, (1, 2), 5) == [5]


def test_without_a_cut_off_no_more_items_than_are_listed_are_passed() -> None:
    assert "matrix" in likely_shapes(Parameters(lambda y_true, y_score, k: 0))
    assert "matrix" not in likely_shapes(Parameters(lambda y_true, y_score: 0))


def test_a_function_that_needs_more_has_no_shape_and_one_that_hides_its_names_any_of_two() -> None:
    assert likely_shapes(Parameters(lambda recommended, relevant, k, catalogue: 0)) == []
    two = ["recommended", "actual", "recommended-one", "one-recommended", "scores", "scores-first", "matrix",
           "matrix-scores-first", "frames", "frames-truth-first", "list-frames",
           "list-frames-truth-first", "qrels-run", "run-qrels", "qrel-run", "actual-users",
           "recommended-users", "scores-target", "target-scores", "series", "series-one",
           "series-scores-one"]  # fmt: skip
    assert likely_shapes(Parameters(lambda *rows: 0)) == two


def test_names_that_speak_for_a_shape_rule_its_exchange_out() -> None:
    assert "actual" not in likely_shapes(Parameters(lambda recommended, relevant, k: 0))
    assert "recommended" not in likely_shapes(Parameters(lambda actual, predicted, k: 0))
    for half_told in (Parameters(lambda first, relevant, k: 0), Parameters(lambda one, other, k: 0)):
        assert {"recommended", "actual"} <= set(likely_shapes(half_told))


def test_a_third_array_under_an_unknown_name_is_passed_as_whose_each_row_is() -> None:
    given = Parameters(lambda preds, labels, whose: 0)
    assert given.call(lambda preds, labels, whose: whose, ("scores", "labels", "users"), 5) == "users"
    assert given.call(lambda preds, labels, whose: whose, ("scores", "labels"), 5) == 5


def test_names_of_negatives_and_of_item_numbers_speak_for_no_labels() -> None:
    assert speaks_for(["y_true", "y_score"], "scores")
    assert not speaks_for(["pos_scores", "neg_scores"], "scores")
    assert not speaks_for(["logits", "target_ids"], "scores-first")


def test_what_may_be_left_out_is_passed_by_its_name_where_nothing_is_needed() -> None:
    def compute(query: Any = None, expected_ids: Any = None, retrieved_ids: Any = None, texts: Any = None) -> Any:
        return query, expected_ids, retrieved_ids, texts

    given = Parameters(compute)
    assert likely_shapes(given)[0] == "actual"
    assert given.call(compute, ("relevant", "recommended"), 5) == (None, "relevant", "recommended", None)
