"""Reads what the functions of ``tests/functions_of_others`` compute by hand; finds what is false in what is told."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.inhouse.call import UNIT_GAINS
from recsys_metric_audit.audit.inhouse.calling.caller import load
from recsys_metric_audit.audit.inhouse.identify_function import IdentifyRequest, identify_running
from recsys_metric_audit.audit.inhouse.running import running_here
from recsys_metric_audit.audit.inhouse.summary import Summary
from recsys_metric_audit.audit.inhouse.target import Target
from recsys_metric_audit.audit.inhouse.unit_gains import with_gains_of_1
from recsys_metric_audit.audit.libraries.metric_name import metric_of_relevance
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.reference.definitions.definition import Definition, parse, stated_axes
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reports.wording.meanings import open_cutoff

FOLDER = Path(__file__).parents[1] / "functions_of_others"


@dataclass(frozen=True)
class OfOthers:
    """Holds a row of the table; see there."""

    name: str
    metric: str
    right: list[str]
    scope: str = ""
    k: int | None = None
    refused: bool = False
    open: bool = False
    never: list[str] = field(default_factory=list)
    no_rule: list[str] = field(default_factory=list)
    not_asked: list[str] = field(default_factory=list)
    source: str = ""
    use: str = ""
    odd: str = ""
    shape: str = ""
    draw: list[str] = field(default_factory=list)
    several: bool = False
    unstable: bool = False
    amended: str = ""
    area: str = ""

    @property
    def of_unit_gains(self) -> bool:
        """Return True if it was worked out for gains of 1 only."""
        return bool(self.area) and "graded" not in self.draw


def table() -> list[OfOthers]:
    """Return the rows of all tables, those of ``table.toml`` first."""
    files = [FOLDER / "table.toml", *sorted(FOLDER.glob("*/table.toml"))]
    return [row for file in files for row in _rows(file)]


def _rows(file: Path) -> list[OfOthers]:
    area = "" if file.parent == FOLDER else file.parent.name
    rows = tomllib.loads(file.read_text(encoding="utf-8"))["function"]
    named = ({**row, "name": f"{area}/{row['name']}" if area else row["name"]} for row in rows)
    return [OfOthers(**row, area=area) for row in named]


def told(row: OfOthers) -> Summary | UserError:
    """Return what is told of a function that is asked in this process, or why it is refused."""
    file, _, name = row.name.rpartition(":")
    function = load(str(FOLDER / file), name)
    target = Target(FOLDER / file, name, Path("python"))
    try:
        request = IdentifyRequest(target, metric_of_relevance(row.metric), None, row.k, Limits())
        return identify_running(running_here(function), request).summary
    except UserError as error:
        return error


def fault(row: OfOthers, summary: Summary | UserError) -> str:
    """Return what is false in what is told, or missing from it; empty where nothing is."""
    if isinstance(summary, UserError):
        return "" if row.refused or row.open else f"it was refused: {summary.message}"
    if summary.signature is None:
        near = summary.finding.near
        if row.unstable and summary.finding.verdict == "unstable":
            return ""
        return "" if row.open else f"it was not named: {near.words() if near else 'nothing near'}"
    said = f"{summary.finding.scope.of(summary.signature)} ({summary.finding.verdict})"
    if any(each in summary.signature for each in row.never):
        return f"it was told {said}"
    scope = str(summary.finding.scope)
    if (
        (scope != row.scope and not (row.of_unit_gains and scope == str(UNIT_GAINS)))
        or not {*row.no_rule} <= {*summary.finding.no_rule}
        or not {*row.not_asked} <= {*summary.not_asked}
    ):
        return f"it was told {said}; no rule: {', '.join(summary.finding.no_rule)}"
    known = {*summary.not_asked, *summary.finding.unknown, *summary.finding.no_rule}
    also = summary.equivalent if summary.finding.unchecked else ()  # "fits ...", with what fits as well
    shown = [parse(open_cutoff(each)) for each in (summary.signature, *also)]
    if row.of_unit_gains:
        shown += [with_gains_of_1(each) for each in shown]
    right = any(_is_right(each, one, known) for each in row.right for one in shown)
    return "" if right else f"it was told {said}"


def _is_right(signature: str, shown: Definition, open_axes: set[str]) -> bool:
    """Return True if a definition has the formula of a signature, and the values that it names where they are known."""
    wanted = parse(signature)
    if wanted.metric != shown.metric or not are_equal(_formula(wanted, open_axes), _formula(shown, open_axes)):
        return False
    named = stated_axes(signature) - open_axes
    return all(shown.axes[axis] == wanted.axes[axis] for axis in named if axis in shown.axes)


def _formula(definition: Definition, open_axes: set[str]) -> Definition:
    canonical = definition.family.canonical
    closed = {axis: canonical[axis] for axis in open_axes if axis in definition.axes}
    return formula_of(definition.with_(**closed))
