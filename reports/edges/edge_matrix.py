"""The edge matrix: what the functions of each library do with unusual users and unusual rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space.axis import more_than
from recsys_metric_audit.reference.space.edges import POLICIES
from recsys_metric_audit.reports.edges.edge_hazards import hazards_of, hazards_of_row
from recsys_metric_audit.reports.edges.edge_words import AXIS_WORDS, BEHAVIOUR_WORDS, SITUATIONS, UNTELLING, Situation
from recsys_metric_audit.reports.model.result import Behaviour, Finding, Result
from recsys_metric_audit.reports.tables.behaviour_names import BEHAVIOUR_MEANINGS
from recsys_metric_audit.reports.wording.anchors import finding_anchor, fragment
from recsys_metric_audit.reports.wording.axis_words import computed_metric, no_hit_is_without_gain, of_one_ranking
from recsys_metric_audit.reports.wording.formatting import one_line, shortened
from recsys_metric_audit.reports.wording.labels import metric_title

Kind = Literal["usual", "differs", "unknown", "idle", "apart"]

NOT_KNOWN, CANNOT_MATTER, DOES_NOT_APPLY = "not known", "cannot matter", "does not apply"
_LONGEST_REASON = 200


@dataclass(frozen=True)
class EdgeCell:
    """Names in two or three words the behaviour of a function in one situation.

    ``kind`` is ``usual`` or ``differs`` for something it does, the latter where that is not the canonical rule;
    ``unknown``, ``idle`` and ``apart`` for "not known", "cannot matter" and "does not apply". ``reason`` says why, or
    what the words mean; empty where they say it all.
    """

    text: str
    kind: Kind = "usual"
    reason: str = ""


@dataclass(frozen=True)
class EdgeFunctions:
    """Names the metrics whose functions share a row, the anchor of one finding, and their versions if not all."""

    metrics: str
    link: str
    versions: str


@dataclass(frozen=True)
class EdgeRow:
    """Holds functions of a library that behave alike in every situation, their behaviour in each, and its hazards."""

    functions: tuple[EdgeFunctions, ...]
    cells: tuple[EdgeCell, ...]
    hazards: tuple[str, ...] = ()


@dataclass(frozen=True)
class EdgeLibrary:
    """Holds the rows of one library, the row with the most functions first."""

    name: str
    title: str
    link: str
    rows: tuple[EdgeRow, ...]


@dataclass(frozen=True)
class EdgeMatrix:
    """Holds libraries by situations.

    Attributes:
        situations: The columns: title and question of each situation.
        most: For each situation the most frequent behaviour, with the number of functions: ``counts 0 (58 of 90)``.
        libraries: The rows, by library.
        reasons: Every reason that a cell gives once, with its anchor.
        hazardous: How many of the functions have a hazard, in words.
    """

    situations: tuple[Situation, ...]
    most: tuple[str, ...]
    libraries: tuple[EdgeLibrary, ...]
    reasons: Mapping[str, str]
    hazardous: str = ""


def edge_matrix(result: Result) -> EdgeMatrix | None:
    """Return the edge matrix of ``result``; None if nothing was measured.

    An edge policy does not depend on the cut-off of the data: a function of a version counts once.
    """
    first: dict[tuple[str, str, str], Finding] = {}
    for finding in result.findings:
        if finding.verdict is not None:
            first.setdefault((finding.library, finding.version, finding.function), finding)
    if not first:
        return None
    cells = {key: tuple(edge_cell(finding, each) for each in SITUATIONS) for key, finding in first.items()}
    libraries: list[EdgeLibrary] = []
    for name, title in dict.fromkeys((entry.library, entry.title) for entry in result.libraries):
        own = [(cells[key], finding) for key, finding in first.items() if key[0] == name]
        if own and name not in {each.name for each in libraries}:
            libraries.append(EdgeLibrary(name, one_line(title), fragment("library", name), _rows(own)))
    columns = tuple(tuple(each) for each in zip(*cells.values(), strict=True))
    told = [cell.reason for each in libraries for row in each.rows for cell in row.cells if cell.reason]
    reasons = {reason: f"why-{number}" for number, reason in enumerate(dict.fromkeys(told), 1)}
    hazardous = f"{sum(bool(hazards_of(each)) for each in first.values())} of {len(first)} functions"
    return EdgeMatrix(SITUATIONS, tuple(map(_most_often, columns)), tuple(libraries), reasons, hazardous)


def edge_cell(finding: Finding, situation: Situation) -> EdgeCell:
    """Return what the function of ``finding`` does in ``situation``.

    A reason why it does not apply goes first, then what was observed or identified, then why nothing is known.
    """
    definition = finding.definition
    one_ranking = of_one_ranking(finding)
    axes = situation.of_all_rows if one_ranking and situation.of_all_rows is not None else situation.axes
    axis = next((each for each in axes if each in definition), None)
    observed = next((found for name in situation.experiments if (found := finding.behaviours.get(name))), None)
    told = observed if observed and observed.name not in UNTELLING else None
    if axis is None and (reason := _reason(finding.does_not_apply, situation)):
        return EdgeCell(DOES_NOT_APPLY, "apart", reason)
    kind: Kind = "differs" if _is_moved(finding, axis, situation) else "usual"
    if told and situation.observed_first:
        return _observed(told, kind)
    if definition.get("users") in situation.absent_users:
        return EdgeCell("left out", kind)
    if reason := _reason(finding.cannot_matter, situation):
        return EdgeCell(CANNOT_MATTER, "idle", reason)
    if one_ranking and observed and observed.name == "not_askable":
        return _nothing_known(finding, situation, observed)
    if one_ranking and situation.is_of_one_user and not told:
        return EdgeCell(DOES_NOT_APPLY, "apart", "no user is averaged: the rows of all users make one number")
    if axis == "no_hit" and no_hit_is_without_gain(finding):
        return EdgeCell(POLICIES["formula"].word)
    if axis is not None and not (definition[axis] == "other" and told):
        return EdgeCell(_axis_words(axis, definition[axis]), kind)
    return _observed(told, kind) if told else _nothing_known(finding, situation, observed)


def _reason(reasons: Mapping[str, str], situation: Situation) -> str:
    return next((_shortened(reasons[axis]) for axis in situation.axes if axis in reasons), "")


def _is_moved(finding: Finding, axis: str | None, situation: Situation) -> bool:
    """Return True if the axis that decides on a situation is not at its canonical value."""
    if axis in finding.differs_on:
        return True
    absent, family = situation.absent_users, FAMILIES.get(computed_metric(finding))
    usually_absent = family is not None and family.canonical.get("users") in absent
    return "users" in finding.differs_on and (finding.definition.get("users") in absent) != usually_absent


def _observed(behaviour: Behaviour, kind: Kind) -> EdgeCell:
    words = BEHAVIOUR_WORDS.get(behaviour.name, behaviour.name.replace("_", " "))
    return EdgeCell(words, "differs" if behaviour.slug else kind)


def _axis_words(axis: str, value: str) -> str:
    if axis == "relevance" and value not in AXIS_WORDS[axis]:
        above = more_than(value)
        return f"relevant from {value}" if above is None else f"relevant above {above:g}"
    return AXIS_WORDS.get(axis, {}).get(value, "another rule" if value == "other" else value.replace("_", " "))


def _nothing_known(finding: Finding, situation: Situation, observed: Behaviour | None) -> EdgeCell:
    if observed is not None and observed.name == "not_askable":
        return EdgeCell(DOES_NOT_APPLY, "apart", _shortened(observed.text) or BEHAVIOUR_MEANINGS["not_askable"])
    if observed is not None and observed.name == "changes":
        return EdgeCell(BEHAVIOUR_WORDS["changes"])
    family = FAMILIES.get(computed_metric(finding))
    asked = set(situation.axes) & {axis.name for axis in family.all_axes} if family else set(situation.axes)
    if not asked and not situation.experiments:
        return EdgeCell(DOES_NOT_APPLY, "apart", f"{metric_title(finding.metric)} needs no rule for it")
    if finding.definition:
        return EdgeCell(NOT_KNOWN, "unknown", "no answer of this function tells")
    return EdgeCell(NOT_KNOWN, "unknown", "no definition was identified, and no experiment tells")


def _shortened(text: str) -> str:
    return shortened(one_line(text), _LONGEST_REASON)


def _rows(own: Sequence[tuple[tuple[EdgeCell, ...], Finding]]) -> tuple[EdgeRow, ...]:
    groups: dict[object, list[tuple[tuple[EdgeCell, ...], Finding]]] = {}
    for cells, finding in own:
        groups.setdefault(tuple((cell.text, cell.kind) for cell in cells), []).append((cells, finding))
    everywhere: dict[str, dict[str, None]] = {}
    for _, finding in own:
        everywhere.setdefault(finding.metric, {})[finding.version] = None
    rows = [
        EdgeRow(_functions(alike, everywhere), group[0][0], hazards_of_row(alike))
        for group in groups.values()
        for alike in [[finding for _, finding in group]]
    ]
    sizes = [len(group) for group in groups.values()]
    return tuple(row for row, _ in sorted(zip(rows, sizes, strict=True), key=lambda pair: -pair[1]))


def _functions(findings: Sequence[Finding], everywhere: Mapping[str, Mapping[str, None]]) -> tuple[EdgeFunctions, ...]:
    """Return the metrics of ``findings``; metrics of equal versions stand together."""
    by_metric: dict[str, dict[str, Finding]] = {}
    for finding in findings:
        by_metric.setdefault(finding.metric, {}).setdefault(finding.version, finding)
    groups: dict[tuple[str, ...], list[str]] = {}
    for metric, versions in by_metric.items():
        groups.setdefault(() if len(versions) == len(everywhere[metric]) else tuple(versions), []).append(metric)
    return tuple(
        EdgeFunctions(
            ", ".join(metric_title(metric) for metric in metrics),
            finding_anchor(next(iter(by_metric[metrics[0]].values()))),
            ", ".join(map(one_line, versions)),
        )
        for versions, metrics in groups.items()
    )


def _most_often(column: Sequence[EdgeCell]) -> str:
    told = Counter(cell.text for cell in column if cell.kind in ("usual", "differs"))
    if not told:
        return "–"
    ((text, number),) = told.most_common(1)
    return f"{text} ({number} of {told.total()})"
