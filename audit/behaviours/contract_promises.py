"""The promises of a contract: inputs that a function must answer alike if its declared contract is right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.libraries.contract import Takes
from recsys_metric_audit.audit.libraries.function import Function
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
