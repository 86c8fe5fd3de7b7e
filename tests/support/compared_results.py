"""Results that belong together: two runs, two versions of one library, several cut-offs."""

from __future__ import annotations

import math
from typing import Any

from recsys_metric_audit.reports.model.result import (
    Bin,
    Reference,
    Result,
)
from tests.support.result_samples import differing, finding, library, result, small_result, witness


def two_runs() -> tuple[Result, Result]:
    first = small_result()
    entries = (library(version="1.1"), library("beta", "2_3"), library("new", "1"))
    found = (
        differing("average_precision", "alpha", "denominator", "k", 0.02, version="1.1"),
        finding("recall", version="1.1", value=math.nan),
        differing("average_precision", "beta", "denominator", "r", 0.0322, "wrong-denominator", version="2_3"),
        finding("recall", "beta", "2_3"),
        finding("ndcg", "beta", "2_3"),
    )
    return first, result(libraries=entries, findings=found)


def several_cutoffs() -> Result:
    rows = [finding(), differing("ndcg", "beta", "ideal", "none", 0.4, version="2.3.1")]
    at_5 = [
        finding(k=5, value=0.2),
        differing("ndcg", "beta", "ideal", "none", 0.9, version="2.3.1", k=5),
        differing("ndcg", "alpha", "gain", "exp2", 0.7, k=5, function="alpha.other"),
    ]
    auc = differing("auc", "beta", "scope", "stacked", 0.6, version="2.3.1")
    reference = (Reference(metric="ndcg", k=5, signature="ndcg@5", value=0.2),)
    return result(k=(5, 20), findings=(*rows, *at_5, auc), reference=reference)


def two_versions(**changes: Any) -> Result:
    """Return a result in which two versions of one library differ from the canonical definition alike."""
    bins = (Bin(canonical=0.5, library=0.5, users=40), Bin(canonical=0.5, library=0.25, users=7))
    given = {"witness": witness(), "scatter": bins, "script": "print(1)\n"} | changes
    found = [
        differing("ndcg", "alpha", "gain", "exp2", value, version=version, **given)
        for version, value in (("2.0", 0.31), ("1.0", 0.32))
    ]
    return result(libraries=(library(version="2.0"), library()), findings=tuple(found))
