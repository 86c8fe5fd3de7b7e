"""Files of recordings: every digit comes back, equal answers share a file, and what is damaged is refused."""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from recsys_metric_audit.audit.process.protocol import Answer, Ask
from recsys_metric_audit.audit.responders import recording_file
from recsys_metric_audit.audit.responders.recording_file import Recording, from_json, to_json
from tests.support.recorded_answers import HEADER, OUTCOMES, comparable, every_outcome, log_of, one_row_case


def answers_of(header: Path) -> Path:
    (answers,) = header.parent.glob("*.jsonl.xz")
    return answers


def only_mean() -> Recording:
    ask = Ask(0, "p0", ("mean",), (5,))
    return Recording(HEADER, log_of({"p0": one_row_case()}, [ask], [Answer(0, "mean", 5, OUTCOMES["mean"])]))


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "recordings" / "1.0.json"
    recording_file.write(path, every_outcome())
    return path


@pytest.mark.parametrize(
    ("write", "read"),
    [(recording_file.write, recording_file.read), (recording_file.write_cache, recording_file.read_cache)],
)
def test_header_and_answers_come_back(
    tmp_path: Path, write: Callable[[Path, Recording], None], read: Callable[[Path], Recording]
) -> None:
    made = every_outcome()
    write(tmp_path / "folder" / "file.json", made)
    found = read(tmp_path / "folder" / "file.json")
    assert found.header == HEADER
    assert found.log.names == made.log.names
    assert {key: [comparable(each) for each in outcomes] for key, outcomes in found.log.answers.items()} == {
        key: [comparable(from_json(to_json(each))) for each in outcomes] for key, outcomes in made.log.answers.items()
    }


def test_the_header_names_the_answers_by_their_digest(written: Path) -> None:
    text = lzma.decompress(answers_of(written).read_bytes())
    digest = hashlib.sha256(text).hexdigest()
    header = json.loads(written.read_text())
    assert header["answers"] == f"sha256:{digest}"
    assert answers_of(written).name == f"{digest[:16]}.jsonl.xz"
    assert (header["format"], header["library"], header["version"]) == (2, "tiny", "1.0")
    assert b"somebody" not in text and "somebody" not in written.read_text()


def test_equal_answers_are_equal_bytes(written: Path, tmp_path: Path) -> None:
    recording_file.write(tmp_path / "elsewhere" / "1.0.json", every_outcome())
    bytes_here, bytes_there = (answers_of(each).read_bytes() for each in (written, tmp_path / "elsewhere" / "1.0.json"))
    assert bytes_here == bytes_there


def test_versions_that_answer_alike_share_one_file(written: Path) -> None:
    second = written.with_name("2.0.json")
    made = every_outcome()
    recording_file.write(second, Recording(replace(made.header, version="2.0"), made.log))
    assert answers_of(written).is_file()
    assert recording_file.read(second).header.version == "2.0"
    recording_file.write(second, Recording(replace(made.header, version="2.0"), only_mean().log))
    assert len(list(written.parent.glob("*.jsonl.xz"))) == 2  # the first version still has its own
    assert len(recording_file.read(written).log.answers) == len(OUTCOMES)
    assert len(recording_file.read(second).log.answers) == 1


def test_answers_that_no_header_names_are_removed(written: Path) -> None:
    before = answers_of(written)
    recording_file.write(written, only_mean())
    assert answers_of(written) != before
    assert recording_file.orphans(written.parent) == []
    assert set(written.parent.iterdir()) == {written, answers_of(written)}


def test_a_damaged_header_beside_it_keeps_all_answers(written: Path) -> None:
    written.with_name("2.0.json").write_text("{}")
    before = answers_of(written)
    recording_file.write(written, only_mean())
    assert before.is_file()


def test_damaged_answers_are_written_again(written: Path) -> None:
    whole = answers_of(written).read_bytes()
    answers_of(written).write_bytes(whole[:-9])
    recording_file.write(written, every_outcome())
    assert answers_of(written).read_bytes() == whole


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda text: text.replace('"format": 2', '"format": 1'), "no header of a recording (not of format 2)"),
        (lambda text: text.replace('"answers"', '"replies"'), "no header of a recording"),
        (lambda text: text.replace('"sha256:', '"', 1).replace('"answers": "', '"answers": "md5:'), "no header"),
        (lambda text: text[:-40], "no header of a recording"),
        (lambda text: "", "no header of a recording"),
        (lambda text: "[]", "no header of a recording"),
        (lambda text: "[" * 200_000, "no header of a recording"),
    ],
)
def test_a_damaged_header_is_refused(written: Path, damage: Callable[[str], str], words: str) -> None:
    written.write_text(damage(written.read_text()))
    with pytest.raises(UserError) as refused:
        recording_file.read(written)
    assert words in refused.value.message and str(written) in refused.value.message
    assert "audit record" in refused.value.hint


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda content: content[:-9], "cannot be read"),
        (lambda content: b"no xz", "cannot be read"),
        (lambda content: lzma.compress(lzma.decompress(content)[:-1]), "holds other answers than 1.0.json says"),
    ],
)
def test_damaged_answers_are_refused(written: Path, damage: Callable[[bytes], bytes], words: str) -> None:
    answers = answers_of(written)
    answers.write_bytes(damage(answers.read_bytes()))
    with pytest.raises(UserError, match=words) as refused:
        recording_file.read(written)
    assert str(answers) in refused.value.message


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"measured"', '"guessed"', "line 1: no line of a recording ('guessed' is no kind of answer)"),
        ('"answers"', '"replies"', "line 1: no line of a recording ('answers')"),
        ("}}", "}", "line 1: no line of a recording"),
    ],
)
def test_a_line_that_is_none_is_named(written: Path, old: str, new: str, words: str) -> None:
    text = lzma.decompress(answers_of(written).read_bytes()).decode().replace(old, new, 1).encode()
    digest = hashlib.sha256(text).hexdigest()
    header = json.loads(written.read_text()) | {"answers": f"sha256:{digest}"}
    written.write_text(json.dumps(header))
    written.with_name(f"{digest[:16]}.jsonl.xz").write_bytes(lzma.compress(text))
    with pytest.raises(UserError) as refused:
        recording_file.read(written)
    assert words in refused.value.message


@pytest.mark.parametrize("missing", ["header", "answers"])
def test_a_missing_file_is_said(written: Path, missing: str) -> None:
    (written if missing == "header" else answers_of(written)).unlink()
    with pytest.raises(UserError, match="there is no such recording"):
        recording_file.read(written)


@pytest.mark.parametrize("text", ["", "{}", '{"format": 1', "\x00", '{"format": 2}'])
def test_a_damaged_cache_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "cache.jsonl").write_text(text)
    with pytest.raises(UserError):
        recording_file.read_cache(tmp_path / "cache.jsonl")


@pytest.mark.parametrize("folder", sorted(adapters_dir().glob("*/recordings")), ids=lambda path: path.parent.name)
def test_the_recordings_that_come_with_the_tool_are_whole(folder: Path) -> None:
    assert recording_file.orphans(folder) == []
    asked: set[tuple[str, str]] = set()
    for path in folder.glob("*.json"):
        recording = recording_file.read(path)
        asked |= {(path.stem, function) for _, _, function, _, _ in recording.log.answers}
        assert (recording.header.library, recording.header.version) == (folder.parent.name, path.stem)
        assert recording.log.answers
    # 1,306 held-out users a function: 115,000 bytes are those of 41 functions of one version.
    assert sum(file.stat().st_size for file in folder.iterdir()) <= max(115_000, 115_000 * len(asked) // 41)
