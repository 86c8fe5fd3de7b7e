"""CSV: what is read exactly, and what is refused in which words."""

from __future__ import annotations

import gzip
import os
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recsys_metric_audit.audit.data import Dataset, read_case
from recsys_metric_audit.audit.data.files import read_parquet
from recsys_metric_audit.audit.data.files.input_table import PREDICTIONS, TRAIN, TRUTH
from recsys_metric_audit.audit.data.files.read_trec import read_trec
from recsys_metric_audit.audit.errors import UserError
from tests.support.generated_inputs import with_wrong_bytes

# CSV: what is read exactly, and what is refused in which words.


def rows(dataset: Dataset) -> list[tuple]:
    """Predictions as the user would write them."""
    table = dataset.case.predictions
    users, items = dataset.users.of(table.user), dataset.items.of(table.item)
    return list(zip(users, items, table.score.tolist(), strict=True))


@pytest.mark.parametrize("name", ["NA", "null", "nan", "ü ñ", " a", "a,b", 'say "x"', "1e3", "1.0", "-0"])
def test_an_id_is_taken_literally(write, name):
    quoted = '"' + name.replace('"', '""') + '"'
    predictions = write("p.csv", f"user,item,score\nu,{quoted},1\n")
    data = read_case(predictions, write("t.csv", f"user,item\nu,{quoted}\n"), None)
    assert rows(data) == [("u", name, 1.0)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30))
def test_scores_come_back_to_the_last_bit(write, scores):
    lines = "".join(f"u,{item},{score!r}\n" for item, score in enumerate(scores))
    data = read_case(write("p.csv", "user,item,score\n" + lines), write("t.csv", "user,item\nu,0\n"), None)
    got = dict(zip(data.items.of(data.case.predictions.item), data.case.predictions.score, strict=True))
    assert [got[item] for item in range(len(scores))] == scores


