"""A result of 60 library versions × 12 metrics as rich as a real one, made by the pieces that make real ones.

Definitions are drawn from all documented and seeded ones. Witness, worked sums, decomposition and scatter are computed
from them as an audit does; what only a library can say (behaviours, packages, times, errors) is drawn with the
frequencies of a run of 15 real versions on MovieLens-100K: of 390 findings 6 agreed, 224 were identified as something
else, 60 were ambiguous, 61 unexplained, 39 without value; of 34 experiments a function stood out in one at most.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from bench.diagnosis.seeded import HEADLINES, Fault, faults
from recsys_metric_audit.audit.behaviours.experiments import METAMORPHIC_TESTS
from recsys_metric_audit.audit.data.synthetic import synthetic
from recsys_metric_audit.audit.findings.attribution import bin_per_user_values, decompose
from recsys_metric_audit.audit.observations import probe_tables
from recsys_metric_audit.audit.observations.counterexample import witness
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.cases.probe import Kind
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reports.model.result import (
    Behaviour,
    Dataset,
    EvidenceSummary,
    Finding,
    Library,
    Nearest,
    Reference,
    Result,
    Witness,
)
from recsys_metric_audit.reports.model.statement import axis_statements

K = 20
FAMILY = 4
"""Versions of one library."""
_USERS, _ITEMS = 300, 400
_VERDICTS = {"agrees": 6, "identified": 224, "ambiguous": 60, "unexplained": 61, "lost": 39}
_BEHAVIOURS = {
    "unchanged": 5927, "counted": 1108, "skipped": 801, "zero": 682, "changes": 486, "counted_once": 382,
    "not_askable": 370, "within": 313, "one": 308, "raises": 230, "agrees": 204, "row_order": 193, "mean_only": 190,
    "nan": 173, "complete": 157, "number": 134, "differs": 110, "higher_item_first": 41, "removed": 39,
}  # fmt: skip
_ODD = 58 / 351
"""Experiments in which a function stands out."""
_MOVED = 1 / 4
"""How often a function computes something else in the two older versions of a library, or does so on an edge."""
_PACKAGES = 45
_EACH = 6
"""Definitions of one moved axis, and of several, that libraries compute under one name."""
_KINDS = (
    Kind("single_user"), Kind("order"), Kind("duplicates"), Kind("truth_duplicates"), Kind("relevance"),
    Kind("multi_user"), Kind("exhaustive"),
)  # fmt: skip


@dataclass(frozen=True)
class _Drawn:
    """Holds the drawn definition of one function, and everything that a library alone can say."""

    metric: str
    kind: str
    definition: Definition
    others: tuple[Definition, ...]
    behaviours: Mapping[str, Behaviour]


def sixty(versions: int = 60, metrics: int = 12, seed: int = 7) -> Result:
    """Return the result: every version offers every metric; ``FAMILY`` versions are one library."""
    rng = random.Random(seed)
    libraries = tuple(_library(rng, number) for number in range(versions))
    names = HEADLINES[:metrics]
    seeded = faults()
    pools = {name: _pool(rng, name, seeded) for name in names}
    newer = {(n, name): _drawn(rng, name, pools[name]) for n in range(-(-versions // FAMILY)) for name in names}
    older = {key: _changed(rng, found, pools[key[1]]) for key, found in newer.items()}
    findings = tuple(
        _finding(entry, (newer if n % FAMILY < FAMILY // 2 else older)[n // FAMILY, name])
        for n, entry in enumerate(libraries)
        for name in names
    )
    return Result(
        tool="0.1", platform="Linux, 2 cores", command="audit run --dataset synthetic:300x400", k=(K,),
        dataset=Dataset(
            name="synthetic:300x400", digest="sha256:" + "0" * 64, users=_USERS, items=_ITEMS,
            pairs=len(_data().cases[0].truth.user), rows=len(_data().cases[0].predictions.user),
        ),
        reference=tuple(_reference(name) for name in names), libraries=libraries, findings=findings,
        experiments=tuple(test.experiment for test in METAMORPHIC_TESTS),
    )  # fmt: skip


def _pool(rng: random.Random, metric: str, seeded: Sequence[Fault]) -> list[Definition]:
    """Draw what libraries compute under this name: documented definitions, and changes of one to three axes."""
    canonical = Definition.of(metric)
    told = [f.definition for f in seeded if f.definition.metric == metric and not f.wrong]
    told = [each for each in dict.fromkeys(told) if not are_equal(each, canonical)]
    few, several = ([each for each in told if (len(each.differs_on) > 1) == more] for more in (False, True))
    chosen = rng.sample(few, min(_EACH, len(few))) + rng.sample(several, min(_EACH, len(several)))
    return [each for each in chosen if _witnessed(each)]


def _drawn(rng: random.Random, metric: str, pool: Sequence[Definition]) -> _Drawn:
    (kind,) = rng.choices(list(_VERDICTS), list(_VERDICTS.values()))
    definition = Definition.of(metric) if kind == "agrees" else rng.choice(pool)
    others = tuple(rng.sample(pool, min(3, len(pool)))) if kind == "ambiguous" else ()
    return _Drawn(metric, kind, definition, others, dict(_behaviours(rng)))


def _changed(rng: random.Random, newer: _Drawn, pool: Sequence[Definition]) -> _Drawn:
    """Return what an older version computes: often the same, else something else, or the same with another edge."""
    if rng.random() < _MOVED:
        return _drawn(rng, newer.metric, pool)
    return replace(newer, behaviours=dict(_behaviours(rng))) if rng.random() < _MOVED else newer


def _behaviours(rng: random.Random) -> Iterator[tuple[str, Behaviour]]:
    names = rng.choices(list(_BEHAVIOURS), list(_BEHAVIOURS.values()), k=len(METAMORPHIC_TESTS))
    odd = rng.randrange(len(METAMORPHIC_TESTS)) if rng.random() < _ODD else None
    for number, (test, name) in enumerate(zip(METAMORPHIC_TESTS, names, strict=True)):
        slug = "order-lost" if number == odd else None
        yield test.name, Behaviour(name=name, text="{1: 0.333333, 2: 0.666667} becomes {1: 0.5, 2: 0.25}", slug=slug)


def _finding(entry: Library, drawn: _Drawn) -> Finding:
    definition = drawn.definition.with_(k=K) if drawn.definition.k is not None else drawn.definition
    name = f"{entry.library}.evaluation.ranking_metrics.{drawn.metric}_at_k"
    given: dict[str, Any] = {
        "library": entry.library, "version": entry.version, "function": name, "metric": drawn.metric,
        "k": K if definition.k is not None else None,
    }  # fmt: skip
    if drawn.kind == "lost":
        reason = f"IndexError: index {K} is out of bounds for axis 0 with size {K}\n" + "  File 'metrics.py'\n" * 8
        return Finding(**given, status="failed", reason=reason)
    given |= _evidence(drawn, definition) | {"status": "measured", "behaviours": drawn.behaviours}
    if drawn.kind != "unexplained":
        given |= {
            "signature": definition.signature(), "axes": axis_statements(definition.axes, definition.differs_on),
            "classes": definition.classes, "claimed": f"{drawn.metric}@k", "matches_claim": drawn.kind == "agrees",
        }  # fmt: skip
    if drawn.kind != "agrees":
        shown = _witnessed(drawn.definition)
        given |= {"witness": shown, "script": shown and _script(name, entry, shown)}
    return Finding(**given)


def _evidence(drawn: _Drawn, definition: Definition) -> dict[str, Any]:
    verdict = {"identified": "undocumented" if len(definition.differs_on) > 1 else "variant"}.get(
        drawn.kind, drawn.kind
    )
    value, steps, bins = _on_data(definition)
    unsure = drawn.kind == "unexplained"
    seen = EvidenceSummary(
        cases=129, largest_deviation=None if unsure else 1.1e-16, tolerance=1e-9, fitted_value=value,
        range={
            "gains": "-1 to 6", "k": "1 to 15", "list length": "0 to 17", "relevant items": "0 to 7",
            "returned as": "float64", "data": "the mean",
        },
        nearest=Nearest(signature=definition.signature(), deviation=0.125) if unsure else None,
        blind=("pooling", "weight", "mean"),
        separating_case="two users, one without hits" if drawn.others else None,
    )  # fmt: skip
    return {
        "value": value, "verdict": verdict, "evidence": seen, "scatter": bins,
        "decomposition": () if unsure or drawn.kind == "agrees" else steps,
        "equivalent": tuple(other.signature() for other in drawn.others),
    }  # fmt: skip


@cache
def _data() -> Problem:
    return Problem.of([synthetic(_USERS, _ITEMS, seed=3).case], [K])


@cache
def _on_data(definition: Definition) -> tuple[float, tuple[Any, ...], tuple[Any, ...]]:
    """Return the value of a definition, its decomposition and its scatter on the data."""
    canonical, data = Definition.of(definition.metric, k=K), _data()
    (outcome,) = _outcomes(definition, data, ["data"]).values()
    bins = bin_per_user_values(canonical, outcome, data) if isinstance(outcome, Measured) else ()
    value = float(evaluate(definition, data).mean[0])
    return value, decompose(canonical, definition, data), bins


@cache
def _witnessed(definition: Definition) -> Witness | None:
    """Return the smallest probe on which a definition is not canonical, worked; None where no probe shows it."""
    outcomes: dict[str, Outcome] = {}
    for kind in _KINDS:
        asked: tuple[Probe, ...] = probe_tables.probes(kind)
        outcomes |= _outcomes(definition, probe_tables.problem(kind), [probe.name for probe in asked])
    return witness(Observation("f", outcomes, {}), Definition.of(definition.metric), definition)


def _outcomes(definition: Definition, problem: Problem, names: Sequence[str]) -> dict[str, Outcome]:
    """Return what a library that computes ``definition`` would answer to each case, by its name."""
    made, placement = evaluate(definition, problem), problem.placement
    each = len(made.value) == len(placement)
    found: dict[str, Outcome] = {}
    for number, name in enumerate(names):
        own = np.flatnonzero((placement.case == number) & made.counted) if each else None
        found[name] = (
            Errored("ValueError", "refused", "")
            if made.refused[number]
            else Measured(
                float(made.mean[number]), None if own is None else placement.users[own],
                None if own is None else made.value[own], "float64", 0.0,
            )
        )  # fmt: skip
    return found


def _reference(metric: str) -> Reference:
    canonical = Definition.of(metric, k=K)
    return Reference(
        metric=metric, k=canonical.k if isinstance(canonical.k, int) else None, signature=canonical.signature(),
        definition=canonical.axes, value=float(evaluate(canonical, _data()).mean[0]),
    )  # fmt: skip


def _library(rng: random.Random, number: int) -> Library:
    name = f"library{number // FAMILY}"
    packages = {f"package-{i}": f"{rng.randrange(4)}.{rng.randrange(20)}.{rng.randrange(9)}" for i in range(_PACKAGES)}
    return Library(
        library=name, title=name.title(), version=f"{FAMILY - number % FAMILY}.0", python="3.11.7",
        about="Recommender models and their evaluation.", homepage=f"https://{name}.example.org",
        source=f"package {name}", installed=packages | {"numpy": "1.26.4", "pandas": "2.1.4"},
        seconds=round(rng.uniform(4, 90), 2), status="audited", live=True, log="W: slow\n" * 10,
    )  # fmt: skip


def _script(function: str, entry: Library, shown: Witness) -> str:
    """Return a script about as long as those that an audit writes."""
    recommended = "".join(f"    ({u.user}, {i.item}, {i.score}),\n" for u in shown.users for i in u.items)
    relevant = "".join(
        f"    ({u.user}, {i.item}, {i.gain}),\n" for u in shown.users for i in (*u.items, *u.missing) if i.hit
    )
    rest = "# a line of the script\n" * 35
    return f'''"""{function} of {entry.title} {entry.version}, on the smallest input found where it is not canonical."""

K = {shown.k}
RECOMMENDED = [
{recommended}]
RELEVANT = [
{relevant}]
{rest}'''
