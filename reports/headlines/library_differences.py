"""Finds what each library computes otherwise, what its documentation states, and what changed between releases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isnan

from recsys_metric_audit.reference.cases import EXHAUSTIVE, MIXED, PROBES, User
from recsys_metric_audit.reference.definitions.definition import stated_axes
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.level_meaning import parsed
from recsys_metric_audit.reports.model.result import Finding, Library, Reference, Result, Witness
from recsys_metric_audit.reports.wording.axis_words import value_meaning
from recsys_metric_audit.reports.wording.formatting import one_line, rounded
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.labels import count, metric_title
from recsys_metric_audit.reports.wording.meanings import (
    equals_canonical_on_yes_no_data,
    findings_at,
    formula,
    meaning,
    open_cutoff,
)


@dataclass(frozen=True)
class Contradiction:
    """Holds one statement of a library's documentation that its code contradicts.

    Attributes:
        library: The library's name.
        versions: Its versions that contradict it, in the order of the run.
        functions: The functions that contradict it.
        metric: The metric after which they are named.
        says: The words of the documentation; empty if the adapter does not quote them.
        where: The place in the documentation.
        documented: What the statement means, on the contradicted axes, in words.
        computed: The values that the functions have instead on the axes of the statement, in words.
        claimed: Signature of what the documentation states.
        signature: Signature of what the functions compute.
        witness: A probe whose answer contradicts the statement, in a sentence; empty without one.
    """

    library: str
    versions: tuple[str, ...]
    functions: tuple[str, ...]
    metric: str
    says: str
    where: str
    documented: str
    computed: str
    claimed: str
    signature: str
    witness: str


def contradictions(result: Result) -> tuple[Contradiction, ...]:
    """Return each contradicted statement once, with all functions and versions that contradict it alike."""
    libraries = {(entry.library, entry.version): entry for entry in result.libraries}

    def statement(finding: Finding) -> object:
        where = libraries[finding.library, finding.version].claims.get(finding.function, "")
        values = tuple((axis, finding.definition.get(axis)) for axis in contradicted_axes(finding))
        return finding.library, finding.metric, finding.claimed, finding.claim_says, where, values

    contradicted = (each for each in result.findings if each.matches_claim is False and each.claimed)
    groups = grouped((statement(each), each) for each in contradicted)
    return tuple(_contradiction(group, libraries[group[0].library, group[0].version]) for group in groups.values())


def _contradiction(group: Sequence[Finding], entry: Library) -> Contradiction:
    first = next((each for each in group if each.claim_witness), group[0])
    claimed, axes = parsed(first.claimed), contradicted_axes(first)
    return Contradiction(
        library=one_line(entry.title),
        versions=tuple(dict.fromkeys(one_line(each.version) for each in group)),
        functions=tuple(dict.fromkeys(one_line(each.function) for each in group)),
        metric=metric_title(first.metric),
        says=one_line(first.claim_says or ""),
        where=one_line(entry.claims.get(first.function, "")),
        documented=_in_words(first.metric, claimed.axes, axes) if claimed else "",
        computed=_in_words(first.metric, first.definition, axes) or formula_words(first.metric, first.formula or ""),
        claimed=first.claimed or "",
        signature=open_cutoff(meaning(first) or first.signature or ""),
        witness=_witness_in_words(first.claim_witness),
    )


def contradicted_axes(finding: Finding) -> tuple[str, ...]:
    """Return the axes that the claim states otherwise than the identified definition."""
    claimed = parsed(finding.claimed)
    if claimed is None or finding.claimed is None:
        return ()
    named = stated_axes(finding.claimed) - {*finding.cannot_matter}
    return tuple(
        axis for axis, value in finding.definition.items() if claimed.axes.get(axis, value) != value and axis in named
    )


def _in_words(metric: str, values: dict[str, str], axes: Sequence[str]) -> str:
    return "; ".join(f"{axis}: {value_meaning(metric, axis, values[axis]) or values[axis]}" for axis in axes)


def _witness_in_words(witness: Witness | None) -> str:
    if witness is None:
        return ""
    k = f", k = {witness.k}" if witness.k is not None else ""
    shown = "; ".join(_user_in_words(user.items, user.r) for user in witness.users[:1])
    more = f" and {len(witness.users) - 1} more users" if len(witness.users) > 1 else ""
    library, documented = (_number(value) for value in (witness.library_value, witness.canonical_value))
    return f"{shown}{more}{k}: the documentation gives {documented}, the library {library} (case {witness.case})"


def _user_in_words(items: Sequence[object], r: int) -> str:
    hits = [str(rank) for rank, item in enumerate(items, start=1) if getattr(item, "hit", False)]
    found = f"relevant at rank {', '.join(hits)}" if hits else "none relevant"
    return f"a list of {len(items)}, {found}, r = {r}"


def _number(value: float | None) -> str:
    return "no value" if value is None else rounded(value)


_PROBES = {probe.name: probe for probe in (*PROBES, *MIXED)}
_BATCHES = {probe.name: probe for probe in EXHAUSTIVE}
_GENERATED = re.compile(r"separating case \d+: (.+)")
_ONE_OF_A_BATCH = re.compile(r"(?P<batch>.+), list (?P<number>\d+) alone")


@dataclass(frozen=True)
class Difference:
    """Holds a formula that functions of one library version compute under the name of one metric.

    Attributes:
        metric: the metric.
        formula: its signature with the cut-off ``@k``; empty if none fits.
        findings: the functions, the most usual first.
        value: what they return here, from the least to the greatest mean; empty if none gives a mean.
        witness: the smallest input that shows the difference, in a sentence; empty without one.
        contradicted: the finding among them whose documentation states another formula; None if there is none.
        documented: True if their documentation, or a source of the catalogue, states the formula.
    """

    metric: str
    formula: str
    findings: tuple[Finding, ...]
    value: str
    witness: str
    contradicted: Finding | None
    documented: bool


@dataclass(frozen=True)
class LibraryDifferences:
    """Counts the measured and the canonical functions of a library's newest version, and holds what differs."""

    library: Library
    measured: int
    canonical: int
    differences: tuple[Difference, ...]
    not_measured: tuple[Finding, ...]


