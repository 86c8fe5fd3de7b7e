"""Recordings: what a checkout of a git source answered, to be heard again where there is no checkout.

``adapters/<library>/recordings/<version>.jsonl`` is text: the first line says of what, where and when it was made,
each further one holds all answers on one input, which it names by its digest. Nothing but raw answers is in it:
identification runs anew, and an ask on an input that the recording does not know is left unanswered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from audit.data.dataset import input_digest
from audit.errors import UserError
from audit.process.protocol import Answer, Ask, Crashed, Errored, Hello, Measured, NotOffered, Outcome, TimedOut
from reference.input.case import Case

FORMAT = 1

Key = tuple[str, int, str, int | None, int]
"""Digest of the input, hash seed, function, k, repetition: what an answer depends on."""


@dataclass(frozen=True)
class About:
    """Of what a recording is, where and when it was made."""

    library: str
    version: str
    commit: str
    digest: str
    """Of the files that carry the metrics, as :func:`audit.sources.checkout.digest`."""
    adapter: str
    """SHA-256 of the adapter that asked."""
    date: str
    python: str
    platform: str
    installed: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Recording:
    """Answers by what they depend on, in the order in which they were given; ``names`` are those of the inputs."""

    about: About
    answers: Mapping[Key, Sequence[Outcome]]
    names: Mapping[str, str]

    @property
    def hello(self) -> Hello:
        """What the child said first, then."""
        about = self.about
        functions = tuple(dict.fromkeys(key[2] for key in self.answers))
        return Hello(0, about.python, about.platform, about.installed, functions)


@dataclass(frozen=True, eq=False)
class Tape:
    """Collects answers while a library is asked, whoever asks."""

    answers: dict[Key, list[Outcome]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def keep(self, cases: Mapping[str, Case], asks: Iterable[Ask], heard: Iterable[Answer], hash_seed: int) -> None:
        """Take one conversation down."""
        asked = {ask.id: ask.case for ask in asks}
        digests = {name: input_digest(cases[name]) for name in set(asked.values())}
        for each in heard:
            name = asked[each.ask]
            self.names.setdefault(digests[name], cases[name].name or name)
            key = (digests[name], hash_seed, each.function, each.k, each.repetition)
            self.answers.setdefault(key, []).append(each.outcome)


def replay(
    recording: Recording, cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int = 0
) -> tuple[tuple[Answer, ...], tuple[str, ...]]:
    """The recorded answers to ``asks``, and the names of the cases of which any answer is missing."""
    digests = {name: input_digest(cases[name]) for name in {ask.case for ask in asks}}
    heard: list[Answer] = []
    missing: dict[str, None] = {}
    given: dict[Key, int] = {}
    for ask in asks:
        for function in ask.functions:
            for k in ask.ks:
                for repetition in range(ask.repeat):
                    key = (digests[ask.case], hash_seed, function, k, repetition)
                    turn = given.get(key, 0)
                    known = recording.answers.get(key, ())
                    given[key] = turn + 1
                    if turn < len(known):
                        heard.append(Answer(ask.id, function, k, known[turn], repetition))
                    else:
                        missing[ask.case] = None
    return tuple(heard), tuple(missing)


def differences(old: Recording, about: About, tape: Tape) -> list[str]:
    """What ``tape`` says otherwise than ``old``, to the last bit; when and on what machine does not count."""
    found = [
        f"{name} was {getattr(old.about, name)!r} and is {getattr(about, name)!r}"
        for name in ("library", "version", "commit", "digest", "adapter")
        if getattr(old.about, name) != getattr(about, name)
    ]
    before = {key: [_written(outcome) for outcome in outcomes] for key, outcomes in old.answers.items()}
    now = {key: [_written(outcome) for outcome in outcomes] for key, outcomes in tape.answers.items()}
    names = {**old.names, **tape.names}
    for key in [*before, *(key for key in now if key not in before)]:
        if before.get(key) != now.get(key):
            was, is_ = (str(said.get(key, "not asked"))[:200] for said in (before, now))
            found.append(f"{key[2]} on {names[key[0]]} at k = {key[3]}: was {was}, is {is_}")
    return found


def write(path: Path, about: About, tape: Tape) -> None:
    """Write a recording aside and put it in its place in one step."""
    lines = [json.dumps({"format": FORMAT, **vars(about)}, sort_keys=True)]
    by_input: dict[tuple[str, int], dict[str, dict[str, list[Any]]]] = {}
    for (digest, seed, function, k, repetition), outcomes in tape.answers.items():
        own = by_input.setdefault((digest, seed), {}).setdefault(function, {})
        own[json.dumps([k, repetition])] = [_written(outcome) for outcome in outcomes]
    for (digest, seed), answers in by_input.items():
        line = {"input": digest, "name": tape.names[digest], "seed": seed, "answers": answers}
        lines.append(json.dumps(line, separators=(",", ":")))
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.aside")
    try:
        aside.write_text("\n".join(lines) + "\n", encoding="utf-8")
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def read(path: Path) -> Recording:
    """Read a recording; raises :class:`UserError` that names the line for what is none, and a missing file."""
    again = "renew it: audit record NAME --source NAME=DIR"
    try:
        head, *rest = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError as error:
        raise UserError(f"{path}: there is no such recording", again) from error
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read ({error})", again) from error
    number = 1
    try:
        about = json.loads(head)
        if about.pop("format") != FORMAT:
            raise ValueError(f"not of format {FORMAT}")
        made = Recording(About(**about), {}, {})
        for at, line in enumerate(rest, start=2):
            number = at
            _read_line(json.loads(line), made)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{path}: line {number}: no line of a recording ({error})", again) from error
    return made


def _read_line(line: Mapping[str, Any], into: Recording) -> None:
    into.names[line["input"]] = line["name"]  # type: ignore[index]
    for function, by_k in line["answers"].items():
        for text, outcomes in by_k.items():
            k, repetition = json.loads(text)
            key = (line["input"], line["seed"], function, k, repetition)
            into.answers[key] = tuple(_outcome(outcome) for outcome in outcomes)  # type: ignore[index]


def _written(outcome: Outcome) -> list[Any]:
    """An outcome as JSON: floats as ``repr``, so that every digit, ``nan`` and ``inf`` come back.

    Neither time nor traceback nor the end of stderr: they say nothing of the metric, and hold paths of a machine.
    """
    match outcome:
        case Measured(mean, users, values, dtype):
            number = None if mean is None else repr(mean)
            if users is None or values is None:
                return ["measured", dtype, number]
            return ["measured", dtype, number, users.tolist(), " ".join(map(repr, values.tolist()))]
        case NotOffered(why):
            return ["not_offered", why]
        case Errored(error, message):
            return ["errored", error, message]
        case Crashed(code):
            return ["crashed", code]
        case TimedOut(seconds):
            return ["timed_out", seconds]


def _outcome(written: Sequence[Any]) -> Outcome:
    kind, *rest = written
    match kind:
        case "measured":
            dtype, number, *columns = rest
            mean = None if number is None else float(number)
            if not columns:
                return Measured(mean, None, None, dtype, 0.0)
            users = np.array(columns[0], dtype=np.int64)
            values = np.array([float(value) for value in columns[1].split()], dtype=np.float64)
            if len(users) != len(values):
                raise ValueError(f"{len(users)} users but {len(values)} values")
            return Measured(mean, users, values, dtype, 0.0)
        case "not_offered":
            return NotOffered(rest[0])
        case "errored":
            return Errored(rest[0], rest[1], "")
        case "crashed":
            return Crashed(rest[0], "as recorded")
        case "timed_out":
            return TimedOut(rest[0])
    raise ValueError(f"{kind!r} is no kind of answer")
