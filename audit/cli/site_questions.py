"""Writes what the page of questions of the site answers from: the recorded run, the axes, and values by rank."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from recsys_metric_audit.audit.cli.shared.lookup import finding_lines
from recsys_metric_audit.reference.catalogue.everyday_names import signature_by_letters
from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reference.value_search.number_conversion import from_ranks
from recsys_metric_audit.reports.headlines.library_differences import newest
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.formula_words import formula_contrast
from recsys_metric_audit.reports.wording.labels import metric_title
from recsys_metric_audit.reports.wording.meanings import formula, open_cutoff

DEEPEST = 100
"""The deepest rank that printed numbers are compared over."""
_OF_RANKS = ("hit_rate", "ndcg", "reciprocal_rank")


def questions_data(result: Result) -> str:
    """Return the data as a script, which a page that was opened from a folder may load, too: ``const DATA = ...``."""
    axes: dict[str, int] = {}
    metrics = {
        metric: {
            "title": metric_title(metric),
            "cut": Definition.of(metric).k is not None,
            "implied": _implied(metric),
            "axes": [axes.setdefault(json.dumps(_axis(metric, axis.name)), len(axes)) for axis in family.all_axes],
        }
        for metric, family in FAMILIES.items()
    }
    libraries = {entry.library: f"{one_line(entry.title)} {entry.version}" for entry in newest(result)}
    versions = {(entry.library, entry.version) for entry in newest(result)}
    data = {
        "run": f"{result.dataset.name}, {result.time:%Y-%m-%d}",
        "libraries": libraries,
        "findings": [_finding(each) for each in result.findings if (each.library, each.version) in versions],
        "metrics": metrics,
        "axes": [json.loads(axis) for axis in axes],
        "names": signature_by_letters(),
        "ranks": {metric: _by_rank(metric) for metric in _OF_RANKS},
    }
    return f"const DATA = {json.dumps(data, ensure_ascii=False, separators=(',', ':'))};\n"


def _finding(each: Finding) -> dict[str, str]:
    """Return what was found of a function: the verdict, the sentence, the signature, and the formula with an open k."""
    own = formula(each)
    words = formula_contrast(each.metric, own) or f"the canonical {metric_title(each.metric)}"
    return {
        "library": each.library, "metric": each.metric, "function": one_line(each.function),
        "verdict": one_line(finding_lines(each)[0]), "words": words if each.formula else "",
        "signature": open_cutoff(each.signature) if each.signature else "", "formula": open_cutoff(own) if own else "",
    }  # fmt: skip


def _axis(metric: str, name: str) -> dict[str, Any]:
    """Return an axis with the meaning of each value; of numbers, with ``{}`` in their place."""
    axis = FAMILIES[metric].axis(name)
    number = axis.of_number or f"{name} = {{}}" if axis.numeric else ""
    values = {value.name: value.meaning for value in axis.values}
    canonical = FAMILIES[metric].canonical[name]
    return {"name": name, "asks": axis.meaning, "canonical": canonical, "values": values, "number": number,
            "more": axis.of_more, "formula": level_of(name) == "formula"}  # fmt: skip


def _implied(metric: str) -> dict[str, str]:
    """Return the choices that imply another one: where only rated items are ranked, gain 0 is not relevant."""
    canonical, found = FAMILIES[metric].canonical.get("relevance"), {}
    for axis in FAMILIES[metric].all_axes if canonical else ():
        for pair in (f"{axis.name}:{value}" for value in axis.names if axis.name != "relevance"):
            with suppress(SignatureError):
                if (relevance := parse(f"{metric}|{pair}").axes["relevance"]) != canonical:
                    found[pair] = f"relevance:{relevance}"
    return found


def _by_rank(metric: str) -> list[float]:
    """Return what a user with one relevant item adds by its rank, from 1 to the deepest."""
    wanted = [Definition.of(metric, {}, DEEPEST)]
    return [from_ranks({"user": [rank]}, {"user": 1}, wanted)[0].low for rank in range(1, DEEPEST + 1)]
