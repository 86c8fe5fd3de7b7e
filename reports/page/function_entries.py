"""The entries of a formula's page: one function with every version and cut-off about which the page says one thing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recsys_metric_audit.reference.evaluation.readable_number import told_apart
from recsys_metric_audit.reference.space.contract_words import MEANING
from recsys_metric_audit.reference.space.levels import LEVELS, Level, level_of
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.level_meaning import LEVEL_TITLES
from recsys_metric_audit.reports.model.result import (
    Behaviour,
    Effect,
    EvidenceSummary,
    Finding,
    Library,
    Reference,
    Result,
    Witness,
)
from recsys_metric_audit.reports.plots.waterfall import signed
from recsys_metric_audit.reports.wording.anchors import rerun_command
from recsys_metric_audit.reports.wording.axis_words import AxisDifference, axis_differences, axis_question
from recsys_metric_audit.reports.wording.formatting import Pairs, brief, exact, one_line, rounded, short
from recsys_metric_audit.reports.wording.formula_words import formula_contrast, formula_words
from recsys_metric_audit.reports.wording.labels import STATUS_LABELS, VERDICT_MEANINGS, count, joined, metric_title
from recsys_metric_audit.reports.wording.meanings import IDENTIFIED, is_canonical_value, meaning

_STATES = {"library": "its own documentation", "catalogue": "a source of the catalogue"}
_NOTHING = 5e-7
"""Smallest change of a value that is told as one: six decimals."""


@dataclass(frozen=True)
class LevelLine:
    """Holds one level of a finding: its title, and pairs of a state and its words.

    A state is ``as canonical`` (without words), ``differs``, ``not known``, ``cannot matter`` or ``does not apply``.
    """

    title: str
    states: tuple[tuple[str, str], ...]


def computed_sentence(finding: Finding) -> str:
    """Return what a measured function computes, in one sentence that needs no signature."""
    title = metric_title(finding.metric)
    if finding.verdict == "agrees":
        return f"It computes the canonical {title}."
    if finding.verdict not in IDENTIFIED or finding.formula is None:
        return f"{title}: {VERDICT_MEANINGS[finding.verdict or 'unexplained']}."
    words = formula_contrast(finding.metric, finding.formula)
    return f"It computes {title} by another formula: {words}." if words else f"It computes the usual {title}."


def effect_sentence(finding: Finding, canonical: Reference | None) -> str:
    """Return what a measured function gives on the data, and which level moves it from the canonical value."""
    if finding.value is None:
        return "It gives a value for each user and no mean."
    value = rounded(finding.value)
    if canonical is None:
        return f"On this data it is {value}."
    usual = rounded(canonical.value)
    if is_canonical_value(finding, canonical):
        if value != usual:
            return f"On this data it is {value}: the canonical {usual} to the digits that it gives."
        return f"On this data it is {value}, and so is the canonical {metric_title(finding.metric)}."
    if value == usual:
        value, usual = told_apart(finding.value, canonical.value)
    found = f"On this data it is {value}, the canonical {usual}"
    return f"{found}{_moves(finding.effect, _mover(finding))}." if finding.effect else f"{found}."


def _mover(finding: Finding) -> str:
    """Return what moves the value on the level of the formula, which a call can do by what it passes."""
    passed = [axis for axis in finding.assumed if axis in finding.does_not_apply and level_of(axis) == "formula"]
    if not passed:
        return "the formula"
    return "what the call passes" if finding.verdict == "agrees" else "the formula with what the call passes"


def _moves(effect: Effect, mover: str) -> str:
    """Return a clause that says which level moves the value by how much; ``mover`` is what does on the first."""
    by = {mover: effect.formula, "who counts": effect.who_counts, "input handling": effect.input}
    still = [name for name, change in by.items() if abs(change) < _NOTHING]
    moving = [f"{name} makes {signed(c)} of it" for name, c in by.items() if abs(c) >= _NOTHING]
    broken = [f"from {name} on it is no number" for name, change in by.items() if math.isnan(change)][:1]
    nothing = [f"{joined(still)} {'make' if len(still) > 1 else 'makes'} nothing of it"] if still else []
    return "; " + ", ".join([*moving, *broken, *nothing])


def level_lines(finding: Finding, canonical: Mapping[str, str]) -> tuple[LevelLine, ...]:
    """Return a line for each level; none for a finding of which no definition is known.

    Args:
        finding: A finding.
        canonical: Canonical values by axis, for axes that the reference does not know.
    """
    if not finding.definition or finding.signature is None:
        return ()
    differences = axis_differences(finding, canonical)
    return tuple(LevelLine(LEVEL_TITLES[level].capitalize(), _states(finding, level, differences)) for level in LEVELS)


def _states(finding: Finding, level: Level, differences: Sequence[AxisDifference]) -> tuple[tuple[str, str], ...]:
    own = [each for each in differences if level_of(each.axis) == level]
    differs = "; ".join(map(_difference, own))
    if level == "formula" and own and finding.formula:  # the sentence above names the canonical values
        differs = formula_words(finding.metric, finding.formula)
    unknown = "; ".join(axis_question(finding, axis) for axis in finding.unknown if level_of(axis) == level)
    states = [
        ("differs", differs),
        ("not known", unknown),
        ("cannot matter", _reasons(finding, finding.cannot_matter, level)),
        ("does not apply", _reasons(finding, finding.does_not_apply, level)),
    ]
    told = tuple((state, words) for state, words in states if words)
    return told if differs else (("as canonical", ""), *told)


def _difference(each: AxisDifference) -> str:
    here, usual = each.means or each.value, each.canonical_means or each.canonical
    return f"{_brief(each.asks) or each.axis}: {here} (canonical: {usual})"


def _reasons(finding: Finding, reasons: Mapping[str, str], level: Level) -> str:
    """Return the axes of a level with their reasons; axes with one reason share it."""
    own = {axis: one_line(reason) for axis, reason in reasons.items() if level_of(axis) == level}
    by_reason = grouped((reason, axis_question(finding, axis)) for axis, reason in own.items())
    return "; ".join(f"{', '.join(axes)} ({reason})" for reason, axes in by_reason.items())


def _brief(text: str) -> str:
    return text.split(" (")[0]


def who_counts_words(finding: Finding, canonical: Mapping[str, str]) -> str:
    """Return who counts in a function: ``as canonical``, or the differences."""
    own = [each for each in axis_differences(finding, canonical) if level_of(each.axis) == "who_counts"]
    return "; ".join(_difference(each) for each in own) or "as canonical"


def contract_words(finding: Finding) -> str:
    """Return what a function takes, and with what the adapter called it; empty if its contract is not recorded."""
    takes = "; ".join(MEANING.get(word, word) for part, word in finding.takes.items() if word != "any")
    called = f"Called with: {joined([one_line(each) for each in finding.called_with])}." if finding.called_with else ""
    return " ".join(filter(None, (f"It takes {takes}." if takes else "", called)))


def documented_words(finding: Finding) -> str:
    """Return who states the formula of an identified finding; empty if none was identified."""
    if finding.verdict not in IDENTIFIED:
        return ""
    by = joined([_STATES[each] for each in finding.documented_by])
    if not by:
        return "The formula is stated by neither its own documentation nor a source of the catalogue."
    return f"The formula is stated by {by}."


def held_out_line(evidence: EvidenceSummary) -> str:
    """Return one line about the held-out inputs of a finding; empty for a file that tells nothing of them."""
    tried = ""
    if evidence.held_out_cases:
        users, cases = count(evidence.held_out_users, "user"), count(evidence.held_out_cases, "case")
        tried = f"{users} in {cases}, all predicted"
    without = f" ({evidence.held_out})" if tried and evidence.held_out else evidence.held_out
    refuted = "; ".join(f"{axis}: {words}" for axis, words in evidence.refuted.items())
    return "; ".join(part for part in (tried + without, refuted) if part)


Libraries = Mapping[tuple[str, str], Library]
Numbers = tuple[int | None, str, str, bool, tuple[str, ...]]
"""The cut-off, the value with every digit, the canonical value, whether it was live, and the evidence of its own."""


@dataclass(frozen=True)
class FunctionEntry:
    """One function of one library, with all versions and cut-offs that share the text of the entry.

    Attributes:
        findings: Its findings; the first one represents it.
        library: The library version of the first finding.
        canonical: The canonical value at the first cut-off; None if it is not known.
        usual: The canonical definition.
        rows: The findings by their numbers.
        evidence: Evidence that all findings share, as pairs (name, words).
        columns: Names of the evidence in which findings differ.
        own_witness: Whether the first witness differs from the one that the page of the formula shows.
        odd: Pairs (title of an experiment, behaviour) where the behaviour is wrong or unusual.
        command: Command that repeats the first finding.
        like: The first finding of the page that has a script, which is shown in place of this one's.
    """

    findings: tuple[Finding, ...]
    library: Library
    canonical: Reference | None
    usual: Mapping[str, str]
    rows: Mapping[Numbers, Sequence[Finding]]
    evidence: Pairs
    columns: tuple[str, ...]
    own_witness: bool
    odd: tuple[tuple[str, Behaviour], ...]
    command: str
    like: Finding | None

    @property
    def first(self) -> Finding:
        """Return the finding that represents the entry."""
        return self.findings[0]

    @property
    def verdict(self) -> str:
        """Return the verdict, or else the status."""
        return self.first.verdict or self.first.status

    @property
    def heading(self) -> str:
        """Return the verdict, or else the status, in words."""
        if self.first.verdict:
            return VERDICT_MEANINGS[self.first.verdict]
        return STATUS_LABELS[self.first.status].replace("–", "not offered")

    @property
    def signature(self) -> str:
        """Return the whole identified definition, with its cut-off left open."""
        return meaning(self.first) or self.first.signature or ""

    @property
    def versions(self) -> tuple[str, ...]:
        """Return every version once."""
        return tuple(dict.fromkeys(one_line(each.version) for each in self.findings))

    @property
    def live(self) -> bool:
        """True if no finding was replayed from a recording."""
        return all(each.live for each in self.findings)

    @property
    def cutoffs(self) -> str:
        """The cut-offs in words; empty for a function that takes none."""
        return ", ".join(dict.fromkeys(str(each.k) for each in self.findings if each.k is not None))


def function_entries(
    findings: Sequence[Finding], shown: Witness | None, result: Result, rows: Sequence[Reference], libraries: Libraries
) -> tuple[FunctionEntry, ...]:
    """Return the entries of all findings of one formula.

    Args:
        findings: The findings.
        shown: The witness that the page of the formula shows; None without one.
        result: The result that they are part of.
        rows: The canonical values of the metric.
        libraries: Every library version of the result.
    """
    groups = grouped(
        (_entry_key(each, libraries[each.library, each.version], _has_own_witness(each, shown)), each)
        for each in findings
    )
    example = next((group[0] for group in groups.values() if group[0].script), None)
    titles = {experiment.name: experiment.title for experiment in result.experiments}
    return tuple(
        FunctionEntry(
            findings=tuple(group),
            library=libraries[group[0].library, group[0].version],
            canonical=_canonical(group[0], rows),
            usual=rows[0].definition if rows else {},
            own_witness=_has_own_witness(group[0], shown),
            odd=tuple((titles.get(name, name), each) for name, each in group[0].behaviours.items() if each.slug),
            command=rerun_command(result, group[0]),
            like=example if group[0].script and group[0] is not example else None,
            **_numbers(group, rows),
        )
        for group in groups.values()
    )


def _entry_key(finding: Finding, entry: Library, own_witness: bool) -> object:
    """Return everything that an entry says except versions and numbers: findings that share it share an entry."""
    acts = tuple(
        (name, behaviour.name, behaviour.slug, behaviour.text if behaviour.slug else "")
        for name, behaviour in finding.behaviours.items()
    )
    case = finding.witness.case if finding.witness and own_witness else ""
    claim = (finding.claimed, finding.matches_claim, entry.claims.get(finding.function, ""), finding.documented_by)
    reasons = (*finding.cannot_matter.items(), *finding.does_not_apply.items())
    taken = (*finding.takes.items(), *finding.called_with)
    levels = (meaning(finding), finding.unknown, reasons, taken)
    seen = (finding.evidence.unpredicted, finding.evidence.separating_case)
    said = (finding.verdict, finding.reason, *seen, claim, levels, acts, case)
    return (finding.library, finding.function, *said, not finding.script)


def _has_own_witness(finding: Finding, shown: Witness | None) -> bool:
    return finding.witness is not None and shown is not None and finding.witness.case != shown.case


def _numbers(group: Sequence[Finding], rows: Sequence[Reference]) -> dict[str, Any]:
    """Return the fields ``rows``, ``evidence`` and ``columns`` of the entry of ``group``."""
    seen = [_evidence(each) for each in group]
    names = dict.fromkeys(name for each in seen for name in each)
    columns = tuple(name for name in names if len({each.get(name) for each in seen}) > 1)
    lines: dict[Numbers, list[Finding]] = {}
    for finding, told in zip(group, seen, strict=True):
        row = _canonical(finding, rows)
        own = tuple(told.get(name, "–") for name in columns)
        key = (finding.k, exact(finding.value), short(row.value if row else None), finding.live, own)
        lines.setdefault(key, []).append(finding)
    shared = tuple((name, words) for name, words in seen[0].items() if name not in columns)
    return {"rows": lines, "evidence": shared, "columns": columns}


def _canonical(finding: Finding, rows: Sequence[Reference]) -> Reference | None:
    return next((row for row in rows if row.k in (finding.k, None)), None)


def _evidence(finding: Finding) -> dict[str, str]:
    """Return the evidence of a finding by name, in words, without what is empty."""
    if finding.verdict is None:
        return {}
    seen = finding.evidence
    rows = {
        "Cases asked": f"{seen.cases:,}",
        "Largest deviation": brief(seen.largest_deviation) if seen.largest_deviation is not None else "",
        "Tolerance": brief(seen.tolerance) if seen.tolerance is not None else "",
        "Identified definition on the data": exact(seen.fitted_value) if seen.fitted_value is not None else "",
        "Asked up to": "; ".join(f"{name} {words}" for name, words in seen.range.items()),
        "Not told by what was asked": ", ".join(seen.blind),
        "Held-out inputs": held_out_line(seen),
    }
    return {name: words for name, words in rows.items() if words}
