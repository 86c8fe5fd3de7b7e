"""Holds the page of findings and the table of CSV against the raw answers."""

from __future__ import annotations

import csv
import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import pairwise

from recsys_metric_audit.reference.space.levels import LEVELS
from recsys_metric_audit.reports.model.result import Effect, Witness, WitnessItem
from recsys_metric_audit.reports.verification.document import UnreadableError, plain
from recsys_metric_audit.reports.verification.facts import Fact, Facts, grouped, listed, means, open_cutoff, span
from recsys_metric_audit.reports.verification.ledger import Kind, Ledger

_UNKNOWN = {
    "ambiguous": "not known which formula",
    "unexplained": "no formula fits",
    "unstable": "not reproducible",
}
_LAYOUT = {"", "<details><summary>Text for an issue</summary>", "````markdown", "````", "</details>"}
_OF_AXES = ("differs_on", "unknown", "cannot_matter", "does_not_apply")
_ALWAYS = {"library", "version", "function", "metric", "k", "status", "verdict", "value", "canonical_value"}
"""Columns without which a row says nothing."""


class FindingsJudge:
    """Judges the page of findings: under each heading stand the lines that the result file asks for."""

    def __init__(self, facts: Facts, ledger: Ledger) -> None:
        self.facts, self.ledger = facts, ledger
        self.every = facts.at(facts.first_k) if facts.result.k else facts.every
        self.newest = [each for each in self.every if facts.is_newest(each)]
        self.measured = [each for each in self.newest if each.verdict]
        self.differing = [each for each in self.measured if each.verdict != "agrees" or each.contradicted]

    def judge(self, text: str) -> None:
        """Hold every line of the page, and that none is missing."""
        raw = _raw(text)
        last = re.search(r"^Canonical in every function that was measured: (.*)\.\n", raw, re.MULTILINE)
        head, *sections = re.split(r"^##+ (.*)\n", raw.replace(last[0], "") if last else raw, flags=re.MULTILINE)
        run = [line for line in head.splitlines() if line.startswith("Run of ")]
        if not head.startswith("# Findings\n") or len(run) != 1:
            raise UnreadableError(self.ledger.file, "it is no page of findings, or no line says which run it is of")
        self.ledger.at("head", "run").says(run[0], self._run())
        alike = sorted({_raw(each.name) for each in self.measured} - {_raw(each.name) for each in self.differing})
        told = sorted(re.split(r", | and ", last[1])) if last else []
        self.ledger.at("page", "canonical in every function").holds("sentences", told, alike)
        expected = {_raw(heading): [*map(_raw, lines)] for heading, lines in self._sections()}
        self.ledger.at("page", "headings").holds("sentences", sorted(sections[::2]), sorted(expected))
        for heading, body in zip(sections[::2], sections[1::2], strict=True):
            printed = [line.strip() for line in body.splitlines() if line.strip() not in _LAYOUT]
            due = expected.get(heading, [])
            if heading not in self.facts.entries:  # lines about a library stand in the order of its functions
                printed, due = sorted(printed, key=_sorting), sorted(due, key=_sorting)
            self.ledger.at(heading, "lines").holds("sentences", len(printed), len(due))
            for line, right in zip(printed, due, strict=False):
                self.ledger.at(heading, _sorting(right)[0] or "line").says(line, right)

    def _run(self) -> str:
        run = self.facts.result
        contradicted = {(each.title, each.metric, each.formula) for each in self.measured if each.contradicted}
        return _raw(
            f"Run of {run.time:%Y-%m-%d} on {plain(run.dataset.name)}, newest of the recorded versions: "
            f"{len(self.facts.newest)} librar⟨y⟩⟨ies⟩, {_counted(self.measured)}; "
            f"{len(contradicted)} formula⟨s⟩ other than the library's own documentation states."
        )

    def _sections(self) -> Iterator[tuple[str, Iterable[str]]]:
        """Yield each heading of the page with the lines below it."""
        yield "Who agrees with whom", ()
        known = [each for each in self.newest if each.formula]
        for title, own in grouped(known, lambda each: each.metric_title).items():
            yield title, map(_agreeing, grouped(own, lambda each: each.formula).values())
        yield "Library by library", ()
        differing = grouped(self.differing, lambda each: each.name)
        for name, own in grouped(self.newest, lambda each: each.name).items():
            lost = [each for each in own if each.outcome in ("failed", "crashed", "timed_out")]
            if name in differing or lost:
                yield name, _library(own, lost, differing.get(name, []))
        changes = [_change(*pair) for pair in self.facts.changes(self.every, lambda each: each.function)]
        if changes:
            yield "Between releases", changes


