"""What is asked of a library first: the probes, every small list, the data, and some probes once more at the end.

Some wait: only a function that no formula fits is asked, in a later round, those of rated items only, of gains of 1 or
above the threshold, and of one relevant item; only one that answers few crowds is asked those whose relevant items are
all listed; and only one that takes all rows as one ranking is asked where everybody is in the same unusual state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.libraries.function import Function
from audit.process.protocol import Ask
from reference.cases import PROBES, SMALL, Kind
from reference.input.case import Case

DATA = "data"
ALL_LISTED: tuple[Kind, ...] = (
    "listed_crowd", "listed_order", "listed_duplicates", "listed_truth_duplicates", "listed_relevance",
)  # fmt: skip
"""Kinds whose relevant items all stand in their lists: for a function that takes no others."""
LATER: tuple[Kind, ...] = (
    "rated", "rated_crowd", "unit", "unit_crowd", "unit_order", "unit_duplicates", "unit_truth_duplicates",
    "above", "above_crowd", "above_order", "above_duplicates", "above_truth_duplicates", "one", "unit_one",
    *ALL_LISTED,
)  # fmt: skip
"""Kinds that only a function is asked that no formula fits, or that answers few crowds."""
FIRST = tuple(probe for probe in (*PROBES, *SMALL) if probe.kind not in LATER)
"""What every function is asked."""
AGAIN = 3
"""Probes asked a second time after everything else: whatever happened between must not have changed them."""


@dataclass(frozen=True, eq=False)
class Plan:
    """Asks in order, the cases they name, the probe behind each ask, and the asks on the data.

    ``others`` are the asks on the same data with another recommender's predictions, by that recommender's name.
    """

    asks: tuple[Ask, ...]
    cases: Mapping[str, Case]
    probe_of: Mapping[int, str]
    data: frozenset[int]
    others: Mapping[int, str]


def plan(
    functions: Sequence[Function], case: Case, ks: Sequence[int], others: Mapping[str, Case] | None = None
) -> Plan:
    """Everything that is asked of a library that offers ``functions``; of ``others`` the values only."""
    with_k = tuple(function.name for function in functions if function.cutoff)
    without = tuple(function.name for function in functions if not function.cutoff)
    asks: list[Ask] = []
    probe_of: dict[int, str] = {}
    further = {f"{DATA}-{number}": (name, other) for number, (name, other) in enumerate((others or {}).items())}
    cases = {f"p{number:03}": probe.case for number, probe in enumerate(FIRST)} | {DATA: case}
    cases |= {place: other for place, (_, other) in further.items()}

    def ask(name: str, cuts: tuple[int, ...], fresh: bool, again_cut: bool = False) -> list[int]:
        start = len(asks)
        if with_k:
            asks.append(Ask(len(asks), name, with_k, cuts, fresh=fresh))
        if without and not again_cut:
            asks.append(Ask(len(asks), name, without, (None,), fresh=fresh))
        return list(range(start, len(asks)))

    for number, probe in enumerate(FIRST):
        # A function without a cut-off hears the same of a small list at every k: once is enough.
        repeated = probe.kind == "small" and probe.k > 1
        probe_of |= dict.fromkeys(ask(f"p{number:03}", (probe.k,), True, repeated), probe.name)
    data = frozenset(ask(DATA, tuple(ks), False))
    elsewhere: dict[int, str] = {}
    for place, (name, _) in further.items():
        elsewhere |= dict.fromkeys(ask(place, tuple(ks), False), name)
    for number, probe in enumerate(FIRST[:AGAIN]):
        probe_of |= dict.fromkeys(ask(f"p{number:03}", (probe.k,), True), probe.name)
    return Plan(tuple(asks), cases, probe_of, data, elsewhere)
