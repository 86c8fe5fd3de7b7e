"""The edge matrix: what each function does with unusual users and lists, in words, with its hazards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space.averaging import USERS
from recsys_metric_audit.reference.space.axis import more_than
from recsys_metric_audit.reference.space.edges import POLICIES
from recsys_metric_audit.reference.space.levels import Level, level_of
from recsys_metric_audit.reference.space.user_outcomes import Property, asks_for
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.result import Behaviour, Finding, Result
from recsys_metric_audit.reports.tables.behaviour_matrix import BEHAVIOUR_MEANINGS
from recsys_metric_audit.reports.wording.anchors import finding_anchor, fragment
from recsys_metric_audit.reports.wording.axis_words import computed_metric, no_hit_is_without_gain, of_one_ranking
from recsys_metric_audit.reports.wording.formatting import one_line, shortened
from recsys_metric_audit.reports.wording.labels import metric_title


@dataclass(frozen=True)
class Situation:
    """Describes an unusual input: a column of the edge matrix.

    Attributes:
        title: The situation in a word or two.
        question: The situation in a sentence.
        axes: Axes that act in it; the first that a definition has is shown.
        experiments: Names of the experiments that put it to a function.
        lacks: What such a user has not: where averaged users must have it, the user is left out.
        observed_first: Whether an observation goes before the identified definition.
        of_all_rows: Axes that act in it where all rows of all users are one ranking, if they are others.
    """

    title: str
    question: str
    axes: tuple[str, ...] = ()
    experiments: tuple[str, ...] = ()
    lacks: Property | None = None
    observed_first: bool = False
    of_all_rows: tuple[str, ...] | None = None

    @property
    def is_of_one_user(self) -> bool:
        """Return True if a single user is in the situation, which is none of one ranking of all rows."""
        return self.of_all_rows == ()

    @property
    def level(self) -> Level:
        """Return the level of the situation: who counts, or input handling."""
        return level_of(self.axes[0])

    @property
    def absent_users(self) -> tuple[str, ...]:
        """Return the values of the axis ``users`` that leave such a user out, whatever the other axes say."""
        lacks = self.lacks
        return () if lacks is None else tuple(users for users in USERS.names if asks_for(users, lacks))


SITUATIONS = (
    Situation(
        "No truth", "A user has recommendations and no relevant item.", ("undefined",), ("no_truth",),
        "relevant", observed_first=True, of_all_rows=(),
    ),
    Situation(
        "No list", "A user has relevant items and no recommendation.", ("no_list",), ("no_list",),
        "listed", observed_first=True, of_all_rows=(),
    ),
    Situation(
        "No hit", "A user has relevant items and a list, and none of them is in it.", ("no_hit",), (), "hit",
        of_all_rows=(),
    ),
    Situation(
        "No irrelevant item", "A user's list holds relevant items only.", ("no_negatives",), of_all_rows=()
    ),
    Situation(
        "Nobody relevant", "No user has a relevant item.", ("nobody",), ("empty_truth",), None, True, ("undefined",)
    ),
    Situation(
        "Nobody listed", "No user has a recommendation.", ("nobody",), ("empty_lists",), None, True, ("no_list",)
    ),
    Situation("Tie", "Two items of a user have one score.", ("tied_scores", "ties"), ("ties",)),
    Situation("Item twice", "An item is recommended to a user twice.", ("duplicates",), ("duplicates",)),
    Situation(
        "Truth row twice", "The truth lists a relevant item twice.", ("truth_duplicates",), ("truth_duplicates",)
    ),
    Situation("Short list", "A list is shorter than k.", ("short_lists",), ("short_list",)),
    Situation("Rows shuffled", "The rows of a list do not come best first.", ("order",), ("rows_shuffled",)),
    Situation("Low gain", "A truth row has a gain below the threshold.", ("relevance",), ("below_threshold",)),
    Situation("Score of 0", "A recommended row has the score 0 or less.", ("counted_scores",), ("score_sign",)),
    Situation("Train item", "An item of the user's training data is recommended.", ("candidates",), ("train_item",)),
)  # fmt: skip
"""Lists the situations in the order of the matrix: unusual users, then unusual rows."""

_POLICIES = {name: each.word for name, each in POLICIES.items()}

AXIS_WORDS: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(("undefined", "no_list", "no_hit", "no_negatives", "nobody"), _POLICIES),
    "order": {"score": "sorts by score", "rows": "keeps the rows"},
    "ties": {
        "given": "as given", "reversed": "reversed", "item_asc": "lower id first", "item_desc": "higher id first",
        "text_asc": "lower id text first", "text_desc": "higher id text first", "average": "mean of orders",
        "best": "hits first", "worst": "misses first", "shared": "share a rank", "middle": "share the mean place",
        "unspecified": "not reproducible",
    },
    "tied_scores": {
        "half": "counts 1/2", "win": "pair won", "lose": "pair lost", "ranked": "by rank", "dropped": "left out",
    },
    "short_lists": {"listed": "as it is", "filled": "filled up"},
    "duplicates": {
        "counted": "counts twice", "first_in_place": "first counts", "first_closed_up": "copies removed",
        "last": "last counts", "error": "raises",
    },
    "truth_duplicates": {
        "counted": "counts twice", "once": "counts once", "r_only": "one hit of two", "error": "raises",
    },
    "relevance": {
        "every_row": "relevant", "positive": "relevant", "at_least_t": "not relevant", "above_t": "not relevant",
        "equal_1": "not relevant",
    },
    "counted_scores": {"any": "counts", "nonzero": "no hit", "positive": "no hit"},
    "candidates": {"all": "ranked", "test_only": "left out", "without_train": "left out"},
}  # fmt: skip
"""Describes values of axes, by axis and value; other values are shown by their names."""

BEHAVIOUR_WORDS: Mapping[str, str] = {
    "skipped": "left out", "zero": "counts 0", "one": "counts 1", "half": "counts 1/2", "nan": "NaN",
    "raises": "raises", "crashes": "crashes", "times_out": "no answer", "infinite": "infinite", "number": "a number",
    "unchanged": "no change", "changes": "value changes", "counted": "counts", "counted_once": "counts once",
    "larger": "lifts the value",
    "removed": "copy removed", "row_order": "as given", "reverse_row_order": "reversed",
    "lower_item_first": "lower id first", "higher_item_first": "higher id first", "hits_first": "hits first",
    "misses_first": "misses first", "shared": "share a rank", "mixed": "no known rule",
}  # fmt: skip
"""Describes the observation of an experiment, by the name of the behaviour."""

UNTELLING = ("changes", "not_asked", "not_askable")
"""Lists behaviours that do not tell how a function acts."""


REPEAT = "a repeat lifts it above 1"
_TIES: Mapping[str, str] = {
    "best": "ties count as hits",
    "win": "ties count as won",
    "unspecified": "ties come out otherwise each time",
    **dict.fromkeys(("item_asc", "item_desc", "text_asc", "text_desc"), "names of items decide ties"),
}
_ONE_USER: Mapping[str, str] = {
    "nan": "one user makes it NaN",
    "error": "one user stops it",
    "ends_all": "one user makes it 0",
    "previous": "the order of users matters",
}
_USERS = {each.axes[0]: each.absent_users for each in SITUATIONS if each.absent_users or each.axes == ("no_negatives",)}
"""The axes that say what an unusual user counts as, each with the values of ``users`` that leave such a user out."""
_ITEMS = 3


def hazards_of(finding: Finding) -> tuple[str, ...]:
    """Return the hazards of one function in plain words, each once; what is not known of it is none."""
    return tuple(dict.fromkeys(_hazards(finding)))


def hazards_of_row(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return the hazards of functions that share a row, with the metrics that have it where not all do."""
    metrics = grouped(dict.fromkeys((hazard, each.metric) for each in findings for hazard in hazards_of(each)))
    every = {finding.metric for finding in findings}
    return tuple(
        hazard if set(own) == every else f"{hazard} ({', '.join(map(metric_title, own))})"
        for hazard, own in metrics.items()
    )


