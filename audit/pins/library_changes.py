"""Reads the pins of every version of every library, and compares each version with the next."""

from __future__ import annotations

from collections.abc import Iterable

from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.libraries.manifest import Manifest
from recsys_metric_audit.audit.pins.pin_drift import smallest_difference_text
from recsys_metric_audit.audit.pins.pin_file import read_pin
from recsys_metric_audit.reference.definitions.definition import SignatureError
from recsys_metric_audit.reports.pins.meaning_changes import LibraryMeanings, version_steps


def library_meanings(manifests: Iterable[Manifest]) -> tuple[LibraryMeanings, ...]:
    """Return every library's accepted versions, oldest first, and what changed from each to the next."""
    return tuple(map(_library, manifests))


def _library(manifest: Manifest) -> LibraryMeanings:
    versions = [version.version for version in reversed(manifest.versions)]
    pins = {version.version: pin for version in manifest.versions if (pin := read_pin(manifest, version)) is not None}
    functions = {function.name: function for function in manifest.functions}
    filled = {name for name, function in functions.items() if "unlisted" in function.ruled_out}
    accepted = [pins[name] for name in versions if name in pins]
    steps = version_steps(accepted, dict.fromkeys(pins, filled), lambda *told: _probe_witness(functions, *told))
    reasons = {version.version: version.unavailable or "never accepted" for version in manifest.versions}
    without = {name: reasons[name] for name in versions if name not in pins}
    return LibraryMeanings(manifest.name, manifest.title, tuple(accepted), without, steps)


def _probe_witness(functions: dict[str, Function], name: str, old: str, new: str) -> str:
    """Return in words the smallest probe that a function is asked and on which two signatures have different values."""
    try:
        return smallest_difference_text(old, new, functions.get(name))
    except SignatureError:
        return ""
