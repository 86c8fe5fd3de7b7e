"""Expectations: what the accepted audit of a library version found, as it is stored in a pin.

An expectation holds meanings and no values, because the last digits of a metric may change without a cause worth
reporting. ``format`` is raised by one with every change of a name or of its meaning:

* 1: the first; ``definitions`` held whole signatures.
* 2: formula, who counts and input handling are kept apart, with the axes that are not known or do not apply.

Only the present format is read.
"""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field

from recsys_metric_audit.reports.model.fields import FrozenModel
from recsys_metric_audit.reports.model.level_meaning import LevelMeaning, level_meaning
from recsys_metric_audit.reports.model.result import REFUSED, Finding, Result, Status, Verdict

FORMAT: Final = 2

NOT_ASKED = "not_asked"


class FunctionExpectation(LevelMeaning):
    """Holds the expected meaning of one function, level by level."""

    metric: str
    status: Status
    verdict: Verdict | None = None
    """The conclusion about the formula."""
    assumed: dict[str, str] = Field(default_factory=dict)
    """Values of axes that are not known or do not apply, from which an audit starts; nothing is expected of them."""
    behaviours: dict[str, str] = Field(default_factory=dict)
    """Name of the behaviour in each experiment, by the name of the experiment."""

    @property
    def words(self) -> str:
        """The definition shown in reports, or in words why there is none."""
        if self.status != "measured":
            return self.status.replace("_", " ")
        if not self.formulas:
            return str(self.verdict)
        others = len(self.formulas) - 1
        more = f" (or {others} more formula{'s' if others > 1 else ''})" if others else ""
        return self.signature + more


class VersionExpectation(FrozenModel):
    """Holds the expected meanings of all functions of one library version: the content of a pin."""

    format: Literal[2] = FORMAT
    library: str
    version: str
    dataset: str
    """Name of the data on which it was audited, besides the probes."""
    k: int
    no_value: str = ""
    """Why no function has a value on that data: what one said that refuses it, as all do; empty if one has a value."""
    functions: dict[str, FunctionExpectation]


def meaning_lines(expected: VersionExpectation) -> str:
    """Return what each function of a version computes, a line each."""
    width = max(map(len, expected.functions), default=0)
    lines = [f"  {name:<{width}}  {own.words}" for name, own in expected.functions.items()]
    refused = [f"  no value on {expected.dataset}: {expected.no_value}"] if expected.no_value else []
    return "\n".join([*lines, *refused])


def function_expectation(finding: Finding) -> FunctionExpectation:
    """Return the expectation that a finding is pinned as."""
    asked = {name: done.name for name, done in finding.behaviours.items() if done.name != NOT_ASKED}
    return FunctionExpectation(
        metric=finding.metric,
        status=finding.status,
        verdict=finding.verdict,
        assumed=finding.assumed,
        behaviours=dict(sorted(asked.items())),
        **level_meaning(finding).model_dump(),
    )


def version_expectation(result: Result, library: str, version: str) -> VersionExpectation:
    """Return the expectation that one library version of ``result`` is pinned as; the run must have one cut-off."""
    (k,) = result.k
    rows = [each for each in result.findings if (each.library, each.version) == (library, version)]
    functions = {each.function: function_expectation(each) for each in rows}
    told = (str(each.evidence.range.get("data", "")) for each in rows)
    no_value = next((words.removeprefix(REFUSED) for words in told if words.startswith(REFUSED)), "")
    return VersionExpectation(
        library=library, version=version, dataset=result.dataset.name, k=k, no_value=no_value, functions=functions
    )
