"""The recorded library: asks are answered from the recording of a checkout that is not here."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event

from recsys_metric_audit.audit.data.dataset import input_digest
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Conversation
from recsys_metric_audit.audit.responders import recording_file
from recsys_metric_audit.audit.responders.interface import MAY_BE_MISSING, CallProgress
from recsys_metric_audit.audit.responders.recording_file import Key, Recording
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reports.model.regular_file import read_regular

_SHOWN = 3  # names of inputs that a caution lists


@dataclass
class RecordedLibrary:
    """Answers from a recording and leaves out every call that was never recorded.

    ``stale`` says in words what has changed since the recording, ``missing`` collects the names of inputs that the
    recording does not answer.
    """

    recording: Recording
    stale: str = ""
    missing: dict[str, None] = field(default_factory=dict)
    live: bool = False
    asked_in_full: bool = True
    cached_on: str | None = None

    @property
    def recorded_on(self) -> str | None:
        """Return the day of the recording."""
        return self.recording.header.date

    @property
    def caution(self) -> str:
        """Return what is stale in the recording: made with another adapter, or without answers to today's asks."""
        names = list(self.missing)
        shown = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
        gaps = f"stale: it has no answer on {len(names)} of the inputs asked today ({shown})" if names else ""
        return "; ".join(part for part in (self.stale, gaps) if part)

    def ask(
        self, cases: Mapping[str, Case], asks: Sequence[Ask], progress: CallProgress, stop: Event, hash_seed: int = 0
    ) -> Conversation:
        """Look the answers up; the conversation lacks every call that was never recorded."""
        answers, missing = find_answers(self.recording, cases, asks, hash_seed)
        needed = (name for name in missing if not name.startswith(MAY_BE_MISSING))
        names = (cases[name].name or name for name in needed)
        self.missing |= dict.fromkeys(name for name in names if not name.startswith(MAY_BE_MISSING))
        return Conversation(self.recording.hello, answers, 0.0)

    def close(self) -> None:
        """Do nothing: no process and no file is open."""


def find_answers(
    recording: Recording, cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int = 0
) -> tuple[tuple[Answer, ...], tuple[str, ...]]:
    """Look up the calls of `asks`; equal calls get the recorded answers one after the other.

    Returns:
        The answers found, in the order asked, and the names of the cases on which any answer is missing.
    """
    answers: list[Answer] = []
    missing: dict[str, None] = {}
    for ask, key, turn in calls_in_turn(cases, asks, hash_seed):
        recorded = recording.log.answers.get(key, ())
        if turn < len(recorded):
            _, _, function, k, repetition = key
            answers.append(Answer(ask.id, function, k, recorded[turn], repetition))
        else:
            missing[ask.case] = None
    return tuple(answers), tuple(missing)


def calls_in_turn(cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int) -> list[tuple[Ask, Key, int]]:
    """Return every call of a conversation: its ask, what its answer depends on, how many equal calls come before."""
    digests = {name: input_digest(cases[name]) for name in {ask.case for ask in asks}}
    turns: Counter[Key] = Counter()
    calls = []
    for ask in asks:
        for call in ask.calls():
            key = (digests[ask.case], hash_seed, *call)
            calls.append((ask, key, turns[key]))
            turns[key] += 1
    return calls


def open_recording(manifest: Manifest, version: Version) -> RecordedLibrary:
    """Return the recording of a `version` that comes from a repository.

    Raises:
        UserError: if there is none, or it was made of another commit than the pinned one.
    """
    assert version.git is not None
    path, name = manifest.recording_path(version), f"{manifest.name}=={version.version}"
    if not path.is_file():
        raise UserError(
            f"neither a checkout of {manifest.origin(version)} nor a recording of it is here",
            f"audit fetch {name} clones it; a checkout that you have: --source {name}=DIR",
        )
    recording = recording_file.read(path)
    if (recording.header.commit, recording.header.digest) != (version.git.commit, version.git.digest):
        raise UserError(
            f"{path} was made of commit {recording.header.commit[:8]}, which is not what is pinned any more",
            f"renew it: audit record {name} --source {name}=DIR",
        )
    changed = recording.header.adapter != adapter_digest(manifest, version)
    return RecordedLibrary(recording, "stale: the adapter has changed since" if changed else "")


def adapter_digest(manifest: Manifest, version: Version) -> str:
    """Return the SHA-256 (hex) of the code that calls `version`: its adapter file without the docstring at its top."""
    source = read_regular(manifest.adapter_path(version)).decode(errors="replace")
    code = _without_docstring(source.replace("\r\n", "\n"))
    return hashlib.sha256(code.encode()).hexdigest()


def _without_docstring(source: str) -> str:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # what does not parse is not what was recorded
        return source
    told = ast.get_docstring(tree) is not None
    return "".join(source.splitlines(keepends=True)[tree.body[0].end_lineno if told else 0 :])
