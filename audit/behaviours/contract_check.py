"""Checks the contract that an adapter declares: a function's answers must not show anything that it rules out.

A contract promises inputs that a function must answer alike: one that is declared to take a ranked list cannot answer
otherwise when only scores change, and one that takes scores cannot answer by the order of rows. Where answers
contradict a declaration, it is wrong: a fault of the adapter, which is never told as what the library does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.responses import FunctionUnderTest, Refused, Response, Responses, Returned
from recsys_metric_audit.audit.libraries.function import Function, Takes
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome, Unaskable
from recsys_metric_audit.reference.cases import PROBES, Kind
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.space.contract_words import MEANING


@dataclass(frozen=True)
class Equal:
    """Promises that the answers to two inputs are equal; ``change`` says how the second differs from the first."""

    one: str
    other: str
    change: str


_READS_NO_SCORES = (
    Equal(scenarios.TIES[0].name, scenarios.UNTIED[0].name, "the score of one row changes, no row moves"),
    Equal(scenarios.TIES[3].name, scenarios.UNTIED[1].name, "the score of one row changes, no row moves"),
    Equal(scenarios.ONLY_LISTED, scenarios.TURNED, "only scores change"),
)
_NO_ORDER_OF_ROWS = (Equal(scenarios.ORDINARY, scenarios.SHUFFLED, "rows are shuffled"),)
_READS_NO_GAINS = (Equal(scenarios.ONLY_LISTED, scenarios.EXCHANGED, "gains from the threshold up change"),)
_HOLDS_ITEMS_ONCE = (Equal(scenarios.TRUTH_ONCE, scenarios.TRUTH_TWICE, "a truth row is repeated"),)
_READS_CANDIDATES_ONLY = (
    Equal(scenarios.ORDINARY, scenarios.ONLY_LISTED, "items that are not listed leave the truth"),
    Equal(scenarios.ORDINARY, "no train", "training data are left out"),
    Equal(scenarios.ORDINARY, "catalogue grown", "the catalogue grows"),
)
_HAS_ONE_SCORE = (Equal(scenarios.TWICE_BASE, scenarios.TWICE, "an item is repeated"),)

PROMISES: Final[Mapping[str, tuple[Equal, ...]]] = {
    "ranked": _READS_NO_SCORES,
    "ranks": _READS_NO_SCORES,
    "matrix": (*_NO_ORDER_OF_ROWS, *_HAS_ONE_SCORE),
    "labels": (*_READS_NO_GAINS, *_HOLDS_ITEMS_ONCE, *_READS_CANDIDATES_ONLY),
    "pairs": _NO_ORDER_OF_ROWS,
    "list": _READS_NO_GAINS,
    "set": (*_READS_NO_GAINS, *_HOLDS_ITEMS_ONCE),
}
"""Gives each word of a contract its promises on the answers; a word that is not here promises nothing of this kind."""
BY_SCORES = ("scores", "matrix", "labels")
"""Lists the forms of input in which scores rank the items."""
_OF_AXIS: Mapping[str, tuple[Equal, ...]] = {"relevance": _READS_NO_GAINS, "truth_duplicates": _HOLDS_ITEMS_ONCE}
"""Gives each axis the promise of an adapter that decides on this axis itself."""


TURNED_AND_SHUFFLED = (scenarios.ONLY_LISTED, scenarios.TURNED, scenarios.ORDINARY, scenarios.SHUFFLED)
"""Lists the inputs that show whether scores rank the items, or the order of rows does."""


def read_by_contract(function: Function) -> frozenset[str]:
    """Return the names of the scenarios and probes that test the contract of a function."""
    named = {name for _, promise in promises(function) for name in (promise.one, promise.other)}
    by_scores = TURNED_AND_SHUFFLED if function.takes.input in BY_SCORES else ()
    return frozenset({*named, *by_scores, scenarios.HALF_GAIN})


def promises(function: Function) -> Iterator[tuple[str, Equal]]:
    """Yield every promise of equal answers, with the declaration that makes it."""
    takes = function.takes
    for part, word in (("input", takes.input), ("truth", takes.truth)):
        yield from ((declared(part, word), promise) for promise in PROMISES.get(word, ()))
    for made in function.called_with:
        promised = (promise for axis in made.axes for promise in _OF_AXIS.get(axis, ()))
        yield from ((f'that it makes "{made.what}"', promise) for promise in promised)


def declared(part: str, word: str) -> str:
    """Return a declaration in words."""
    stated = "" if getattr(Takes(), part) != word else ", which is what no `takes` says"
    return f'{part} = "{word}" ({MEANING[word]}{stated})'


FAULT = "harness fault: "


def _fractional(case: Case) -> bool:
    return bool((case.truth.gain % 1 != 0).any())


_FRACTIONAL = tuple(probe.name for probe in PROBES if _fractional(probe.case))
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
    if found is None:
        return None
    return f"{FAULT}the adapter declares {found.declares}, but {tested.with_form(found.words, scenarios.LISTED)}"


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
    # What is refused in the words in which whole gains are refused, too, is refused for another reason.
    other_reasons = {_reason(tested.probes[name]) for name in _WHOLE if name in tested.probes}
    asked = {
        name: tested.probes[name]
        for name in _FRACTIONAL
        if name in tested.probes and _reason(tested.probes[name]) not in other_reasons - {None}
    }
    refused = {name: each for name, each in asked.items() if isinstance(each, Errored | Unaskable)}
    if takes.gains != "any" or not answered or len(refused) < max(2, len(asked)):
        return None
    smallest = min(refused, key=_ROWS.__getitem__)
    refusal = _words(tested.responses.to(smallest))
    words = f"all {len(refused)} inputs with fractional gains are refused ({smallest}: {refusal})"
    return _Contradiction(declared("gains", "any"), words, _ROWS[smallest])


def _reason(outcome: Outcome) -> str | None:
    """Return why an input was refused, without the numbers that are of this input; None if it was not refused."""
    match outcome:
        case Errored(message=words) | Unaskable(why=words):
            return re.sub(r"[\d.]+", "#", words)
        case _:
            return None


def _accepts_fractions(tested: FunctionUnderTest) -> _Contradiction | None:
    """Return the contradiction if only whole gains are declared, and an input with fractions is answered."""
    answered = [name for name in _FRACTIONAL if isinstance(tested.probes.get(name), Measured)]
    if tested.function.takes.gains != "whole" or not answered:
        return None
    smallest = min(answered, key=_ROWS.__getitem__)
    words = f"a fractional gain is answered with {tested.responses.to(smallest)} ({smallest})"
    return _Contradiction(declared("gains", "whole"), words, _ROWS[smallest])
