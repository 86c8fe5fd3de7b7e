"""Who answers for a library version: the library itself, or the recording of it.

A version from the package index is always asked itself. One from a repository is asked where a checkout was given
or fetched; else its recording is replayed; else it has no voice, and its row says what is missing.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from audit.environments import environment
from audit.errors import UserError
from audit.libraries.manifest import Manifest, Version
from audit.process.protocol import Answer, Ask, Conversation, Errored, Limits
from audit.process.worker import Session, converse
from audit.responders import recording
from audit.responders.answer_cache import Kept
from audit.sources import checkout as checkouts
from reference.input.case import Case

Heard = Callable[[int, int], None]
"""Told (answered, all) while a library is asked."""
Sources = Mapping[tuple[str, str], checkouts.Checkout]
"""The checkouts that were given, by library and version."""


class Voice(Protocol):
    """Answers asks, and says for how much its answers can be taken."""

    @property
    def live(self) -> bool:
        """Whether the library itself answers."""

    @property
    def recorded(self) -> str | None:
        """The day on which what is replayed was recorded."""

    @property
    def caution(self) -> str:
        """What a reader of its row must know: an unpinned checkout, a stale recording."""

    @property
    def kept(self) -> str | None:
        """The day from which answers of the library itself are, where it was not asked again."""

    def ask(
        self, cases: Mapping[str, Case], asks: Sequence[Ask], heard: Heard, stop: threading.Event, hash_seed: int = 0
    ) -> Conversation:
        """Put ``asks`` to it."""

    def close(self) -> None:
        """Nothing more is asked."""


class Mute(Exception):  # noqa: N818 - an outcome that becomes a row's status, not a fault of ours
    """Nobody can answer for a version: why, and what to do about it."""

    def __init__(self, reason: str, hint: str) -> None:
        super().__init__(reason)
        self.reason, self.hint = reason, hint


@dataclass
class Live:
    """The library, in its environment, from its checkout where it has one. Its process stays until it is closed."""

    python: Path
    adapter: Path
    stubs: tuple[str, ...]
    limits: Limits
    checkout: checkouts.Checkout | None = None
    live: bool = True
    recorded: str | None = None
    kept: str | None = None
    _session: Session | None = field(default=None, init=False)
    _folder: tempfile.TemporaryDirectory[str] | None = field(default=None, init=False)
    _asked: int = field(default=0, init=False)

    @property
    def caution(self) -> str:
        """Why the checkout is not the pinned one."""
        unpinned = self.checkout.unpinned if self.checkout else None
        return f"unpinned: {unpinned}" if unpinned else ""

    def ask(
        self, cases: Mapping[str, Case], asks: Sequence[Ask], heard: Heard, stop: threading.Event, hash_seed: int = 0
    ) -> Conversation:
        """Hear its process out; one of another hash seed is another process."""
        if self._folder is None:
            self._folder, self._session = tempfile.TemporaryDirectory(prefix="audit-"), Session(self.python)
        self._asked += 1
        return converse(
            self.python, self.adapter, cases, asks, Path(self._folder.name) / f"control-{self._asked}", self.limits,
            heard, stubs=self.stubs, source=self.checkout.folder if self.checkout else None, hash_seed=hash_seed,
            session=self._session if hash_seed == 0 else None, stop=stop,
        )  # fmt: skip

    def close(self) -> None:
        """End its process, and remove what it was told and said."""
        if self._session is not None:
            self._session.close()
        if self._folder is not None:
            self._folder.cleanup()
        self._session = self._folder = None


@dataclass
class Remembering:
    """A live voice that is asked only what it was not asked before."""

    voice: Live
    before: Kept
    live: bool = True
    recorded: str | None = None
    caution: str = ""

    @property
    def kept(self) -> str | None:
        """The day on which the last of the answers were kept that were used."""
        return self.before.used

    def ask(
        self, cases: Mapping[str, Case], asks: Sequence[Ask], heard: Heard, stop: threading.Event, hash_seed: int = 0
    ) -> Conversation:
        """Look up what is kept, and ask for the rest."""
        return self.before.answered(
            cases, asks, lambda missing: self.voice.ask(cases, missing, heard, stop, hash_seed), hash_seed
        )

    def close(self) -> None:
        """End the library's process, if there is one, and keep what is new."""
        self.voice.close()
        self.before.save()


@dataclass
class Replayed:
    """A recording."""

    recording: recording.Recording
    changed: str = ""
    missing: dict[str, None] = field(default_factory=dict)
    live: bool = False
    kept: str | None = None

    @property
    def recorded(self) -> str | None:
        """The day of the recording."""
        return self.recording.about.date

    @property
    def caution(self) -> str:
        """What in it is stale: made of another state, or without an answer to what is asked today."""
        names = list(self.missing)
        shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        stale = f"stale: it has no answer on {len(names)} of the inputs asked today ({shown})" if names else ""
        return "; ".join(part for part in (self.changed, stale) if part)

    def ask(
        self, cases: Mapping[str, Case], asks: Sequence[Ask], heard: Heard, stop: threading.Event, hash_seed: int = 0
    ) -> Conversation:
        """Look the answers up; what was never recorded is left out."""
        answers, missing = recording.replay(self.recording, cases, asks, hash_seed)
        self.missing |= dict.fromkeys(cases[name].name or name for name in missing)
        return Conversation(self.recording.hello, answers, 0.0)

    def close(self) -> None:
        """Nothing is open."""


