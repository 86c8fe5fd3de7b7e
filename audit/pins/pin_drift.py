"""The audit by which pins are made and checked, and what differs from a pin, with inputs that show it.

It asks the probes and one small synthetic dataset: no download, equal numbers on every machine, seconds instead of
minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.findings.definition_difference import SmallestInput, smallest_input
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.pins.pin_file import known_definitions, read_pin
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.questions.contract_probes import is_asked, is_decided_elsewhere
from recsys_metric_audit.audit.run import Progress, Request, run
from recsys_metric_audit.audit.sources.checkout import Checkouts
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import SignatureError, parse
from recsys_metric_audit.reference.evaluation.readable_number import told_apart
from recsys_metric_audit.reports.model.result import Finding, Library, Result
from recsys_metric_audit.reports.pins.drift import Drift, find_drift
from recsys_metric_audit.reports.pins.expectation import VersionExpectation, version_expectation
from recsys_metric_audit.reports.pins.meaning_changes import LibraryMeanings, version_steps

DATASET = "synthetic:100x200"
"""The data of every pin."""
K = 20
"""The cut-off of every pin."""

Chosen = Sequence[tuple[Manifest, Version]]
"""Library versions."""
Audit = Callable[[Chosen], Result]
"""Audits library versions on the data of the pins."""


def audit_for_pins(chosen: Chosen, jobs: int, limits: Limits, progress: Progress, sources: Checkouts) -> Result:
    """Audit library versions on the data of the pins.

    Args:
        chosen: the versions.
        jobs: how many are audited at a time.
        limits: what one call may take.
        progress: is told what happens to each version.
        sources: the folders that the user gave, by library and version.
    """
    known = known_definitions(manifest for manifest, _ in chosen)
    asked = Request(
        tuple(chosen), data.load(DATASET), (K,), jobs, limits, "", known=known, sources=sources, despite_refusal=True
    )
    return run(asked, progress)


def expectation_from(result: Result, manifest: Manifest, version: Version) -> VersionExpectation | Library:
    """Return what `result` found of a version in the form of a pin; its row, with the reason, if it did not run."""
    row = next(e for e in result.libraries if (e.library, e.version) == (manifest.name, version.version))
    return version_expectation(result, row.library, row.version) if row.status == "audited" else row


def drift_from(pin: VersionExpectation, manifest: Manifest, version: Version, result: Result) -> list[Drift]:
    """Return everything in `result` about `version` that differs from `pin`, with an input that shows it, if any.

    Args:
        pin: the expected findings. They may be of another version: the drift is then from that version to this one.
        manifest: the library.
        version: one of its versions.
        result: an audit of it.
    """
    today = expectation_from(result, manifest, version)
    if isinstance(today, Library):
        old = f"{len(pin.functions)} functions"
        reason = f"{today.status}: {today.reason}"
        return [Drift(manifest.name, version.version, "", "broken", old, reason, against=pin.version)]
    findings = {
        each.function: each
        for each in result.findings
        if (each.library, each.version) == (manifest.name, version.version)
    }
    functions = {each.name: each for each in manifest.functions_of(version)}
    return [
        replace(drift, witness=_witness(pin, drift, findings.get(drift.function), functions.get(drift.function)))
        for drift in find_drift(pin, today)
    ]


def _witness(pin: VersionExpectation, drift: Drift, finding: Finding | None, function: Function | None) -> str:
    """Return a probe on which old and new definition differ, else the audit's witness, else why there is no value."""
    if finding is None or drift.kind in ("behaviour", "known", "documented"):
        return ""
    if finding.status != "measured":
        return finding.reason or ""
    before = pin.functions.get(drift.function)
    shown = ""
    if before and before.formulas and finding.signature and drift.kind in ("changed", "stale"):
        shown = smallest_difference_text(before.signature, finding.signature, function)
    return shown or (finding.witness.text if finding.witness else "")


def smallest_difference_text(old: str, new: str, function: Function | None = None) -> str:
    """Return in words the smallest probe on which two signatures have different values; empty if there is none.

    Args:
        old: The signature before.
        new: The signature now.
        function: The function that they are of. Only probes are looked at that it is asked, and on which nothing that
            its contract or its adapter decides changes a value: a signature is silent of that.
    """
    before, after = parse(old), parse(new)

    def admits(probe: Probe) -> bool:
        return function is None or (
            is_asked(function, probe)
            and not any(is_decided_elsewhere(function, each, probe) for each in (before, after))
        )

    found = smallest_input(before, after, admits)
    return "" if found is None else _in_words(found)


def _in_words(found: SmallestInput) -> str:
    """Return a probe on which an old and a new definition differ, with both values."""
    probe = found.probe
    why = f" ({probe.case.why})" if probe.case.why not in ("", probe.name) else ""
    before, now = told_apart(found.first, found.second)
    return f"probe '{probe.name}' at k = {probe.k}: {before} before, {now} now{why}"


def library_meanings(manifests: Iterable[Manifest]) -> tuple[LibraryMeanings, ...]:
    """Return every library's accepted versions, oldest first, and what changed from each to the next."""
    return tuple(map(_meanings, manifests))


def _meanings(manifest: Manifest) -> LibraryMeanings:
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
