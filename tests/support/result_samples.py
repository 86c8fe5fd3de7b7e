"""Hand-made results for the tests of reports: no audit ran, every figure was chosen to be recognised."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from itertools import chain
from typing import Any

from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reports.model.result import (
    Behaviour,
    Bin,
    Dataset,
    EvidenceSummary,
    Experiment,
    Finding,
    Library,
    Nearest,
    Reference,
    Result,
    Step,
    Witness,
    WitnessItem,
    WitnessUser,
    Worked,
    WorkedRow,
)
from recsys_metric_audit.reports.model.statement import axis_statements

CANONICAL = {
    "hit_rate": ({"counts": "any"}, 0.475),
    "average_precision": ({"denominator": "min", "indicator": "kept"}, 0.0391),
    "reciprocal_rank": ({"ranks": "first"}, 0.186),
    "ndcg": ({"gain": "binary", "ideal": "k"}, 0.0934),
    "precision": ({"denominator": "k"}, 0.0576),
    "recall": ({"denominator": "r"}, 0.0957),
    "auc": ({"scope": "user", "list": "full"}, 0.7049),
}


_PARTS = ("definition", "differs_on", "unknown", "cannot_matter", "does_not_apply", "assumed")


def library(name: str = "alpha", version: str = "1.0", **changes: Any) -> Library:
    given: dict[str, Any] = {
        "library": name,
        "title": name.title(),
        "version": version,
        "python": "3.11.9",
        "source": f"package {name} {version}",
        "installed": {name: version, "numpy": "1.26.4"},
        "seconds": 3.25,
        "status": "audited",
        "live": True,
    }
    return Library(**given | changes)


def finding(metric: str = "ndcg", name: str = "alpha", version: str = "1.0", **changes: Any) -> Finding:
    """Return a finding that agrees with the canonical definition, with ``changes``."""
    k = changes.get("k", None if metric == "auc" else 20)
    given: dict[str, Any] = {
        "library": name,
        "version": version,
        "function": f"{name}.{metric}",
        "metric": metric,
        "k": k,
        "status": "measured",
        "value": CANONICAL[metric][1],
        "verdict": "agrees",
        "signature": metric if k is None else f"{metric}@{k}",
        "definition": CANONICAL[metric][0],
        "evidence": EvidenceSummary(cases=120, largest_deviation=2.2e-16, tolerance=1e-9, range={"ranks": "up to 25"}),
    }
    return Finding(**stated(given | changes))


def stated(given: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a finding in which axes are given as the properties of a statement name them.

    The formula follows from the signature unless it is given; an axis that differs without a value gets one.
    """
    parts = {name: given[name] for name in _PARTS if name in given}
    kept = {name: value for name, value in given.items() if name not in (*_PARTS, "levels")}
    differs = tuple(parts.pop("differs_on", ())) + tuple(chain(*given.get("levels", {}).values()))
    hidden = {*parts.get("unknown", ()), *parts.get("does_not_apply", {})}
    known = {**dict.fromkeys((*differs, *parts.get("cannot_matter", {})), "other"), **parts.pop("definition", {})}
    known = {axis: value for axis, value in known.items() if axis not in hidden}
    head, *axes = (given["signature"] or "").split("|")
    own = [pair for pair in axes if level_of(pair.split(":")[0]) == "formula"]
    return {"formula": "|".join([head, *own]) or None, "axes": axis_statements(known, differs, **parts), **kept}


def restated(found: Finding, **changes: Any) -> Finding:
    """Return a finding with other fields; axes are given as the properties of a statement name them."""
    parts: dict[str, Any] = {name: getattr(found, name) for name in _PARTS}
    if "levels" in changes:
        parts["differs_on"] = ()
    made = stated({"signature": found.signature, **parts, **changes})
    return found.model_copy(update={"axes": made["axes"], **{n: v for n, v in made.items() if n in changes}})


def differing(metric: str, name: str, axis: str, value: str, number: float, slug: str = "", **changes: Any) -> Finding:
    """Return a finding that differs from the canonical definition on one axis."""
    k = changes.get("k", None if metric == "auc" else 20)
    given: dict[str, Any] = {
        "verdict": "variant",
        "value": number,
        "signature": f"{metric if k is None else f'{metric}@{k}'}|{axis}:{value}",
        "definition": CANONICAL[metric][0] | {axis: value},
        "differs_on": (axis,),
        "classes": (slug,) if slug else (),
    }
    return finding(metric, name, **given | changes)


