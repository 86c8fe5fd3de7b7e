"""CSV: what is read exactly, and what is refused in which words."""

from __future__ import annotations

import os
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recsys_metric_audit.audit.data import Dataset, read_case
from recsys_metric_audit.audit.errors import UserError


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
