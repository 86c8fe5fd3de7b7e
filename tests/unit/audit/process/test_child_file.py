"""Of a child's files regular ones are read, and nothing else makes the audit wait, follow or grow."""

from __future__ import annotations

import errno
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from recsys_metric_audit.audit.process.child import MAX_BYTES, shorten
from recsys_metric_audit.audit.process.control_directory import (
    ResponseError,
    Responses,
    create_regular,
    load_array,
    open_regular,
    save_array,
)
from recsys_metric_audit.audit.process.protocol import PROTOCOL, NotOffered

HELLO = {"protocol": PROTOCOL, "python": "3.6.15", "platform": "Linux", "installed": {}, "functions": ["f"]}


def _link(path: Path) -> None:
    path.with_name("elsewhere").write_text("somebody's own\n")
    path.symlink_to("elsewhere")


OTHERS: dict[str, Callable[[Path], None]] = {
    "pipe": lambda path: os.mkfifo(path),
    "folder": lambda path: path.mkdir(),
    "link": _link,
    "endless device": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("writing", [False, True])
def test_only_regular_files_are_opened(tmp_path: Path, kind: str, writing: bool) -> None:
    OTHERS[kind](tmp_path / "file")
    with pytest.raises(OSError, match="file"):
        open_regular(tmp_path / "file", writing=writing)


@pytest.mark.parametrize("kind", OTHERS)
def test_a_response_that_is_no_file_breaks_the_protocol(tmp_path: Path, kind: str) -> None:
    OTHERS[kind](tmp_path / "response.jsonl")
    with pytest.raises(ResponseError, match="the response cannot be read"):
        list(Responses(tmp_path).read())


@pytest.mark.parametrize("kind", OTHERS)
def test_what_was_answered_is_read_before_something_else_in_the_place_of_the_response(
    tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "response.jsonl"
    path.write_text("")
    responses = Responses(tmp_path)
    responses.open()
    path.write_text(f'{json.dumps({"hello": HELLO})}\n{{"not_offered": "none", {CALL}}}\n')
    path.rename(tmp_path / "moved")
    OTHERS[kind](path)
    answers = responses.read()
    assert next(answers).outcome == NotOffered("none")
    with pytest.raises(ResponseError, match="something else was put in the place"):
        next(answers)


def test_what_was_answered_is_read_though_the_response_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "response.jsonl"
    path.write_text(f"{json.dumps({'hello': HELLO})}\n")
    responses = Responses(tmp_path)
    responses.open()
    path.unlink()
    assert list(responses.read()) == []
    assert responses.hello is not None


@pytest.mark.parametrize("kind", OTHERS)
def test_a_log_that_is_no_file_is_not_cut(tmp_path: Path, kind: str) -> None:
    OTHERS[kind](tmp_path / "stderr.log")
    with pytest.raises(OSError):
        shorten(tmp_path / "stderr.log")


def test_a_link_in_the_place_of_a_log_costs_its_target_nothing(tmp_path: Path) -> None:
    (tmp_path / "own").write_bytes(b"x" * (MAX_BYTES + 1))
    (tmp_path / "stderr.log").symlink_to("own")
    with pytest.raises(OSError):
        shorten(tmp_path / "stderr.log")
    assert (tmp_path / "own").stat().st_size == MAX_BYTES + 1


def _npy(shape: tuple[int, ...], content: bytes) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": shape})
    return file.getvalue() + content


def test_an_array_is_read(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([0.5, 1.5]))
    assert load_array(tmp_path / "a.npy").tolist() == [0.5, 1.5]


@pytest.mark.parametrize("values", [np.arange(5), np.array([0.5, np.nan]), np.empty(0, dtype=np.int64)])
def test_an_array_is_written_as_numpy_writes_it(tmp_path: Path, values: NDArray[Any]) -> None:
    save_array(tmp_path / "own.npy", values)
    np.save(tmp_path / "numpy.npy", values)
    assert (tmp_path / "own.npy").read_bytes() == (tmp_path / "numpy.npy").read_bytes()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
def test_an_array_on_a_full_disk_tells_why_and_where(tmp_path: Path) -> None:
    (tmp_path / "a.npy").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left") as caught:
        save_array(tmp_path / "a.npy", np.arange(100_000))
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(tmp_path / "a.npy"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (_npy((10**13,), b""), "says that it holds"),
        (_npy((2,), b"\0" * 8), "and holds 8 bytes"),
        (_npy((1,), b"\0" * 16), "and holds 16 bytes"),
        (b"\x93NUMPY\x09\x00", "format"),
        (b"junk", "magic"),
    ],
)
def test_an_array_that_is_not_what_it_says_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "a.npy").write_bytes(content)
    with pytest.raises(ValueError, match=said):
        load_array(tmp_path / "a.npy")


CALL = '"ask": 0, "function": "f", "k": 2, "repetition": 0, "users": null, "values": null, "dtype": "f", "seconds": 0'


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        '{"mean": 1' + "0" * 400 + f", {CALL}}}",
        '{"mean": 1' + "0" * 5000 + f", {CALL}}}",
        '{"ask": 0, "function": "f", "k": 2, "repetition": 0, "mean": null, "users": [1'
        + "0" * 400
        + '], "values": [1]}',
    ],
    ids=["deep", "400 digits", "5000 digits", "a user of 400 digits"],
)
def test_a_line_of_any_depth_and_digits_only_breaks_the_protocol(tmp_path: Path, line: str) -> None:
    (tmp_path / "response.jsonl").write_text(f"{json.dumps({'hello': HELLO})}\n{line}\n")
    with pytest.raises(ResponseError, match="no line of the protocol"):
        list(Responses(tmp_path).read())


def test_a_response_is_read_in_parts_and_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recsys_metric_audit.audit.process.control_directory._MOST_AT_ONCE", 400)
    lines = [json.dumps({"hello": HELLO}), *(f'{{"mean": "{number}", {CALL}}}' for number in range(20))]
    (tmp_path / "response.jsonl").write_text("\n".join(lines) + "\n")
    assert [answer.outcome.mean for answer in Responses(tmp_path).read()] == list(range(20))  # type: ignore[union-attr]
    (tmp_path / "response.jsonl").write_text("x" * 500)
    with pytest.raises(ResponseError, match="a line of more than 400 bytes"):
        list(Responses(tmp_path).read())


def test_a_new_file_takes_the_place_of_a_link_and_leaves_what_that_led_to(tmp_path: Path) -> None:
    log = tmp_path / "stdout.log"
    _link(log)
    with create_regular(log) as file:
        file.write(b"ours")
    assert (tmp_path / "elsewhere").read_text() == "somebody's own\n"
    assert not log.is_symlink() and log.read_text() == "ours"


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "stdout.log").mkdir()
    with pytest.raises(OSError):
        create_regular(tmp_path / "stdout.log")


def test_what_is_written_never_covers_what_others_append_meanwhile(tmp_path: Path) -> None:
    log = tmp_path / "stdout.log"
    log.write_bytes(b"begin\n")
    with open_regular(log, writing=True) as ours, log.open("ab") as theirs:
        ours.seek(0, os.SEEK_END)
        theirs.write(b"theirs\n")
        theirs.flush()
        ours.write(b"ours\n")
    assert log.read_bytes() == b"begin\ntheirs\nours\n"
