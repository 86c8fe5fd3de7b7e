"""Whatever options a command is given, and whatever lies in the files of data, it ends with a documented code.

AUDIT_EXAMPLES=20 tries twenty times as much.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from recsys_metric_audit.audit.cli import app
from recsys_metric_audit.reports.writers.report_folder import write_report
from tests.support.command_line import Audit, audit
from tests.support.generated_inputs import examples_in_one_folder
from tests.support.result_samples import result

pytestmark = pytest.mark.slow  # hundreds of commands

MENDABLE = {0, 1, 2, 3, 4}
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def ended_well(*words: str) -> str:
    """Type a command; return what it said on stderr once its code is one that the user can do something about."""
    done = audit(*words)
    assert done.exception is None or isinstance(done.exception, SystemExit), (words, done.exception)
    assert done.exit_code in MENDABLE, (words, done.stderr)
    assert done.exit_code != 2 or "audit: " in done.stderr or "Error: " in done.stderr, (words, done.stderr)
    return done.stderr


FILES = ("p.csv", "t.csv", "p.parquet", "run", "empty.csv", "bytes.csv", "folder", "missing.csv", "link.csv", "new.csv")
VALID = (
    "ndcg", "ndcg@10", "map,ndcg", "recall@5|denominator:min", "auc", "recbole", "recbole:ndcg", "text", "csv", "json",
    "html", "parquet", "latex", "trec", "0.5", "0.95", "2", "20", "sampled:5", "leave_one_out", "cold:1", "ndcg@5=0.5",
    "synthetic:5x20", "5%", ".25", "1", "rs_metrics==0.6.0", "bwrap", "popular,random", "all",
)  # fmt: skip
ODD = (
    "",
    " ",
    "-1",
    "0",
    "1e400",
    "nan",
    "inf",
    "9" * 5000,
    "../x",
    "/",
    "\x1b[2J",
    "=",
    "@",
    "|",
    ",",
    ":",
    "\x00",
    "٣",
)
WORDS = st.sampled_from(FILES) | st.sampled_from(VALID) | st.sampled_from(ODD) | st.text(max_size=12)
PLAIN = {
    "run": ["--dataset", "synthetic:5x20"],
    "evaluate": ["p.csv", "t.csv"],
    "which": ["--dataset", "synthetic:5x20", "--value", "ndcg@5=0.5", "--changes", "0"],
    "diff": ["--dataset", "synthetic:5x20"],
    "report": ["run"],
    **{name: [] for name in ("explain", "compare", "definitions", "probes", "list", "table", "paper")},
}
"""Commands that start no library, with what keeps them from fetching data."""
LEFT_OUT = {"--help", "--archive", "--changes"}  # an archive is read for minutes, changes are searched for minutes


@st.composite
def commands(draw: st.DrawFn) -> list[str]:
    """Draw a command with some of its options and arguments, in any order and number."""
    name = draw(st.sampled_from(sorted(PLAIN)))
    options = [each for each in COMMANDS[name].params if each.param_type_name == "option"]
    words = [name, *(PLAIN[name] if draw(st.integers(0, 3)) or name in ("run", "which", "diff") else [])]
    for option in draw(st.lists(st.sampled_from(options), max_size=3)):
        typed = draw(st.sampled_from(option.opts))
        if typed not in LEFT_OUT:
            words += [typed] if option.is_flag else [typed, draw(WORDS)]
    return [*words, *(["--"] if draw(st.booleans()) else []), *draw(st.lists(WORDS, max_size=2))]


@pytest.fixture
def filled(tmp_path: Path, audited: Audit) -> Path:
    """Fill the working folder with files of every kind, a report among them."""
    (tmp_path / "p.csv").write_text("user,item,score\n1,1,2\n1,2,1\n2,1,1\n")
    (tmp_path / "t.csv").write_text("user,item,gain\n1,1,1\n2,2,2\n")
    pq.write_table(pa.table({"user": [1, 2], "item": [1, 2], "score": [1.0, 0.5]}), tmp_path / "p.parquet")
    write_report(result(), tmp_path / "run")
    (tmp_path / "empty.csv").touch()
    (tmp_path / "bytes.csv").write_bytes(bytes(range(256)))
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.csv").symlink_to("link.csv")
    return tmp_path


@examples_in_one_folder(40)
@given(words=commands())
def test_any_options_of_any_command(filled: Path, words: list[str]) -> None:
    ended_well(*words)


CELLS = st.sampled_from([
    "1", "2", "10", "0.5", "-1", "", " ", "nan", "inf", "1e400", "9" * 400, "9007199254740993", '"', '"1"', "1,2", "é",
    "\x00", "::error::x", "true", "1.0", "0x1", "07", "\x1b[0m",
]) | st.text(max_size=6) | st.integers().map(str) | st.floats().map(repr)  # fmt: skip
HEADERS = st.sampled_from([
    "user,item,score", "user,item,gain", "user,item", "item,score,user", "user,user,item,score", "User,item,score",
    "user_id,item_id,rating", "user;item;score", "user\titem\tscore", '"user","item","score"', "score", "",
]) | st.text(max_size=20)  # fmt: skip
NAMES = ("any.csv", "any.tsv", "any.csv.gz", "any.run", "any.qrels", "any.parquet", "any.txt", "any")


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """Draw the content of a table of text: any header, any cells, any ends of lines and encoding."""
    separator, end = (
        draw(st.sampled_from([",", ",", ";", "\t", " "])),
        draw(st.sampled_from(["\n", "\n", "\r\n", "\r"])),
    )
    rows = draw(st.lists(st.lists(CELLS, min_size=1, max_size=6).map(separator.join), max_size=6))
    text = end.join([draw(HEADERS), *rows, *draw(st.sampled_from([[""], []]))])
    return text.encode(draw(st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1"])), "replace")


@examples_in_one_folder(40)
@given(name=st.sampled_from(NAMES), content=texts(), zipped=st.booleans())
def test_any_table_of_text(filled: Path, name: str, content: bytes, zipped: bool) -> None:
    (filled / name).write_bytes(gzip.compress(content) if zipped and name.endswith(".gz") else content)
    _all_three(name)


def _all_three(name: str) -> None:
    """Give a file as predictions, as truth and as train data; a message that refuses it has to name it."""
    given_as = (
        ("evaluate", name, "t.csv"),
        ("evaluate", "p.csv", name),
        ("evaluate", "p.csv", "t.csv", "--train", name),
    )
    for words in given_as:
        said = ended_well(*words, "-k", "2", "--metrics", "ndcg,auc")
        assert "audit: " not in said or name in said or "shares no" in said or "no user" in said, said


TYPES: tuple[Any, ...] = (
    pa.int64(), pa.int8(), pa.uint64(), pa.float64(), pa.float16(), pa.string(), pa.large_string(), pa.binary(),
    pa.bool_(), pa.date32(), pa.timestamp("us"), pa.decimal128(30, 2), pa.list_(pa.int64()), pa.null(),
    pa.dictionary(pa.int32(), pa.string()), pa.dictionary(pa.int8(), pa.int64()), pa.string_view(),
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    0,
    1,
    7,
    127,
    "a",
    "1",
    "",
    1.5,
    float("nan"),
    float("inf"),
    None,
    True,
    b"\xff",
    [1],
    -1,
    2**63,
)


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """Draw a Parquet table: any columns, of any types, with what values of these there are."""
    names = draw(st.sampled_from([("user", "item", "score"), ("user", "item", "gain"), ("user", "item"), ("score",)]))
    rows = draw(st.integers(0, 4))
    return pa.table({name: _column(draw, rows) for name in names})


def _column(draw: st.DrawFn, rows: int) -> pa.Array:
    kind = draw(st.sampled_from(TYPES))
    values = [draw(st.sampled_from(VALUES)) for _ in range(rows)]
    try:
        return pa.array(values, kind)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return pa.nulls(rows, kind) if draw(st.booleans()) else pa.array(range(rows), pa.int64())


@examples_in_one_folder(30)
@given(table=tables(), folder=st.booleans())
def test_any_table_of_parquet(filled: Path, table: pa.Table, folder: bool) -> None:
    name = "folder/any.parquet" if folder else "any.parquet"
    try:
        pq.write_table(table, filled / name)
    except pa.ArrowException:
        return  # no such file can be written
    _all_three("folder" if folder else name)