@dataclass(frozen=True)
class FormulaGroup:
    """Holds the functions that compute one formula under one metric's name in newest versions, by library title.

    ``alike`` is True if the formula is not the canonical one, but equals it on yes/no data.
    """

    formula: str
    alike: bool
    libraries: Mapping[str, tuple[Finding, ...]]


@dataclass(frozen=True)
class ReleaseChange:
    """Holds a function that computes one formula in version ``before`` and another from ``after`` on."""

    library: Library
    function: str
    metric: str
    before: str
    after: str
    old: str
    new: str


def newest(result: Result) -> tuple[Library, ...]:
    """Return the first version of each library of the run, by title: the newest is told first."""
    first: dict[str, Library] = {}
    for entry in result.libraries:
        first.setdefault(entry.library, entry)
    return tuple(sorted(first.values(), key=lambda entry: entry.title.lower()))


def library_differences(result: Result) -> tuple[LibraryDifferences, ...]:
    """Return what the newest version of each library of the run computes otherwise, at its first cut-off."""
    return tuple(_of_library(entry, findings) for entry, findings in _newest_findings(result))


def _newest_findings(result: Result) -> list[tuple[Library, list[Finding]]]:
    found = findings_at(result, result.k[0]) if result.k else list(result.findings)
    by_version = grouped(((each.library, each.version), each) for each in found)
    return [(entry, by_version.get((entry.library, entry.version), [])) for entry in newest(result)]


def _of_library(entry: Library, findings: Sequence[Finding]) -> LibraryDifferences:
    measured = [each for each in findings if each.status == "measured"]
    differing = [each for each in measured if each.verdict != "agrees" or contradicts_formula(each)]
    groups = grouped(((each.metric, formula(each), contradicts_formula(each)), each) for each in differing)
    lost = tuple(each for each in findings if each.status not in ("measured", "not_offered", "unavailable"))
    agreeing = sum(each.verdict == "agrees" for each in measured)
    made = tuple(_difference(group) for group in groups.values())
    return LibraryDifferences(entry, len(measured), agreeing, made, lost)


def _difference(group: Sequence[Finding]) -> Difference:
    first = next((each for each in group if each.witness), group[0])
    contradicted = next(filter(contradicts_formula, group), None)
    told = contradicted.claim_witness if contradicted is not None else first.witness
    compared = "its documentation gives" if contradicted is not None else "the canonical formula gives"
    return Difference(
        first.metric, formula(first), tuple(group), value_range(group), witness_in_words(told, compared), contradicted,
        any(each.documented_by for each in group),
    )  # fmt: skip


def value_range(findings: Iterable[Finding]) -> str:
    """Return the least and the greatest mean of functions, NaN last; one if they are equal; empty without any."""
    means = sorted((each.value for each in findings if each.value is not None), key=lambda mean: (isnan(mean), mean))
    return " to ".join(dict.fromkeys(map(rounded, (*means[:1], *means[-1:]))))


def contradicts_formula(finding: Finding) -> bool:
    """Return True if documentation states another formula; other levels are told on the page of a run."""
    if finding.matches_claim is not False or not finding.claimed:
        return False
    axes = contradicted_axes(finding)
    return not axes or any(level_of(axis) == "formula" for axis in axes)