def test_scores_that_differ_by_one_ulp_stay_apart_and_in_order(write):
    # halfway cases and 17-digit neighbours, where a careless parser is one unit in the last place off
    texts = ["0.1", "0.10000000000000002", "9007199254740993.0", "1.7976931348623157e308", "5e-324", "+2", "1."]
    lines = "".join(f"u,{item},{text}\n" for item, text in enumerate(texts))
    data = read_case(write("p.csv", "user,item,score\n" + lines), write("t.csv", "user,item\nu,0\n"), None)
    got = dict(zip(data.case.predictions.item.tolist(), data.case.predictions.score.tolist(), strict=True))
    assert [got[item] for item in range(len(texts))] == [float(Decimal(text)) for text in texts]


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
    "places": (
        "user,item,Rank\n1,1,1\n",
        T,
        ["column score is missing"],
        "'Rank' names places, of which the best is the lowest",
    ),
    "typo": ("usr,item,score\n1,1,1\n", T, ["column user is missing"], "'usr' to user"),
    "no header": ("1,2,3\n", T, ["columns user, item and score are missing"], "the line user,item,score above"),
    "semicolons": ("user;item;score\n1;1;1\n", T, ["missing"], "separated by ';'"),
    "tabs": ("user\titem\tscore\n1\t1\t1\n", T, ["missing"], "separated by tabs"),
    "column twice": ("user,user,item,score\n1,1,1,1\n", T, ["column 'user' occurs 2 times"], "Rename or remove"),
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
    "too large": (P + "1,2,1e999\n", T, ["column score, row 2", "'1e999' is too large for a number"], "Scale"),
    "many digits": (P + f"1,2,{'9' * 400}\n", T, ["column score, row 2", "(400 characters) is too large"], "Scale"),
    "rounded": (P + f"1,2,{2**53 + 1}\n", T, ["column score, row 2", "'9007199254740993' is not held"], "Scale it"),
    "long id": (
        f"user,item,score\n{'u' * 10**6},1,1\n" * 1 + f"{'u' * 10**6},1,1\n",
        T,
        ["row 2: user 'uuu", "… (1,000,000 characters), item", "row 1"],
        "one row",
    ),
    "endless header": ("x" * (2**17 + 1), T, ["first line has more than 131,072 bytes"], "names the columns"),
    "open quote in the header": ('user,item,"score\n1,1,1\n1,2,3\n', T, ["quote in its first line is not"], "close it"),
    "text after a quote": ('user,item,"score"s\n1,1,1\n', T, ["quote in its first line is not closed"], "close it"),
    "open quote": (P + '1,"2,3\n1,3,3\n', T, ["p.csv: row 2: a quote is not closed: "], "Remove the quote"),
    "open quote in a large file": (
        P + '1,"2,3\n' + "1,2,3\n" * 2_000_000,
        T,
        ["p.csv: row 2: a quote is not closed"],
        "Remove the quote",
    ),
    "endless row": (P + f"1,{'2' * 2 * 10**7},1\n", T, ["p.csv: a row has more than 8,388,608 bytes"], "broken"),
    "many columns": ("a," * 50 + "b,c\n1\n", T, ["column 'a' occurs 50 times"], "Rename"),
    "wide header": (
        ",".join(f"c{number}" for number in range(10**4)) + "\n",
        T,
        ["columns user, item and score are missing", "'c19' and 9,980 more)"],
        "called exactly",
    ),
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
    "no shared user": (P, "user,item\n01,1\n", ["no user occurs in both", "'1'", "'01'"], "--train FILE"),
    "no shared item": (P, "user,item\n1,01\n", ["no item occurs in both", "'1'", "'01'"], "--train FILE"),
    "misnamed gain": (P, "user,item,rating\n1,1,5\n", ["no column gain", "'rating'"], "Rename 'rating' to gain"),
    "nothing relevant": (P, "user,item,gain\n1,1,0.5\n", ["no row is relevant", "threshold of 1"], "0.5 or less"),
    "all zero": (P, "user,item,gain\n1,1,0\n", ["no row is relevant"], "a gain above 0, or leave gain out"),
    "latin-1": (
        b"user,item,score\na,b,1\ncaf\xe9,b,1\n",
        T,
        ["line 3 is not UTF-8", "0xe9"],
        "the encoding in which it was written (LATIN1, CP1252, GB18030, ...): iconv -f ENCODING",
    ),
    "utf-16": ("user,item,score\n1,1,1\n".encode("utf-16"), T, ["mark of UTF-16"], "iconv -f UTF-16 "),
    "utf-16 without mark": ("user,item,score\n1,1,1\n".encode("utf-16-le"), T, ["zero bytes"], "iconv -f UTF-16 "),
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


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_lines_end_as_on_any_system(write, ends):
    predictions, truth = (text.replace("\n", ends) for text in ("user,item,score\n1,1,2\n1,2,1\n", "user,item\n1,2\n"))
    data = read_case(write("p.csv", predictions.encode()), write("t.csv", truth.encode()), None)
    assert data.case.predictions.score.tolist() == [2, 1]
    assert data.items.of(data.case.truth.item) == [2]


def test_whole_numbers_that_a_double_holds_are_read_however_large(write):
    held = [2**53, 2**53 + 2, 2**60, 10**22]
    text = "user,item,score\n" + "".join(f"1,{item},{score}\n" for item, score in enumerate(reversed(held)))
    data = read_case(write("p.csv", text), write("t.csv", "user,item\n1,1\n"), None)
    assert [int(score) for score in data.case.predictions.score] == held[::-1]


def test_ids_of_any_number_of_digits_are_told_apart(write):
    one, other = "9" * 5000, "9" * 4999 + "8"
    data = read_case(
        write("p.csv", f"user,item,score\n1,{one},2\n1,{other},1\n"), write("t.csv", f"user,item\n1,{one}\n"), None
    )
    assert data.items.of(data.case.truth.item) == [one]
    assert len(data.case.catalogue) == 2


