"""Takes over the recorded findings of a version whose initial answers are today those of the recorded run.

What is found of a version follows from its answers, and these from its files, which its lock names by hash. So a run
on the recorded data asks the initial questions, some thousand answers for a library of fifty functions, and where all
of them are the recorded ones to six digits it takes the recorded findings, and says so in the version's row. Where one
answer differs, where the code that asks and identifies or the library's adapter is not that of the recording, or where
the user wants it (``audit run --again``), the version is identified anew.

``python -m recsys_metric_audit.audit.run.record REPORT`` writes the recording from a run.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from recsys_metric_audit.audit.data.dataset import input_digest
from recsys_metric_audit.audit.libraries.manifest import Manifest
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Errored, Measured, Outcome
from recsys_metric_audit.audit.run.request import Request
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reports.model.result import Finding

RECORDED = Path(__file__).parent / "recorded-findings.jsonl.xz"
"""One line with what the run was made of, then one for each version."""

_MAKERS = (
    "audit/behaviours", "audit/data", "audit/findings", "audit/identification", "audit/libraries",
    "audit/observations", "audit/process", "audit/questions", "audit/refutation", "audit/responders", "audit/scenarios",
    "audit/run/asking.py", "audit/run/rows.py", "audit/run/version_audit.py", "reference", "reports/model",
    "reports/wording",
)  # fmt: skip
"""Names the code that decides what is asked and what is found."""


@dataclass(frozen=True)
class RecordedVersion:
    """Holds what the recorded run found of one library version.

    Attributes:
        answers: The digest of its initial answers; see :func:`answers_digest`.
        day: The day of the recorded run, as ``2026-11-28``.
        findings: Its findings, as the file has them.
    """

    answers: str
    day: str
    findings: str

    def read(self) -> tuple[Finding, ...]:
        """Return the findings."""
        return tuple(map(Finding.model_validate, json.loads(self.findings)))


NOTHING = RecordedVersion("", "", "[]")
"""Stands for a version of which nothing is recorded."""


def answers_digest(cases: Mapping[str, Case], asks: Sequence[Ask], answers: Iterable[Answer]) -> str:
    """Return the SHA-256 of answers with what they answer: numbers to six digits, of errors their kind.

    Args:
        cases: The cases by name.
        asks: What was asked.
        answers: What was answered.
    """
    of = {ask.id: input_digest(cases[ask.case]) for ask in asks}
    lines = sorted(
        json.dumps([of[each.ask], each.function, each.k, each.repetition, *_canonical(each.outcome)])
        for each in answers
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _canonical(outcome: Outcome) -> list[object]:
    if not isinstance(outcome, Measured):
        return [type(outcome).__name__, outcome.error if isinstance(outcome, Errored) else ""]
    mean = "" if outcome.mean is None else f"{outcome.mean:.6g}"
    if outcome.values is None or outcome.users is None:
        return [mean, outcome.dtype]
    values = [f"{value:.6g}" for value in outcome.values.tolist()]
    return [mean, outcome.dtype, sorted(zip(outcome.users.tolist(), values, strict=True))]


def recorded_findings(request: Request, file: Path = RECORDED) -> dict[tuple[str, str], RecordedVersion]:
    """Return what was recorded of the versions of a request, by library and version.

    Nothing if the request asks something else than the recorded run did, or if other code would ask and identify.
    """
    if request.sources or request.canonical or request.others or not file.exists():
        return {}
    first, *versions = lzma.decompress(file.read_bytes()).decode().splitlines()
    head = json.loads(first)
    if head["made_of"] != made_of(request.dataset.name, request.dataset.digest, request.ks):
        return {}
    chosen = {(manifest.name, version.version): manifest for manifest, version in request.chosen}
    found = {}
    for line in versions:
        library, version, adapter, answers, findings = json.loads(line)
        manifest = chosen.get((library, version))
        if manifest is not None and adapter == adapter_digest(manifest):
            found[library, version] = RecordedVersion(answers, head["day"], findings)
    return found


def made_of(data: str, digest: str, ks: Sequence[int]) -> dict[str, object]:
    """Return the data and cut-offs of a run, with the digest of the code that asks and identifies."""
    return {"data": [data, digest], "k": list(ks), "code": _code_digest()}


@cache  # once for each version that is written, and the code is of 2 MB
def _code_digest() -> str:
    """Return the SHA-256 of the code that asks and identifies, whatever the ends of its lines."""
    top = Path(__file__).parents[2]
    found = hashlib.sha256()
    for maker in _MAKERS:
        place = top / maker
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.is_file() and "__pycache__" not in path.parts:
                found.update(f"{path.relative_to(top).as_posix()}\n".encode())
                found.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return found.hexdigest()


def adapter_digest(manifest: Manifest) -> str:
    """Return the SHA-256 of the files of a library's folder that say how it is installed and called."""
    found = hashlib.sha256()
    kinds = ("*.py", "*.toml", "locks/*", "recordings/*.json")
    for path in sorted(path for kind in kinds for path in manifest.folder.glob(kind)):
        found.update(f"{path.name}\n".encode() + path.read_bytes().replace(b"\r\n", b"\n"))
    return found.hexdigest()
