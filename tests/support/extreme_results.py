"""Results that strain a report: hostile text everywhere, and very many versions, metrics and meanings."""

from __future__ import annotations

import math
from typing import Any

from recsys_metric_audit.reports.model.result import (
    Behaviour,
    Bin,
    Dataset,
    EvidenceSummary,
    Experiment,
    Finding,
    Library,
    Reference,
    Result,
    Step,
    Witness,
    WitnessItem,
    WitnessUser,
)
from tests.support.result_samples import CANONICAL, differing, library, lost, result, stated, witness

HOSTILE = (
    '<script>document.title="owned"</script>',
    '"><img src=x onerror=alert(1)>',
    "{{ 7 * 7 }}{% raw %}",
    "\u202egnp.exe",
    "\x1b[31mred\x1b[0m\x00",
    "[bold]markup[/bold] | pipe `tick` </style></td>",
    "שלום",
)


def hostile() -> Result:
    """Return a result that can be read; every foreign text is an attack, and the longest is 10,000 characters."""
    attack = " ".join(HOSTILE)
    long = "Traceback:\n" + "".join(f"  File '{attack}', line {n}\n" for n in range(80))
    assert len(long) > 10_000
    name, version = HOSTILE[0], HOSTILE[1]
    entry = library(
        name, version, title=attack, about=attack, homepage="javascript:alert(1)", source=attack, log=long,
        installed={attack: attack}, stubs={attack: attack}, out_of_scope={attack: attack},
        claims={attack: "javascript:alert(2)"},
    )  # fmt: skip
    user = WitnessUser(user=attack, items=(WitnessItem(item=attack, hit=True, gain=math.inf),), r=1)
    shown = Witness(case=attack, k=1, users=(user,), library_value=math.nan, canonical_value=None, text=attack)
    found = (
        differing(
            "ndcg", name, attack, attack, -math.inf, attack, version=version, function=attack, witness=shown,
            signature="ndcg@20", equivalent=("ndcg@20",), claimed="ndcg@20", matches_claim=False,  # else none is read
        ),
        lost("auc", name, "failed", long, version=version, function=attack),
    )  # fmt: skip
    data = Dataset(
        name=attack, digest=attack, users=1, items=1, pairs=1, rows=1, choices={attack: attack}, facts=(attack,)
    )
    away = library("away", attack, status="unavailable", reason=long)
    return result(platform=attack, command=attack, dataset=data, libraries=(entry, away), findings=found, reference=())


def many(versions: int = 60, metrics: int = 12, meanings: int = 8) -> Result:
    """Return a generated result: every version offers every metric, each in one of ``meanings`` meanings.

    Of every four versions the oldest computes something else than the other three.
    Every finding that differs has a witness worked out, a decomposition, a scatter of 80 bins and behaviours.
    """
    names = [*CANONICAL, "f_score", "average_recall", "r_precision", "rbp", "err"][:metrics]
    libraries = tuple(
        library(f"lib{n // 4}", f"{n % 4}.0", installed={f"package{i}": "1.0" for i in range(30)})
        for n in range(versions)
    )
    experiments = tuple(Experiment(name=f"e{n}", title=f"edge {n}", question="What then?") for n in range(10))
    references = tuple(
        Reference(metric=name, k=20, signature=f"{name}@20", definition={"denominator": "min"}, value=0.5)
        for name in names
    )
    found = tuple(
        _one_of_many(entry, name, (n // 4 * 3 + m + (n % 4 == 3)) % meanings, experiments)
        for n, entry in enumerate(libraries)
        for m, name in enumerate(names)
    )
    return result(libraries=libraries, findings=found, reference=references, experiments=experiments)


def _one_of_many(entry: Library, metric: str, way: int, experiments: tuple[Experiment, ...]) -> Finding:
    given: dict[str, Any] = {
        "library": entry.library, "version": entry.version, "function": f"{entry.library}.metrics.{metric}_at_k",
        "metric": metric, "k": 20, "status": "measured", "value": 0.5, "verdict": "agrees", "signature": f"{metric}@20",
        "definition": {"denominator": "min"},
        "evidence": EvidenceSummary(cases=120, largest_deviation=2e-16, tolerance=1e-9, range={"ranks": "up to 25"}),
        "behaviours": {each.name: Behaviour(name="unchanged", text="0.5 twice") for each in experiments},
    }  # fmt: skip
    if way:
        given |= {
            "value": 0.5 - way / 100, "verdict": "variant", "signature": f"{metric}@20|denominator:w{way}",
            "definition": {"denominator": f"w{way}"}, "differs_on": ("denominator",), "classes": ("wrong-denominator",),
            "witness": witness(),
            "decomposition": (
                Step(axis="", signature=f"{metric}@20", value=0.5),
                Step(axis="denominator", signature=f"{metric}@20|denominator:w{way}", value=0.5 - way / 100),
            ),
            "scatter": tuple(
                Bin(canonical=i / 10, library=i / 10 - j * way / 1000, users=1 + i * j % 30)
                for i in range(1, 11)
                for j in range(8)
            ),
        }  # fmt: skip
    return Finding(**stated(given))
