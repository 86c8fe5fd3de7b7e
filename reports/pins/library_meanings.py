"""Holds what the accepted versions of a library mean, and what changed from each to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from recsys_metric_audit.reports.pins.expectation import VersionExpectation
from recsys_metric_audit.reports.pins.meaning_changes import VersionStep


@dataclass(frozen=True)
class LibraryMeanings:
    """Holds a library with its pins, oldest version first.

    ``without`` are the versions without a pin, each with the reason; ``steps`` has one entry less than ``pins``.
    """

    library: str
    title: str
    pins: tuple[VersionExpectation, ...]
    without: Mapping[str, str]
    steps: tuple[VersionStep, ...]

    @property
    def changed(self) -> bool:
        """True if something changed from one version to the next."""
        return any(step.changed for step in self.steps)