def _hazards(finding: Finding) -> Iterator[str]:
    known = finding.definition
    if finding.signature and "duplicates" in known and _repeats_exceed_1(parse(finding.signature)):
        yield REPEAT
    for axis in ("tied_scores", "ties"):
        if (hazard := _TIES.get(known.get(axis, ""))) is not None:
            yield hazard
    if of_one_ranking(finding):  # no single user is at an edge
        return
    for axis, absent in _USERS.items():
        if known.get(axis) == "nan" and "pooling" in finding.does_not_apply:
            continue  # users' values, and no mean that could be NaN
        hazard = _ONE_USER.get(known.get(axis, ""))
        if hazard is not None and known.get("users") not in absent:
            yield hazard
    if known.get("undefined") == "1" and known.get("users") not in _USERS["undefined"]:
        yield "nothing to find counts as a perfect list"


@cache  # evaluates 170 definitions in place of 1,200 for the recorded run: saves 4.4 of 9 seconds
def _repeats_exceed_1(definition: Definition) -> bool:
    """Return True if the only relevant item gives more than 1 when recommended three times, and not when once."""
    k = None if definition.k is None else _ITEMS
    cut = definition if k is None else definition.with_(k=k)
    once, thrice = (evaluate(cut, Problem.of([_list(items)], k)) for items in ((0, 1, 2), (0, 0, 0, 1)))
    if once.refused[0] or thrice.refused[0]:
        return False
    return bool(once.mean[0] <= 1 + 1e-9 and thrice.mean[0] > 1 + 1e-9)


def _list(items: Sequence[int]) -> Case:
    """Return one user's list of items, of which item 0 is relevant."""
    ids, scores = np.array(items), np.arange(len(items), 0, -1, dtype=float)
    truth = Truth(np.ones(1, np.int64), np.zeros(1, np.int64), np.ones(1))
    return Case("repeats", Predictions(np.ones(len(items), np.int64), ids, scores), truth, catalogue=np.arange(_ITEMS))


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
    groups = grouped((tuple((cell.text, cell.kind) for cell in cells), (cells, finding)) for cells, finding in own)
    everywhere = grouped(dict.fromkeys((finding.metric, finding.version) for _, finding in own))
    rows = []
    for group in sorted(groups.values(), key=len, reverse=True):
        findings = [finding for _, finding in group]
        rows.append(EdgeRow(_functions(findings, everywhere), group[0][0], hazards_of_row(findings)))
    return tuple(rows)


def _functions(findings: Sequence[Finding], everywhere: Mapping[str, Sequence[str]]) -> tuple[EdgeFunctions, ...]:
    """Return the metrics of ``findings``; metrics of equal versions stand together."""
    by_metric: dict[str, dict[str, Finding]] = {}
    for finding in findings:
        by_metric.setdefault(finding.metric, {}).setdefault(finding.version, finding)
    groups = grouped(
        (() if len(versions) == len(everywhere[metric]) else tuple(versions), metric)
        for metric, versions in by_metric.items()
    )
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
