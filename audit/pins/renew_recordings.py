"""Making recordings: an audit of checkouts on the default data, with everything that is answered taken down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from audit import data
from audit.environments import environment
from audit.errors import UserError
from audit.libraries.manifest import Manifest, Version, refuse_installed
from audit.pins import pin
from audit.process.protocol import Limits
from audit.responders import recording, voice
from audit.run import Progress, Request, run
from audit.sources import checkout

KS = (20,)
"""Cut-offs at which data is recorded: that of a run without options, and of ``audit check``."""


@dataclass(frozen=True, eq=False)
class Recorded:
    """What one version has answered just now, and where its recording belongs; ``reason`` where it did not answer."""

    manifest: Manifest
    version: Version
    tape: recording.Tape
    about: recording.About | None
    reason: str = ""

    @property
    def path(self) -> Path:
        """Where the recording is."""
        return self.manifest.recording_path(self.version)

    def write(self) -> list[str]:
        """Put it in its place; returns why it could not be made, in words."""
        if self.about is None:
            return [f"{self.manifest.name} {self.version.version}: {self.reason}"]
        recording.write(self.path, self.about, self.tape)
        return []

    def differences(self) -> list[str]:
        """What it says otherwise than the recording that is there, to the last bit; nothing where all is the same."""
        if self.about is None:
            return [f"{self.manifest.name} {self.version.version}: {self.reason}"]
        try:
            old = recording.read(self.path)
        except UserError as error:
            return [error.message]
        return [f"{self.path}: {fault}" for fault in recording.differences(old, self.about, self.tape)]


def request(
    chosen: Sequence[tuple[Manifest, Version]], given: Sequence[checkout.Given], named: bool, timeout: float, jobs: int
) -> Request:
    """What is to be asked: the versions from repositories among ``chosen``, on the default data and that of the pins.

    Those without a checkout are left out, unless they were ``named``. Raises :class:`UserError` where none is left.
    """
    sources = checkout.resolve(given, chosen)
    wanted = [(manifest, version) for manifest, version in chosen if version.git is not None]
    if not named or given:
        wanted = [
            (manifest, version)
            for manifest, version in wanted
            if (manifest.name, version.version) in sources or checkout.standing(manifest, version) is not None
        ]
    if not wanted:
        raise UserError("there is no checkout to record from", "audit record --source NAME=DIR; audit fetch NAME")
    for manifest, _ in wanted:
        refuse_installed(manifest.folder)
    pins = data.load(pin.DATASET)
    return Request(
        chosen=tuple(wanted), dataset=data.load(data.DEFAULT), ks=KS, jobs=jobs, limits=Limits(seconds=timeout),
        command="audit record", sources=sources, recommender="default", others={pins.name: pins.case},
    )  # fmt: skip


def record(request: Request, progress: Progress) -> list[Recorded]:
    """Ask every version of ``request`` and return what was said, in their order; nothing is written."""
    voices: dict[tuple[str, str], voice.Taped] = {}

    def taped(
        manifest: Manifest, version: Version, sources: voice.Sources, limits: Limits, building: environment.Progress
    ) -> voice.Taped:
        speaker = voice.taped(manifest, version, sources, limits, building)
        voices[manifest.name, version.version] = speaker
        return speaker

    result = run(request, progress, taped)
    reasons = {(entry.library, entry.version): entry.reason or "" for entry in result.libraries}
    return [_recorded(pair, voices.get(key), reasons[key]) for pair, key in _keyed(request.chosen)]


def _keyed(
    chosen: Sequence[tuple[Manifest, Version]],
) -> list[tuple[tuple[Manifest, Version], tuple[str, str]]]:
    return [((manifest, version), (manifest.name, version.version)) for manifest, version in chosen]


def _recorded(pair: tuple[Manifest, Version], speaker: voice.Taped | None, reason: str) -> Recorded:
    manifest, version = pair
    if speaker is None or speaker.said is None or speaker.said.hello is None:
        return Recorded(manifest, version, recording.Tape(), None, reason)
    return Recorded(manifest, version, speaker.tape, voice.about(manifest, version, speaker.said))
