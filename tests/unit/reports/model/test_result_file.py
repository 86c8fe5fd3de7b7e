"""Result files are read, written and merged whole, or refused with what to do."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.model import regular_file
from recsys_metric_audit.reports.model.atomic_write import remove_abandoned, replace_file, write_file, write_files
from recsys_metric_audit.reports.model.regular_file import read_regular, read_regular_text
from recsys_metric_audit.reports.model.report_error import ReportError
from recsys_metric_audit.reports.model.result import FORMAT, Result
from recsys_metric_audit.reports.model.result_file import (
    PACKAGED_RUN,
    load_run,
    merge,
    read_result,
    result_json,
    write_result,
)
from tests.support.extreme_results import HOSTILE, hostile
from tests.support.result_samples import finding, library, result
from tests.support.result_samples import result as sample

# Reading a result file: what was written comes back, and every defect has its message.


def changed(**changes: Any) -> str:
    return json.dumps(json.loads(result_json(result())) | changes)


def changed_finding(**changes: Any) -> str:
    first, *others = json.loads(result_json(result()))["findings"]
    return changed(findings=[first | changes, *others])


def test_a_byte_order_mark_is_no_damage(tmp_path: Path) -> None:
    (tmp_path / "audit.json").write_text(result_json(result()), encoding="utf-8-sig")
    assert result_json(read_result(tmp_path)) == result_json(result())


@pytest.mark.parametrize("made", [result(), hostile()])
def test_what_is_written_is_read_back(made: Result, tmp_path: Path) -> None:
    write_result(made, tmp_path)
    again = read_result(tmp_path)
    assert result_json(again) == result_json(made)
    assert read_result(tmp_path / "audit.json").libraries == made.libraries


def test_attacks_in_the_place_of_a_signature_are_refused_shortly(tmp_path: Path) -> None:
    (tmp_path / "audit.json").write_text(changed_finding(signature="|".join(HOSTILE) * 1000))
    with pytest.raises(ReportError, match="signature cannot be read by this version") as caught:
        read_result(tmp_path)
    assert len(caught.value.message) < 1000


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "is not JSON: Expecting value at line 1, column 1", "audit run"),
        (result_json(result())[:5000], "is not JSON: .* at line", "cut off"),
        ("[1, 2]", "has no format number", "audit.json"),
        ("{}", "has no format number", "audit.json"),
        ('{"format": true}', "has no format number", "audit.json"),
        (changed(format=FORMAT + 1), "has format 5, newer than the 4", "pip install --upgrade"),
        (changed(format=0), "has format 0; this version reads format 4 alone", "audit run"),
        (changed(k="many"), "is damaged at k: Input should be a valid tuple", "Restore"),
        (changed(findings=[{}]), r"is damaged at findings.0.library: .* \(and \d+ more places\)", "Restore"),
        (changed(dataset="\ud83d"), r"holds \\ud83d, which alone is no character", "Restore"),
        (changed_finding(k=-1), r"is damaged at findings.0.k: .* greater than or equal to 1", "Restore"),
        (changed_finding(metric="nope"), "findings.0.metric cannot be read by this version: no metric 'nope'", "later"),
        (changed_finding(signature="ndcg@5|gain:nope"), "findings.0.signature cannot be read .*gain", "upgrade"),
        (changed_finding(formula="ndcg@5|axis_of_tomorrow:x"), "findings.0.formula cannot be read", "later version"),
        (changed_finding(equivalent=["metric_of_tomorrow@5"]), "findings.0.equivalent cannot be read", "later version"),
        ("[" * 100_000, "is not a result file", "audit run"),
        ('{"format": ' + "9" * 5000 + "}", "is not a result file", "audit run"),
    ],
)
def test_a_file_that_cannot_be_read_says_what_is_wrong_and_what_to_do(
    text: str, message: str, hint: str, tmp_path: Path
) -> None:
    file = tmp_path / "audit.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ReportError, match=message) as caught:
        read_result(file)
    assert str(file) in caught.value.message
    assert hint in caught.value.hint


def test_a_missing_file_and_one_that_is_no_text_are_named(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"There is no .*audit\.json"):
        read_result(tmp_path)
    (tmp_path / "audit.json").write_bytes(b"\x80\x81")
    with pytest.raises(ReportError, match="is not a text file"):
        read_result(tmp_path)


# Writing a result file.


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(ReportError, match="taken cannot be written"):
        write_result(result(), tmp_path / "taken")


def test_compact_json_says_the_same_on_one_line() -> None:
    compact = result_json(result(), compact=True)
    whole = result_json(result())
    assert Result.model_validate_json(compact).model_dump_json() == Result.model_validate_json(whole).model_dump_json()
    assert len(compact) < len(whole)
    assert compact.count("\n") == 1 and compact.endswith("}\n")


# Reports of several machines become one, or it is said why they cannot.


def part(name: str, **changes: Any) -> tuple[Path, Result]:
    given: dict[str, Any] = {"libraries": (library(name),), "findings": (finding("ndcg", name),), "command": name}
    return Path(name), sample(**given | changes)


def test_libraries_and_findings_are_joined_in_order() -> None:
    whole = merge([part("b"), part("a"), part("c", platform="Mars")])
    assert [entry.library for entry in whole.libraries] == ["b", "a", "c"]
    assert [each.library for each in whole.findings] == ["b", "a", "c"]
    assert (whole.platform, whole.command) == ("Linux x86_64; Mars", "b; a; c")
    assert whole.reference == part("a")[1].reference


def test_one_stays_as_it_is() -> None:
    assert merge([part("a")]) == part("a")[1]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"k": (10,)}, r"a and b differ in k: \(20,\), \(10,\)"),
        ({"tool": "9"}, "differ in tool: 0.1.0, 9"),
        ({"dataset": sample().dataset.model_copy(update={"digest": "sha256:1"})}, "differ in dataset"),
    ],
)
def test_what_cannot_be_compared_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ReportError, match=said):
        merge([part("a"), part("b", **changes)])


def test_a_library_twice_is_refused() -> None:
    with pytest.raises(ReportError, match="cannot be merged"):
        merge([part("a"), part("a")])


def test_results_that_are_held_against_different_definitions_are_not_merged() -> None:
    (row, *others) = part("a")[1].reference
    other_axis = row.model_copy(update={"definition": {**row.definition, "counts": "hits"}})
    for changed, what in ((row.model_copy(update={"signature": "hit_rate@20|counts:hits"}), "its signature"),
                          (other_axis, "counts")):  # fmt: skip
        with pytest.raises(ReportError, match=rf"a and b differ in the canonical hit_rate \({what}\)"):
            merge([part("a"), part("b", reference=(changed, *others))])


def test_canonical_rows_of_metrics_that_one_part_lacks_are_kept() -> None:
    rows = part("a")[1].reference
    whole = merge([part("a", reference=rows[:2]), part("b", reference=rows[1:])])
    assert whole.reference == rows


# Where a question is answered from: the run that was named, the last one, or the packaged one.

RUN = "run on MovieLens-100K, EASE at 2025-03-01 12:30 UTC by version 0.1.0"


def test_a_named_run_comes_first_then_the_last_then_the_packaged(tmp_path: Path) -> None:
    named, last = tmp_path / "named", tmp_path / "last"
    assert load_run(None, last).origin.startswith("the recorded run that comes with this tool, run on ")
    write_result(result(), last)
    assert load_run(None, last).origin == f"{last / 'audit.json'}, {RUN}"
    file = write_result(result(), named)
    assert load_run(named, last).origin == f"{file}, {RUN}"
    assert load_run(file, last).origin == f"{file}, {RUN}"


def test_a_named_run_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="There is no"):
        load_run(tmp_path / "nothing.json", tmp_path)


def test_every_published_signature_can_be_read_back() -> None:
    """A signature is copied from the page into `audit explain`, or into a paper's methods section."""
    findings = read_result(PACKAGED_RUN).findings
    published = {each.signature for each in findings if each.signature} | {e for f in findings for e in f.equivalent}
    assert len(published) > 100
    for signature in published:
        parse(signature)


