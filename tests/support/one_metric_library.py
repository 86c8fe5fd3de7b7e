"""A library of one metric, run by this interpreter, and a dataset on which its value is known by hand."""

from __future__ import annotations

import sys
from pathlib import Path

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version

DATASET = "synthetic:20x30"
KS = (1, 5)
TOML = """\
title = "A library"
about = "It has one metric."
homepage = "https://example.org"

[source]
package = "a-library"

[[version]]
version = "1.0"
python = "3.11"

[[function]]
name = "statistics.mean"
metric = "precision"
"""

GOOD = """\
def prepare(case):
    return case

def precision(case, k):
    listed, relevant = {}, {}
    rows = zip(case.recommended.user.tolist(), case.recommended.item.tolist(), case.recommended.score.tolist())
    for user, item, score in rows:
        listed.setdefault(user, []).append((-score, len(listed.get(user, ())), item))
    for user, item in zip(case.relevant.user.tolist(), case.relevant.item.tolist()):
        relevant.setdefault(user, []).append(item)
    values = []
    for user in sorted(relevant):
        top = [item for _, _, item in sorted(listed.get(user, ()))[:k]]
        values.append(sum(relevant[user].count(item) for item in top) / k)
    return sum(values) / len(values) if values else float("nan")

FUNCTIONS = {"statistics.mean": precision}
"""


class Endings:
    """Progress that remembers how many functions of each library were identified, and how it ended."""

    def __init__(self) -> None:
        self.ended: dict[str, str] = {}
        self.identified: dict[str, list[int]] = {}

    def building(self, library: str, version: str, message: str) -> None:
        pass

    def asking(self, library: str, version: str, done: int, total: int) -> None:
        assert 0 < done <= total

    def identifying(self, library: str, version: str, done: int, total: int) -> None:
        assert 0 <= done <= total
        self.identified.setdefault(library, []).append(done)

    def finished(self, library: str, version: str, status: str, seconds: float, findings: object) -> None:
        self.ended[library] = status


def ensure(manifest: Manifest, version: Version, *, progress: environment.Progress) -> environment.Environment:
    """In the place of real environments: this interpreter, or none."""
    progress("creating an environment")
    if manifest.name == "unbuilt":
        raise environment.BuildFailed("install", "no network", "plug it in", "error: could not connect")
    return environment.Environment(Path(sys.executable), manifest.folder)


def by_hand(k: int) -> float:
    case = data.load(DATASET).case
    relevant = set(zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True))
    rec = case.predictions
    best = {user: rec.item[rec.user == user][:k].tolist() for user in set(case.truth.user.tolist())}
    return sum((user, item) in relevant for user, items in best.items() for item in items) / k / len(best)
