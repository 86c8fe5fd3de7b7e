"""Recording checkouts: audit them on the default dataset and on the data of the pins, and store every answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.discovery import refuse_installed
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.pins.pin_drift import DATASET, Chosen
from recsys_metric_audit.audit.pins.pin_file import known_definitions
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.responders import recording_file
from recsys_metric_audit.audit.responders.choice import Recorder, find_recorder, make_header
from recsys_metric_audit.audit.responders.recording_file import Recording, differences
from recsys_metric_audit.audit.run import Progress, Request, run
from recsys_metric_audit.audit.sources import checkout
from recsys_metric_audit.audit.sources.checkout import Checkouts, GivenFolder, resolve

KS = (20,)
"""Lists the cut-offs at which data is recorded: the defaults of ``audit run`` and of ``audit check``."""


@dataclass(frozen=True, eq=False)
class Recorded:
    """Holds the new recording of one version; without one, ``reason`` says why it did not answer."""

    manifest: Manifest
    version: Version
    recording: Recording | None
    reason: str = ""

    @property
    def path(self) -> Path:
        """Return the file of the recording's header; it may be missing."""
        return self.manifest.recording_path(self.version)

    def write(self) -> list[str]:
        """Write the recording to its place; return in words why that is impossible, or nothing."""
        if self.recording is None:
            return [self._failure()]
        recording_file.write(self.path, self.recording)
        return []

    def differences(self) -> list[str]:
        """Return in words how it differs from the recording on disk, to the last bit; empty if it does not."""
        if self.recording is None:
            return [self._failure()]
        try:
            old = recording_file.read(self.path)
        except UserError as error:
            return [error.message]
        return [f"{self.path}: {difference}" for difference in differences(old, self.recording)]

    def _failure(self) -> str:
        return f"{self.manifest.name} {self.version.version}: {self.reason}"


def request(chosen: Chosen, given: Sequence[GivenFolder], named: bool, timeout: float, jobs: int) -> Request:
    """Return the request that records the versions from repositories among `chosen`.

    Args:
        chosen: versions; versions from the package index are left out.
        given: checkouts that the user gave.
        named: True if the user named the versions: then one without a checkout stays in, and will be refused.
        timeout: seconds that one ask may take.
        jobs: how many libraries are asked at a time.

    Raises:
        UserError: if no version is left, or an adapter lies in an installed package.
    """
    wanted = [(manifest, version) for manifest, version in chosen if version.git is not None]
    sources = resolve(given, wanted)
    if not named or given:
        wanted = [
            (manifest, version)
            for manifest, version in wanted
            if (manifest.name, version.version) in sources or checkout.find_fetched(manifest, version) is not None
        ]
    if not wanted:
        raise UserError("there is no checkout to record from", "audit record --source NAME=DIR; audit fetch NAME")
    for manifest, _ in wanted:
        refuse_installed(manifest.folder)
    pins = data.load(DATASET)
    return Request(
        chosen=tuple(wanted), dataset=data.load(data.DEFAULT), ks=KS, jobs=jobs, limits=Limits(seconds=timeout),
        command="audit record", sources=sources, recommender="default", others={pins.name: pins.case},
        known=known_definitions(manifest for manifest, _ in wanted), despite_refusal=True,
    )  # fmt: skip


def record(request: Request, progress: Progress) -> list[Recorded]:
    """Ask every version of `request` and return what each answered, in their order; nothing is written."""
    recorders: dict[tuple[str, str], Recorder] = {}

    def find(
        manifest: Manifest, version: Version, sources: Checkouts, limits: Limits, building: environment.Progress
    ) -> Recorder:
        recorder = find_recorder(manifest, version, sources, limits, building)
        recorders[manifest.name, version.version] = recorder
        return recorder

    result = run(request, progress, find)
    reasons = {(entry.library, entry.version): entry.reason or "" for entry in result.libraries}
    recorded = []
    for manifest, version in request.chosen:
        key = manifest.name, version.version
        recorded.append(_recorded(manifest, version, recorders.get(key), reasons[key]))
    return recorded


def _recorded(manifest: Manifest, version: Version, recorder: Recorder | None, reason: str) -> Recorded:
    if recorder is None or recorder.hello is None or not recorder.measured:
        return Recorded(manifest, version, None, reason)
    return Recorded(manifest, version, Recording(make_header(manifest, version, recorder.hello), recorder.log))
