"""The user's own files: what is read, what is refused and in which words, and what becomes a fact."""

from __future__ import annotations

import gzip
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.data import Dataset, read_case
from audit.errors import UserError

PREDICTIONS = "user,item,score\nanna,x,0.9\nanna,y,0.5\nbert,y,0.7\n"
TRUTH = "user,item,gain\nanna,y,5\nbert,x,4\n"


@pytest.fixture
def write(tmp_path):
    """Writes a file by name; text, bytes, or a DataFrame as Parquet."""

    def to(name: str, content: str | bytes | pd.DataFrame | pa.Table) -> Path:
        path = tmp_path / name
        if isinstance(content, pd.DataFrame):
            content.to_parquet(path)
        elif isinstance(content, pa.Table):
            pq.write_table(content, path)
        else:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return to


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


@pytest.mark.parametrize("name", ["NA", "null", "nan", "ü ñ", " a", "a,b", 'say "x"', "1e3", "1.0", "-0"])
def test_an_id_is_taken_literally(write, name):
    quoted = '"' + name.replace('"', '""') + '"'
    predictions = write("p.csv", f"user,item,score\nu,{quoted},1\n")
    data = read_case(predictions, write("t.csv", f"user,item\nu,{quoted}\n"), None)
    assert rows(data) == [("u", name, 1.0)]


def test_parquet_csv_tsv_and_gzip_give_the_same_data(write):
    frame = pd.DataFrame({"user": [1, 1, 2], "item": [5, 6, 5], "score": [0.1, 0.05, 1 / 3]})
    text = frame.to_csv(index=False)
    truth = write("t.csv", "user,item,gain\n1,6,3\n")
    files = [
        write("p.parquet", frame),
        write("p.csv", text),
        write("p.tsv", text.replace(",", "\t")),
        write("p.csv.gz", gzip.compress(text.encode())),
        write("bom.csv", b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()),
    ]
    digests = {read_case(file, truth, None).digest for file in files}
    assert len(digests) == 1


@pytest.mark.parametrize(
    "change",
    [
        ("p.csv", PREDICTIONS.replace("0.5", "0.50000000000000011")),
        ("p.csv", PREDICTIONS.replace("x", "z")),
        ("p.csv", PREDICTIONS.replace("bert,y,0.7\n", "")),
        ("t.csv", TRUTH.replace("5\n", "4.5\n")),
        ("t.csv", TRUTH + "bert,y,4\n"),
    ],
)
def test_the_digest_sees_every_change(write, change):
    files = {"p.csv": PREDICTIONS, "t.csv": TRUTH}
    before = read_case(write("p.csv", files["p.csv"]), write("t.csv", files["t.csv"]), None)
    files[change[0]] = change[1]
    after = read_case(write("p.csv", files["p.csv"]), write("t.csv", files["t.csv"]), None)
    assert before.digest != after.digest


def test_the_digest_sees_threshold_and_train(write):
    predictions, truth = write("p.csv", PREDICTIONS), write("t.csv", TRUTH)
    train = write("r.csv", "user,item\nanna,z\n")
    digests = [
        read_case(predictions, truth, None).digest,
        read_case(predictions, truth, None, threshold=5.0).digest,
        read_case(predictions, truth, train).digest,
    ]
    assert len(set(digests)) == 3


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


def test_dictionary_columns_and_chunks_of_parquet_are_unified(write, tmp_path):
    path = tmp_path / "p.parquet"
    schema = pa.schema({"user": pa.dictionary(pa.int32(), pa.string()), "item": pa.int32(), "score": pa.float32()})
    with pq.ParquetWriter(path, schema) as writer:
        for user in ("b", "a", "c"):
            columns = [pa.array([user, user]).dictionary_encode(), [1, 2], pa.array([0.1, 0.5], pa.float32())]
            writer.write_table(pa.table(columns, schema=schema))
    data = read_case(path, write("t.csv", "user,item\nc,1\n"), None)
    assert [row[:2] for row in rows(data)] == [(u, i) for u in "abc" for i in (2, 1)]
    assert rows(data)[1][2] == float(np.float32(0.1))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30))
