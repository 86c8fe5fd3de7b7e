"""Finds, in what an audit found, the arguments or the function of a library that compute a given definition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from recsys_metric_audit.audit.findings.function_name import FunctionName
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.wording.meanings import open_cutoff


@dataclass(frozen=True)
class AgreeingFunction:
    """Names a function of a library that computes a definition, or its formula.

    Attributes:
        library: The library.
        version: Its version.
        function: The function's name, options included.
        arguments: The arguments to pass, as Python writes them; empty where it is another function.
        dropped: The arguments that the function it is compared with has and that are not to be passed.
        differs_on: The axes of who counts and input handling that still differ; empty where it is the definition.
    """

    library: str
    version: str
    function: str
    arguments: str
    dropped: str
    differs_on: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the function as JSON values."""
        return {
            "library": self.library, "version": self.version, "function": self.function, "arguments": self.arguments,
            "dropped": self.dropped, "differs_on": list(self.differs_on),
        }  # fmt: skip


def agreeing_functions(result: Result, start: Finding, wanted: Definition) -> tuple[AgreeingFunction, ...]:
    """Return what to call instead of one function so that a definition is computed, the nearest first.

    The same function with other arguments goes before other functions of the library, and the definition itself before
    its formula with other rules for unusual users and rows. Empty where the library has neither.

    Args:
        result: what an audit found.
        start: the finding of the function that is called now.
        wanted: the definition that is to be computed.
    """
    target = shortest(wanted.with_(k="k"))
    gap = _differing(start, target)
    found = [each for each in _fitting(result, start, target) if gap is None or len(each.differs_on) < len(gap)]
    return tuple(sorted(found, key=lambda each: (len(each.differs_on), _is_other(start, each.function))))


def _fitting(result: Result, start: Finding, target: Definition) -> Iterator[AgreeingFunction]:
    own = FunctionName.parse(start.function)
    seen = {start.function}
    for each in result.findings:
        if (each.library, each.version) != (start.library, start.version) or each.function in seen:
            continue
        seen.add(each.function)
        differs = _differing(each, target)
        if differs is None:
            continue
        name, other = FunctionName.parse(each.function), _is_other(start, each.function)
        dropped = ", ".join(sorted(set(own.options) - set(name.options)))
        yield AgreeingFunction(
            each.library, each.version, each.function, "" if other else name.arguments, "" if other else dropped,
            differs,
        )  # fmt: skip


def _differing(finding: Finding, target: Definition) -> tuple[str, ...] | None:
    """Return the axes beside the formula on which a function differs; None if the formula does, or is not known."""
    if finding.signature is None or finding.verdict == "ambiguous":
        return None
    computed = shortest(parse(open_cutoff(finding.signature)).with_(k="k"))
    if computed.metric != target.metric or not are_equal(formula_of(computed), formula_of(target)):
        return None
    return tuple(axis for axis, value in computed.values if target.axes[axis] != value)


def _is_other(start: Finding, function: str) -> bool:
    """Return True for another function, False for the same one with other arguments."""
    one, two = FunctionName.parse(start.function), FunctionName.parse(function)
    bases = [each.partition("[")[0] for each in (start.function, function)]
    return bases[0] != bases[1] or (one.words, one.inner) != (two.words, two.inner)
