"""Tells in words which held-out inputs a finding was tried on."""

from __future__ import annotations

from recsys_metric_audit.reports.model.result import EvidenceSummary
from recsys_metric_audit.reports.wording.labels import count


def held_out_line(evidence: EvidenceSummary) -> str:
    """Return one line about the held-out inputs of a finding; empty for a file that tells nothing of them."""
    tried = ""
    if evidence.held_out_cases:
        users, cases = count(evidence.held_out_users, "user"), count(evidence.held_out_cases, "case")
        tried = f"{users} in {cases}, all predicted"
    without = f" ({evidence.held_out})" if tried and evidence.held_out else evidence.held_out
    refuted = "; ".join(f"{axis}: {words}" for axis, words in evidence.refuted.items())
    return "; ".join(part for part in (tried + without, refuted) if part)
