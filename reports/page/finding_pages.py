"""What was found, as plain values: a page for each meaning, with all that compute it."""

from __future__ import annotations

from dataclasses import dataclass

from reference.definitions.definition import Definition, SignatureError, parse
from reference.formula_text import averaging_lines, formula_lines
from reports.handbook.metric_entries import RenderedLine, render
from reports.model.result import Finding, Nearest, Result, Witness
from reports.page.function_entries import Entry, Libraries, entries
from reports.plots.scatters import Scatter, Scatters
from reports.plots.waterfall import Waterfall, waterfall
from reports.wording.anchors import fragment
from reports.wording.axis_words import AxisChoice, AxisDifference, axis_choices, axis_differences
from reports.wording.labels import STATUS_LABELS, VERDICT_MEANINGS, metric_title
from reports.wording.meaning_groups import MeaningGroup, hue, meaning_groups
from reports.wording.meanings import meaning
from reports.wording.variant_letters import VariantLetters, assign_letters


@dataclass(frozen=True)
class Meaning:
    """All functions that compute the same: what they compute, and who they are."""

    anchor: str
    metric: str
    metric_anchor: str
    mark: str
    hue: str
    verdict: str
    heading: str
    signature: str
    classes: tuple[str, ...]
    differences: tuple[AxisDifference, ...]
    choices: tuple[AxisChoice, ...]
    formula: tuple[RenderedLine, ...]
    averaging: tuple[str, ...]
    """How users become one number, in words. Both empty where the definition is not one of the reference."""
    equivalent: tuple[str, ...]
    separating: str
    nearest: Nearest | None
    witness: Witness | None
    waterfalls: tuple[Waterfall, ...]
    scatters: tuple[Scatter, ...]
    entries: tuple[Entry, ...]

    @property
    def known(self) -> bool:
        """Whether there is a definition to tell of."""
        return bool(self.choices)

    @property
    def measured(self) -> bool:
        """Whether there is a value to tell of."""
        return self.verdict in VERDICT_MEANINGS


def meanings(result: Result, drawn: Scatters) -> tuple[Meaning, ...]:
    """Return the page of every meaning, and of every finding that has none, by metric, with its plots of ``drawn``."""
    marks = assign_letters(result)
    libraries = {(entry.library, entry.version): entry for entry in result.libraries}
    return tuple(_meaning(group, result, marks, libraries, drawn) for group in meaning_groups(result, marks))


def _meaning(
    group: MeaningGroup, result: Result, marks: VariantLetters, libraries: Libraries, drawn: Scatters
) -> Meaning:
    first = group.first
    rows = [row for row in result.reference if row.metric == group.metric]
    shown = next((finding.witness for finding in group.findings if finding.witness), None)
    mark, definition = marks.mark(first), _definition(first)
    return Meaning(
        anchor=group.anchor,
        metric=metric_title(group.metric),
        metric_anchor=fragment("metric", group.metric),
        mark=mark,
        hue=hue(mark),
        verdict=first.verdict or first.status,
        heading=VERDICT_MEANINGS[first.verdict]
        if first.verdict
        else STATUS_LABELS[first.status].replace("–", "not offered"),
        signature=meaning(first) or first.signature or "",
        classes=first.classes,
        differences=axis_differences(first, rows[0].definition if rows else {}),
        choices=axis_choices(first),
        formula=render(formula_lines(definition)) if definition else (),
        averaging=tuple(line.text for line in averaging_lines(definition)) if definition else (),
        equivalent=first.equivalent,
        separating=first.evidence.separating_case or "",
        nearest=first.evidence.nearest,
        witness=shown,
        waterfalls=_waterfalls(group),
        scatters=_scatters(group, drawn),
        entries=entries(group.findings, shown, result, rows, libraries),
    )


def _definition(finding: Finding) -> Definition | None:
    """Return the identified definition; ``None`` where there is none, or none that this reference knows."""
    if not finding.signature:
        return None
    try:
        return parse(finding.signature)
    except SignatureError:
        # Of another version of the reference, or no signature at all: its axes are told in words.
        return None


def _waterfalls(group: MeaningGroup) -> tuple[Waterfall, ...]:
    """Return one waterfall for each cut-off: what computes the same is decomposed the same."""
    found: dict[int | None, Waterfall] = {}
    for finding in group.findings:
        if finding.k not in found and (made := waterfall(finding)) is not None:
            found[finding.k] = made
    return tuple(found.values())


def _scatters(group: MeaningGroup, drawn: Scatters) -> tuple[Scatter, ...]:
    """Return one plot for each cut-off: what computes the same gives users the same values."""
    found: dict[int | None, Scatter] = {}
    for finding in group.findings:
        if finding.scatter and finding.verdict != "agrees" and finding.k not in found:
            found[finding.k] = drawn.of(finding)
    return tuple(found.values())