def _change(new: Fact, old: Fact) -> str:
    before, after = (f"{each.words} in {plain(each.entry.version)}" for each in (old, new))
    return f"- {new.title} `{new.function}` ({new.metric_title}): {before}; {after}"


def _counted(measured: Sequence[Fact]) -> str:
    agreeing = sum(each.verdict == "agrees" for each in measured)
    return f"{len(measured)} function⟨s⟩ measured, {agreeing} with the canonical formula"


def _agreeing(own: Sequence[Fact]) -> str:
    titles = sorted({each.title for each in own}, key=str.lower)
    return f"- {own[0].words} (`{own[0].formula}`)⟨, canonical on yes/no data⟩: {listed(titles)}"


def _library(own: Sequence[Fact], lost: Sequence[Fact], differing: Iterable[Fact]) -> Iterator[str]:
    """Yield the lines about the newest version of a library."""
    without = f"; {len(lost)} not: {_code_list(lost)}" if lost else ""
    yield f"{_counted([each for each in own if each.verdict])}{without}."
    for group in grouped(differing, lambda each: (each.metric, each.formula, each.contradicted)).values():
        yield from _difference(group)


def _difference(group: Sequence[Fact]) -> Iterator[str]:
    """Yield the lines about functions that compute one formula under one name."""
    first, finding, codes = group[0], group[0].finding, _code_list(group)
    meaning = first.words if first.formula else _UNKNOWN.get(first.outcome, "")
    sources = {source for each in group for source in each.finding.documented_by}
    standing = ", a formula of the literature" if sources else ", documented nowhere"
    standing = ", as documented" if "library" in finding.documented_by else standing
    here = f", {span(means(group))} here" if means(group) else ""
    told = standing if first.formula and not first.contradicted else ""
    yield f"- **{first.metric_title}**: {meaning}{here} ({codes}){told}"
    where, says = plain(first.entry.claims.get(finding.function, "")), plain(finding.claim_says or "")
    claimed = open_cutoff(plain(finding.claimed or ""))
    if first.contradicted:
        quoted = f"`{says}`, that is " if "\\" in says else f"“{says}”, that is " if says else ""
        yield f"- Documented: {quoted}⟦any words⟧ (`{claimed}`){where and f'; {where}'}"
    if finding.evidence.unpredicted:
        yield f"- {plain(finding.evidence.unpredicted)}"
    shown = next((each.finding.witness for each in group if each.finding.witness), None)
    witness = finding.claim_witness if first.contradicted else shown
    stated_by = "its documentation" if first.contradicted else "the canonical formula"
    smallest = _witness(witness, stated_by) if witness else ""
    if smallest:
        yield f"- Witness: {smallest}"
    if first.contradicted or (first.formula and not sources):
        yield from _issue(first, codes, meaning, where, says or claimed)
        if smallest:
            yield f"Smallest input: {smallest}."
        yield from _script(first)


def _issue(first: Fact, codes: str, meaning: str, where: str, says: str) -> Iterator[str]:
    """Yield the lines of a text for an issue, but for its end."""
    name, source = first.function.partition("[")[0].rpartition(".")[2], plain(first.entry.source)
    if first.contradicted:
        yield f"# {name}: documentation and code state different formulas of {first.metric_title}"
        yield f"The documentation of {codes} says{where and f' ({where})'}:"
        yield f"> {says}"
        yield f"The code, in {source}, computes another formula: {meaning}."
    else:
        yield f"# {name}: the documentation does not say which {first.metric_title} is computed"
        computed = f"A formula that the documentation does not state is computed in {source} by {codes}: {meaning}."
        yield f"{computed} Its values are compared with those of tools that compute another."