def test_a_packed_result_is_read_and_a_damaged_one_refused(tmp_path: Path) -> None:
    packed = tmp_path / "run.json.xz"
    packed.write_bytes(PACKAGED_RUN.read_bytes())
    assert result_json(read_result(packed)) == result_json(read_result(PACKAGED_RUN))
    packed.write_bytes(PACKAGED_RUN.read_bytes()[:-100])
    with pytest.raises(ReportError, match="is no xz file"):
        read_result(packed)


# Files that somebody names are read whole, and never waited for.


def test_the_content_is_read_also_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes("é\r\nb\rc\n".encode())
    (tmp_path / "link").symlink_to("file")
    assert read_regular(tmp_path / "link") == b"\xc3\xa9\r\nb\rc\n"
    assert read_regular_text(tmp_path / "link") == "é\nb\rc\n"


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    for path, words in (
        (tmp_path / "pipe", "pipe or a device"), (Path("/dev/zero"), "pipe or a device"), (tmp_path, "directory"),
        (tmp_path / "loop", "symbolic links"), (tmp_path / "none", "No such file"),
    ):  # fmt: skip
        with pytest.raises(OSError, match=words):
            read_regular(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    monkeypatch.setattr(regular_file, "LARGEST", 4)
    with pytest.raises(OSError, match="larger than 4 bytes"):
        read_regular(tmp_path / "file")


# Atomic writing: all files or none, and no leftovers.


def test_a_missing_folder_is_made_and_text_is_utf_8(tmp_path: Path) -> None:
    write_file("é\n", tmp_path / "deep" / "a.txt")
    write_file(b"\x80", tmp_path / "deep" / "b.bin")
    assert (tmp_path / "deep" / "a.txt").read_bytes() == b"\xc3\xa9\n"
    assert (tmp_path / "deep" / "b.bin").read_bytes() == b"\x80"


def test_a_failure_replaces_no_file_and_leaves_none_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path, {"a": "old a", "b": "old b"})

    def full(descriptor: int) -> None:
        if os.fstat(descriptor).st_size == len("b is longer"):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ReportError, match="No space left on device"):
        write_files(tmp_path, {"a": "new a", "b": "b is longer"})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "old a", "b": "old b"}


