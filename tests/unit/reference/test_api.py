"""The reference as a library: the same numbers from every kind of table, ids as they were given, doctests."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from recsys_metric_audit import (
    Columns,
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

KINDS = {
    "lists": lambda table: table,
    "numpy": lambda table: {name: np.array(column) for name, column in table.items()},
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": pa.table,
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_table_gives_the_same(kind: str) -> None:
    made = evaluate(KINDS[kind](REC), KINDS[kind](TRUE), 2, ["recall", "reciprocal_rank"])
    assert made["recall@2"].mean == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert made["reciprocal_rank@2"].by_user() == {"ann": 0.5, "bob": 1.0, "dan": 0.0}


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


def test_one_ranking_of_all_rows_has_no_users() -> None:
    stacked = evaluate(REC, TRUE, 2, ["auc|scope:stacked"])["auc|scope:stacked"]
    assert len(stacked.users) == len(stacked.values) == 0 and 0 <= stacked.mean <= 1


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


def test_a_number_of_a_table_alone_needs_a_cut_off_and_a_metric_of_relevance() -> None:
    assert impossible_together({"hr@10": "0.30"}) == ()
    with pytest.raises(ValueError, match="has a cut-off, for example hit_rate@20"):
        impossible_together({"hr@k": "0.30", "mrr@10": "0.41"})
