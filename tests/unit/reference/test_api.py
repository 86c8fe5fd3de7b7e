"""The reference as a library: the same numbers from every kind of table, ids as they were given, doctests."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from recsys_metric_audit import (
    Columns,
    ConversionError,
    FewInCommonWarning,
    InputRefusedError,
    SignatureError,
    compare,
    definitions,
    differing,
    evaluate,
    impossible_together,
    parse,
)

REC = {"user": ["ann", "ann", "bob", "cyd"], "item": ["tea", "rye", "rye", "tea"], "score": [0.9, 0.5, 0.8, 0.7]}
TRUE = {"user": ["ann", "bob", "bob", "dan"], "item": ["rye", "rye", "ale", "tea"], "gain": [2.0, 1.0, 4.0, 1.0]}
"""ann has her item second, bob one of two first; cyd is in the predictions only, dan in the truth only."""


def test_the_axis_decides_who_counts() -> None:
    made = evaluate(
        REC, TRUE, 2, ["recall|users:both", "recall|users:all|undefined:0", "recall|users:all|undefined:nan"]
    )
    assert made["recall@2|users:both"].by_user() == {"ann": 1.0, "bob": 0.5}
    assert made["recall@2|users:all|undefined:0"].by_user()["cyd"] == 0
    assert math.isnan(made["recall@2|users:all|undefined:nan"].mean)


def test_what_a_definition_refuses_is_refused() -> None:
    with pytest.raises(InputRefusedError, match="no_list refuses"):
        evaluate(REC, TRUE, 2, ["recall|no_list:error"])


def test_a_letter_takes_each_cut_off_and_a_number_stays() -> None:
    made = evaluate(REC, TRUE, [1, 2], ["precision@k", "precision@7", "auc"])
    assert list(made) == ["precision@1", "precision@2", "precision@7", "auc"]


def test_whole_numbers_and_other_columns() -> None:
    rec = pd.DataFrame({"u": [7, 7], "i": [1, 2], "s": [2.0, 1.0]})
    true = pd.DataFrame({"u": [7], "i": [2], "g": [1.0]})
    made = evaluate(rec, true, 2, ["ndcg"], columns=Columns("u", "i", "s", "g"))["ndcg@2"]
    assert made.users.tolist() == [7] and made.mean == pytest.approx(1 / math.log2(3))


def test_nmae_knows_the_scale() -> None:
    rec = {"user": [1], "item": [1], "score": [3.0]}
    true = {"user": [1], "item": [1], "gain": [5.0]}
    assert evaluate(rec, true, 1, ["nmae"], scale=(0.0, 5.0))["nmae"].mean == pytest.approx(2 / 5)


def test_bad_input_is_named() -> None:
    with pytest.raises(ValueError, match="not 0"):
        evaluate(REC, TRUE, 0, ["recall"])
    with pytest.raises(SignatureError, match="did you mean 'recall'"):
        evaluate(REC, TRUE, 1, ["recal"])
    with pytest.raises(KeyError, match="no column 'score'"):
        evaluate({"user": [1], "item": [1]}, TRUE, 1, ["recall"])


def test_definitions_are_listed_canonical_first() -> None:
    assert definitions("ndcg")[0].signature == "ndcg@k"
    assert {variant.definition.metric for variant in definitions("ndcg")} == {"ndcg"}
    assert len(definitions()) > 60
    with pytest.raises(KeyError):
        definitions("ndgc")


def test_differing_names_axes_and_refuses_other_metrics() -> None:
    assert differing("ndcg@5|ideal:none", "ndcg@5") == {"ideal": ("none", "k")}
    with pytest.raises(ValueError, match="different metrics"):
        differing("ndcg", "recall")


def test_where_nobody_is_left_the_axis_of_that_name_decides() -> None:
    """Train rows hold ids of both sides, so that these are not taken for other spellings."""
    train = {"ann": ["ale"], "bob": ["tea"]}
    rows = {"predictions": {"ann": ["tea"]}, "truth": {"bob": ["ale"]}, "k": 2, "train": train}
    with pytest.warns(FewInCommonWarning):
        found = evaluate(**rows, definitions=["recall|users:both", "recall|users:both|nobody:0", "recall|nobody:0"])
    assert np.isnan(found["recall@2|users:both"].mean)
    assert found["recall@2|users:both|nobody:0"].mean == 0
    assert found["recall@2|nobody:0"].by_user() == {"bob": 0.0}, "bob is somebody"
    with pytest.warns(FewInCommonWarning), pytest.raises(InputRefusedError, match="nobody is left to be averaged"):
        evaluate(**rows, definitions=["recall|users:both|nobody:error"])


def test_a_string_is_one_definition() -> None:
    assert list(evaluate(REC, TRUE, 2, "ndcg")) == ["ndcg@2"]
    assert list(evaluate(REC, TRUE, 2, parse("map@1"))) == ["average_precision@1"]
    with pytest.raises(SignatureError, match="no metric 'ndgc'"):
        evaluate(REC, TRUE, 2, "ndgc")


def test_six_metrics_are_evaluated_where_none_is_named() -> None:
    """One user, two items shown, the second is the only relevant one."""
    found = evaluate({"ann": ["tea", "rye"]}, {"ann": ["rye"]}, 2)
    expected = {"hr": 1, "map": 1 / 2, "mrr": 1 / 2, "ndcg": 1 / math.log2(3), "precision": 1 / 2, "recall": 1}
    assert {name: found[name].mean for name in expected} == pytest.approx(expected)
    assert len(found) == len(compare({"ann": ["rye"]}, {"ann": ["tea", "rye"]}, {"ann": ["rye"]}, 2)) == 6


@pytest.mark.parametrize("definition", ["rmse", "spearman_rho"])
def test_metrics_of_scores_refuse_lists(definition: str) -> None:
    with pytest.raises(ValueError, match=f"{definition}.*: it is computed from scores"):
        evaluate({"ann": ["tea"]}, {"ann": ["tea"]}, 2, definition)


def test_all_numbers_of_a_table_are_compared_at_once_where_users_have_one_relevant_item() -> None:
    """Hits at 1 and 2 with MRR .375 and HitRate .5 are of a quarter each: NDCG is .25 + .25 / log2(3) = .4077."""
    numbers = {"hr@2": "0.500", "mrr@2": "0.375"}
    wrong = impossible_together({**numbers, "ndcg@2": "0.450"}, one_relevant=True)
    assert len(wrong) == 3 and all(pair.possible for pair in wrong)
    assert not wrong.is_possible and wrong.together is not None
    assert wrong.together.usual in wrong.together.impossible
    assert wrong.together.why_not.startswith("with hit_rate@2 = 0.500 and reciprocal_rank@2 = 0.375, ndcg@2 is 0.40")
    assert repr(wrong).startswith("all numbers at once: 0 of ") and "ndcg@2 is 0.40" in wrong._repr_html_()
    right = impossible_together({**numbers, "ndcg@2": "0.408"}, one_relevant=True)
    assert right.is_possible and right.together is not None and right.together.usual in right.together.possible


@pytest.mark.parametrize(("mrr", "possible"), [("0.74", True), ("0.80", False)])
def test_a_number_without_a_cut_off_is_of_the_whole_list(mrr: str, possible: bool) -> None:
    """Half of the users hit at rank 1, the others at 2 or below: at most .5 + .5 / 2."""
    found = impossible_together({"hr@1": "0.50", "mrr": mrr}, one_relevant=True)
    assert found == () and found.is_possible is possible


def test_without_one_relevant_item_numbers_are_compared_two_by_two_only() -> None:
    found = impossible_together({"hr@10": "0.30", "mrr@10": "0.41"})
    assert found.together is None and not found.is_possible and repr(found).startswith("hit_rate@10 = 0.30 and ")


def test_a_metric_that_takes_no_cut_off_leaves_the_pairs() -> None:
    found = impossible_together({"auc": "0.5", "hr@10": "0.3", "mrr@10": "0.4"}, one_relevant=True)
    with pytest.raises(ConversionError, match="auc takes no cut-off"):
        found.is_possible  # noqa: B018
    assert len(found) == 1 and repr(found).startswith("hit_rate@10 = 0.3 and ")


def test_a_number_of_a_table_alone_needs_a_cut_off_and_a_metric_of_relevance() -> None:
    assert impossible_together({"hr@10": "0.30"}) == ()
    with pytest.raises(ValueError, match="has a cut-off, for example hit_rate@20"):
        impossible_together({"hr@k": "0.30", "mrr@10": "0.41"})


# Results as tables, one row a definition or one a user, and by their names in everyday words.

REC_of_results = {"user": ["ann", "ann", "bob"], "item": [1, 2, 1], "score": [2.0, 1.0, 1.0]}
TRUE_of_results = {"user": ["ann", "bob"], "item": [2, 1]}
MEANS = {
    "signature": ["reciprocal_rank@2", "auc|scope:stacked"], "metric": ["reciprocal_rank", "auc"], "k": [2, None],
    "value": [0.75, 0.0], "users": [2, None],
}  # fmt: skip
"""In one ranking of all rows, the one irrelevant row (ann's first, 2.0) is above both relevant ones: AUC 0."""


@pytest.fixture
def found():
    return evaluate(REC_of_results, TRUE_of_results, 2, ["mrr", "auc|scope:stacked"])


def test_one_row_a_definition(found) -> None:
    assert found.columns() == MEANS
    assert found.to_arrow().to_pydict() == MEANS == found.to_polars().to_dict(as_series=False)
    assert found.to_pandas()["signature"].tolist() == MEANS["signature"]
    assert found.to_pandas()["k"].isna().tolist() == [False, True]


def test_one_row_a_user(found) -> None:
    rows = found.to_arrow(by_user=True).to_pylist()
    shared = {"signature": "reciprocal_rank@2", "metric": "reciprocal_rank", "k": 2}
    assert rows == [shared | {"user": "ann", "value": 0.5}, shared | {"user": "bob", "value": 1.0}]
    assert found.to_polars(by_user=True).rows(named=True) == rows
    assert found.to_pandas(by_user=True).to_dict("records") == rows


def test_intervals_stand_beside_the_means_where_they_were_asked() -> None:
    found = evaluate(REC_of_results, TRUE_of_results, 2, ["mrr", "auc|scope:stacked"], interval=0.9)
    assert (found.columns()["low"], found.columns()["high"]) == ([0.5, None], [1.0, None])
    assert list(found.to_pandas()) == ["signature", "metric", "k", "value", "low", "high", "users"]
    assert repr(found).splitlines()[1] == "reciprocal_rank@2  0.7500  0.5000  1.0000      2"


def test_results_show_themselves_as_their_table(found) -> None:
    assert repr(found) == (
        "signature           value  users\n"
        "reciprocal_rank@2  0.7500      2\n"
        "auc|scope:stacked  0.0000      –"
    )  # fmt: skip
    assert repr(found["mrr"]) == "signature           value  users\nreciprocal_rank@2  0.7500      2"
    assert found._repr_html_().count("<tr>") == 3 and "<td>0.7500</td>" in found._repr_html_()


def test_everyday_names_find_results() -> None:
    found = evaluate(REC_of_results, TRUE_of_results, [1, 2], ["map", "ndcg@2|gain:exp2", "mrr@2", "auc"])
    assert found["MRR"] is found["mrr@2"] is found["reciprocal_rank@2"], "there is one cut-off"
    assert found["MAP@1"] is found["average_precision@1"] and found["NDCG@2|gain:exp2"] is found["ndcg@2|gain:exp2"]
    assert found["roc auc"] is found["auc"]
    assert "map@2" in found and found.get("map@2") is not None and "map@3" not in found


def test_what_is_not_there_is_met_with_the_nearest_key() -> None:
    found = evaluate(REC_of_results, TRUE_of_results, [1, 2], ["map", "ndcg@2|gain:exp2"])
    near = {
        "map": "average_precision@1 or average_precision@2",
        "ndcg": r"ndcg@2\|gain:exp2", "ndgc@2": r"ndcg@2\|gain:exp2",
        "mapp@1": "average_precision@1", "MAP@20": "average_precision@2",
    }  # fmt: skip
    for name, key in near.items():
        with pytest.raises(KeyError, match=rf"{name}: did you mean {key}\?"):
            found[name]
    with pytest.raises(KeyError, match="there are no results"):
        evaluate(REC_of_results, TRUE_of_results, 2, [])["map"]


def test_nothing_asked_is_an_empty_table() -> None:
    empty = evaluate(REC_of_results, TRUE_of_results, 2, [])
    assert empty.to_arrow().num_rows == empty.to_polars().height == len(empty.to_pandas()) == 0


@pytest.mark.parametrize("k", [2, np.int64(2), (2,), np.array([2]), range(2, 3)])
def test_a_cut_off_is_any_whole_number_or_several(k: Any) -> None:
    assert [*evaluate(REC, TRUE, k, "recall")] == ["recall@2"]


@pytest.mark.parametrize("k", [0, True, 2.0, None, "ndcg", ["ndcg@5"]])
def test_what_is_no_cut_off_is_named(k: Any) -> None:
    with pytest.raises(ValueError, match=r"a cut-off is a whole number of places, 1 or more \(k=10.*, not "):
        evaluate(REC, TRUE, k)


def test_no_cut_off_where_one_is_needed_is_no_empty_answer() -> None:
    with pytest.raises(ValueError, match="it needs a cut-off"):
        evaluate(REC, TRUE, [])
    assert [*evaluate(REC, TRUE, [], ["recall@1", "auc"])] == ["recall@1", "auc"]


@pytest.mark.parametrize(("given", "words"), [
    ({"predictions": None}, "predictions: the type NoneType is not understood"),
    ({"definitions": [5]}, "a definition is a signature, as 'ndcg@10', not 5"),
    ({"columns": {"user": "u"}}, "columns are named by Columns"),
    ({"threshold": float("nan")}, "a threshold is the gain"),
    ({"threshold": "4"}, "a threshold is the gain"),
    ({"scale": (5, 1)}, "a scale is its lowest and its highest rating"),
    ({"scale": 5}, "a scale is its lowest and its highest rating"),
])  # fmt: skip
def test_what_is_no_setting_is_named(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        evaluate(**{"predictions": REC, "truth": TRUE, "k": 2, **given})


def test_printed_numbers_without_names_are_refused() -> None:
    with pytest.raises(ValueError, match="printed numbers are given by their metric"):
        impossible_together(["0.30"])  # type: ignore[arg-type]
