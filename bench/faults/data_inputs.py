"""Data files as they lie about: of other encodings, cut, empty, too long, of other kinds, with impossible numbers."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from bench.faults.trial import PLACES, Trial
from bench.faults.typed_inputs import typed
from tests.support.generated_inputs import with_wrong_bytes

_ROWS = "user,item,score\n1,10,0.75\n1,11,0.5\n2,10,0.25\n"
_TRUTH = "user,item,gain\n1,10,1\n2,11,2\n"
_SCORES = (
    "", " ", "x", "nan", "NaN", "inf", "-inf", "1e400", "-1e400", "1e-400", "0x10", "1,5", "1_000", "٣", "½",
    "None", "null", "true", "9007199254740993", "9" * 400, "9" * 5000, "1" + "0" * 309, "1.5.5", "--1", "1e",
    "\x1b[2J", "::error::",
)  # fmt: skip
_IDS = (
    "",
    " ",
    "x" * 1_000_000,
    "\x00",
    "\x1b[2J",
    "::error::",
    "\u202e",
    "9" * 5000,
    "-1",
    "1.0",
    "nan",
    "é",
    "'",
    "=1+1",
)


def _contents() -> Iterator[tuple[str, bytes, bool]]:
    """Yield files of predictions: name with suffix, content, and whether the tool has to refuse it."""
    text = _ROWS.encode()
    yield "empty.csv", b"", True
    yield "blank_lines.csv", b"\n\n\n", True
    yield "header_only.csv", b"user,item,score\n", True
    yield "no_header.csv", text.split(b"\n", 1)[1], True
    yield "carriage_returns.csv", text.replace(b"\n", b"\r"), False
    yield "dos.csv", text.replace(b"\n", b"\r\n"), False
    yield "utf16.csv", _ROWS.encode("utf-16"), True
    yield "utf16be.csv", b"\xfe\xff" + _ROWS.encode("utf-16-be"), True
    yield "utf32.csv", _ROWS.encode("utf-32"), True
    yield "gzip.csv", gzip.compress(text), True
    yield "parquet.csv", _parquet({"user": [1], "item": [2], "score": [1.0]}), True
    yield "page.csv", b"<!DOCTYPE html>\n<title>404 Not Found</title>", True
    yield "pointer.csv", b"version https://git-lfs.github.com/spec/v1\nsize 1\n", True
    yield "pdf.csv", b"%PDF-1.7\n", True
    yield "utf8_mark.csv", b"\xef\xbb\xbf" + text, False
    yield "latin1.csv", text + "é,1,1\n".encode("latin-1"), True
    yield "latin1_header.csv", "usér,item,score\n1,2,3\n".encode("latin-1"), True
    yield "nul.csv", text + b"\x00,1,1\n", False
    yield "cut_in_a_row.csv", text[:-5], True
    yield "unclosed_quote.csv", text + b'"3,10,0.5\n', True
    yield "too_many_columns.csv", text + b"3,10,0.5,7\n", True
    yield "semicolons.csv", text.replace(b",", b";"), True
    yield "tabs.csv", text.replace(b",", b"\t"), True
    yield "commas.tsv", text, True
    yield "long_line.csv", b"user,item,score," + b"x" * 3_000_000 + b"\n", True
    yield "many_columns.csv", (",".join(f"c{n}" for n in range(20_000)) + "\n").encode(), True
    yield "many_twins.csv", (",".join(["user", "item", "score"] * 5_000) + "\n").encode(), True
    yield "same_row_twice.csv", text + b"1,10,0.5\n", True
    yield "capitals.csv", text.replace(b"user", b"User"), True
    yield "far_names.csv", text.replace(b"user", b"zebra").replace(b"score", b"quux"), True
    yield "escape_in_header.csv", text.replace(b"score", b"\x1b[2Jscore"), True
    yield "binary.csv", bytes(range(256)) * 40, True
    yield "text.parquet", text, True
    yield "cut.parquet", _parquet({"user": [1], "item": [2], "score": [1.0]})[:-6], True
    yield "empty.parquet", b"", True
    yield "no_rows.parquet", _parquet({"user": pa.array([], pa.int64()), "item": pa.array([], pa.int64()),
                                       "score": pa.array([], pa.float64())}), True  # fmt: skip
    yield "null.parquet", _parquet({"user": [1, None], "item": [2, 3], "score": [1.0, 2.0]}), True
    yield "lists.parquet", _parquet({"user": [[1], [2]], "item": [2, 3], "score": [1.0, 2.0]}), True
    yield "not_utf8.parquet", _parquet({"user": _not_utf8(), "item": [2, 3], "score": [1.0, 2.0]}), True
    yield "text_scores.parquet", _parquet({"user": [1, 2], "item": [2, 3], "score": ["a", "b"]}), True
    yield "nan.parquet", _parquet({"user": [1, 2], "item": [2, 3], "score": [float("nan"), 1.0]}), True
    yield "floats.parquet", _parquet({"user": [1.5, 2.0], "item": [2, 3], "score": [1.0, 2.0]}), True
    yield "dates.parquet", _parquet({"user": pa.array([0, 1], pa.date32()), "item": [2, 3], "score": [1.0, 2.0]}), True
    yield "whole_scores.parquet", _parquet({"user": [1, 1], "item": [2, 3], "score": [2**53, 2**53 + 1]}), True
    yield "no_gzip.csv.gz", text, True
    yield "cut.csv.gz", gzip.compress(text)[:-8], True
    yield "damaged.csv.gz", gzip.compress(text)[:12] + b"\xff" * 20, True
    yield "gzip_in_csv.csv", gzip.compress(text), True
    yield "no_suffix", text, True
    yield "table.xlsx", b"PK\x03\x04" + bytes(100), True
    yield "short.trec", b"1 Q0 10\n", True
    yield "no_number.run", b"1 Q0 10 1 x tag\n", True
    yield "large_number.run", b"1 Q0 10 1 1e400 tag\n", True
    yield "binary.run", bytes(range(256)), True
    for number, score in enumerate(_SCORES):
        refused = score not in ("1e-400",)
        yield f"score_{number}.csv", f"user,item,score\n1,10,{score}\n2,11,0.5\n".encode(), refused
    for number, one in enumerate(_IDS):
        yield f"user_{number}.csv", f"user,item,score\n{one},10,0.5\n1,10,0.75\n".encode(), not one
        yield f"twice_{number}.csv", f"user,item,score\n1,{one},0.5\n1,{one},0.75\n".encode(), True


def _parquet(columns: dict[str, object]) -> bytes:
    buffer = BytesIO()
    pq.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


def _not_utf8() -> pa.Array:
    raw = pa.array([b"\xff\xfe", b"ok"], pa.binary())
    return pa.Array.from_buffers(pa.string(), 2, raw.buffers())


_ADVICE = {
    "utf16.csv": "UTF-16", "utf16be.csv": "UTF-16", "score_7.csv": "too large", "score_18.csv": "9007199254740993",
    "utf32.csv": "UTF-32", "gzip.csv": "gzip", "page.csv": "web page", "pointer.csv": "Git LFS", "pdf.csv": "PDF",
    "parquet.csv": "Parquet", "semicolons.csv": "';'", "carriage_returns.csv": "", "whole_scores.parquet": "2",
}  # fmt: skip
"""What a message has to say, by the file's name, where a wrong advice was once given."""


