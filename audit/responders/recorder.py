"""The recorder: a live library whose answers are collected for a recording."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Conversation, Errored, Hello, Measured
from recsys_metric_audit.audit.responders.interface import CallProgress
from recsys_metric_audit.audit.responders.live import LiveLibrary
from recsys_metric_audit.audit.responders.recording import AnswerLog, Header
from recsys_metric_audit.audit.responders.replay import adapter_digest
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
        self,
        cases: Mapping[str, Case],
        asks: Sequence[Ask],
        progress: CallProgress,
        stop: threading.Event,
        hash_seed: int = 0,
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
