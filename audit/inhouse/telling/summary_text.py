"""Writes the summary of one own function as text for a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import inf
from textwrap import wrap

from recsys_metric_audit.audit.inhouse.identify_function import IdentifyResult
from recsys_metric_audit.audit.inhouse.sheets.answers import AnswersResult
from recsys_metric_audit.audit.inhouse.sheets.further_cases import FurtherCases
from recsys_metric_audit.audit.inhouse.sheets.probe_files import case_id
from recsys_metric_audit.audit.inhouse.summary import NOT_ASKED, Summary
from recsys_metric_audit.audit.inhouse.unit_gains import with_gains_of_1
from recsys_metric_audit.audit.questions.threshold_cases import Bracket
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.axis_meanings import axis_question, value_meaning_in
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.space.levels import Level, by_level, level_of
from recsys_metric_audit.reports.model.statement import WELL, WHOLE
from recsys_metric_audit.reports.wording.formatting import printable
from recsys_metric_audit.reports.wording.labels import VERDICT_MEANINGS
from recsys_metric_audit.reports.wording.meanings import open_cutoff

WIDTH = 100
"""The most columns of a line."""
_INDENT = 13
_SHOWN_REFUSALS = 3
_OF_TIES = ("ties", "tied_scores")
_LEVEL_HEADS: dict[Level, str] = {"formula": "formula", "who_counts": "who counts", "input": "input"}


def text(result: IdentifyResult, width: int = WIDTH) -> str:
    """Return the summary in lines of at most ``width`` and 100 columns, long words aside; empty without answers."""
    return _wrapped(_lines(result, result.summary), width) if result.summary is not None else ""


def answers_text(result: AnswersResult, width: int = WIDTH) -> str:
    """Return what can be told from a file of answers, in lines of at most ``width`` and 100 columns."""
    summary = result.summary
    found, name = summary.finding, printable(summary.finding.function)
    lines = [f"{name}: {_fits(summary, 'computed by')}"] if summary.signature is not None else []
    lines += [*_verdict(summary), *_computed(summary)]
    if found.near is not None:
        lines += _row("fits", found.near.words().replace("it returned", "the answer is"))
    if summary.not_asked:
        lines += _row("not asked", f"{', '.join(summary.not_asked)}: no answer shows them; taken as canonical")
    if found.witness is not None:
        lines += _row("witness", found.witness.text.replace("the library says", "the answer is"))
    if result.further is not None:
        lines += _to_settle(result.further)
    return _wrapped([*lines, *_row("answers", f"{found.evidence.cases} cases; {_range(summary)}")], width)


def _computed(summary: Summary) -> Iterator[str]:
    """Yield rows on the definition, and on those that fit as well."""
    if summary.signature is not None:
        yield from _levels(parse(open_cutoff(summary.signature)), summary)
    for each in summary.equivalent:
        yield from _row("fits as well", each)


def _fits(summary: Summary, verb: str) -> str:
    """Return what a function computes; that it only fits, where no verdict can be given."""
    assert summary.signature is not None
    told = summary.finding.scope.of(summary.signature)
    return f"fits {told} on all that was answered" if summary.finding.unchecked else f"{verb} {told}"


def _verdict(summary: Summary) -> Iterator[str]:
    """Yield rows on the verdict, and on the checks without which none is given."""
    found = summary.finding
    if summary.finding.unchecked:
        yield from _row("verdict", f"none is given: {'; '.join(summary.finding.unchecked)}")
        return
    near, more = found.near, ""
    if near is not None and summary.signature is None and near.share >= WELL:
        more = " everywhere; the nearest is told below"
    yield from _row("verdict", f"{found.verdict}: {VERDICT_MEANINGS[found.verdict or 'unexplained']}{more}")
    if summary.signature is not None and summary.finding.scope != WHOLE:
        yield from _row("scope", str(summary.finding.scope))


def _to_settle(further: FurtherCases) -> Iterator[str]:
    """Yield rows on the cases to answer next; none where they settle nothing."""
    if not further.probes:
        return
    settled = f" {', '.join(further.axes)}" if further.axes else ""
    yield from _row(
        "to settle", f"answer {len(further.probes)} more cases, which tell{settled or ' what fits as well'}:"
    )
    for probe in further.probes:
        yield from _row("", f"{case_id(probe)}  k = {probe.k}, {probe.case.why}")


def _lines(result: IdentifyResult, summary: Summary) -> Iterator[str]:
    found, name = summary.finding, printable(result.request.target.name)
    for each in result.recognised:
        yield from _row("recognised", printable(each))
    if summary.signature is not None:
        yield f"{name} {_fits(summary, 'computes')}"
    if summary.signature is not None and (computed := parse(open_cutoff(summary.signature)).metric) != found.metric:
        yield from _row("metric", f"{computed}, not {found.metric}")
    yield from _verdict(summary)
    if result.several:
        yield from _row("several", printable(result.several))
    yield from _computed(summary)
    if found.near is not None and (summary.signature is None or found.near.scope != summary.finding.scope):
        yield from _row("fits" if summary.signature is None else "as it stands", printable(found.near.words()))
    if summary.not_asked:
        yield from _row(
            "not asked", f"{', '.join(summary.not_asked)}: this call does not show them; taken as canonical"
        )
    if "no_hit" in summary.not_asked and summary.signature is not None:
        yield from _row("misses", "no user without a hit can be passed: how such a user counts is not known")
    yield from _refused(summary)
    if found.witness is not None and found.near is None:
        yield from _row("witness", found.witness.text.replace("the library says", "the function says"))
    for number, hazard in enumerate(result.hazards):
        yield from _row("" if number else "hazards", printable(hazard))
    yield from _held_out(summary)
    yield from _row("asked", f"{found.evidence.cases} cases, under Python {result.python}; {_range(summary)}")


def _held_out(summary: Summary) -> Iterator[str]:
    """Yield a row on the held-out inputs that a definition predicted."""
    evidence = summary.finding.evidence
    if summary.signature is not None and evidence.held_out_users:
        without = f", {evidence.held_out}" if evidence.held_out else ""
        yield from _row(
            "held out",
            f"{evidence.held_out_users:,} users in {evidence.held_out_cases} cases, all as predicted{without}",
        )
    for axis, why in evidence.refuted.items():
        yield from _row("refuted", printable(f"{axis}: {why}"))


def _levels(definition: Definition, summary: Summary) -> Iterator[str]:
    """Yield a row for each axis that is not canonical, level by level; a level without one is as canonical."""
    unknown = {*summary.finding.unknown, *summary.finding.no_rule} - {*summary.not_asked}
    for level, axes in by_level(definition.differs_on).items():
        of_level = [axis for axis in definition.axes if level_of(axis) == level]
        lines = [_axis_meaning(definition, axis) for axis in axes if axis not in summary.finding.no_rule]
        if not lines and any(axis not in summary.not_asked for axis in of_level):
            lines = ["as canonical, but for what is told below" if unknown & {*of_level} else "as canonical"]
        lines += [
            f"{'ties' if axis in _OF_TIES else axis}: follow none of the known rules; {summary.finding.no_rule[axis]}"
            for axis in of_level
            if axis in summary.finding.no_rule
        ]
        for number, line in enumerate(lines):
            yield from _row("" if number else _LEVEL_HEADS[level], line)
    if not summary.finding.scope.gains_of_1 and (short := with_gains_of_1(definition)) != shortest(definition):
        canonical = "" if any(level_of(axis) == "formula" for axis in short.differs_on) else ", the canonical formula"
        yield from _row("gains of 1", f"where every gain is 1, this is {short.signature()}{canonical}")
    if summary.threshold is not None:
        yield from _row("threshold", _between(summary.threshold))
    if left := [axis for axis in summary.finding.unknown if axis not in (*summary.not_asked, *summary.finding.no_rule)]:
        yield from _row("not known", f"{', '.join(left)}: several of their values fit")


def _between(bracket: Bracket) -> str:
    """Tell between which gains a threshold of the function's own lies."""
    low = f"a gain of {bracket.irrelevant:.10g} is not relevant" if bracket.irrelevant > 0 else ""
    high = f"one of {bracket.relevant:.10g} is" if bracket.relevant < inf else "no larger gain was asked"
    return f"{low or 'no smaller gain is known to be irrelevant'}, {high}" + (
        "" if bracket.is_narrow else "; nothing between was answered"
    )


