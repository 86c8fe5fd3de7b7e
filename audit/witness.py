"""The smallest probe on which a library and the canonical definition differ, told item by item."""

from __future__ import annotations

from math import isnan

import numpy as np

from audit import space
from audit.observation import Observation, scalar
from audit.protocol import Measured
from reference.cases import Probe
from reference.definition import Definition
from reference.evaluate import evaluate
from reports.result import Witness, WitnessItem, WitnessUser


def witness(observation: Observation, metric: str, has_k: bool) -> Witness | None:
    """The smallest probe on which the library and the canonical definition of the metric differ."""
    canonical = Definition.of(metric)
    if not has_k and canonical.k is not None:
        canonical = Definition.of(metric, {"cutoff": "none"})
    best: tuple[int, Probe, float, float] | None = None
    for kind in ("plain", "order", "duplicates", "truth_duplicates", "relevance", "crowd"):
        made = evaluate(canonical, space.problem(kind))
        for column, probe in enumerate(space.probes(kind)):
            outcome = observation.probes.get(probe.name)
            value = scalar(outcome) if isinstance(outcome, Measured) else None
            if value is None or abs(value - made.mean[column]) <= 1e-4 * max(1, abs(value)):
                continue
            if isnan(value) and isnan(made.mean[column]):
                continue
            if best is None or probe.size < best[0]:
                best = (probe.size, probe, value, float(made.mean[column]))
    return None if best is None else _told(best[1], best[2], best[3], canonical, has_k)


def _told(probe: Probe, value: float, right: float, canonical: Definition, has_k: bool) -> Witness:
    k = probe.k if has_k else None
    shown = f"{canonical.signature()} is {right:.6g}, the library says {value:.6g}: {probe.case.why}"
    return Witness(
        case=probe.name, k=k, users=tuple(_users(probe)), library_value=value, canonical_value=right, text=shown
    )


def _users(probe: Probe) -> list[WitnessUser]:
    rec, rel = probe.case.predictions, probe.case.truth
    out = []
    for user in np.union1d(rec.user, rel.user).tolist():
        gains = dict(zip(rel.item[rel.user == user].tolist(), rel.gain[rel.user == user].tolist(), strict=True))
        rows = [
            WitnessItem(item=str(item), gain=gains.get(item), hit=item in gains, score=score)
            for item, score in zip(
                rec.item[rec.user == user].tolist(), rec.score[rec.user == user].tolist(), strict=True
            )
        ]
        listed = set(rec.item[rec.user == user].tolist())
        missing = [WitnessItem(item=str(i), gain=g, hit=True) for i, g in gains.items() if i not in listed]
        relevant = int((rel.user == user).sum())
        out.append(WitnessUser(user=str(user), items=tuple(rows), missing=tuple(missing), r=relevant))
    return out
