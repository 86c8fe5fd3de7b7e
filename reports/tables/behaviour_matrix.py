"""The edge-behaviour matrix: what each library does in each experiment, over all its functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reports.model.result import Behaviour, Experiment, Finding, Library, Result
from reports.tables.table import EMPTY, Cell, Column, Row, State, Table
from reports.wording.formatting import one_line
from reports.wording.labels import count

NAMES: Mapping[str, str] = {
    "unchanged": "the answer stays the same",
    "changes": "the answer changes",
    "raises": "it raises an error",
    "crashes": "its process dies",
    "times_out": "it gives no answer in time",
    "nan": "it counts as NaN, or the answer is NaN",
    "zero": "it counts as 0, or the answer is 0",
    "one": "it counts as 1, or the answer is 1",
    "half": "it counts as one half",
    "infinite": "a value is infinite",
    "number": "the answer is another number",
    "skipped": "it is left out",
    "counted": "it is counted like any other",
    "counted_once": "the copy takes its place and counts as a miss",
    "removed": "the copy is taken out and the rest moves up",
    "row_order": "tied items keep the order of their rows",
    "reverse_row_order": "tied items stand in the reverse order of their rows",
    "lower_item_first": "of tied items the lower id stands first",
    "higher_item_first": "of tied items the higher id stands first",
    "hits_first": "hits stand before misses of the same score",
    "misses_first": "misses stand before hits of the same score",
    "shared": "tied items share their places",
    "mixed": "tied items stand in an order that none of these rules gives",
    "within": "every value lies where the metric can lie",
    "outside": "a value lies where the metric cannot lie",
    "complete": "every user has one value",
    "mean_only": "there are no per-user values",
    "repeated": "a user has several values",
    "unknown": "there are values of users who do not exist",
    "agrees": "another function for this metric gives the same answers",
    "differs": "no other function for this metric gives the same answers",
    "not_askable": "it cannot be asked of this function",
    "not_asked": "it was not asked",
}
"""What each name of a behaviour means; other names stand for themselves."""

AS_EXPECTED = ("unchanged", "within", "complete", "not_askable", "not_asked")
"""Behaviours that nobody has to look at: shown last, and without stress."""

_SHOWN = 2
DASHED = ("not_asked", "not_askable")
"""Behaviours that are shown as a dash: nothing was seen."""


def words(name: str) -> str:
    """Return a behaviour's name as it is read: ``counted_once`` as ``counted once``."""
    return one_line(name).replace("_", " ")


@dataclass(frozen=True)
class Group:
    """The functions of a library version that do the same in one experiment: its name, they, one text of theirs."""

    name: str
    functions: tuple[str, ...]
    text: str
    slugs: tuple[str, ...]


def groups(result: Result, entry: Library, experiment: Experiment) -> tuple[Group, ...]:
    """Return what the functions of one library version do in one experiment, the most common first.

    Functions that were not measured, or not asked, are left out.
    """
    found: dict[str, list[tuple[str, Behaviour]]] = {}
    for finding in told(result, entry):
        behaviour = finding.behaviours.get(experiment.name)
        if behaviour is not None and behaviour.name != "not_asked":
            found.setdefault(behaviour.name, []).append((finding.function, behaviour))
    made = [
        Group(
            name,
            tuple(function for function, _ in same),
            next((each.text for _, each in same if each.text), ""),
            tuple(dict.fromkeys(each.slug for _, each in same if each.slug)),
        )
        for name, same in found.items()
    ]
    return tuple(sorted(made, key=lambda group: (group.name == "not_askable", -len(group.functions))))


def told(result: Result, entry: Library) -> list[Finding]:
    """Return one finding a function: experiments do not depend on the cut-off of the data."""
    first: dict[str, Finding] = {}
    for finding in result.findings:
        if (finding.library, finding.version) == (entry.library, entry.version) and finding.behaviours:
            first.setdefault(finding.function, finding)
    return list(first.values())


def matrix(result: Result) -> Table | None:
    """Return experiments × library versions, or None where a result has no experiments."""
    entries = [entry for entry in result.libraries if told(result, entry)]
    if not result.experiments or not entries:
        return None
    rows = [
        Row(one_line(each.title), "", tuple(_cell(groups(result, entry, each)) for entry in entries), kind="library")
        for each in result.experiments
    ]
    return Table(
        name="Edge behaviour",
        caption="What the functions of each library do when the input is changed in one way.",
        columns=tuple(Column(one_line(entry.title), one_line(entry.version)) for entry in entries),
        rows=tuple(rows),
        key=(),
    )


def of_library(result: Result, entry: Library) -> Table | None:
    """Return functions × experiments of one library version, or None where nothing was asked of it."""
    findings = told(result, entry)
    if not findings or not result.experiments:
        return None
    rows = [
        Row(one_line(finding.function), "", tuple(_single(finding, each) for each in result.experiments))
        for finding in findings
    ]
    return Table(
        name=f"{one_line(entry.title)} {one_line(entry.version)}",
        caption="What each function does when the input is changed in one way.",
        columns=tuple(Column(one_line(each.title)) for each in result.experiments),
        rows=tuple(rows),
        key=(),
    )


def _cell(found: Sequence[Group]) -> Cell:
    """Return the behaviours of one library: one name alone, or the most common with how many do each."""
    if not found:
        return EMPTY
    asked = [group for group in found if group.name != "not_askable"]
    if not asked:
        return Cell("–", state="empty", more=one_line(found[0].text))
    if len(asked) == 1:
        text = words(asked[0].name)
    else:
        shown = [f"{words(group.name)} {len(group.functions)}" for group in asked[:_SHOWN]]
        rest = sum(len(group.functions) for group in asked[_SHOWN:])
        text = ", ".join([*shown, *([f"other {rest}"] if rest else [])])
    return Cell(text, state=_state(asked), more="; ".join(_more(group) for group in asked))


def _more(group: Group) -> str:
    text = f" ({one_line(group.text)})" if group.text else ""
    return f"{words(group.name)}: {count(len(group.functions), 'function')}{text}"


def _state(found: Sequence[Group]) -> State:
    if any(group.slugs for group in found):
        return "variant"
    return "canonical"


def _single(finding: Finding, experiment: Experiment) -> Cell:
    behaviour = finding.behaviours.get(experiment.name)
    if behaviour is None or behaviour.name in DASHED:
        return Cell("–", state="empty", more=one_line(behaviour.text) if behaviour else "")
    return Cell(
        words(behaviour.name), state="variant" if behaviour.slug else "canonical", more=one_line(behaviour.text)
    )


def glossary(result: Result) -> tuple[tuple[str, str], ...]:
    """Return what each experiment asks, then what each name means that occurs: title or name, and meaning."""
    used = {each.name for finding in result.findings for each in finding.behaviours.values()}
    asked = tuple((one_line(each.title), one_line(each.question)) for each in result.experiments)
    return (*asked, *((words(name), NAMES[name]) for name in NAMES if name in used and name not in DASHED))