@dataclass
class Taped:
    """A live voice that is taken down."""

    voice: Live
    tape: recording.Tape = field(default_factory=recording.Tape)
    said: Conversation | None = None
    live: bool = True
    recorded: str | None = None
    kept: str | None = None

    @property
    def caution(self) -> str:
        """That of the voice."""
        return self.voice.caution

    def ask(
        self, cases: Mapping[str, Case], asks: Sequence[Ask], heard: Heard, stop: threading.Event, hash_seed: int = 0
    ) -> Conversation:
        """Ask the voice, and keep what it says without the folders of this machine."""
        said = self.voice.ask(cases, asks, heard, stop, hash_seed)
        self.tape.keep(cases, asks, map(self._scrubbed, said.answers), hash_seed)
        self.said = said if self.said is None else replace(said, hello=said.hello or self.said.hello)
        return said

    def close(self) -> None:
        """End the voice's process."""
        self.voice.close()

    def _scrubbed(self, answer: Answer) -> Answer:
        if not isinstance(answer.outcome, Errored) or self.voice.checkout is None:
            return answer
        message = answer.outcome.message
        for folder in (self.voice.checkout.folder, self.voice.python.parent.parent):
            message = message.replace(str(folder), "…")
        message = re.sub(r"\S*/audit-[^/\s]+/control", "…", message)
        return replace(answer, outcome=replace(answer.outcome, message=message))


def find(
    manifest: Manifest, version: Version, sources: Sources, limits: Limits, building: environment.Progress
) -> Voice:
    """Who answers for ``version``.

    Raises :class:`Mute` where nobody does, and ``environment.BuildFailed`` where its environment cannot be had.
    """
    if version.git is None:
        return _live(manifest, version, None, limits, building)
    try:
        checkout = sources.get((manifest.name, version.version)) or checkouts.standing(manifest, version)
        if checkout is not None:
            return _live(manifest, version, checkout, limits, building)
        return replayed(manifest, version)
    except UserError as error:
        raise Mute(error.message, error.hint) from error


def remembering(
    manifest: Manifest, version: Version, sources: Sources, limits: Limits, building: environment.Progress
) -> Voice:
    """The same as :func:`find`; a version in an environment of ours is not asked again what it answered before."""
    speaker = find(manifest, version, sources, limits, building)
    if not isinstance(speaker, Live) or speaker.checkout is not None:
        return speaker  # a checkout can change while it is used
    folder = speaker.python.parent.parent
    if not (folder / environment.MARKER).is_file():
        return speaker
    return Remembering(speaker, Kept.beside(folder, manifest.name, version.version, speaker.adapter))


def taped(
    manifest: Manifest, version: Version, sources: Sources, limits: Limits, building: environment.Progress
) -> Taped:
    """The library itself, from a checkout of what is pinned, taken down.

    Raises :class:`Mute` where there is no such checkout, and ``environment.BuildFailed``.
    """
    name = f"{manifest.name}=={version.version}"
    try:
        checkout = sources.get((manifest.name, version.version)) or checkouts.standing(manifest, version)
    except UserError as error:
        raise Mute(error.message, error.hint) from error
    if checkout is None:
        raise Mute(f"{name} can only be recorded from a checkout", f"audit record {name} --source {name}=DIR")
    return Taped(_live(manifest, version, checkout, limits, building))


def _live(
    manifest: Manifest, version: Version, checkout: checkouts.Checkout | None, limits: Limits,
    building: environment.Progress,
) -> Live:  # fmt: skip
    place = environment.ensure(manifest, version, progress=building)
    own = replace(limits, seconds=max(limits.seconds, version.timeout or 0))  # a slow one may have more than is usual
    return Live(place.python, manifest.adapter_path(version), tuple(version.stubs), own, checkout)


def replayed(manifest: Manifest, version: Version) -> Replayed:
    """The recording of ``version``; raises :class:`UserError` where there is none, or it is not of what is pinned."""
    assert version.git is not None
    path, name = manifest.recording_path(version), f"{manifest.name}=={version.version}"
    if not path.is_file():
        raise UserError(
            f"neither a checkout of {manifest.origin(version)} nor a recording of it is here",
            f"audit fetch {name} clones it; a checkout that you have: --source {name}=DIR",
        )
    made = recording.read(path)
    if (made.about.commit, made.about.digest) != (version.git.commit, version.git.digest):
        raise UserError(
            f"{path} was made of commit {made.about.commit[:8]}, which is not what is pinned any more",
            f"renew it: audit record {name} --source {name}=DIR",
        )
    stale = made.about.adapter != adapter_digest(manifest, version)
    return Replayed(made, "stale: the adapter has changed since" if stale else "")


def adapter_digest(manifest: Manifest, version: Version) -> str:
    """SHA-256 (hex) of the file that asks."""
    return hashlib.sha256(manifest.adapter_path(version).read_bytes()).hexdigest()


def about(manifest: Manifest, version: Version, said: Conversation) -> recording.About:
    """The first line of a recording of what was ``said`` just now."""
    assert version.git is not None
    assert said.hello is not None
    hello = said.hello
    return recording.About(
        library=manifest.name, version=version.version, commit=version.git.commit, digest=version.git.digest,
        adapter=adapter_digest(manifest, version), date=datetime.now(UTC).date().isoformat(), python=hello.python,
        platform=hello.platform, installed=dict(sorted(hello.installed.items())),
    )  # fmt: skip
