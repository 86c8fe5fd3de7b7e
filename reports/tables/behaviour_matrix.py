"""The table of behaviours at the edges, and their names in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.result import Experiment, Finding, Library, Result
from recsys_metric_audit.reports.tables.table import EMPTY, Cell, Column, Row, Table
from recsys_metric_audit.reports.wording.formatting import one_line

BEHAVIOUR_MEANINGS: Mapping[str, str] = {
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
    "larger": "the copy makes the answer larger",
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
    "tied": "they tie",
    "first_copy": "the first row counts",
    "last_copy": "the last row counts",
    "largest_copy": "the row of the larger gain counts",
    "smallest_copy": "the row of the smaller gain counts",
    "both_copies": "both rows count",
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
"""Meaning of each name, in the order of the glossary; names that are not listed explain themselves."""

AS_EXPECTED = ("unchanged", "within", "complete", "not_askable", "not_asked")
"""Behaviours that need no attention: shown last, and not emphasised."""

DASHED = ("not_asked", "not_askable")
"""Behaviours that are shown as a dash, because nothing was observed."""


def readable_name(name: str) -> str:
    """Return a behaviour's name for readers: ``counted_once`` as ``counted once``."""
    return one_line(name).replace("_", " ")


_SHOWN = 2
"""Behaviours of one library that a cell names; the functions of all others are counted."""


@dataclass(frozen=True)
class BehaviourGroup:
    """The functions of one library version that behave alike in one experiment.

    ``name`` is the behaviour, ``text`` the numbers or the error that one of the functions gave, and ``slugs`` the
    classes of deviation that the behaviour adds.
    """

    name: str
    functions: tuple[str, ...]
    text: str
    slugs: tuple[str, ...]


def behaviour_groups(result: Result, entry: Library, experiment: Experiment) -> tuple[BehaviourGroup, ...]:
    """Return the behaviours of one library version in one experiment, the most common first.

    Functions that were not measured, or not asked, are left out; behaviours that cannot be asked come last.
    """
    asked = ((each.function, each.behaviours.get(experiment.name)) for each in functions_asked(result, entry))
    found = grouped((each.name, (name, each)) for name, each in asked if each and each.name != "not_asked")
    made = [
        BehaviourGroup(
            name,
            tuple(function for function, _ in same),
            next((each.text for _, each in same if each.text), ""),
            tuple(dict.fromkeys(each.slug for _, each in same if each.slug)),
        )
        for name, same in found.items()
    ]
    return tuple(sorted(made, key=lambda group: (group.name == "not_askable", -len(group.functions))))


def functions_asked(result: Result, entry: Library) -> list[Finding]:
    """Return one finding per function with behaviours: experiments do not depend on the cut-off of the data."""
    first: dict[str, Finding] = {}
    for finding in result.findings:
        if (finding.library, finding.version) == (entry.library, entry.version) and finding.behaviours:
            first.setdefault(finding.function, finding)
    return list(first.values())


def behaviour_matrix(result: Result) -> Table | None:
    """Return the table experiments × library versions, or None if the result has no experiments."""
    entries = [entry for entry in result.libraries if functions_asked(result, entry)]
    if not result.experiments or not entries:
        return None
    rows = [
        Row(
            one_line(each.title),
            "",
            tuple(_cell(behaviour_groups(result, entry, each)) for entry in entries),
            kind="library",
        )
        for each in result.experiments
    ]
    return Table(
        name="Edge behaviour",
        caption="What the functions of each library do when the input is changed in one way.",
        columns=tuple(Column(one_line(entry.title), one_line(entry.version)) for entry in entries),
        rows=tuple(rows),
        key=(),
    )


def _cell(found: Sequence[BehaviourGroup]) -> Cell:
    """Return one cell for a library: the only behaviour, or the most common ones with their numbers of functions."""
    asked = [group for group in found if group.name != "not_askable"]
    if not asked:
        return EMPTY
    if len(asked) == 1:
        text = readable_name(asked[0].name)
    else:
        shown = [f"{readable_name(group.name)} {len(group.functions)}" for group in asked[:_SHOWN]]
        rest = sum(len(group.functions) for group in asked[_SHOWN:])
        text = ", ".join([*shown, *([f"other {rest}"] if rest else [])])
    return Cell(text, state="variant" if any(group.slugs for group in asked) else "canonical")


def behaviour_glossary(result: Result) -> tuple[tuple[str, str], ...]:
    """Return pairs of term and meaning: each experiment's title and question, then each behaviour that occurs."""
    used = {each.name for finding in result.findings for each in finding.behaviours.values()}
    asked = [(one_line(each.title), one_line(each.question)) for each in result.experiments]
    told = [(name, words) for name, words in BEHAVIOUR_MEANINGS.items() if name in used and name not in DASHED]
    return (*asked, *((readable_name(name), words) for name, words in told))
