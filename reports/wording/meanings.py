"""What a finding means: its formula, whether it gives the canonical value, and which finding heads a metric."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import cache

from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reference.equality.observed import are_equal_on_yes_no_data
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.level_meaning import parsed
from recsys_metric_audit.reports.model.result import Finding, Reference, Result
from recsys_metric_audit.reports.wording.formatting import rounded
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


def is_canonical_value(finding: Finding, canonical: Reference | None) -> bool:
    """Return True if the library's value is the canonical one to the digits that the library gives.

    The effect of a function without a cut-off is measured from the canonical value of whole lists, which is not the
    one at k.

    Args:
        finding: A measured finding.
        canonical: The canonical value of its metric on the data; None if there is none.
    """
    if finding.value is None or canonical is None:
        return False
    of_whole_lists = finding.k is None and canonical.k is not None
    if finding.effect is not None and not of_whole_lists:
        return finding.effect.same_value
    return math.isclose(finding.value, canonical.value, rel_tol=1e-9)


def gives_canonical_value(finding: Finding, canonical: Reference | None) -> bool:
    """Return True if the library's value is the canonical one, or is shown with the same three decimals.

    That is enough for a mark in a table, not for a sentence that says that the two are the same number.
    """
    if finding.value is None or canonical is None:
        return False
    alike = not math.isnan(canonical.value) and rounded(finding.value) == rounded(canonical.value)
    return alike or is_canonical_value(finding, canonical)


ABSENT = ("not_offered", "unavailable")
"""Statuses of functions that a library version does not have, or that no environment could run."""


def findings_at(result: Result, k: int) -> list[Finding]:
    """Return the findings at cut-off ``k``, and the findings of functions that take no cut-off."""
    return [finding for finding in result.findings if finding.k in (k, None)]


def headline_findings(result: Result, k: int) -> list[Finding]:
    """Return one finding per (library, version, metric) at ``k``: the function that Table 1 shows."""
    return headlines(findings_at(result, k))


def headlines(findings: Iterable[Finding]) -> list[Finding]:
    """Return one finding per (library, version, metric), given those at one cut-off.

    It is the first function, in the library's order, that the library offers. Functions that give per-user values
    without a mean come after those that give a mean. The call that the library's documentation asks for comes first,
    and functions with options (``[``) come after functions without options.
    """
    groups = grouped(((each.library, each.version, each.metric), each) for each in findings)
    return [min(group, key=_distance_from_headline) for group in groups.values()]


def gives_a_number(finding: Finding) -> bool:
    """Return True if a finding has a mean that is not NaN."""
    return finding.value is not None and not math.isnan(finding.value)


def _distance_from_headline(finding: Finding) -> tuple[bool, bool, bool, bool]:
    without_mean = finding.status == "measured" and finding.value is None
    return finding.status in ABSENT, without_mean, finding.documented_call is None, "[" in finding.function


def equals_canonical_on_yes_no_data(finding: Finding, canonical: Reference | None) -> bool:
    """Return True if the formula of a finding gives what the canonical one gives wherever every gain is 1.

    A function that takes no cut-off is compared with the canonical formula of whole lists.
    """
    own, usual = parsed(formula(finding)), parsed(canonical.signature if canonical else "")
    if own is None or usual is None:
        return False
    if finding.k is None and own.axes.get("cutoff") == "none" and "cutoff" in usual.axes:
        usual = usual.with_(cutoff="none")
    return are_equal_on_yes_no_data(own, usual)


def distinct_on_yes_no_data(signatures: Iterable[str]) -> list[str]:
    """Return the signatures without those that are equal to an earlier one wherever every gain is 1."""
    kept: dict[str, Definition | None] = {}
    for signature in signatures:
        own = parsed(signature)
        if own is None or not any(each and are_equal_on_yes_no_data(own, each) for each in kept.values()):
            kept[signature] = own
    return list(kept)
