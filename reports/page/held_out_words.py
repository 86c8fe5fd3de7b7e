"""Tells in words which held-out inputs a finding was tried on."""

from __future__ import annotations

from reports.model.result import EvidenceSummary


def held_out_line(evidence: EvidenceSummary) -> str:
    """Return one line about the held-out inputs of a finding; empty for a file that tells nothing of them."""
    tried = ""
    if evidence.held_out_cases:
        tried = f"{evidence.held_out_users:,} users in {evidence.held_out_cases} cases, all predicted"
    without = f" ({evidence.held_out})" if tried and evidence.held_out else evidence.held_out
    refuted = "; ".join(f"{axis}: {words}" for axis, words in evidence.refuted.items())
    return "; ".join(part for part in (tried + without, refuted) if part)