def inputs() -> Iterator[Trial]:
    """Yield all files: as predictions of an evaluation, and some as truth and as train data of an audit."""
    for name, content, refused in _contents():
        yield Trial("predictions", name, partial(_evaluated, name, content, refused))
        if not name.startswith(("score_", "twice_")):
            yield Trial("truth", name, partial(_as_truth, name, content))
    for seed in range(60):
        yield Trial("damaged", f"{seed}.parquet", partial(_damaged, seed))
    for name in ("pipe.csv", "device.csv", "folder.csv", "missing.csv", "loop.csv", "unreadable_link.csv", "x" * 300):
        yield Trial("places", name, partial(_at_place, name))


def _written(folder: Path, name: str, content: bytes) -> Path:
    (folder / name).write_bytes(content)
    return folder / name


def _evaluated(name: str, content: bytes, refused: bool, folder: Path) -> list[str]:
    path, truth = _written(folder, name, content), _written(folder, "the_truth.csv", _TRUTH.encode())
    wrong = typed("evaluate", str(path), str(truth), "-k", "2", names=_ADVICE.get(name, name) if refused else None)
    done = typed("run", "--predictions", str(path), "--truth", str(truth), "--out", str(folder / "report"))
    return [*wrong, *done, *_unlike(refused, path, truth)]


def _unlike(refused: bool, path: Path, truth: Path) -> list[str]:
    """Return whether the file was not met as it has to be: what is no table of predictions is refused."""
    from recsys_metric_audit.audit.data.files.user_files import read_case
    from recsys_metric_audit.audit.errors import UserError

    try:
        read_case(path, truth, None)
    except UserError as error:
        return [] if refused else [f"refused: {error.message[:300]}"]
    return ["not refused"] if refused else []


def _damaged(seed: int, folder: Path) -> list[str]:
    """Return a trial of a Parquet file with some wrong bytes: it is read or refused, as a file and in a folder."""
    (folder / "shown").mkdir()
    whole = _parquet({"user": [1, 1, 2, 2], "item": [1, 2, 1, 2], "score": [2.0, 1.0, 2.0, 1.0]})
    path, truth = folder / "shown" / "rows.parquet", _written(folder, "the_truth.csv", _TRUTH.encode())
    path.write_bytes(with_wrong_bytes(whole, seed))
    wrong = [line for given in (path, path.parent) for line in typed("evaluate", str(given), str(truth), "-k", "2")]
    return [*wrong, *typed("run", "--predictions", str(path), "--truth", str(truth), "--out", str(folder / "r"))]


def _as_truth(name: str, content: bytes, folder: Path) -> list[str]:
    path, rows = _written(folder, name, content), _written(folder, "the_rows.csv", _ROWS.encode())
    words = "run", "--predictions", str(rows), "--out", str(folder / "report")
    return [*typed(*words, "--truth", str(path)), *typed(*words, "--truth", str(rows), "--train", str(path))]


def _at_place(name: str, folder: Path) -> list[str]:
    path, truth = folder / name, _written(folder, "the_truth.csv", _TRUTH.encode())
    if name == "unreadable_link.csv":
        path.symlink_to("/proc/self/mem")
    elif put := PLACES.get(path.stem):
        put(path)
    return typed("evaluate", str(path), str(truth), names=name[:200])
