"""The questions that a library is asked first: the probes, every small list, the data, and some probes once more.

Some kinds of probes wait for a later round. If no formula fits a function, it is asked probes with rated items only,
with gains of 1 or above the threshold, and with one relevant item. If it answers few multi-user probes, it is asked
multi-user probes whose relevant items are all listed. If it ranks all rows together, it is asked probes on which all
users are in one unusual state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.process.protocol import Ask
from recsys_metric_audit.audit.questions.case_features import has_all_listed
from recsys_metric_audit.audit.questions.contract_probes import is_asked
from recsys_metric_audit.audit.questions.item_cases import item_questions, names_of_opening, reads_items
from recsys_metric_audit.audit.questions.own_data import SUFFIXES, change_for
from recsys_metric_audit.reference.cases import EXHAUSTIVE, PROBES, Kind, Probe
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reports.model.grouping import grouped

DATA = "data"
"""Name of the data among the cases."""
SAMPLE = "data-sample"
"""Name of a sample of the users of the data."""
INITIAL_PROBES = tuple(probe for probe in (*PROBES, *EXHAUSTIVE) if probe.kind.variant == "usual")
"""The probes that every function is asked. Variants of them are asked only if no formula fits the function, or if it
answers few probes of several users."""
ALL_LISTED = tuple(probe for probe in PROBES if probe.kind.variant == "all_listed")
"""Their variants with all relevant items listed, for functions that refuse others."""
OPENING = (
    "[2 0 0 0] k3 miss 2", "[2 0] k5 miss 2 2 2", "[4 2 0 0] k2", "[0 4 2 0 0 0] k5 miss 2 2",
    "ordinary users of unequal r and list length", "with a short list", "every small list, k 1",
)  # fmt: skip
"""Names the probes that are asked at first where known definitions are tried, before those that would refute them: one
user with a hit first, with a list shorter than k, with two gains and with late hits; users of whom a mean is taken;
and many small lists at once. A list shorter than k by itself is here since no definition differs there from another in
what a larger input would not show, and a fault may."""
REPEATED = 1
"""So many probes are asked a second time at the end: what happened in between must not have changed the answer. Other
calls in a row, on shared data and in another process, are asked as experiments."""


INITIAL_PROBLEM = problem_of(INITIAL_PROBES)
"""The cases of the initial probes as one problem."""


def opening_with_all_listed(function: Function, asked: Collection[str]) -> tuple[Probe, ...]:
    """Return probes that take the place of those that are asked at first, for a function that refuses unlisted items.

    Args:
        function: The function.
        asked: Names of the probes that it was asked.
    """
    chosen: list[Probe] = []
    for role, count in (("single_user", 4), ("multi_user", 6)):
        of_role = (each for each in (*INITIAL_PROBES, *ALL_LISTED) if each.kind.role == role and has_all_listed(each))
        chosen += [each for each in of_role if each.name not in asked and is_asked(function, each)][:count]
    return tuple(chosen)


@dataclass(frozen=True, eq=False)
class Plan:
    """The initial questions to one library.

    Attributes:
        asks: All asks, in the order in which they are put.
        cases: The cases that they name.
        probe_of: Name of the probe behind each ask, by the ask's id.
        data: Ids of the asks on the data.
        other_recommenders: The recommender of each ask on the data with another one's predictions, by the ask's id.
        sample: Ids of the asks on a sample of the users of the data.
    """

    asks: tuple[Ask, ...]
    cases: Mapping[str, Case]
    probe_of: Mapping[int, str]
    data: frozenset[int]
    other_recommenders: Mapping[int, str]
    sample: frozenset[int] = frozenset()


def by_cutoff(
    functions: Iterable[Function], ks: tuple[int, ...]
) -> list[tuple[tuple[str, ...], tuple[int | None, ...]]]:
    """Return the names of functions with the cut-offs at which they are asked: those that take one, then the others."""
    parts = grouped((each.cutoff, each.name) for each in functions)
    return [(tuple(parts[takes]), ks if takes else (None,)) for takes in (True, False) if takes in parts]


@dataclass(frozen=True)
class _Asks:
    """A growing list of asks; functions with and without cut-off are asked separately."""

    functions: Sequence[Function]
    made: list[Ask] = field(default_factory=list)

    def add(
        self, case: str, ks: tuple[int, ...], *, fresh: bool, with_k_only: bool = False,
        of: Collection[str] | None = None, values: bool = True,
    ) -> range:  # fmt: skip
        """Ask the functions that `of` names, or all, about a case and return the ids of the asks."""
        start = len(self.made)
        asked = [each for each in self.functions if of is None or each.name in of]
        for names, cutoffs in by_cutoff(asked, ks):
            if cutoffs != (None,) or not with_k_only:
                self.made.append(Ask(len(self.made), case, names, cutoffs, fresh=fresh, values=values))
        return range(start, len(self.made))


def plan(
    functions: Sequence[Function], case: Case, ks: Sequence[int], others: Mapping[str, Case] | None = None,
    kept: Mapping[str, Collection[str]] = MappingProxyType({}),
    hypotheses: Mapping[str, Collection[str]] = MappingProxyType({}), sample: Case | None = None,
) -> Plan:  # fmt: skip
    """Plan the initial questions to a library.

    Args:
        functions: The functions that the library offers; those of metrics beyond accuracy have probes of their own.
        case: The data.
        ks: The cut-offs at which functions are asked about the data.
        others: The data with the predictions of further recommenders, by name: functions are asked their values only.
        kept: By function name, probes that it is asked in any case; others only where its contract leaves open what
            they show.
        hypotheses: Names of functions for which known definitions are tried, each with the names of probes that it is
            asked at first in any case: it is asked few others before a definition is to be refuted.
        sample: Some users of the data, whose values are asked where the data are asked for means alone.
    """
    asks = _Asks(functions)
    probe_cases = {f"p{number:03}": probe for number, probe in enumerate(INITIAL_PROBES)}
    other_cases = {f"{DATA}-{number}": pair for number, pair in enumerate((others or {}).items())}
    item_cases = {f"i{number:03}": probe for number, probe in enumerate(item_questions())}
    probe_of: dict[int, str] = {}
    for name, probe in (*probe_cases.items(), *item_cases.items()):
        # The small lists are the same at every k: a function without a cut-off is asked about them once.
        repeated = probe.kind == Kind("exhaustive") and probe.k > 1
        left_open = frozenset(each.name for each in functions if is_asked(each, probe, kept.get(each.name, ())))
        left_open -= {
            each.name
            for each in functions
            if each.name in hypotheses and is_asked(each, probe) and probe.name not in _opening(each, hypotheses)
        }
        asked = asks.add(name, (probe.k,), fresh=True, with_k_only=repeated, of=left_open)
        probe_of |= dict.fromkeys(asked, probe.name)
    sampled = {} if sample is None else {SAMPLE: sample}
    every_data = {DATA: case, **sampled, **{name: other for name, (_, other) in other_cases.items()}}
    data_cases = _data_cases(every_data, functions)
    data, of_sample = frozenset[int](), frozenset[int]()
    elsewhere: dict[int, str] = {}
    for name, (_, of) in data_cases.items():
        original = next((name.removesuffix(end) for end in SUFFIXES.values() if name.endswith(end)), name)
        about = asks.add(name, tuple(ks), fresh=False, of=of, values=sample is None or original != DATA)
        if original == DATA:
            data |= frozenset(about)
        elif original == SAMPLE:
            of_sample |= frozenset(about)
        else:
            elsewhere |= dict.fromkeys(about, other_cases[original][0])
    of_items = frozenset(each.name for each in functions if reads_items(each))
    for cases_of, own in ((probe_cases, {each.name for each in functions} - of_items), (item_cases, of_items)):
        for name, probe in list(cases_of.items())[:REPEATED]:
            probe_of |= dict.fromkeys(asks.add(name, (probe.k,), fresh=True, of=own), probe.name)
    named = {ask.case for ask in asks.made}
    cases = {name: probe.case for name, probe in {**probe_cases, **item_cases}.items() if name in named}
    cases |= {name: own for name, (own, _) in data_cases.items() if name in named}
    return Plan(tuple(asks.made), cases, probe_of, data, elsewhere, of_sample)


def initial_probes(function: Function) -> tuple[Probe, ...]:
    """Return the probes that are asked of a function before others are chosen for it alone."""
    return item_questions(function.metric) if reads_items(function) else INITIAL_PROBES


def unasked_initial_probes(function: Function, asked: Collection[str], kept: Collection[str] = ()) -> tuple[Probe, ...]:
    """Return the initial probes that a function was not asked, though its contract leaves open what they show.

    Args:
        function: The function.
        asked: Names of the probes that it was asked.
        kept: Names of probes that it is asked in any case.
    """
    return tuple(
        probe
        for probe in initial_probes(function)
        # Small lists are the same at every k: a function without a cut-off is asked about them once.
        if probe.name not in asked
        and (function.cutoff or probe.kind != Kind("exhaustive") or probe.k == 1)
        and is_asked(function, probe, kept)
    )


def _opening(function: Function, hypotheses: Mapping[str, Collection[str]]) -> frozenset[str]:
    """Return the names of the probes that a function is asked at first where known definitions are tried."""
    if reads_items(function):
        return names_of_opening(function.metric)
    return frozenset(OPENING).union(hypotheses[function.name])


def _data_cases(data: Mapping[str, Case], functions: Sequence[Function]) -> dict[str, tuple[Case, Collection[str]]]:
    """Return the data as they are asked, by name, each with the names of the functions that are asked about them."""
    made: dict[str, tuple[Case, set[str]]] = {}
    for name, case in data.items():
        made[name] = (case, set())
        own = {
            change: case if change is None else change(case) for change in {change_for(each)[0] for each in functions}
        }
        for function in functions:
            change, text = change_for(function)
            suffix = "" if own[change] is case else SUFFIXES[text]
            made.setdefault(name + suffix, (own[change], set()))[1].add(function.name)
    return {name: (case, of) for name, (case, of) in made.items()}
