"""Files of recorded answers: read and written, whole or not at all.

A recording is two files in ``adapters/<library>/recordings/``. ``<version>.json`` is the header: which version, when
and where it was made, and the SHA-256 of the answers. ``<first 16 digits of that>.jsonl.xz`` holds the answers, one
JSON line for each input (named by its digest) and hash seed; versions that answer alike share it. The answers of the
cache (:mod:`audit.responders.cache`) are one plain file: a header line, which has the SHA-256 of all, then the lines of
the answers.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.responders.recording import AnswerLog, Header, Recording, from_json, to_json
from recsys_metric_audit.reports.model.atomic_write import replace_file
from recsys_metric_audit.reports.model.regular_file import read_regular, read_regular_text

FORMAT = 2
"""Version of the format of recordings; 1 was one uncompressed file for each version."""
CACHE_FORMAT = 1

_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "pb": 0}]
"""Functions of one library give many users equal values, which lie further apart than gzip looks back; text is not
aligned (pb 0)."""
_RENEW = "renew it: audit record NAME --source NAME=DIR"
_MALFORMED = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


def write(path: Path, recording: Recording) -> None:
    """Write `recording`: the header to `path`, the answers beside it, and remove answers that no header names."""
    lines = _answer_lines(recording.log)
    text = "".join(f"{line}\n" for line in lines).encode()
    digest = hashlib.sha256(text).hexdigest()
    path.parent.mkdir(parents=True, exist_ok=True)
    answers = _answers_path(path, digest)
    if _digest_of(answers) != digest:
        replace_file(answers, lzma.compress(text, filters=_FILTERS))
    header = {"format": FORMAT, "answers": f"sha256:{digest}", **vars(recording.header)}
    replace_file(path, (json.dumps(header, indent=1, sort_keys=True) + "\n").encode())
    with suppress(UserError):  # while another header is damaged nobody knows which answers it names
        for orphan in orphans(path.parent):
            orphan.unlink()


def read(path: Path) -> Recording:
    """Read the recording whose header is `path`.

    Raises:
        UserError: naming the file and line, if a file is missing, damaged or of another format.
    """
    header, digest = _read_header(path)
    answers = _answers_path(path, digest)
    text = _read_bytes(answers)
    if hashlib.sha256(text).hexdigest() != digest:
        raise UserError(f"{answers}: holds other answers than {path.name} says", _RENEW)
    return Recording(header, _parse_answers(answers, text.decode().splitlines(), 1))


def orphans(folder: Path) -> list[Path]:
    """Return the files of answers in `folder` that no header there names.

    Raises:
        UserError: if a header cannot be read.
    """
    named = {_answers_path(path, _read_header(path)[1]) for path in folder.glob("*.json")}
    return sorted(set(folder.glob("*.jsonl.xz")) - named)


def write_cache(path: Path, recording: Recording) -> None:
    """Write `recording` to the one plain file `path`."""
    fields, lines = {"format": CACHE_FORMAT, **vars(recording.header)}, _answer_lines(recording.log)
    head = json.dumps({**fields, "answers": _cache_digest(recording.header, lines)}, sort_keys=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, "".join(f"{line}\n" for line in (head, *lines)).encode())


def read_cache(path: Path) -> Recording:
    """Read a file that :func:`write_cache` wrote.

    Raises:
        UserError: naming the file and line, if it is missing, damaged, changed or of another format.
    """
    try:
        head, *lines = read_regular_text(path).splitlines()
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read ({error})") from error
    header, digest = _parse_header(path, head, CACHE_FORMAT)
    if digest != _cache_digest(header, lines):
        raise UserError(f"{path}: is not as it was written")
    return Recording(header, _parse_answers(path, lines, 2))


def _cache_digest(header: Header, lines: Iterable[str]) -> str:
    """Return the SHA-256 of who answered and what: a digit that was changed by hand never becomes a verdict."""
    head = json.dumps({"format": CACHE_FORMAT, **vars(header)}, sort_keys=True)
    text = "".join(f"{line}\n" for line in (head, *lines))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _answers_path(header: Path, digest: str) -> Path:
    return header.with_name(f"{digest[:16]}.jsonl.xz")


def _read_header(path: Path) -> tuple[Header, str]:
    header, answers = _parse_header(path, _read_bytes(path).decode(errors="replace"), FORMAT)
    if not isinstance(answers, str) or not answers.startswith("sha256:"):
        raise UserError(f"{path}: no header of a recording (it names no answers)", _RENEW)
    return header, answers.removeprefix("sha256:")


def _parse_header(path: Path, text: str, expected: int) -> tuple[Header, Any]:
    try:
        fields = json.loads(text)
        if fields.pop("format") != expected:
            raise ValueError(f"not of format {expected}")
        answers = fields.pop("answers", None)
        return Header(**fields), answers
    except _MALFORMED as error:
        raise UserError(f"{path}: no header of a recording ({error})", _RENEW) from error


def _answer_lines(log: AnswerLog) -> list[str]:
    by_input: dict[tuple[str, int], dict[str, dict[str, list[Any]]]] = {}
    for (digest, seed, function, k, repetition), outcomes in log.answers.items():
        by_call = by_input.setdefault((digest, seed), {}).setdefault(function, {})
        by_call[json.dumps([k, repetition])] = [to_json(outcome) for outcome in outcomes]
    return [
        json.dumps(
            {"input": digest, "name": log.names[digest], "seed": seed, "answers": answers}, separators=(",", ":")
        )
        for (digest, seed), answers in by_input.items()
    ]


def _parse_answers(path: Path, lines: Iterable[str], first: int) -> AnswerLog:
    log = AnswerLog()
    for number, line in enumerate(lines, start=first):
        try:
            _parse_line(json.loads(line), log)
        except _MALFORMED as error:
            raise UserError(f"{path}: line {number}: no line of a recording ({error})", _RENEW) from error
    return log


def _parse_line(line: Mapping[str, Any], log: AnswerLog) -> None:
    log.names[line["input"]] = line["name"]
    for function, by_call in line["answers"].items():
        for call, outcomes in by_call.items():
            k, repetition = json.loads(call)
            key = (line["input"], line["seed"], function, k, repetition)
            log.answers[key] = [from_json(outcome) for outcome in outcomes]


def _read_bytes(path: Path) -> bytes:
    try:
        content = read_regular(path)
        return lzma.decompress(content) if path.suffix == ".xz" else content
    except FileNotFoundError as error:
        raise UserError(f"{path}: there is no such recording", _RENEW) from error
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise UserError(f"{path}: cannot be read ({error})", _RENEW) from error


def _digest_of(answers: Path) -> str | None:
    with suppress(UserError):
        return hashlib.sha256(_read_bytes(answers)).hexdigest()
    return None
