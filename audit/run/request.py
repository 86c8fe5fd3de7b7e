"""The request of an audit, and the progress that it reports: which versions, on which data, within which limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from recsys_metric_audit.audit.data.dataset import Dataset
from recsys_metric_audit.audit.libraries.known import KnownDefinitions
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.sources.checkout import Checkouts
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reports.model.result import Finding


@dataclass(frozen=True, eq=False)
class Request:
    """Holds the versions to audit, the data, and the limits.

    Attributes:
        chosen: The library versions, in the order of the result.
        dataset: The data.
        ks: The cut-offs, each once.
        jobs: How many versions are audited at a time, and how many processes identify.
        limits: What one call of a library may take.
        command: The command line as typed, for the record.
        recommender: The recommender that made the predictions of `dataset`; empty if it is not known.
        others: This data with the predictions of other recommenders, by name. Functions are asked for their
            values on them, and are not identified by them.
        sources: Checkouts that the user gave.
        canonical: Definitions that take the place of the canonical ones, by metric.
        known: Definitions that are tried before all others; without any, all initial questions are asked.
        remove_environments: Whether an environment that the run builds is removed once its version has been audited.
        despite_refusal: Whether a version is identified by small inputs where all its functions refuse the data.
    """

    chosen: tuple[tuple[Manifest, Version], ...]
    dataset: Dataset
    ks: tuple[int, ...]
    jobs: int
    limits: Limits
    command: str
    recommender: str = ""
    others: Mapping[str, Case] = field(default_factory=dict)
    sources: Checkouts = field(default_factory=dict)
    canonical: Mapping[str, Definition] = field(default_factory=dict)
    known: KnownDefinitions = field(default_factory=KnownDefinitions)
    remove_environments: bool = False
    despite_refusal: bool = False


READY = "built, and waits to be asked"
"""Tells that a build that went ahead has ended."""


class Progress(Protocol):
    """Receives what happens to each library version; called from several threads.

    A version may skip steps: nothing is built if its environment is there, and nothing is asked if all its answers
    are cached. ``finished`` always comes, and comes last.
    """

    def building(self, library: str, version: str, message: str) -> None:
        """Receive a step of building the environment of a version, in words."""

    def asking(self, library: str, version: str, done: int, total: int) -> None:
        """Receive that a version has answered `done` of the `total` calls of one conversation."""

    def identifying(self, library: str, version: str, done: int, total: int) -> None:
        """Receive that `done` of the `total` functions of a version will be asked nothing more."""

    def finished(self, library: str, version: str, status: str, seconds: float, findings: Sequence[Finding]) -> None:
        """Receive that a version is done, with its status and its findings in the result, after so many seconds."""