def test_scores_come_back_to_the_last_bit(write, scores):
    lines = "".join(f"u,{item},{score!r}\n" for item, score in enumerate(scores))
    data = read_case(write("p.csv", "user,item,score\n" + lines), write("t.csv", "user,item\nu,0\n"), None)
    got = dict(zip(data.items.of(data.case.predictions.item), data.case.predictions.score, strict=True))
    assert [got[item] for item in range(len(scores))] == scores


def test_scores_that_differ_by_one_ulp_stay_apart_and_in_order(write):
    # halfway cases and 17-digit neighbours, where a careless parser is one unit in the last place off
    texts = ["0.1", "0.10000000000000002", "9007199254740993", "1.7976931348623157e308", "5e-324", "+2", "1."]
    lines = "".join(f"u,{item},{text}\n" for item, text in enumerate(texts))
    data = read_case(write("p.csv", "user,item,score\n" + lines), write("t.csv", "user,item\nu,0\n"), None)
    got = dict(zip(data.case.predictions.item.tolist(), data.case.predictions.score.tolist(), strict=True))
    assert [got[item] for item in range(len(texts))] == [float(Decimal(text)) for text in texts]


def test_rows_are_put_by_user_and_best_first_with_ties_as_given(write):
    text = "user,item,score\n2,1,0.5\n1,9,0.1\n2,3,0.7\n1,4,0.1\n1,2,0.3\n"
    data = read_case(write("p.csv", text), write("t.csv", "user,item\n1,2\n"), None)
    assert rows(data) == [(1, 2, 0.3), (1, 9, 0.1), (1, 4, 0.1), (2, 3, 0.7), (2, 1, 0.5)]
    assert facts(data)["rows-reordered"] == 4  # (1, 9) alone stays in its place
    assert "rows-in-order" not in facts(data)


def test_rows_in_order_stay_and_are_said_to(write):
    data = read_case(write("p.csv", PREDICTIONS), write("t.csv", TRUTH), None)
    assert facts(data)["rows-in-order"] == 3
    assert "rows-reordered" not in facts(data)


def test_a_truth_without_gains_counts_one_each(write):
    data = read_case(write("p.csv", PREDICTIONS), write("t.csv", "item,extra,user\nx,?,anna\n"), None)
    assert truth_rows(data) == [("anna", "x", 1.0)]
    assert data.case.scale == (0.0, 1.0)
    assert facts(data)["no-gains"] == 1


def test_every_legal_oddity_is_counted(write):
    predictions = "user,item,score\na,p,3\na,q,2\na,r,2\nb,p,1\nghost,p,1\n"
    truth = "user,item,gain\na,q,5\na,z,4\nb,p,1\nlost,p,5\nb,q,-1\n"
    train = "user,item\na,p\na,p\nb,q\nnew,s\n"
    data = read_case(write("p.csv", predictions), write("t.csv", truth), write("r.csv", train), threshold=4.0)
    assert facts(data) == {
        "rows-in-order": 5,
        "users-without-recommendations": 1,  # lost
        "users-without-truth": 1,  # ghost
        "users-without-relevant-items": 1,  # b
        "users-not-in-train": 2,  # ghost, lost
        "short-lists": 2,  # b, ghost: 1 item, a has 3
        "tied-scores": 2,  # a: q, r
        "relevant-not-recommended": 1,  # (a, z); (lost, p) has no list at all
        "train-duplicates": 1,
        "train-items-recommended": 1,  # (a, p)
        "truth-in-train": 1,  # (b, q)
        "items-not-in-train": 2,  # r, z
        "truth-below-threshold": 2,
        "negative-gains": 1,
    }
    assert all(f"{fact.count}." in fact.text for fact in data.facts)


