"""The request of an audit: which library versions, on which data, and within which limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from recsys_metric_audit.audit.data.dataset import Dataset
from recsys_metric_audit.audit.libraries.known import KnownDefinitions
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.sources.checkout import Checkouts
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.input.case import Case


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
