"""What a library version is expected to compute, and what it means that it computes something else.

An expectation holds meanings, no values: the last digits of a metric may move without anything to say. ``format``
is raised by one with every change of a name or of its meaning.
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
    """What one function was found to compute."""

    metric: str
    status: Status
    verdict: Verdict | None = None
    definitions: tuple[str, ...] = ()
    """Signatures of all definitions that fit, with the cut-off left open; the shown one first."""
    behaviours: dict[str, str] = Field(default_factory=dict)
    """Experiment to what the function did."""

    @property
    def meaning(self) -> tuple[str | None, frozenset[str]]:
        """What makes two findings the same: how it ended, and the set of what fits."""
        return self.verdict or self.status, frozenset(self.definitions)

    @property
    def words(self) -> str:
        """The definition, or in words why there is none."""
        if self.status != "measured":
            return self.status.replace("_", " ")
        if not self.definitions:
            return str(self.verdict)
        others = len(self.definitions) - 1
        return self.definitions[0] + (f" (or {others} more)" if others else "")


class VersionExpectation(FrozenModel):
    """What the last accepted audit of one library version found."""

    format: Literal[1] = FORMAT
    library: str
    version: str
    dataset: str
    """On which data, beside the probes, it was asked."""
    k: int
    functions: dict[str, FunctionExpectation]


def function_expectation(finding: Finding) -> FunctionExpectation:
    """Return what is kept of a finding."""
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
    """Return what is kept of one library version of ``result``, which has one cut-off."""
    (k,) = result.k
    rows = [each for each in result.findings if (each.library, each.version) == (library, version)]
    functions = {each.function: function_expectation(each) for each in rows}
    return VersionExpectation(library=library, version=version, dataset=result.dataset.name, k=k, functions=functions)