def _refused(summary: Summary) -> Iterator[str]:
    """Yield rows on the cases without a number, one for errors that differ in numbers only; rare ones in sum."""
    alike: dict[str, list[str]] = {}
    for refusal in summary.refusals:
        alike.setdefault(re.sub(r"\d+", "#", refusal) if ": " in refusal else refusal, []).append(refusal)
    kinds = sorted(alike.values(), key=lambda kind: (NOT_ASKED in kind, -sum(map(summary.refusals.__getitem__, kind))))
    for kind in kinds[:_SHOWN_REFUSALS]:
        times = sum(summary.refusals[each] for each in kind)
        said = f"{printable(kind[0])}{' (or with other numbers)' if len(kind) > 1 else ''}"
        yield from _row("no number", f"{times} of {summary.finding.evidence.cases} cases: {said}")
        yield from _row("", f"first on {printable(summary.refused_inputs[kind[0]])}")
    others = [summary.refusals[each] for kind in kinds[_SHOWN_REFUSALS:] for each in kind]
    if others:
        yield from _row("", f"and {sum(others)} cases for other reasons, all in --format json")


def _axis_meaning(definition: Definition, axis: str) -> str:
    value = definition.axes[axis]
    asks = f"{axis_question(definition, axis)}: " if level_of(axis) == "who_counts" else ""
    return f"{axis}:{value} ({asks}{value_meaning_in(definition, axis, value)})"


def _range(summary: Summary) -> str:
    asked = summary.finding.evidence.range
    k = str(summary.finding.k) if summary.one_k else asked.get("k", "")
    return f"gains {asked.get('gains', '')}, k {k}; beyond that nothing is claimed"


def _row(head: str, words: str) -> list[str]:
    return [f"  {head:<{_INDENT}}{words}"]


def _wrapped(lines: Iterable[str], width: int) -> str:
    """Join rows, the words of each broken where they are wider than a terminal and set below each other.

    The line with the function and its signature stays whole, so that it can be found and copied.
    """
    deeper = " " * (2 + _INDENT)
    rows = (
        wrap(line, min(width, WIDTH), subsequent_indent=deeper, break_on_hyphens=False, break_long_words=False)
        if line.startswith("  ")
        else [line]
        for line in lines
    )
    return "\n".join(part for row in rows for part in row)
