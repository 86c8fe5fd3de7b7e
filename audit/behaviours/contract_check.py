"""Checks the contract that an adapter declares: a function's answers must not show anything that it rules out.

A function that is declared to take a ranked list cannot answer otherwise when only scores change, and one that takes
scores cannot answer by the order of rows. Where answers contradict a declaration, it is wrong: a fault of the adapter,
which is never told as what the library does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.contract_promises import BY_SCORES, TURNED_AND_SHUFFLED, declared, promises
from recsys_metric_audit.audit.behaviours.function_under_test import FunctionUnderTest
from recsys_metric_audit.audit.behaviours.responses import Refused, Response, Responses, Returned
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Unaskable
from recsys_metric_audit.audit.questions.case_features import has_all_listed
from recsys_metric_audit.reference.cases import PROBES, Kind
from recsys_metric_audit.reference.input.case import Case

FAULT = "harness fault: "


def _fractional(case: Case) -> bool:
    return bool((case.truth.gain % 1 != 0).any())


_FRACTIONAL = tuple(probe.name for probe in PROBES if _fractional(probe.case))
_ALL_LISTED = frozenset(probe.name for probe in PROBES if has_all_listed(probe))
_WHOLE = tuple(probe.name for probe in PROBES if probe.kind == Kind("single_user") and not _fractional(probe.case))
_ROWS = {probe.name: probe.size for probe in PROBES} | {
    each.name: len(each.case.predictions.user) + len(each.case.truth.user)
    for each in (*scenarios.SCENARIOS, *scenarios.SEPARATE_CHANGES, *scenarios.CONTRACT)
}


@dataclass(frozen=True)
class _Contradiction:
    """Holds a declaration of the adapter, the experiment that contradicts it in words, and the larger input's rows."""

    declares: str
    words: str
    rows: int


def contract_fault(tested: FunctionUnderTest) -> str | None:
    """Return which declaration the function's answers contradict, with the smallest input; None if there is none.

    Functions that do not answer one input alike each time contradict nothing.
    """
    if not _answers_alike(tested.responses):
        return None
    found = min(_contradictions(tested), key=lambda each: each.rows, default=None)
    return None if found is None else f"{FAULT}the adapter declares {found.declares}, but {found.words}"


def _contradictions(tested: FunctionUnderTest) -> Iterator[_Contradiction]:
    responses = tested.responses
    for declares, promise in promises(tested.function):
        before, after = responses.to(promise.one), responses.to(promise.other)
        if _differ(responses, before, after):
            words = f"{promise.change}, and {before} becomes {_words(after)} ({promise.other})"
            yield _Contradiction(declares, words, max(_ROWS[promise.one], _ROWS[promise.other]))
    found = (_scores_decide_nothing(tested), _refuses_all_fractions(tested), _accepts_fractions(tested))
    yield from (each for each in found if each is not None)


def _answers_alike(responses: Responses) -> bool:
    """Return True if an ordinary input is answered alike each time, in another process too."""
    first = responses.to(scenarios.ORDINARY)
    again = [*responses.repeats(scenarios.CALLED_AGAIN), responses.under_other_seed(scenarios.ORDINARY)]
    return not any(_differ(responses, first, each) for each in again)


def _differ(responses: Responses, before: Response, after: Response) -> bool:
    """Return True if the change turns an answer into another or into an exception; calls not asked tell nothing."""
    if not isinstance(before, Returned):
        return False
    if isinstance(after, Refused):
        return after.how == "raises"
    return after is not None and not responses.same(before, after)


def _words(response: Response) -> str:
    return f"an error ({response.words})" if isinstance(response, Refused) else str(response)


def _scores_decide_nothing(tested: FunctionUnderTest) -> _Contradiction | None:
    """Return the contradiction if scores turned round change nothing, though the order of rows does."""
    takes, responses = tested.function.takes, tested.responses
    listed, turned, ordinary, shuffled = map(responses.to, TURNED_AND_SHUFFLED)
    if takes.input not in BY_SCORES or not all(isinstance(each, Returned) for each in (listed, turned, shuffled)):
        return None
    if _differ(responses, listed, turned) or not _differ(responses, ordinary, shuffled):
        return None
    words = (
        f"scores turned round leave {listed} as it is ({scenarios.TURNED}), and rows shuffled with their scores "
        f"change {ordinary} to {shuffled}: the order of rows is the argument"
    )
    return _Contradiction(declared("input", takes.input), words, _ROWS[scenarios.TURNED])


def _refuses_all_fractions(tested: FunctionUnderTest) -> _Contradiction | None:
    """Return the contradiction if gains of any size are declared, and all inputs with fractions are refused."""
    takes = tested.function.takes
    answered = [name for name in _WHOLE if isinstance(tested.probes.get(name), Measured)]
    # One that answers no list with a relevant item outside refuses that, whatever the gain.
    with_unlisted = not _ALL_LISTED.issuperset(answered)
    like_answered = [name for name in _FRACTIONAL if with_unlisted or name in _ALL_LISTED]
    asked = {name: tested.probes[name] for name in like_answered if name in tested.probes}
    refused = {name: each for name, each in asked.items() if isinstance(each, Errored | Unaskable)}
    whole = bool(answered)
    if takes.gains != "any" or not whole or len(refused) < max(2, len(asked)):
        return None
    smallest = min(refused, key=_ROWS.__getitem__)
    refusal = _words(tested.responses.to(smallest))
    words = f"all {len(refused)} inputs with fractional gains are refused ({smallest}: {refusal})"
    return _Contradiction(declared("gains", "any"), words, _ROWS[smallest])


def _accepts_fractions(tested: FunctionUnderTest) -> _Contradiction | None:
    """Return the contradiction if only whole gains are declared, and an input with fractions is answered."""
    answered = [name for name in _FRACTIONAL if isinstance(tested.probes.get(name), Measured)]
    if tested.function.takes.gains != "whole" or not answered:
        return None
    smallest = min(answered, key=_ROWS.__getitem__)
    words = f"a fractional gain is answered with {tested.responses.to(smallest)} ({smallest})"
    return _Contradiction(declared("gains", "whole"), words, _ROWS[smallest])
