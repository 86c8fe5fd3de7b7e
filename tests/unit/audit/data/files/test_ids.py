"""Ids of several files get one numbering; text, numbers and mixed types."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa

from recsys_metric_audit.audit.data import Dataset, read_case

PREDICTIONS = "user,item,score\nanna,x,0.9\nanna,y,0.5\nbert,y,0.7\n"

TRUTH = "user,item,gain\nanna,y,5\nbert,x,4\n"


def rows(dataset: Dataset) -> list[tuple]:
    """Predictions as the user would write them."""
    table = dataset.case.predictions
    users, items = dataset.users.of(table.user), dataset.items.of(table.item)
    return list(zip(users, items, table.score.tolist(), strict=True))


def truth_rows(dataset: Dataset) -> list[tuple]:
    table = dataset.case.truth
    users, items = dataset.users.of(table.user), dataset.items.of(table.item)
    return list(zip(users, items, table.gain.tolist(), strict=True))


def facts(dataset: Dataset) -> dict[str, int]:
    return {fact.slug: fact.count for fact in dataset.facts}


def test_text_ids_are_numbered_in_the_order_of_the_text(write):
    data = read_case(write("p.csv", PREDICTIONS), write("t.csv", TRUTH), None, threshold=4.0)
    assert rows(data) == [("anna", "x", 0.9), ("anna", "y", 0.5), ("bert", "y", 0.7)]
    assert truth_rows(data) == [("anna", "y", 5.0), ("bert", "x", 4.0)]
    assert data.case.predictions.user.tolist() == [0, 0, 1]
    assert data.case.predictions.item.tolist() == [0, 1, 1]
    assert data.case.catalogue.tolist() == [0, 1]
    assert data.case.threshold == 4.0
    assert data.case.scale == (4.0, 5.0)
    assert (data.shape.users, data.shape.items, data.shape.pairs, data.shape.rows) == (2, 2, 2, 3)
    assert data.case.predictions.user.dtype == np.int64


def test_whole_numbers_are_kept_as_they_are(write):
    predictions = write("p.csv", "user,item,score\n7,900,2\n7,10,1\n12,10,1\n")
    data = read_case(predictions, write("t.csv", "user,item\n7,10\n"), None)
    assert data.users.names is None
    assert data.case.predictions.user.tolist() == [7, 7, 12]
    assert data.case.predictions.item.tolist() == [900, 10, 10]
    assert rows(data)[0] == (7, 900, 2.0)


def test_a_leading_zero_makes_the_column_text_and_keeps_ids_apart(write):
    predictions = write("p.csv", "user,item,score\n01,1,2\n1,1,1\n1,01,0\n1,10,-1\n1,9,-2\n")
    data = read_case(predictions, write("t.csv", "user,item\n1,01\n"), None)
    assert rows(data) == [
        ("01", "1", 2.0),
        ("1", "1", 1.0),
        ("1", "01", 0.0),
        ("1", "10", -1.0),
        ("1", "9", -2.0),
    ]
    assert data.items.of([0, 1, 2, 3]) == ["01", "1", "10", "9"]


def test_a_number_in_one_file_and_text_in_another_csv_is_text_in_both(write):
    data = read_case(write("p.csv", "user,item,score\n1,a,1\n2,7,1\n"), write("t.csv", "user,item\n1,7\nu2,a\n"), None)
    assert rows(data) == [("1", "a", 1.0), ("2", "7", 1.0)]
    assert "mixed-id-types" not in facts(data)


def test_numbers_below_zero_or_beyond_int64_are_numbered_by_value(write):
    big = 2**64 - 1
    text = f"user,item,score\n-3,{big},1\n10,-20,1\n9,5,1\n"
    data = read_case(write("p.csv", text), write("t.csv", "user,item\n9,5\n"), None)
    assert rows(data) == [(-3, big, 1.0), (9, 5, 1.0), (10, -20, 1.0)]
    assert data.users.of([0, 1, 2]) == [-3, 9, 10]
    assert data.items.of([0, 1, 2]) == [-20, 5, big]


def test_unsigned_parquet_ids_beyond_int64_survive(write):
    big = 2**64 - 1
    table = pa.table({"user": pa.array([big, 1], pa.uint64()), "item": [1, 1], "score": [1.0, 2.0]})
    data = read_case(write("p.parquet", table), write("t.csv", f"user,item\n{big},1\n"), None)
    assert rows(data) == [(1, 1, 2.0), (big, 1, 1.0)]


def test_mixed_types_of_parquet_files_are_compared_as_text_and_said(write):
    predictions = write("p.parquet", pd.DataFrame({"user": [1, 2], "item": ["a", "b"], "score": [1.0, 2.0]}))
    truth = write("t.parquet", pd.DataFrame({"user": ["2", "10"], "item": ["b", "b"]}))
    data = read_case(predictions, truth, None)
    assert rows(data) == [("1", "a", 1.0), ("2", "b", 2.0)]
    assert facts(data)["mixed-id-types"] == 1
    assert data.users.of([0, 1, 2]) == ["1", "10", "2"]


def test_text_in_parquet_stays_text_even_where_it_looks_like_numbers(write):
    frame = pd.DataFrame({"user": ["10", "9"], "item": ["1", "1"], "score": [1.0, 2.0]})
    data = read_case(write("p.parquet", frame), write("t.csv", "user,item\n9,1\n"), None)
    assert rows(data) == [("10", "1", 1.0), ("9", "1", 2.0)]
