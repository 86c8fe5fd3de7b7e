"""Expectations: what the accepted audit of a library version found, as it is stored in a pin.

An expectation holds meanings and no values, because the last digits of a metric may change without a cause worth
reporting. ``format`` is raised by one with every change of a name or of its meaning.
"""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field

from reports.model.fields import FrozenModel
from reports.model.result import Finding, Result, Status, Verdict
from reports.wording.meanings import open_cutoff

FORMAT: Final = 1

NOT_ASKED = "not_asked"


class FunctionExpectation(FrozenModel):
    """What one function is expected to compute."""

    metric: str
    status: Status
    verdict: Verdict | None = None
    definitions: tuple[str, ...] = ()
    """Signatures of all definitions that fit, with the cut-off left open; the one shown in reports first."""
    behaviours: dict[str, str] = Field(default_factory=dict)
    """Name of the behaviour in each experiment, by the name of the experiment."""

    @property
    def meaning(self) -> tuple[str | None, frozenset[str]]:
        """The verdict or status, and the set of definitions that fit: equal for functions without drift."""
        return self.verdict or self.status, frozenset(self.definitions)

    @property
    def words(self) -> str:
        """The definition shown in reports, or in words why there is none."""
        if self.status != "measured":
            return self.status.replace("_", " ")
        if not self.definitions:
            return str(self.verdict)
        others = len(self.definitions) - 1
        return self.definitions[0] + (f" (or {others} more)" if others else "")


class VersionExpectation(FrozenModel):
    """What all functions of one library version are expected to compute: the content of a pin."""

    format: Literal[1] = FORMAT
    library: str
    version: str
    dataset: str
    """Name of the data on which it was audited, besides the probes."""
    k: int
    functions: dict[str, FunctionExpectation]


def function_expectation(finding: Finding) -> FunctionExpectation:
    """Return the expectation that a finding is pinned as."""
    shown = () if finding.signature is None else (finding.signature,)
    fitting = dict.fromkeys(open_cutoff(signature) for signature in (*shown, *finding.equivalent))
    asked = {name: done.name for name, done in finding.behaviours.items() if done.name != NOT_ASKED}
    return FunctionExpectation(
        metric=finding.metric,
        status=finding.status,
        verdict=finding.verdict,
        definitions=tuple(fitting),
        behaviours=dict(sorted(asked.items())),
    )


def version_expectation(result: Result, library: str, version: str) -> VersionExpectation:
    """Return the expectation that one library version of ``result`` is pinned as; the run must have one cut-off."""
    (k,) = result.k
    rows = [each for each in result.findings if (each.library, each.version) == (library, version)]
    functions = {each.function: function_expectation(each) for each in rows}
    return VersionExpectation(library=library, version=version, dataset=result.dataset.name, k=k, functions=functions)
