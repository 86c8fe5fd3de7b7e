"""Drift of a library version from a pin, with inputs that show what changed."""

from __future__ import annotations

from dataclasses import replace

from audit.libraries.manifest import Manifest, Version
from audit.observations import probe_tables
from audit.pins.pin_audit import expectation_from
from reference.cases import Kind
from reference.definitions.definition import parse
from reference.evaluation.evaluate import evaluate
from reference.space.input_axes import WITHOUT_RULE
from reports.model.result import Finding, Library, Result
from reports.pins.drift import Drift, find_drift
from reports.pins.expectation import VersionExpectation

_VISIBLE_DIFFERENCE = 1e-6

_KINDS: dict[Kind, str] = {
    "plain": "", "order": "ties", "relevance": "counted_scores", "crowd": "", "duplicates": "duplicates",
    "truth_duplicates": "truth_duplicates",
}  # fmt: skip
"""Kinds of probes, the easiest to read first, each with the axis that decides on them ("" for none)."""


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
    return [
        replace(drift, witness=_witness(pin, drift, findings.get(drift.function))) for drift in find_drift(pin, today)
    ]


def _witness(pin: VersionExpectation, drift: Drift, finding: Finding | None) -> str:
    """Return a probe on which old and new definition differ, else the audit's witness, else why there is no value."""
    if finding is None or drift.kind in ("behaviour", "known", "documented"):
        return ""
    if finding.status != "measured":
        return finding.reason or ""
    before = pin.functions.get(drift.function)
    if before and before.formulas and finding.signature and drift.kind in ("changed", "stale"):
        probe = smallest_difference_text(before.signature, finding.signature)
        if probe:
            return probe
    return finding.witness.text if finding.witness else ""


def smallest_difference_text(old: str, new: str) -> str:
    """Return in words the smallest probe on which two signatures have different values; empty if there is none."""
    before, after = parse(old), parse(new)
    best: tuple[int, str] | None = None
    for kind, axis in _KINDS.items():
        if not WITHOUT_RULE.isdisjoint((before.axes.get(axis), after.axes.get(axis))):
            continue  # such a value has no rule, so such a definition has no value on these probes
        old_values, new_values = (evaluate(each, probe_tables.problem(kind)).mean.tolist() for each in (before, after))
        for probe, a, b in zip(probe_tables.probes(kind), old_values, new_values, strict=True):
            if _differ(a, b) and (best is None or probe.size < best[0]):
                why = f" ({probe.case.why})" if probe.case.why not in ("", probe.name) else ""
                best = probe.size, f"probe '{probe.name}' at k = {probe.k}: {a:.6g} before, {b:.6g} now{why}"
    return best[1] if best else ""


def _differ(a: float, b: float) -> bool:
    return (a == a) != (b == b) or abs(a - b) > _VISIBLE_DIFFERENCE
