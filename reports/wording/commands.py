"""Commands that repeat a finding, for users to copy."""

from __future__ import annotations

import re
import shlex

from recsys_metric_audit.reports.model.result import Finding, Result

_NAMED_DATASET = re.compile(r"(ml-\w+|synthetic)(:[\w-]+)?")


def rerun_command(result: Result, finding: Finding) -> str:
    """Return the command that repeats a finding; on a user's own data, the command of the whole run."""
    if not _NAMED_DATASET.fullmatch(result.dataset.name):
        return result.command
    words = ["audit", "run", "-l", f"{finding.library}=={finding.version}", "--dataset", result.dataset.name]
    if result.recommenders:
        words += ["--recommender", result.recommenders[0]]
    for k in result.k if finding.k is None else (finding.k,):
        words += ["-k", str(k)]
    return shlex.join(words)


def reproduce_command(finding: Finding) -> str:
    """Return the command that prints a script which shows a finding with the public API of its library only."""
    cut = [] if finding.k is None else ["--k", str(finding.k)]
    return shlex.join(["audit", "reproduce", f"{finding.library}=={finding.version}:{finding.function}", *cut])