def test_a_pipe_is_refused_at_once(tmp_path, write):
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(UserError, match="no file but a pipe or a device") as refused:
        read_case(tmp_path / "pipe.csv", write("t.csv", "user,item\n1,1\n"), None)
    assert "into a file first" in refused.value.hint


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.binary(max_size=60)
    | st.text(alphabet='user,item"score\n\r0129.eE+-\0\ufeff é', max_size=60).map(lambda text: text.encode())
)
@pytest.mark.slow
def test_any_bytes_are_read_or_refused_with_a_place(tmp_path, write, content):
    for start in (b"", b"user,item,score\n", b"user,item,score\r"):
        (tmp_path / "any.csv").write_bytes(start + content)
        try:
            read_case(tmp_path / "any.csv", write("t.csv", "user,item\n1,1\n"), None)
        except UserError as refused:
            assert "any.csv" in refused.message and refused.hint


# Parquet: what is read, and what is refused in which words.


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


P, T = "user,item,score\n1,1,1\n", "user,item\n1,1\n"

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


@pytest.mark.parametrize("typed", ["string", "dictionary"])
def test_text_that_is_not_utf_8_is_refused_with_its_row(write, typed):
    texts = pa.array([b"a", b"\xff\xfe"], pa.binary())
    column = pa.Array.from_buffers(pa.string(), 2, texts.buffers())
    if typed == "dictionary":
        column = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int32()), column)
    path = write("p.parquet", pa.table({"user": column, "item": [1, 1], "score": [1.0, 1.0]}))
    with pytest.raises(UserError, match=r"column user, row 2: b'\\xff\\xfe' is not UTF-8") as refused:
        read_case(path, write("t.csv", T), None)
    assert "UTF-8" in refused.value.hint


def test_numbers_are_read_in_batches_and_a_missing_one_is_named_by_its_row_in_the_file(write, tmp_path, monkeypatch):
    monkeypatch.setattr(read_parquet, "_BATCH", 2)
    columns = {"user": pa.array([1, 1, 2, 2, 3], pa.int8()), "item": pa.array([5, 4, 3, 2, 1], pa.uint64())}
    whole = pa.table({**columns, "score": pa.array([5, 4, 3, 2, 1], pa.decimal128(5, 2))})
    data = read_case(write("p.parquet", whole), write("t.csv", T), None)
    assert rows(data) == [(1, 5, 5.0), (1, 4, 4.0), (2, 3, 3.0), (2, 2, 2.0), (3, 1, 1.0)]
    assert data.case.predictions.user.dtype == data.case.predictions.item.dtype == np.int64
    without = pa.table({**columns, "score": [5.0, 4.0, 3.0, None, 1.0]})
    with pytest.raises(UserError, match="column score, row 4: the value is missing"):
        read_case(write("q.parquet", without), write("t.csv", T), None)


WHOLE = pa.table({"user": np.repeat(np.arange(30), 50), "item": np.tile(np.arange(50), 30),
                  "score": np.arange(1500.0)[::-1]})  # fmt: skip


@pytest.mark.parametrize("compression", ["snappy", "none"])
def test_a_file_with_wrong_bytes_is_read_or_refused(write, tmp_path, compression):
    pq.write_table(WHOLE, tmp_path / "whole.parquet", compression=compression)
    content, truth, refused = (tmp_path / "whole.parquet").read_bytes(), write("t.csv", T), 0
    for seed in range(40):
        damaged = write("p.parquet", with_wrong_bytes(content, seed))
        try:
            read_case(damaged, truth, None)
        except UserError as error:
            assert str(damaged) in error.message
            refused += 1
    assert refused > 10


def saying(rows, *parts):
    """Return the footer of a file that tells of so many rows, altogether and in its parts."""
    return SimpleNamespace(
        num_rows=rows, num_row_groups=len(parts), row_group=lambda part: SimpleNamespace(num_rows=parts[part])
    )


