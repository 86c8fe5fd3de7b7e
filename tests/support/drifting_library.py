"""A library whose metrics mean something else from release to release, run out of process on this interpreter.

``mean`` is precision: over k until 1.1, over what was shown from 2.0 on. ``median`` is the hit rate, always. ``mode``
is recall, and there from 1.1 on. 3.0 has no environment.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version, load
from recsys_metric_audit.audit.run import AuditInterrupted, Request
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reports.model.result import Behaviour, Dataset, Finding, Result
from recsys_metric_audit.reports.model.statement import axis_statements
from tests.support import result_samples as reports_samples
from tests.support.command_line import audit_mine
from tests.support.fake_libraries import FakeUv

ADAPTER = """\
import os
from audit_harness import NotOffered

RELEASE = tuple(int(part) for part in os.environ["FAKE_RELEASE"].split("."))

def prepare(case):
    listed, relevant = {}, {}
    rows = zip(case.recommended.user.tolist(), case.recommended.item.tolist(), case.recommended.score.tolist())
    for user, item, score in rows:
        listed.setdefault(user, []).append((-score, len(listed.get(user, ())), item))
    for user, item in zip(case.relevant.user.tolist(), case.relevant.item.tolist()):
        relevant.setdefault(user, []).append(item)
    return {user: [item for _, _, item in sorted(rows)] for user, rows in listed.items()}, relevant

def averaged(formula):
    def metric(prepared, k):
        listed, relevant = prepared
        values = [formula(listed.get(user, [])[:k], relevant[user], k) for user in sorted(relevant)]
        return sum(values) / len(values) if values else float("nan")
    return metric

def hits(top, liked):
    return sum(liked.count(item) for item in top)

def precision(top, liked, k):
    return hits(top, liked) / (k if RELEASE < (2,) else max(len(top), 1))

def recall(top, liked, k):
    if RELEASE < (1, 1):
        raise NotOffered("no recall before 1.1")
    return hits(top, liked) / len(liked)

FUNCTIONS = {
    "statistics.mean": averaged(precision),
    "statistics.median": averaged(lambda top, liked, k: float(hits(top, liked) > 0)),
    "statistics.mode": averaged(recall),
}
"""

HEAD = """\
title = "Drifting"
about = "It changes its mind."
homepage = "https://example.org"

[source]
package = "drifting"
"""

FUNCTIONS = """
[[function]]
name = "statistics.mean"
metric = "precision"

[[function]]
name = "statistics.median"
metric = "hit_rate"

[[function]]
name = "statistics.mode"
metric = "recall"
"""


def write(folder: Path, *versions: str) -> Manifest:
    """Write the library with these versions pinned, the newest first."""
    folder.mkdir(parents=True, exist_ok=True)
    pins = "".join(f'\n[[version]]\nversion = "{name}"\npython = "3.11"\nrequires = ["numpy"]\n' for name in versions)
    (folder / "library.toml").write_text(HEAD + pins + FUNCTIONS)
    (folder / "adapter.py").write_text(ADAPTER)
    return load(folder)


PINNED = ("3.0", "2.1", "2.0", "1.1", "1.0")
ON_INDEX = ("0.9", "1.0", "1.0.1", "1.1", "1.2", "1.3", "2.0", "2.0.1", "2.1", "2.2rc1", "3.0")


def write_with_index(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pin five versions in ``mine/drifting``, put eleven releases on an index that is a folder, and fake uv."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    FakeUv(folder, monkeypatch)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder / "index"))
    (folder / "index").mkdir()
    for name in ON_INDEX:
        (folder / "index" / f"drifting-{name}-py3-none-any.whl").touch()
    write(folder / "mine" / "drifting", *PINNED)


def assert_bad_usage(words: tuple[str, ...], said: str, hint: str) -> None:
    """Assert that a command line is refused, with these words and this hint."""
    done = audit_mine(*words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert hint in done.stderr


class Environments:
    """In the place of real environments: this interpreter, told which release it is. ``built`` names those made."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.built = folder, []  # type: tuple[Path, list[str]]
        self.broken = {"3.0"}
        monkeypatch.setattr(environment, "ensure", self.ensure)

    def ensure(self, manifest: Manifest, version: Version, *, progress: environment.Progress) -> object:
        self.built.append(version.version)
        if version.version in self.broken:
            raise environment.BuildFailed("install", "no wheel fits", "wait for one")
        python = self.folder / f"python-{version.version}"
        python.write_text(f'#!/bin/sh\nFAKE_RELEASE={version.version} exec {sys.executable} "$@"\n')
        python.chmod(0o755)
        return environment.Environment(python, self.folder)


SIGNATURES = {
    "statistics.mean": lambda release: "precision@20" if release < (2,) else "precision@20|denominator:shown",
    "statistics.median": lambda release: "hit_rate@20",
    "statistics.mode": lambda release: "recall@20" if release >= (1, 1) else None,
}
"""What the adapter above is found to compute, by release; ``None``: not offered."""


class Audits:
    """In the place of whole audits: results made by the rules above, at once. ``built`` names the versions asked.

    ``signatures`` may be changed by a test, ``failing`` gives functions a reason for which they fail.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.built: list[str] = []
        self.broken = {"3.0"}
        self.signatures = dict(SIGNATURES)
        self.failing: dict[str, str] = {}
        self.behaviours: dict[str, str] = {}
        self.interrupted_after: int | None = None
        self.unknown: Callable[[tuple[int, ...]], tuple[str, ...]] = lambda release: ()
        monkeypatch.setattr("recsys_metric_audit.audit.pins.pin_drift.run", self.run)

    def run(self, request: Request, progress: object) -> Result:
        if self.interrupted_after is not None:
            finished = replace(request, chosen=request.chosen[: self.interrupted_after])
            self.interrupted_after = None
            raise AuditInterrupted(lambda: self.run(finished, progress))
        libraries, findings = [], []
        for manifest, version in request.chosen:
            self.built.append(version.version)
            gone = version.version in self.broken
            why = {"status": "unavailable", "reason": "no wheel fits"} if gone else {}
            libraries.append(reports_samples.library(manifest.name, version.version, **why))
            findings += [self.finding(manifest, version, each.name, gone) for each in manifest.functions]
        data = Dataset(name="hand-made", digest="sha256:0", users=1, items=1, pairs=1, rows=1)
        return Result(
            tool="0", platform="here", command="audit", dataset=data, k=request.ks, libraries=tuple(libraries),
            findings=tuple(findings),
        )  # fmt: skip

    def finding(self, manifest: Manifest, version: Version, name: str, gone: bool) -> Finding:
        metric = next(each.metric for each in manifest.functions if each.name == name)
        release = tuple(int(part) for part in version.version.split("."))
        signature = self.signatures[name](release)
        base = {"library": manifest.name, "version": version.version, "function": name, "metric": metric, "k": 20}
        if name in self.failing:
            return Finding(**base, status="failed", reason=self.failing[name])
        if gone or signature is None:
            return Finding(**base, status="unavailable" if gone else "not_offered", reason="not there")
        verdict = "variant" if formula_of(parse(signature)).differs_on else "agrees"
        told = {each: Behaviour(name=what) for each, what in self.behaviours.items()}
        unknown = self.unknown(release)
        return Finding(
            **base,
            status="measured",
            verdict=verdict,
            signature=signature,
            behaviours=told,
            axes=axis_statements({}, (), unknown),
        )
