"""What to type to see a finding again."""

from __future__ import annotations

import re
import shlex

from reports.model.result import Finding, Result

_OWN_DATA = re.compile(r"(ml-\w+|synthetic)(:[\w-]+)?")


def rerun_command(result: Result, finding: Finding) -> str:
    """Return what to type to see a finding again; the run's own command where its data was the user's."""
    if not _OWN_DATA.fullmatch(result.dataset.name):
        return result.command
    words = ["audit", "run", "-l", f"{finding.library}=={finding.version}", "--dataset", result.dataset.name]
    if result.recommenders:
        words += ["--recommender", result.recommenders[0]]
    for k in result.k if finding.k is None else (finding.k,):
        words += ["-k", str(k)]
    return shlex.join(words)


def reproduce_command(finding: Finding) -> str:
    """Return what to type for a script that shows a finding with the public API of its library only."""
    cut = [] if finding.k is None else ["--k", str(finding.k)]
    return shlex.join(["audit", "reproduce", f"{finding.library}=={finding.version}:{finding.function}", *cut])
