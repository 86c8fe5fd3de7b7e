"""The behaviours of one function: every experiment judged, with the class of each invariance that fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recsys_metric_audit.audit.behaviours.definition_values import (
    RANGE_PROBES,
    RANGE_SCENARIOS,
    bounds,
    canonical_stays,
    explained,
)
from recsys_metric_audit.audit.behaviours.experiments import METAMORPHIC_TESTS, RANGE, ROUTE, MetamorphicTest
from recsys_metric_audit.audit.behaviours.function_under_test import FunctionUnderTest
from recsys_metric_audit.audit.behaviours.judges.returned_values import judge_range
from recsys_metric_audit.audit.behaviours.responses import Responses, Returned, response_of
from recsys_metric_audit.audit.behaviours.second_route import second_route
from recsys_metric_audit.reports.model.result import Behaviour, Finding

_FAILED = frozenset({"changes", "tied", "nan", "raises", "crashes", "times_out"})


def behaviours(tested: FunctionUnderTest, siblings: Sequence[FunctionUnderTest] = ()) -> dict[str, Behaviour]:
    """Return what a function did in every experiment, by the experiment's name.

    Args:
        tested: the function.
        siblings: the functions of its library, among which a second route is looked for.
    """
    responses = tested.responses
    found = {test.name: _judged(test, tested, responses) for test in METAMORPHIC_TESTS}
    found[RANGE.name] = _range(tested)
    found[ROUTE.name] = second_route(tested, siblings)
    return found


def _judged(test: MetamorphicTest, tested: FunctionUnderTest, responses: Responses) -> Behaviour:
    if reason := tested.function.ruled_out.get(test.axis or ""):
        return Behaviour(name="not_askable", text=reason)
    behaviour = test.judge(responses)
    if test.slug is None:
        return behaviour
    if behaviour.name not in _FAILED or not _is_wrong(test, tested, responses):
        return behaviour
    return behaviour.model_copy(update={"slug": test.slug})


def _is_wrong(test: MetamorphicTest, tested: FunctionUnderTest, responses: Responses) -> bool:
    """Return True if the canonical value stays under the change and no definition that fits explains the answers."""
    if test.pair is None:
        return True
    if not canonical_stays(tested.function.metric, test.pair, has_k=tested.function.cutoff):
        return False
    return not explained(tested.definitions, test.pair, responses)


def _range(tested: FunctionUnderTest) -> Behaviour:
    # Inputs that identification chose for one function would make ranges of two functions incomparable.
    answers = {name: response_of(tested.probes[name]) for name in RANGE_PROBES if name in tested.probes}
    answers |= {each: tested.responses.to(each) for each in tested.scenarios if each in RANGE_SCENARIOS}
    if not any(isinstance(each, Returned) for each in answers.values()):
        return Behaviour(name="not_asked")
    return judge_range(bounds(tested.function.metric), answers, max(tested.tolerance.width, 1e-6))


class BehaviourAnnotator:
    """Adds behaviours to the findings of one library; each function is judged once for all its findings."""

    def __init__(self, tested: Mapping[str, FunctionUnderTest]) -> None:
        self._tested = tested
        self._behaviours: dict[str, dict[str, Behaviour]] = {}

    def annotate(self, finding: Finding) -> Finding:
        """Return the finding with its function's behaviours and the classes they add, if it was measured."""
        tested = self._tested.get(finding.function)
        if tested is None or finding.status != "measured":
            return finding
        if finding.function not in self._behaviours:
            self._behaviours[finding.function] = behaviours(tested, list(self._tested.values()))
        found = self._behaviours[finding.function]
        slugs = [each.slug for each in found.values() if each.slug is not None]
        classes = tuple(dict.fromkeys((*finding.classes, *slugs)))
        return finding.model_copy(update={"behaviours": found, "classes": classes})
