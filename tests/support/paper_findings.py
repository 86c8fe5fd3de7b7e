"""Findings and results for tests of the re-audit of the paper."""

from __future__ import annotations

from typing import Any

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.paper.judging import JudgedClaim, JudgedSubject, judge_claims
from tests.support import result_samples as samples


def identified(name: str, version: str, computes: str, **changes: Any) -> Finding:
    """Return a finding that was identified as ``computes``."""
    definition = parse(computes)
    given: dict[str, Any] = {
        "library": name, "version": version, "function": f"{name}.{definition.metric}", "metric": definition.metric,
        "k": definition.k, "status": "measured", "verdict": "variant", "value": 0.5, "signature": computes,
        "definition": definition.axes,
    }  # fmt: skip
    return Finding(**samples.stated(given | changes))


def audited(*findings: Finding, **entry: Any) -> Result:
    """Return a result with these findings and the library versions that they name."""
    versions = dict.fromkeys((each.library, each.version) for each in findings)
    libraries = tuple(samples.library(name, version, **entry) for name, version in versions)
    return samples.result(libraries=libraries, findings=findings, reference=())


def judged_claim(number: int, *findings: Finding) -> JudgedClaim:
    """Return the verdict on one claim from these findings."""
    return next(each for each in judge_claims(audited(*findings)) if each.claim.number == number)


def judged_subject(number: int, *findings: Finding) -> JudgedSubject:
    """Return the verdict on one claim for the library of the first finding."""
    name = findings[0].library
    return next(each for each in judged_claim(number, *findings).subjects if each.about.library == name)