def witness_in_words(witness: Witness | None, compared: str) -> str:
    """Return the smallest input that shows a difference: its lists by gain, the cut-off, and both values."""
    if witness is None:
        return ""
    lists = _lists(witness)
    at = f", k = {witness.k}" if witness.k is not None else ""
    theirs, other = _number(witness.library_value), _number(witness.canonical_value)
    return f"{lists}{at}: {compared} {other}, the library {theirs}"


def _lists(witness: Witness) -> str:
    """Return the lists of a witness; a recorded run leaves users out, and the probe of that name is told instead."""
    if witness.users:
        told = [
            list_in_words(
                [each.gain or 0.0 for each in user.items],
                [each.gain or 0.0 for each in user.missing],
                [each.score for each in user.items if each.score is not None],
            )
            for user in witness.users[:2]
        ]
        more = len(witness.users) - 2
        return "; ".join([*told, f"and {count(more, 'more user')}"] if more > 0 else told)
    if (user := _user_of(witness.case)) is not None:
        return list_in_words(user.ranked, user.missed, user.scores or ())
    generated = _GENERATED.fullmatch(one_line(witness.case))
    return f"an input with {generated[1]}" if generated else f"the case “{one_line(witness.case)}”"


def _user_of(case: str) -> User | None:
    """Return the only user of the probe of that name; None if it has several, or there is none."""
    one = _ONE_OF_A_BATCH.fullmatch(case)
    if one is not None and one["batch"] in _BATCHES:
        users = _BATCHES[one["batch"]].users
        return users[int(one["number"]) - 1] if 0 < int(one["number"]) <= len(users) else None
    probe = _PROBES.get(case)
    return probe.users[0] if probe is not None and len(probe.users) == 1 else None


def list_in_words(ranked: Iterable[float], missed: Iterable[float], scores: Sequence[float] = ()) -> str:
    """Return a list of one user by the gains of its rows, and of the relevant items that it lacks.

    Scores are told where they do not say the order of the rows: some are equal, or a later one is higher.
    """
    shown, further, scored = (" ".join(f"{each:g}" for each in numbers) for numbers in (ranked, missed, scores))
    unordered = any(first <= second for first, second in pairwise(scores))
    with_scores = f" and scores [{scored}]" if unordered else ""
    return f"a list with gains [{shown}]{with_scores}" + (
        f", and relevant items not in it [{further}]" if further else ""
    )


def formula_groups(result: Result) -> dict[str, tuple[FormulaGroup, ...]]:
    """Return, by metric, the formulas of the newest versions with the libraries that compute them, largest first."""
    found = [(one_line(entry.title), each) for entry, own in _newest_findings(result) for each in own if formula(each)]
    by_metric = grouped((each.metric, (title, each)) for title, each in found)
    titles = {metric: {title for title, _ in own} for metric, own in by_metric.items()}
    canonical = {row.metric: row for row in result.reference if row.k in (*result.k[:1], None)}
    ordered = sorted(by_metric, key=lambda metric: (-len(titles[metric]), metric_title(metric)))
    return {metric: _formula_groups(by_metric[metric], canonical.get(metric)) for metric in ordered}


def _formula_groups(own: Sequence[tuple[str, Finding]], canonical: Reference | None) -> tuple[FormulaGroup, ...]:
    """Return the groups of one metric, whose findings are ``own`` with the titles of their libraries."""
    by_formula = grouped((formula(finding), (title, finding)) for title, finding in own)
    made = []
    for signature, members in by_formula.items():
        first = members[0][1]
        alike = first.verdict != "agrees" and equals_canonical_on_yes_no_data(first, canonical)
        libraries = {title: tuple(found) for title, found in grouped(members).items()}
        made.append(FormulaGroup(signature, alike, libraries))
    return tuple(sorted(made, key=lambda group: (-len(group.libraries), group.formula)))


def release_changes(result: Result) -> tuple[ReleaseChange, ...]:
    """Return the functions whose formula changed between two versions that follow each other in the run."""
    found = findings_at(result, result.k[0]) if result.k else list(result.findings)
    return tuple(
        ReleaseChange(
            entry, one_line(each.function), each.metric, before.version, each.version, formula(before), formula(each)
        )
        for entry, before, each in formula_changes(result, found, lambda each: each.function)
    )


def formula_changes(
    result: Result, findings: Sequence[Finding], by: Callable[[Finding], str]
) -> Iterator[tuple[Library, Finding, Finding]]:
    """Yield findings with another formula than in the version before: the version, the finding before, and its own.

    Args:
        result: The run.
        findings: Those that are compared.
        by: Returns the name by which a finding is the same in both versions.
    """
    by_place = {(each.library, each.version, by(each)): each for each in findings}
    for new, old in pairwise(result.libraries):
        for each in findings if new.library == old.library else ():
            own = (each.library, each.version) == (new.library, new.version)
            before = by_place.get((old.library, old.version, by(each))) if own else None
            if before and formula(before) and formula(each) and formula(before) != formula(each):
                yield new, before, each
