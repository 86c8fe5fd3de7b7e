"""The question of every report, and its answer from the figures of a run."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from recsys_metric_audit.reference.evaluation.readable_number import told_apart
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.wording.formatting import rounded
from recsys_metric_audit.reports.wording.headline_findings import headline_findings
from recsys_metric_audit.reports.wording.labels import count, joined, metric_title
from recsys_metric_audit.reports.wording.meanings import IDENTIFIED, formula
from recsys_metric_audit.reports.wording.yes_no_data import distinct_on_yes_no_data

QUESTION = "Do libraries compute the same metric?"

_NAMED = 3
"""Limits the metrics that the answer names."""

ByMetric = Mapping[str, Sequence[Finding]]


def answer(result: Result) -> str:
    """Return the answer in a sentence or two, from the functions that represent each metric at the first cut-off.

    Libraries agree on a metric if one formula was identified for all of them. They disagree if two formulas were
    identified, or one formula and a function that fits no definition. Otherwise the answer is unknown.
    """
    found = [f for f in headline_findings(result, result.k[0]) if f.verdict] if result.k else []
    ran = {(finding.library, finding.version) for finding in found}
    if not ran:
        return "Nothing could be measured in this run."
    if len(ran) == 1:
        return _single_version(found, result)
    by_metric: dict[str, list[Finding]] = {}
    for finding in found:
        by_metric.setdefault(finding.metric, []).append(finding)
    shared = {metric: group for metric, group in by_metric.items() if len(group) > 1}
    if not shared:
        alone = f"the {len(ran)} library versions that were measured have no metric in common"
        return f"Nothing can be compared: {alone}. They compute {_canonical(found)}."
    return _several_versions(len(ran), shared)


def _several_versions(versions: int, shared: ByMetric) -> str:
    apart = {metric: group for metric, group in shared.items() if len(_distinct_formulas(group)) > 1}
    same = [m for m, g in shared.items() if m not in apart and all(f.verdict in IDENTIFIED for f in g)]
    unsure = [metric for metric in shared if metric not in apart and metric not in same]
    who = f"{count(len(shared), 'metric')} that {count(versions, 'library version')} computed"
    formula_of = "" if same else "the formula of "
    parts = [
        f"agree on the formula of {_with_titles(same)}",
        f"differ on {formula_of}{len(apart)}",
        f"of {_with_titles(unsure)} it cannot be told",
    ]
    clauses = joined([part for part, of in zip(parts, (same, apart, unsure), strict=True) if of])
    start = "No" if apart else "No difference was found" if unsure else "Yes, on what was asked here"
    return f"{start}. Of {who} from the same predictions, they {clauses}{_most_disputed(apart)}."


def _with_titles(metrics: Sequence[str]) -> str:
    titles = f" ({joined([metric_title(metric) for metric in metrics])})" if len(metrics) <= _NAMED else ""
    return f"{len(metrics)}{titles}"


def _single_version(found: Sequence[Finding], result: Result) -> str:
    one = found[0]
    entry = next(e for e in result.libraries if (e.library, e.version) == (one.library, one.version))
    return f"One library version was measured: {entry.title} {entry.version} computes {_canonical(found)}."


def _canonical(found: Sequence[Finding]) -> str:
    agreeing = sum(finding.verdict == "agrees" for finding in found)
    return f"the canonical formula of {agreeing} of {count(len(found), 'metric')}"


def _distinct_formulas(group: Sequence[Finding]) -> set[str]:
    """Return the distinct formulas; all functions that fit no definition count as one formula, ``?``."""
    return {formula(finding) or "?" for finding in group if finding.verdict in (*IDENTIFIED, "unexplained")}


def _most_disputed(apart: ByMetric) -> str:
    """Return a clause about the metric with the most formulas: how many, and its range of values."""
    if not apart:
        return ""
    metric, group = max(apart.items(), key=lambda pair: len(_distinct_formulas(pair[1])))
    values = sorted(f.value for f in group if f.value is not None and math.isfinite(f.value))
    ends = list(dict.fromkeys(map(rounded, (values[0], values[-1])))) if len(values) > 1 else []
    if len(ends) == 1 and not math.isclose(values[0], values[-1], rel_tol=1e-6):  # as near as single precision is
        ends = list(told_apart(values[0], values[-1]))
    between = f", with values from {' to '.join(ends)}" if len(ends) > 1 else ", with one value here" if ends else ""
    formulas = _distinct_formulas(group)
    fewer = len(distinct_on_yes_no_data(sorted(formulas)))
    on_yes_no = f" ({fewer} on yes/no data)" if fewer < len(formulas) else ""
    return f"; {metric_title(metric)} alone has {len(formulas)} formulas{on_yes_no}{between}"