P, T = "user,item,score\n1,1,1\n", "user,item\n1,1\n"
REFUSED = {
    "misnamed": ("user_id,item,score\n1,1,1\n", T, ["column user is missing", "'user_id'"], "'user_id' to user"),
    "two misnamed": (
        "uid,Item,score\n1,1,1\n",
        T,
        ["columns user and item are missing"],
        "Rename 'uid' to user, 'Item' to item.",
    ),
    "rating for score": ("user,item,rating\n1,1,1\n", T, ["column score is missing"], "'rating' to score"),
    "typo": ("usr,item,score\n1,1,1\n", T, ["column user is missing"], "'usr' to user"),
    "no header": ("1,2,3\n", T, ["columns user, item and score are missing"], "the line user,item,score above"),
    "semicolons": ("user;item;score\n1;1;1\n", T, ["missing"], "separated by ';'"),
    "tabs": ("user\titem\tscore\n1\t1\t1\n", T, ["missing"], "separated by tabs"),
    "column twice": ("user,user,item,score\n1,1,1,1\n", T, ["column user occurs 2 times"], "Rename or remove"),
    "empty": ("", T, ["p.csv", "file is empty"], "first line names the columns"),
    "blank header": ("\nuser,item,score\n", T, ["first line is empty"], "first line names the columns"),
    "header only": ("user,item,score\n", T, ["p.csv", "no rows"], "predictions"),
    "header without newline": ("user,item,score", T, ["p.csv", "no rows"], "predictions"),
    "truth header only": (P, "user,item\n", ["t.csv", "no rows"], "truth"),
    "text for score": (P + "1,2,high\n", T, ["column score, row 2", "'high' is not a number"], "0.25"),
    "no score": (P + "1,2,\n", T, ["column score, row 2", "empty"], "0.25"),
    "decimal comma": (P + '1,2,"0,5"\n', T, ["column score, row 2", "'0,5'"], "0.25"),
    "underscore": (P + "1,2,1_0\n", T, ["column score, row 2", "'1_0'"], "0.25"),
    "nan": (P + "1,2,nan\n", T, ["column score, row 2", "nan is not a finite"], "remove the row"),
    "NA": (P + "1,2,NA\n", T, ["column score, row 2", "'NA' is not a number"], "0.25"),
    "infinite": (P + "1,2,3\n1,3,-inf\n", T, ["column score, row 3", "-inf"], "remove the row"),
    "too large": (P + "1,2,1e999\n", T, ["column score, row 2", "inf is not"], "remove the row"),
    "nan gain": (P, "user,item,gain\n1,1,NaN\n", ["t.csv", "column gain, row 1"], "remove the row"),
    "text gain": (P, "user,item,gain\n1,1,good\n", ["t.csv", "column gain, row 1", "'good'"], "0.25"),
    "empty id": (P + "1,,1\n", T, ["column item, row 2", "empty"], "give it an id"),
    "narrow row": (P + "\n1,2\n", T, ["row 2", "2 values", "names 3 columns"], "fill up short rows"),
    "wide row": (P + "1,2,3,4\n", T, ["row 2", "4 values", "names 3 columns"], "Quote values"),
    "duplicate": (
        P + "2,1,1\n2,5,1\n1,1,3\n2,1,1\n",
        T,
        ["p.csv", "row 4", "user 1, item 1", "row 1"],
        "one row for each user and item in the predictions",
    ),
    "duplicate in truth": (P, T + "1,1\n", ["t.csv", "row 2", "user 1, item 1", "row 1"], "in the truth"),
    "duplicate text": ("user,item,score\nu,x,1\nu,x,1\n", "user,item\nu,x\n", ["user 'u', item 'x'"], "one row"),
    "no shared user": (P, "user,item\n01,1\n", ["no user occurs in both", "'1'", "'01'"], "same way"),
    "misnamed gain": (P, "user,item,rating\n1,1,5\n", ["no column gain", "'rating'"], "Rename 'rating' to gain"),
    "nothing relevant": (P, "user,item,gain\n1,1,0.5\n", ["no row is relevant", "threshold of 1"], "0.5 or less"),
    "latin-1": (
        b"user,item,score\na,b,1\ncaf\xe9,b,1\n",
        T,
        ["line 3 is not UTF-8", "0xe9"],
        "iconv -f LATIN1",
    ),
    "utf-16": ("user,item,score\n1,1,1\n".encode("utf-16"), T, ["line 1 is not UTF-8"], "iconv"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_with_place_and_next_step(write, name):
    predictions, truth, said, hint = REFUSED[name]
    with pytest.raises(UserError) as refused:
        read_case(write("p.csv", predictions), write("t.csv", truth), None)
    for part in said:
        assert part in refused.value.message
    assert hint in refused.value.hint
    assert refused.value.exit_code == 2


def test_an_empty_train_file_says_to_leave_it_out(write):
    with pytest.raises(UserError) as refused:
        read_case(write("p.csv", P), write("t.csv", T), write("r.csv", "user,item\n"))
    assert "r.csv" in refused.value.message
    assert "--train" in refused.value.hint


def test_a_late_bad_score_is_named_in_a_large_file(write):
    lines = [f"{row // 100},{row % 100},{row}" for row in range(200_000)]
    lines[150_000] = "1500,0,oops"
    text = "user,item,score\n" + "\n".join(lines)
    with pytest.raises(UserError, match=r"row 150001: 'oops'"):
        read_case(write("p.csv", text), write("t.csv", T), None)


BAD_PARQUET = {
    "missing score": ({"user": [1, 1], "item": [1, 2], "score": [1.0, None]}, "column score, row 2", "fill"),
    "nan score": ({"user": [1, 1], "item": [1, 2], "score": [1.0, float("nan")]}, "column score, row 2", "finite"),
    "text score": ({"user": [1], "item": [1], "score": ["high"]}, "column score has the type string", "Cast score"),
    "bool score": ({"user": [1], "item": [1], "score": [True]}, "column score has the type bool", "Cast score"),
    "missing user": ({"user": [1, None], "item": [1, 2], "score": [1.0, 1.0]}, "column user, row 2", "fill"),
    "float user": ({"user": [1.0], "item": [1], "score": [1.0]}, "column user has the type double", "cast user"),
    "empty id": ({"user": ["a"], "item": [""], "score": [1.0]}, "column item, row 1", "give it an id"),
    "misnamed": ({"userId": [1], "item": [1], "score": [1.0]}, "column user is missing", "'userId' to user"),
    "no rows": ({"user": pa.array([], pa.int64()), "item": [], "score": []}, "no rows", "at least one row"),
    "score beyond 2^53": ({"user": [1], "item": [1], "score": [2**53 + 1]}, "column score", "float64 holds"),
}


@pytest.mark.parametrize("name", BAD_PARQUET)
def test_bad_parquet_is_refused_with_place_and_next_step(write, name):
    columns, said, hint = BAD_PARQUET[name]
    with pytest.raises(UserError) as refused:
        read_case(write("p.parquet", pa.table(columns)), write("t.csv", T), None)
    assert said in refused.value.message
    assert hint in refused.value.hint


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("p.parquet", b"hello", "no Parquet file"),
        ("p.parquet", b"", "no Parquet file"),
        ("p.csv.gz", b"user,item,score\n", "cannot be read"),
        ("p.csv.gz", gzip.compress(PREDICTIONS.encode() * 5000)[:-40], "cannot be read"),
        ("p.xlsx", b"PK", "suffix .xlsx"),
        ("p", b"user", "suffix none"),
    ],
)
def test_a_file_of_another_kind_is_refused(write, name, content, said):
    with pytest.raises(UserError, match=said) as refused:
        read_case(write(name, content), write("t.csv", T), None)
    assert refused.value.hint


def test_a_missing_file_a_directory_and_a_locked_file_are_refused(write, tmp_path, monkeypatch):
    truth = write("t.csv", T)
    with pytest.raises(UserError, match="no such file"):
        read_case(tmp_path / "none.csv", truth, None)
    with pytest.raises(UserError, match="is a directory"):
        read_case(tmp_path, truth, None)
    locked = write("p.csv", P)

    def refuse(*_args, **_options):
        raise PermissionError(13, "Permission denied")  # a test run as root could read any mode

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UserError, match="no permission") as refused:
        read_case(locked, truth, None)
    assert "chmod" in refused.value.hint
