"""The behaviour of a library's functions at the edges: functions that behave alike share a letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.result import Behaviour, Experiment, Finding
from recsys_metric_audit.reports.tables.behaviour_matrix import AS_EXPECTED, DASHED, readable_name
from recsys_metric_audit.reports.wording.anchors import fragment
from recsys_metric_audit.reports.wording.variant_letters import letter_sequence


@dataclass(frozen=True)
class EdgeBehaviour:
    """Names one behaviour in one experiment.

    Attributes:
        text: The behaviour in a word.
        letters: Letters of the functions that behave so; empty for the most common behaviour.
        odd: Whether it is wrong or unusual.
    """

    text: str
    letters: str
    odd: bool


@dataclass(frozen=True)
class EdgeTable:
    """Lists the experiments beyond the formula on one library.

    Attributes:
        anchor: Anchor of the table.
        letters: Number of groups of functions that behave alike in every experiment.
        rows: Title of each experiment with an unexpected behaviour, and its behaviours, the most common first.
        expected: Titles of the experiments in which every function behaves as expected.
    """

    anchor: str
    letters: int
    rows: tuple[tuple[str, tuple[EdgeBehaviour, ...]], ...]
    expected: tuple[str, ...]


def group_by_behaviour(findings: Sequence[Finding], experiments: Sequence[Experiment]) -> dict[str, list[Finding]]:
    """Return the functions that behave alike in every experiment, by letter.

    Experiments do not depend on the cut-off of the data, so each function of a version counts once.
    """
    first: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        if finding.behaviours:
            first.setdefault((finding.version, finding.function), finding)
    groups = grouped((_behaviour_key(finding, experiments), finding) for finding in first.values())
    return {letter.upper(): group for letter, group in zip(letter_sequence(), groups.values(), strict=False)}


def _behaviour_key(finding: Finding, experiments: Sequence[Experiment]) -> tuple[tuple[str, str | None] | None, ...]:
    found = [finding.behaviours.get(experiment.name) for experiment in experiments]
    return tuple((each.name, each.slug) if each else None for each in found)


def edge_table(library: str, groups: Mapping[str, Sequence[Finding]], experiments: Sequence[Experiment]) -> EdgeTable:
    """Return the behaviours of a library's functions in each experiment.

    Args:
        library: Name of the library.
        groups: Its functions, as :func:`group_by_behaviour` returns them.
        experiments: The experiments of the run.
    """
    rows = [
        (experiment, {letter: group[0].behaviours.get(experiment.name) for letter, group in groups.items()})
        for experiment in experiments
    ]
    return EdgeTable(
        fragment("edges", library),
        len(groups),
        tuple((one.title, _behaviours(found)) for one, found in rows if not all(map(_is_expected, found.values()))),
        tuple(one.title for one, found in rows if groups and all(map(_is_expected, found.values()))),
    )


def _behaviours(by_letter: Mapping[str, Behaviour | None]) -> tuple[EdgeBehaviour, ...]:
    found = grouped((_shown(behaviour), letter) for letter, behaviour in by_letter.items())
    ranked = sorted(found.items(), key=lambda pair: -len(pair[1]))
    return tuple(
        EdgeBehaviour(text, " ".join(group) if number else "", odd)
        for number, ((text, odd), group) in enumerate(ranked)
    )


def _shown(behaviour: Behaviour | None) -> tuple[str, bool]:
    name = readable_name(behaviour.name) if behaviour and behaviour.name not in DASHED else "not asked"
    return name, bool(behaviour and behaviour.slug)


def _is_expected(behaviour: Behaviour | None) -> bool:
    return behaviour is None or (not behaviour.slug and behaviour.name in AS_EXPECTED)


def letters_of(function: str, groups: Mapping[str, Sequence[Finding]]) -> str:
    """Return the letter of a function; if versions behave differently, each letter with its versions."""
    found = {
        letter: [finding.version for finding in group if finding.function == function]
        for letter, group in groups.items()
        if any(finding.function == function for finding in group)
    }
    if len(found) < 2:
        return "".join(found)
    return ", ".join(f"{letter} ({', '.join(versions)})" for letter, versions in found.items())