@pytest.mark.parametrize("says", [saying(-1, -1), saying(10**17, 5), saying(10**19, 10**19), saying(10)])
def test_a_number_of_rows_that_cannot_be_is_no_table(tmp_path, says):
    with pytest.raises(UserError, match=f"is no Parquet file: it says that it has {says.num_rows:,} rows"):
        read_parquet._room_for(tmp_path / "p.parquet", says, np.dtype(np.float64))


def test_short_memory_is_no_damage_of_a_file(write, tmp_path, monkeypatch):
    pq.write_table(WHOLE, tmp_path / "p.parquet", row_group_size=100)

    def refuse(*given, **options):
        raise MemoryError

    monkeypatch.setattr(np, "empty", refuse)
    with pytest.raises(MemoryError):
        read_parquet.read_parquet(tmp_path / "p.parquet", PREDICTIONS)


class Told:
    """A file whose footer tells of another number of rows than there are."""

    def __init__(self, path, rows):
        self.file, self.metadata = pq.ParquetFile(path), saying(rows, rows)

    def iter_batches(self, size, columns):
        return self.file.iter_batches(size, columns=columns)


@pytest.mark.parametrize("rows", [1499, 1501])
def test_fewer_or_more_rows_than_the_file_tells_of_are_refused(tmp_path, monkeypatch, rows):
    monkeypatch.setattr(read_parquet, "_BATCH", 100)
    path = tmp_path / "p.parquet"
    pq.write_table(WHOLE, path)
    with pytest.raises(UserError, match=f"column score has other than {rows:,} rows"):
        read_parquet._filled(path, "score", Told(path, rows), np.dtype(np.float64), pa.float64())


# Runs and qrels of TREC are read as predictions and truth.


RUN = "q1 Q0 d2 1 0.5 mine\nq1\tQ0\td1  2 0.75 mine\n\nq2 Q0 d1 1 3 mine\n"
QRELS = "q1 0 d1 2\nq1 0 d3 0\nq2 0 d2 1\nq2 0 d1 -1\n"


def written(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_a_case_is_read_by_score_and_grade(tmp_path: Path) -> None:
    """The score decides, not the rank; grades 0 and -1 are no rows of the truth, and are told."""
    found = read_case(written(tmp_path, "a.run", RUN), written(tmp_path, "a.qrels", QRELS), None)
    rows = found.case.predictions
    assert [list(found.users.of(rows.user)), list(found.items.of(rows.item))] == [
        ["q1", "q1", "q2"],
        ["d1", "d2", "d1"],
    ]
    assert found.case.predictions.score.tolist() == [0.75, 0.5, 3.0]
    assert found.case.truth.gain.tolist() == [2.0, 1.0]
    assert any(fact.count == 2 and "grade below 1" in fact.text for fact in found.facts)


def test_a_gzipped_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.trec.gz").write_bytes(gzip.compress(RUN.encode()))
    assert read_trec(tmp_path / "a.trec.gz", PREDICTIONS).user.names == ("q1", "q2")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("q1 Q0 d2 1 high mine\n", "row 1: 'high' is no number"), ("q1 Q0 d2 1 0.5\n", "line 1 has 5 words, not 6"),
        ("", "there are no rows"), ("q1 Q0 d 1 nan x\n", "nan is not a finite number"),
    ],
)  # fmt: skip
def test_bad_content_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        read_trec(written(tmp_path, "a.run", text), PREDICTIONS)


def test_other_bytes_and_training_data_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.qrels").write_bytes(b"q1 0 d\xff 1\n")
    with pytest.raises(UserError, match="line 1 is not UTF-8"):
        read_trec(tmp_path / "a.qrels", TRUTH)
    with pytest.raises(UserError, match="TREC has no files of train"):
        read_trec(tmp_path / "a.qrels", TRAIN)