def _script(first: Fact) -> Iterator[str]:
    """Yield the lines of a script, or how to get one."""
    if first.finding.script:
        yield from ("```python", *filter(None, map(str.strip, first.finding.script.splitlines())), "```")
    else:
        subject = f"{first.finding.library}=={first.finding.version}:{first.finding.function}"
        yield f"To reproduce: `audit reproduce {subject!r}` of recsys-metric-audit prints a script."


def _witness(witness: Witness, stated_by: str) -> str:
    """Return the smallest input and its values; a recorded run leaves the users out, and it can be any input."""
    lists = []
    for user in witness.users[:2]:
        scores = [each.score for each in user.items if each.score is not None]
        unordered = any(one <= other for one, other in pairwise(scores))
        missing = f", and relevant items not in it [{_gains(user.missing)}]" if user.missing else ""
        scored = f" and scores [{' '.join(f'{each:g}' for each in scores)}]" if unordered else ""
        lists.append(f"a list with gains [{_gains(user.items)}]{scored}{missing}")
    more = len(witness.users) - 2
    lists += [f"and {more} more user⟨s⟩"] if more > 0 else []
    at = f", k = {witness.k}" if witness.k is not None else ""
    numbers = (witness.canonical_value, witness.library_value)
    ours, theirs = ("no value" if number is None else repr(number) for number in numbers)
    return f"{'; '.join(lists) or '⟦any lists⟧'}{at}: {stated_by} gives {ours}, the library {theirs}"


def _gains(items: Iterable[WitnessItem]) -> str:
    return " ".join(f"{each.gain or 0.0:g}" for each in items)


def _raw(text: str) -> str:
    """Return text without escapes of Markdown and HTML, of those that stand in code too."""
    return html.unescape(html.unescape(text)).replace("\\", "").replace("\u2060", "")


def _sorting(line: str) -> tuple[str, str]:
    """Return the first text in code of a line, and its last word: no other line below its heading has both."""
    found = re.search(r"`(.*?)`", line)
    return found[1] if found else "", line.rpartition(" ")[2]


def _code_list(own: Sequence[Fact]) -> str:
    """Return the names of functions as the page lists them: at most four, and the number of others."""
    names = [f"`{each.function}`" for each in own]
    return ", ".join([*names[:4], *([f"{len(names) - 4} more"] if names[4:] else [])])


def judge_csv(text: str, facts: Facts, ledger: Ledger) -> None:
    """Hold every field of the table of findings: one row a finding, in their order, numbers with every digit."""
    rows = list(csv.DictReader(StringIO(text, newline="")))
    if len(rows) != len(facts.every) or not rows:
        raise UnreadableError(ledger.file, f"it has {len(rows)} rows for {len(facts.every)} findings")
    for row, fact in zip(rows, facts.every, strict=True):
        at, right = f"{fact.name} {fact.function} {fact.k or ''}".strip(), _fields(fact, facts)
        if set(row) - set(right) or not set(row) >= _ALWAYS:
            raise UnreadableError(ledger.file, f"{at} lacks columns, or has columns that are not known")
        for name, field in row.items():
            kind: Kind = "numbers" if isinstance(right[name], float) else "sentences"
            kind = "verdicts" if name in ("verdict", "status") else kind
            printed = plain(_text(right[name]))
            ledger.at(at, name).holds(kind, field, printed, plain(field) in (printed, f"'{printed}"))


def _fields(fact: Fact, facts: Facts) -> Mapping[str, object]:
    finding, effect = fact.finding, fact.finding.effect or Effect.model_construct(**dict.fromkeys(Effect.model_fields))
    canonical = facts.canonical(fact.metric, fact.k)
    return {
        **{name: getattr(finding, name) for name in (*type(finding).model_fields, *_OF_AXES)},
        "canonical_value": canonical.value if canonical else None,
        "same_value": effect.same_value,
        **{f"effect_{name}": getattr(effect, name) for name in ("formula", "who_counts", "input", "total")},
        **{f"differs_{level}": finding.levels.get(level, ()) for level in LEVELS},
        "python": fact.entry.python,
        "dataset": facts.result.dataset.name,
        "dataset_digest": facts.result.dataset.digest,
    }


def _text(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: ""}[value]
    if isinstance(value, tuple | dict):
        return "; ".join(value)
    return repr(value) if isinstance(value, float) else str(value)