def lost(metric: str, name: str, status: str, reason: str, **changes: Any) -> Finding:
    """Return a finding without a measurement."""
    given: dict[str, Any] = {
        "status": status,
        "reason": reason,
        "value": None,
        "verdict": None,
        "signature": None,
        "definition": {},
        "evidence": EvidenceSummary(),
    }
    return finding(metric, name, **given | changes)


def witness() -> Witness:
    user = WitnessUser(
        user="u1",
        items=(
            WitnessItem(item="i10", gain=4.0, hit=True, score=0.9),
            WitnessItem(item="i11", hit=False, score=0.8),
        ),
        missing=(WitnessItem(item="i12", gain=2.0, hit=True), WitnessItem(item="i13", gain=2.0, hit=True)),
        r=3,
        library_value=1 / 3,
        canonical_value=0.5,
    )
    return Witness(
        case="r3-k2-hit-at-1",
        k=2,
        users=(user,),
        library_value=1 / 3,
        canonical_value=0.5,
        text="Three relevant items, two places: divided by three instead of two.",
        worked=(worked("average_precision@2", "min(2, 3) = 2", "1/2", 0.5), worked(R, "r = 3", "1/3", 1 / 3)),
    )


R = "average_precision@2|denominator:r"


def worked(signature: str, divisor: str, result: str, value: float) -> Worked:
    """Return average precision of the witness: one hit at rank 1, so the sum of precisions is 1/1."""
    return Worked(
        signature=signature,
        columns=("relevant", "hits so far", "precision"),
        rows=(
            WorkedRow(rank=1, item="i10", cells=("1", "1", "1/1")),
            WorkedRow(rank=2, item="i11", cells=("0", "1", "")),
        ),
        lines=("sum over hits = 1/1 = 1", f"divided by {divisor}: {result}"),
        value=value,
    )


def result(**changes: Any) -> Result:
    """Return a result with every verdict and every status in it."""
    given: dict[str, Any] = {
        "tool": "0.1.0",
        "time": datetime(2025, 3, 1, 12, 30, tzinfo=UTC),
        "platform": "Linux x86_64",
        "command": "audit run --dataset movielens-100k -k 20",
        "dataset": Dataset(
            name="MovieLens-100K, EASE",
            digest="sha256:" + "0f" * 32,
            users=943,
            items=1682,
            pairs=17_512,
            rows=1_486_126,
            choices={"split": "the last 20 % of all ratings by time are held out", "relevant": "rating ≥ 4"},
            facts=("12 users have no relevant item.", "No two scores of a user are equal."),
        ),
        "k": (20,),
        "reference": _reference(),
        "libraries": _libraries(),
        "findings": (*_alpha(), *_beta(), *_gamma(), *_delta()),
        "experiments": (
            Experiment(name="no_list", title="a user without list", question="One user gets no recommendation."),
            Experiment(name="shuffled", title="rows shuffled", question="Nothing should change."),
        ),
        "blind": {"ties": "No two scores of a user are equal."},
        "recommenders": ("ease", "itemknn", "popular"),
    }
    return Result(**given | changes)


def _reference() -> tuple[Reference, ...]:
    rows = []
    for metric, (definition, value) in CANONICAL.items():
        k = None if metric == "auc" else 20
        signature = metric if k is None else f"{metric}@{k}"
        by = {"ease": value, "itemknn": 0.036, "popular": 0.022} if metric == "average_precision" else {}
        rows.append(
            Reference(
                metric=metric, k=k, signature=signature, definition=definition, value=value, by_recommender=by
            )
        )  # fmt: skip
    return tuple(rows)


def _libraries() -> tuple[Library, ...]:
    return (
        library("alpha", about="A library for tests.", homepage="https://example.org/alpha"),
        library("beta", "2.3.1", out_of_scope={"beta.coverage": "no accuracy metric"}),
        library("gamma", "0.4", live=False, log="W: slow\nW: slower\n"),
        library("delta", "3.0", stubs={"tensorboard": "imported, never used"}),
        library("omega", "9", status="unavailable", reason="Python 3.7 was not found.", installed={}),
    )


