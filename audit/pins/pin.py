"""The pins: what a library version is expected to compute, where that is kept, and what is found today.

An expectation is made and checked on the probes and on one small synthetic dataset: no download, the same numbers
on every machine, seconds instead of minutes. Both stand in the file.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from audit import data
from audit.errors import UserError
from audit.libraries import discovery
from audit.libraries.manifest import Manifest, Version
from audit.observations import probe_tables
from audit.pins import pin_file
from audit.process.protocol import Limits
from audit.run import Progress, Request, run
from reference.cases import Kind
from reference.definitions.definition import parse
from reference.evaluation.evaluate import evaluate
from reports.model.result import Finding, Library, Result
from reports.pins.drift import Drift, find_drift
from reports.pins.expectation import FORMAT, VersionExpectation, version_expectation

DATASET = "synthetic:100x200"
K = 20

Chosen = Sequence[tuple[Manifest, Version]]


def read(manifest: Manifest, version: Version) -> VersionExpectation | None:
    """The expectation of ``version``, or ``None`` where none was accepted.

    Raises :class:`UserError` for a file that is damaged, of another format, or of another version.
    """
    path = manifest.expected_path(version)
    again = f"make it again: audit accept -l {manifest.name}=={version.version} --yes"
    try:
        found = pin_file.from_text(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read ({error})", again) from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(step) for step in first["loc"]) or "the file"
        raise UserError(f"{path}: {place}: {first['msg']}; this version reads format {FORMAT}", again) from error
    if (found.library, found.version) != (manifest.name, version.version):
        raise UserError(f"{path}: is of {found.library} {found.version}, as it says itself", again)
    return found


def write(manifest: Manifest, version: Version, accepted: VersionExpectation) -> Path:
    """Put an expectation in its place in one step; raises :class:`UserError` for an installed package."""
    discovery.refuse_installed(manifest.folder)
    path = manifest.expected_path(version)
    path.parent.mkdir(exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        aside.write_text(pin_file.to_text(accepted), encoding="utf-8")
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
    return path


def orphans(manifest: Manifest) -> list[Path]:
    """Expectations of versions that are not pinned."""
    pinned = {version.version for version in manifest.versions}
    return sorted(path for path in manifest.folder.glob("expected/*.json") if path.stem not in pinned)


def audited(chosen: Chosen, jobs: int, limits: Limits, progress: Progress, command: str = "") -> Result:
    """What is found of these versions today, on the data of the expectations."""
    request = Request(tuple(chosen), data.load(DATASET), (K,), jobs, limits, command)
    return run(request, progress)


def found(result: Result, manifest: Manifest, version: Version) -> VersionExpectation | Library:
    """What ``result`` says of a version in the form of an expectation, or the row that says why it did not run."""
    row = next(e for e in result.libraries if (e.library, e.version) == (manifest.name, version.version))
    return version_expectation(result, row.library, row.version) if row.status == "audited" else row


def held(accepted: VersionExpectation, manifest: Manifest, version: Version, result: Result) -> list[Drift]:
    """Everything in ``result`` about ``version`` that is not as ``accepted`` says, with a witness where there is one.

    ``accepted`` may be of another version: then the drift is that from one to the other.
    """
    today = found(result, manifest, version)
    if isinstance(today, Library):
        old = f"{len(accepted.functions)} functions"
        reason = f"{today.status}: {today.reason}"
        return [Drift(manifest.name, version.version, "", "broken", old, reason, against=accepted.version)]
    rows = {each.function: each for each in result.findings
            if (each.library, each.version) == (manifest.name, version.version)}  # fmt: skip
    return [
        replace(each, witness=_witness(accepted, each, rows.get(each.function))) for each in find_drift(accepted, today)
    ]


def _witness(accepted: VersionExpectation, drift: Drift, row: Finding | None) -> str:
    """The smallest probe on which old and new definition differ; else what the audit shows; else the reason."""
    if row is None or drift.kind == "behaviour":
        return ""
    if row.status != "measured":
        return row.reason or ""
    before = accepted.functions.get(drift.function)
    if before and before.definitions and row.signature and drift.kind in ("changed", "stale"):
        told = apart(before.definitions[0], row.signature)
        if told:
            return told
    return row.witness.text if row.witness else ""


def apart(old: str, new: str) -> str:
    """The smallest probe on which two signatures give different values, in words; empty where none does."""
    before, after = parse(old), parse(new)
    best: tuple[int, str] | None = None
    for kind, axis in _KINDS.items():
        if "other" in (before.axes.get(axis), after.axes.get(axis)):
            continue  # no rule says what a definition gives there
        was, now = (evaluate(each, probe_tables.problem(kind)).mean.tolist() for each in (before, after))
        for probe, a, b in zip(probe_tables.probes(kind), was, now, strict=True):
            if _differ(a, b) and (best is None or probe.size < best[0]):
                why = f" ({probe.case.why})" if probe.case.why not in ("", probe.name) else ""
                best = probe.size, f"probe '{probe.name}' at k = {probe.k}: {a:.6g} before, {b:.6g} now{why}"
    return best[1] if best else ""


_KINDS: dict[Kind, str] = {
    "plain": "", "order": "ties", "relevance": "counted_scores", "crowd": "", "duplicates": "duplicates",
    "truth_duplicates": "truth_duplicates",
}  # fmt: skip
"""Kinds of probes in the order in which they are easiest to read, each with the axis that may be beyond a rule."""


def _differ(a: float, b: float) -> bool:
    return (a == a) != (b == b) or abs(a - b) > 1e-6
