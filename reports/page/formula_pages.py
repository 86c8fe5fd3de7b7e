"""The pages of formulas and of metrics: who computes each formula, and the variants of a metric side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.formula_text import FormulaLine, averaging_lines, formula_lines
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.level_meaning import parsed
from recsys_metric_audit.reports.model.result import Finding, Result, Witness
from recsys_metric_audit.reports.page.function_entries import (
    FunctionEntry,
    Libraries,
    function_entries,
    who_counts_words,
)
from recsys_metric_audit.reports.page.matrix import columns
from recsys_metric_audit.reports.plots.plots import Plot, Scatter, Scatters, formula_strips
from recsys_metric_audit.reports.plots.waterfall import Waterfall, waterfall
from recsys_metric_audit.reports.wording.axis_words import AxisDifference, axis_differences, variant_label
from recsys_metric_audit.reports.wording.formatting import Pairs, exact, one_line
from recsys_metric_audit.reports.wording.labels import VERDICT_MEANINGS, count
from recsys_metric_audit.reports.wording.meanings import IDENTIFIED, formula
from recsys_metric_audit.reports.wording.variant_letters import (
    MeaningGroup,
    VariantLetters,
    assign_letters,
    meaning_groups,
)


@dataclass(frozen=True)
class FormulaPage:
    """Shows all functions with one identified formula, or one finding without a definition.

    ``formula`` and ``averaging`` (how users become one number, in words) are empty if the reference cannot parse the
    signature, ``averaging`` also if other users count in some of the functions.
    """

    group: MeaningGroup
    mark: str
    differences: tuple[AxisDifference, ...]
    formula: tuple[FormulaLine, ...]
    averaging: tuple[str, ...]
    witness: Witness | None
    waterfalls: tuple[Waterfall, ...]
    scatters: tuple[Scatter, ...]
    entries: tuple[FunctionEntry, ...]

    @property
    def signature(self) -> str:
        """Return the formula; the whole signature if no formula was identified."""
        return formula(self.group.first) or self.group.first.signature or ""

    @property
    def verdicts(self) -> tuple[str, ...]:
        """Return the verdicts or statuses of its functions: of one formula, one may be documented and another not."""
        return tuple(dict.fromkeys(entry.verdict for entry in self.entries))

    @property
    def heading(self) -> str:
        """Return the verdicts in words."""
        return " or ".join(dict.fromkeys(entry.heading for entry in self.entries))

    @property
    def circles(self) -> tuple[tuple[str, tuple[FunctionEntry, ...]], ...]:
        """Pairs (who counts, in words; entries), as canonical first."""
        found = grouped((who_counts_words(entry.first, entry.usual), entry) for entry in self.entries)
        ordered = sorted(found.items(), key=lambda pair: pair[0] != "as canonical")
        return tuple((words, tuple(entries)) for words, entries in ordered)

    @property
    def known(self) -> bool:
        """True if a definition was identified."""
        return any(level_of(axis) == "formula" for axis in self.group.first.definition)

    @property
    def measured(self) -> bool:
        """True if a value was measured."""
        return set(self.verdicts) <= VERDICT_MEANINGS.keys()


def formula_pages(result: Result, drawn: Scatters) -> tuple[FormulaPage, ...]:
    """Return the page of every formula and of every finding without one, by metric.

    Args:
        result: The result of a run.
        drawn: Its scatter plots.
    """
    marks = assign_letters(result)
    libraries = {(entry.library, entry.version): entry for entry in result.libraries}
    return tuple(_page(group, result, marks, libraries, drawn) for group in meaning_groups(result, marks))


def _page(
    group: MeaningGroup, result: Result, marks: VariantLetters, libraries: Libraries, drawn: Scatters
) -> FormulaPage:
    first = group.first
    rows = [row for row in result.reference if row.metric == group.metric]
    shown = next((finding.witness for finding in group.findings if finding.witness), None)
    definition = parsed(first.formula or first.signature)
    differences = axis_differences(first, rows[0].definition if rows else {})
    same_users = len({finding.levels.get("who_counts", ()) for finding in group.findings}) == 1
    scattered = [each for each in group.findings if each.scatter and each.verdict != "agrees"]
    return FormulaPage(
        group=group,
        mark=marks.mark(first),
        differences=tuple(each for each in differences if level_of(each.axis) == "formula"),
        formula=formula_lines(definition) if definition else (),
        averaging=tuple(line.text for line in averaging_lines(definition)) if definition and same_users else (),
        witness=shown,
        waterfalls=tuple(filter(None, map(waterfall, _first_at_each_cutoff(group.findings, waterfall)))),
        scatters=tuple(map(drawn.of_finding, _first_at_each_cutoff(scattered, lambda finding: finding.scatter))),
        entries=function_entries(group.findings, shown, result, rows, libraries),
    )


def _first_at_each_cutoff(findings: Sequence[Finding], has: Callable[[Finding], object]) -> list[Finding]:
    """Return the first finding at each cut-off that has something to draw: it represents the formula."""
    found: dict[int | None, Finding] = {}
    for finding in findings:
        if finding.k not in found and has(finding):
            found[finding.k] = finding
    return list(found.values())


@dataclass(frozen=True)
class Variant:
    """One meaning beside the others.

    Attributes:
        meaning: Page of the meaning.
        label: The axes on which it differs, short.
        values: For each axis on which any variant differs, its value and whether that is not the canonical one.
        versions: The libraries that compute it: name, versions, the first finding.
    """

    meaning: FormulaPage
    label: str
    values: tuple[tuple[str, bool], ...]
    versions: tuple[tuple[str, str, Finding], ...]


@dataclass(frozen=True)
class MetricPage:
    """The page of one metric.

    ``canonical`` has its canonical signature and value at each cut-off. ``handbook`` is the canonical definition; None
    for a metric that the reference does not know. ``others`` are the findings without an identified definition or
    without a value.
    """

    name: str
    handbook: Definition | None
    canonical: Pairs
    summary: str
    axes: tuple[str, ...]
    variants: tuple[Variant, ...]
    others: tuple[FormulaPage, ...]
    strips: tuple[Plot, ...]
    scatters: tuple[Scatter, ...]


def metric_pages(result: Result, meanings: Sequence[FormulaPage], drawn: Scatters) -> tuple[MetricPage, ...]:
    """Return the page of every metric, in the order of the matrix.

    Args:
        result: The result of a run.
        meanings: The pages of its meanings.
        drawn: Its scatter plots.
    """
    by_metric, marks = grouped((each.group.metric, each) for each in meanings), assign_letters(result)
    return tuple(_metric_page(name, by_metric[name], result, drawn, marks) for name in columns(result.findings))


def _metric_page(
    metric: str, meanings: Sequence[FormulaPage], result: Result, drawn: Scatters, marks: VariantLetters
) -> MetricPage:
    cutoffs = dict.fromkeys(finding.k for finding in result.findings if finding.metric == metric)
    rows = [row for row in result.reference if row.metric == metric]
    known = [each for each in meanings if set(each.verdicts) <= set(IDENTIFIED)]
    axes = list(dict.fromkeys(each.axis for meaning in known for each in meaning.differences))
    findings = sum(len(each.group.findings) for each in meanings)
    return MetricPage(
        name=metric,
        handbook=Definition.of(metric) if metric in FAMILIES else None,
        canonical=tuple((row.signature, exact(row.value)) for row in rows),
        summary=f"{count(len(known), 'formula')} identified in {count(findings, 'finding')}",
        axes=tuple(axes),
        variants=tuple(_variant(each, axes) for each in known),
        others=tuple(each for each in meanings if each not in known),
        strips=tuple(plot for k in cutoffs if (plot := formula_strips(result, metric, k, marks))),
        scatters=drawn.of_metric(metric),
    )


def _variant(meaning: FormulaPage, axes: Sequence[str]) -> Variant:
    first = meaning.group.first
    by_library = grouped((one_line(entry.library.title), entry) for entry in meaning.entries)
    versions = tuple(
        (name, ", ".join(dict.fromkeys(v for entry in entries for v in entry.versions)), entries[0].first)
        for name, entries in by_library.items()
    )
    values = tuple((first.definition.get(axis, "–"), axis in first.differs_on) for axis in axes)
    return Variant(meaning, variant_label(meaning.differences) or "canonical", values, versions)