def _alpha() -> tuple[Finding, ...]:
    return tuple(finding(metric) for metric in CANONICAL)


def _beta() -> tuple[Finding, ...]:
    v = {"version": "2.3.1"}
    return (
        differing("hit_rate", "beta", "counts", "hits", 1.151, "hit-rate-as-count", **v),
        differing(
            "average_precision", "beta", "denominator", "r", 0.0321, "wrong-denominator", **v,
            claimed="average_precision@k", matches_claim=False, witness=witness(), script="print('one third')\n",
            decomposition=(
                Step(axis="", signature="average_precision@20", value=0.0391),
                Step(axis="denominator", signature="average_precision@20|denominator:r", value=0.0321),
            ),
            scatter=(Bin(canonical=0.5, library=0.5, users=40), Bin(canonical=0.5, library=0.25, users=7)),
            behaviours={
                "no_list": Behaviour(name="skipped", text="mean over 2 of 3 users", slug="missing-recommendations"),
                "shuffled": Behaviour(name="unchanged", text="0.5 both times"),
            },
            by_recommender={"ease": 0.0321, "itemknn": 0.0351, "popular": 0.0211},
        ),
        finding("reciprocal_rank", "beta", **v),
        differing("ndcg", "beta", "gain", "exp2", 0.0899, function="beta.ndcg[type=exp]", **v),
        finding("ndcg", "beta", **v),
        finding("precision", "beta", **v),
        finding("recall", "beta", **v),
        differing("auc", "beta", "scope", "stacked", 0.6871, "stacked-auc", **v),
        finding("auc", "beta", function="beta.gauc", **v),
    )  # fmt: skip


def _gamma() -> tuple[Finding, ...]:
    v = {"version": "0.4", "live": False}
    nearest = Nearest(signature="average_precision@k|denominator:k", deviation=0.125)
    return (
        lost("hit_rate", "gamma", "failed", "IndexError: index 20 is out of bounds", **v),
        finding(
            "average_precision", "gamma", **v, verdict="unexplained", signature=None, definition={}, value=0.0034,
            evidence=EvidenceSummary(
                cases=120, largest_deviation=None, tolerance=1e-9, nearest=nearest,
                unpredicted="No definition predicts what it gives on the smallest lists.",
            ),
        ),
        differing("reciprocal_rank", "gamma", "ranks", "sum", 0.2752, "sum-of-reciprocals", **v),
        differing("ndcg", "gamma", "ideal", "none", 0.4631, "missing-idcg", verdict="undocumented", **v),
        finding(
            "precision", "gamma", **v, verdict="ambiguous", equivalent=("hit_rate@20|counts:precision",),
            evidence=EvidenceSummary(cases=9, largest_deviation=0.0, tolerance=1e-6, separating_case="a short list"),
        ),
        finding("recall", "gamma", verdict="unstable", signature=None, definition={}, value=0.0961, **v),
        lost("auc", "gamma", "timed_out", "no answer within 120 s", **v),
    )  # fmt: skip


def _delta() -> tuple[Finding, ...]:
    v = {"version": "3.0"}
    return (
        lost("hit_rate", "delta", "not_offered", "module 'delta' has no attribute 'hit_rate'", **v),
        differing("average_precision", "delta", "denominator", "k", 0.0233, "wrong-denominator", **v),
        finding("reciprocal_rank", "delta", **v),
        lost("ndcg", "delta", "crashed", "exit code -11: Segmentation fault", **v),
        finding("precision", "delta", value=math.nan, **v),
        finding("recall", "delta", **v),
        differing("auc", "delta", "list", "topk", 0.2831, "cut-off-upstream", **v, k=20),
    )


def small_result(**changes: object) -> Result:
    """Two library versions and two metrics: small enough to write every form by hand."""
    entries = (library(), library("beta", "2_3"))
    found = (
        finding("average_precision"),
        finding("recall", value=math.nan),
        differing("average_precision", "beta", "denominator", "r", 0.0321, "wrong-denominator", version="2_3"),
        lost("recall", "beta", "failed", "=cmd|' /C calc'!A0", version="2_3"),
    )
    return result(**{"libraries": entries, "findings": found} | changes)