@pytest.mark.parametrize("blocked", ["a", "b", "c"])
def test_a_folder_in_the_way_of_one_file_leaves_all_as_they_were(tmp_path: Path, blocked: str) -> None:
    for name in {"a", "b", "c"} - {blocked}:
        (tmp_path / name).write_text(f"old {name}")
    (tmp_path / blocked / "mine").mkdir(parents=True)
    with pytest.raises(ReportError, match=f"{tmp_path / blocked} cannot be written: Is a directory"):
        write_files(tmp_path, {"a": "new a", "b": "new b", "c": "new c"})
    assert {path.name: path.read_text() for path in tmp_path.iterdir() if path.is_file()} == {
        name: f"old {name}" for name in {"a", "b", "c"} - {blocked}
    }


def test_a_folder_in_the_way_leaves_no_part_of_a_first_report(tmp_path: Path) -> None:
    (tmp_path / "b" / "mine").mkdir(parents=True)
    with pytest.raises(ReportError, match="Is a directory"):
        write_files(tmp_path, {"a": "new a", "b": "new b"})
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_files_are_replaced_where_the_disk_gives_a_file_one_name_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    write_files(tmp_path, {"a": "old a", "b": "old b"})
    monkeypatch.setattr(os, "link", refuse)
    write_files(tmp_path, {"a": "new a", "b": "new b"})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "new a", "b": "new b"}


def test_a_full_disk_is_named_by_the_file_that_was_written(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    (tmp_path / f".a.{os.getpid()}.new").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left on device") as told:
        replace_file(tmp_path / "a", "text")
    assert Path(str(told.value.filename)).parent == tmp_path


@pytest.fixture
def ended() -> int:
    """Return the number of a process that has ended."""
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


def leave(folder: Path, name: str, hours: float = 1.0) -> Path:
    path = folder / name
    path.write_text("half")
    then = time.time() - 3600 * hours
    os.utime(path, (then, then))
    return path


def test_what_a_killed_writer_left_is_removed_by_the_next_one(tmp_path: Path, ended: int) -> None:
    new, old = (leave(tmp_path, f".a.json.{ended}.{end}") for end in ("new", "old"))
    replace_file(tmp_path / "a.json", "whole")
    assert not new.exists() and not old.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_files_of_others_and_of_writers_at_work_stay(tmp_path: Path, ended: int) -> None:
    kept = [
        leave(tmp_path, f".a.json.{os.getppid()}.new"),  # its process runs
        leave(tmp_path, f".a.json.{ended}.new", hours=0.0),  # another machine may write it at this moment
        leave(tmp_path, f".b.json.{ended}.new"),  # of another file
        leave(tmp_path, f".a.json.{ended}.new.txt"), leave(tmp_path, f"a.json.{ended}.new"),
        leave(tmp_path, ".a.json.0.new"), leave(tmp_path, ".a.json.1.new"), leave(tmp_path, ".a.json.x.new"),
    ]  # fmt: skip
    replace_file(tmp_path / "a.json", "whole")
    assert [path for path in kept if not path.exists()] == []


def test_in_a_folder_of_ours_leftovers_of_any_name_go(tmp_path: Path, ended: int) -> None:
    gone, kept = leave(tmp_path, f".b.json.{ended}.new"), leave(tmp_path, "b.json")
    remove_abandoned(tmp_path)
    assert not gone.exists() and kept.exists()


def test_a_link_that_lies_in_the_way_is_removed_and_not_followed(tmp_path: Path, ended: int) -> None:
    target = leave(tmp_path, "precious")
    link = tmp_path / f".a.{ended}.new"
    link.symlink_to(target)
    os.utime(link, (0, 0), follow_symlinks=False)
    replace_file(tmp_path / "a", "whole")
    assert not link.is_symlink() and target.read_text() == "half"
