"""Logs of a child keep their beginning and their end."""

from __future__ import annotations

from pathlib import Path

from recsys_metric_audit.audit.process.child_log import HEAD_BYTES, MAX_BYTES, TAIL_BYTES, shorten


def test_a_log_keeps_its_beginning_and_its_end_while_it_is_written(tmp_path: Path) -> None:
    log = tmp_path / "stdout.log"
    text = "".join(f"{number:7}\n" for number in range(1 << 18))  # 2 MB in lines of 8 bytes
    with log.open("a") as writer:
        writer.write(text)
        writer.flush()
        shorten(log)
        writer.write("after the cut\n")
    assert log.read_text() == (
        text[:HEAD_BYTES] + "\n[... cut by the audit ...]\n" + text[-TAIL_BYTES:] + "after the cut\n"
    )


def test_a_log_that_is_no_longer_than_allowed_is_left_as_it_is(tmp_path: Path) -> None:
    log = tmp_path / "stdout.log"
    log.write_bytes(b"x" * MAX_BYTES)
    shorten(log)
    assert log.stat().st_size == MAX_BYTES
