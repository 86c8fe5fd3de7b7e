"""Choosing the responder of a library version, or what records its answers.

A version from the package index is always run, with the package of a folder that was given in place of its own. One
from a repository is run from a checkout that was given or fetched; without one its recording is replayed; without a
recording nothing answers, and its row says what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from threading import Event

from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.environments.environment import Repair
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Conversation, Errored, Hello, Limits, Measured
from recsys_metric_audit.audit.responders.cache import AnswerCache, CachedLibrary
from recsys_metric_audit.audit.responders.interface import CallProgress, NoResponder, Responder
from recsys_metric_audit.audit.responders.live import LiveLibrary
from recsys_metric_audit.audit.responders.recording_file import AnswerLog, Header
from recsys_metric_audit.audit.responders.replay import adapter_digest, open_recording
from recsys_metric_audit.audit.sources import checkout as checkouts
from recsys_metric_audit.audit.sources.checkout import Checkouts
from recsys_metric_audit.reference.input.case import Case


@dataclass
class Recorder:
    """Asks a live library and collects what it answers, without the folders of this machine.

    ``hello`` is the last greeting of the library's process, None while there was none.
    """

    library: LiveLibrary
    log: AnswerLog = field(default_factory=AnswerLog)
    hello: Hello | None = None
    live: bool = True
    asked_in_full: bool = True
    recorded_on: str | None = None
    cached_on: str | None = None

    @property
    def measured(self) -> bool:
        """Return True if a call gave a number; a library that only fails, as at an import, is not worth a recording."""
        return any(isinstance(each, Measured) for outcomes in self.log.answers.values() for each in outcomes)

    @property
    def caution(self) -> str:
        """Return the caution of the live library."""
        return self.library.caution

    def ask(
        self, cases: Mapping[str, Case], asks: Sequence[Ask], progress: CallProgress, stop: Event, hash_seed: int = 0
    ) -> Conversation:
        """Ask the library and collect its answers."""
        conversation = self.library.ask(cases, asks, progress, stop, hash_seed)
        self.log.add(cases, asks, map(self._without_folders, conversation.answers), hash_seed)
        self.hello = conversation.hello or self.hello
        return conversation

    def close(self) -> None:
        """End the library's process."""
        self.library.close()

    def _without_folders(self, answer: Answer) -> Answer:
        if not isinstance(answer.outcome, Errored) or self.library.checkout is None:
            return answer
        message = answer.outcome.message
        for folder in (self.library.checkout.folder, self.library.python.parent.parent):
            message = message.replace(str(folder), "…")
        message = re.sub(r"\S*/audit-[^/\s]+/control", "…", message)
        return replace(answer, outcome=replace(answer.outcome, message=message))


def make_header(manifest: Manifest, version: Version, hello: Hello) -> Header:
    """Return the header of a recording made today of a `version` from a repository, by the process of `hello`."""
    assert version.git is not None
    return Header(
        library=manifest.name, version=version.version, commit=version.git.commit, digest=version.git.digest,
        adapter=adapter_digest(manifest, version), date=datetime.now(UTC).date().isoformat(), python=hello.python,
        platform=hello.platform, installed=dict(sorted(hello.installed.items())),
    )  # fmt: skip


FindResponder = Callable[[Manifest, Version, Checkouts, Limits, environment.Progress], Responder]
"""Chooses the responder of a version; signature of :func:`find_responder`."""


def find_responder(
    manifest: Manifest, version: Version, given: Checkouts, limits: Limits, progress: environment.Progress
) -> Responder:
    """Return the live library or the recording that answers for `version`.

    Args:
        manifest: the library.
        version: one of its versions.
        given: the checkouts that the user gave.
        limits: what one child may take; a version's own timeout may raise the seconds.
        progress: hears each step of building an environment, in words.

    Raises:
        NoResponder: if there is neither.
        environment.BuildFailed: if its environment cannot be built.
    """
    try:
        checkout = _checkout(manifest, version, given)
        if checkout is not None or version.git is None:
            return _live(manifest, version, checkout, limits, progress)
        return open_recording(manifest, version)
    except UserError as error:
        raise NoResponder(error.message, error.hint) from error


def find_cached_responder(
    manifest: Manifest, version: Version, given: Checkouts, limits: Limits, progress: environment.Progress
) -> Responder:
    """Choose as :func:`find_responder` does; a library in an environment that we built gets a cache.

    Checkouts are never cached: they can change while they are used. Nor is what a sandbox may have changed.
    """
    responder = find_responder(manifest, version, given, limits, progress)
    if not isinstance(responder, LiveLibrary) or responder.checkout is not None or limits.sandbox is not None:
        return responder
    if not responder.adapter.is_file():
        raise NoResponder(f"its adapter {responder.adapter} is not there", "library.toml names the file that calls it")
    folder = responder.python.parent.parent
    if not (folder / environment.MARKER).is_file():
        return responder
    return CachedLibrary(responder, AnswerCache.open(folder, manifest.name, version.version, responder.adapter))


def find_recorder(
    manifest: Manifest, version: Version, given: Checkouts, limits: Limits, progress: environment.Progress
) -> Recorder:
    """Return a recorder of `version`, run from a checkout of its pinned commit.

    Raises:
        NoResponder: if there is no such checkout.
        environment.BuildFailed: if its environment cannot be built.
    """
    name = f"{manifest.name}=={version.version}"
    try:
        checkout = _checkout(manifest, version, given)
    except UserError as error:
        raise NoResponder(error.message, error.hint) from error
    if checkout is None:
        raise NoResponder(f"{name} can only be recorded from a checkout", f"audit record {name} --source {name}=DIR")
    return Recorder(_live(manifest, version, checkout, limits, progress))


def _checkout(manifest: Manifest, version: Version, given: Checkouts) -> checkouts.Checkout | None:
    return given.get((manifest.name, version.version)) or checkouts.find_fetched(manifest, version)


def _live(
    manifest: Manifest, version: Version, checkout: checkouts.Checkout | None, limits: Limits,
    progress: environment.Progress,
) -> LiveLibrary:  # fmt: skip
    built = environment.ensure(manifest, version, progress=progress)
    own = replace(limits, seconds=max(limits.seconds, version.timeout or 0))
    repair = Repair(manifest, version, built, progress)
    return LiveLibrary(
        built.python, manifest.adapter_path(version), tuple(version.stubs), own, checkout,
        repair=repair if (built.folder / environment.MARKER).is_file() else None, means=manifest.means_path(version),
    )  # fmt: skip
