"""Recorded answers of one library version: as values, as JSON, and as files, written whole or not at all.

A recording holds raw answers only, by what each depends on: identification runs anew on every replay. In JSON, floats
are written as ``repr``, so that every digit, ``nan`` and ``inf`` survive. Seconds, tracebacks and the end of stderr are
dropped: they describe a machine, not a metric, and may hold its paths.

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
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from recsys_metric_audit.audit.data.dataset import input_digest
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.process.protocol import (
    Answer,
    Ask,
    Crashed,
    Errored,
    Hello,
    Measured,
    NotOffered,
    Outcome,
    TimedOut,
    Unaskable,
)
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reports.model.atomic_write import replace_file
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.regular_file import read_regular, read_regular_text

_KINDS: Mapping[str, tuple[type[Any], tuple[str, ...], tuple[str, ...]]] = {
    "not_offered": (NotOffered, ("why",), ()),
    "unaskable": (Unaskable, ("why",), ()),
    "errored": (Errored, ("error", "message"), ("",)),
    "crashed": (Crashed, ("exit_code",), ("as recorded",)),
    "timed_out": (TimedOut, ("seconds",), ()),
}
"""Gives each kind of answer its class, the fields that are written, and what is read in the place of others."""


def to_json(outcome: Outcome) -> list[Any]:
    """Return `outcome` as a JSON list: its kind, then its fields."""
    if not isinstance(outcome, Measured):
        kind, fields = next((kind, fields) for kind, (of, fields, _) in _KINDS.items() if isinstance(outcome, of))
        return [kind, *(getattr(outcome, name) for name in fields)]
    number = None if outcome.mean is None else repr(outcome.mean)
    if outcome.users is None or outcome.values is None:
        return ["measured", outcome.dtype, number]
    values = " ".join(map(repr, outcome.values.tolist()))
    return ["measured", outcome.dtype, number, outcome.users.tolist(), values]


def from_json(written: Sequence[Any]) -> Outcome:
    """Return the outcome that :func:`to_json` wrote.

    Raises:
        ValueError: for an unknown kind, or users and values of different length.
    """
    kind, *rest = written
    if kind == "measured":
        return _measured(*rest)
    if kind not in _KINDS:
        raise ValueError(f"{kind!r} is no kind of answer")
    of, fields, lost = _KINDS[kind]
    outcome: Outcome = of(*rest[: len(fields)], *lost)
    return outcome


def _measured(dtype: str, number: str | None, users: list[int] | None = None, values: str | None = None) -> Measured:
    mean = None if number is None else float(number)
    if users is None or values is None:
        return Measured(mean, None, None, dtype, 0.0)
    ids = np.array(users, dtype=np.int64)
    numbers = np.array([float(value) for value in values.split()], dtype=np.float64)
    if len(ids) != len(numbers):
        raise ValueError(f"{len(ids)} users but {len(numbers)} values")
    return Measured(mean, ids, numbers, dtype, 0.0)


Key = tuple[str, int, str, int | None, int]
"""What an answer depends on: digest of the input, hash seed, function, k, repetition."""

_SHOWN = 200  # characters of an answer that a difference quotes
_IDENTITY = ("library", "version", "commit", "digest", "adapter")


@dataclass(frozen=True)
class Header:
    """Names the library version of a recording, and when, where and with what it was made.

    ``digest`` is the digest of the files that carry the metrics (:func:`audit.sources.checkout.digest`), ``adapter``
    the SHA-256 (hex) of the adapter that asked, ``date`` an ISO 8601 day, ``installed`` distribution → version.
    """

    library: str
    version: str
    commit: str
    digest: str
    adapter: str
    date: str
    python: str
    platform: str
    installed: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class AnswerLog:
    """Collects answers by what they depend on, in the order given; ``names`` maps input digests to names."""

    answers: dict[Key, list[Outcome]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def add(self, cases: Mapping[str, Case], asks: Iterable[Ask], answers: Iterable[Answer], hash_seed: int) -> None:
        """Append the answers of one conversation in which `asks` were put on `cases`."""
        case_of = {ask.id: ask.case for ask in asks}
        digests = {name: input_digest(cases[name]) for name in set(case_of.values())}
        for answer in answers:
            name = case_of[answer.ask]
            self.names.setdefault(digests[name], cases[name].name or name)
            key = (digests[name], hash_seed, answer.function, answer.k, answer.repetition)
            self.answers.setdefault(key, []).append(answer.outcome)


@dataclass(frozen=True, eq=False)
class Recording:
    """A header and the answers that were recorded under it."""

    header: Header
    log: AnswerLog

    @property
    def hello(self) -> Hello:
        """Return the greeting of the recorded process, rebuilt from the header."""
        functions = tuple(dict.fromkeys(key[2] for key in self.log.answers))
        return Hello(0, self.header.python, self.header.platform, self.header.installed, functions)


def differences(old: Recording, new: Recording) -> list[str]:
    """Return in words how `new` differs from `old`, to the last bit; date and machine are not compared."""
    found = [
        f"{name} was {getattr(old.header, name)!r} and is {getattr(new.header, name)!r}"
        for name in _IDENTITY
        if getattr(old.header, name) != getattr(new.header, name)
    ]
    before, now = _as_json(old.log), _as_json(new.log)
    names = {**old.log.names, **new.log.names}
    for key in [*before, *(key for key in now if key not in before)]:
        if before.get(key) != now.get(key):
            was, is_ = (str(answers.get(key, "not asked"))[:_SHOWN] for answers in (before, now))
            found.append(f"{key[2]} on {names[key[0]]} at k = {key[3]}: was {was}, is {is_}")
    return found


def _as_json(log: AnswerLog) -> Mapping[Key, Sequence[object]]:
    return {key: [to_json(outcome) for outcome in outcomes] for key, outcomes in log.answers.items()}


Keys = Mapping[str, Sequence[Sequence[Any]]]
"""The calls that an audit made, by the digest of their input: hash seed, function, k, repetition, number of answers."""


@dataclass
class UsedAnswers:
    """Collects the answers that an audit was given; equal calls of one conversation are counted by their turn.

    ``repeatable`` is false once an answer was not to be kept, or one call was answered in two ways: a later run might
    be given another answer.
    """

    repeatable: bool = True
    _digests: dict[tuple[Key, int], str] = field(default_factory=dict)

    def add(self, key: Key, turn: int, outcome: Outcome) -> None:
        """Add the answer to a call, after `turn` equal calls of its conversation."""
        digest = _digest(outcome)
        if self._digests.setdefault((key, turn), digest) != digest:
            self.repeatable = False

    def keys(self) -> Keys:
        """Return the calls whose answers were added."""
        turns: dict[Key, int] = {}
        for key, turn in self._digests:
            turns[key] = max(turns.get(key, 0), turn + 1)
        return grouped((digest, [*call, number]) for (digest, *call), number in turns.items())

    def digest(self) -> str:
        """Return the SHA-256 of the calls and of their answers; it does not depend on their order."""
        return _digest_of_all(self._digests)


def digest_in(log: AnswerLog, keys: Keys) -> str | None:
    """Return the SHA-256 of `keys` and of their answers in `log`, None if one is missing there.

    Raises:
        ValueError: if `keys` are none of :meth:`UsedAnswers.keys`.
    """
    digests: dict[tuple[Key, int], str] = {}
    for digest, calls in keys.items():
        for seed, function, k, repetition, number in calls:
            key = (digest, seed, function, k, repetition)
            found = log.answers.get(key, ())
            if not isinstance(number, int) or len(found) < number:
                return None
            digests |= {(key, turn): _digest(found[turn]) for turn in range(number)}
    return _digest_of_all(digests)


def _digest(outcome: Outcome) -> str:
    return hashlib.sha256(json.dumps(to_json(outcome)).encode()).hexdigest()


def _digest_of_all(digests: Mapping[tuple[Key, int], str]) -> str:
    lines = sorted(json.dumps([*key, turn, digest]) for (key, turn), digest in digests.items())
    return f"sha256:{hashlib.sha256(chr(10).join(lines).encode()).hexdigest()}"


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
