"""Holds the sentences of a report that have a figure, a name or a verdict in them against the raw answers."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from recsys_metric_audit.reports.verification.document import NUMBER, is_rounding, plain
from recsys_metric_audit.reports.verification.facts import Fact, Facts, grouped, listed, means, on_yes_no_data, span
from recsys_metric_audit.reports.verification.ledger import Ledger, Place

_GROUPS = {
    "recommender frameworks": "frameworks", "metric libraries": "metrics", "learning to rank": "ranking",
    "search and text": "search", "systems of the paper": "paper", "libraries without a group": "",
}  # fmt: skip
_QUESTION = "Do libraries compute the same metric?"
_ANSWERS = r"(?:No|No difference was found|Yes, on what was asked here)\. Of |One library version was|Nothing "
_UNKNOWN = {"unexplained": "no known formula fits", "unstable": "not reproducible"}
_SINGLE_PRECISION = 1e-6
"""Numbers that differ by less, relatively, are one that was computed in single precision."""


class SentenceJudge:
    """Judges the sentences of one form: each begins in a way that no other does."""

    def __init__(self, facts: Facts, ledger: Ledger) -> None:
        self.facts, self.ledger = facts, ledger
        self.measured = [each for each in facts.offered if each.verdict]
        self.newest = [each for each in facts.offered if facts.is_newest(each)]
        self.headlines: list[str] = []
        acts = {act.name.replace("_", " ") for each in facts.every for act in each.finding.behaviours.values()}
        self.expected = {start: f"{start}{rest}" for start, rest in self._closing()} | {
            f"{act}: ": f"{act}: ⟦any⟧" for act in acts
        }

    def judge(self, line: str) -> bool:
        """Hold one sentence; return False if it is of no known kind."""
        title, _, note = line.removeprefix("# ").partition(": ")
        start = next((each for each in self.expected if line.startswith(each)), "")
        if re.match(_ANSWERS, line):
            self.ledger.at("answer", "sentence").says(line, self._answer())
        elif title in self.facts.metrics:
            self._headline(title, line)
        elif title in self.facts.labels and note.startswith(("unavailable: ", "failed: ")):
            entry = self.facts.entries[self.facts.labels[title]]
            right = f"{title}: {entry.status}: {plain(entry.reason or '')}"
            self.ledger.at(title, "status").says(line, f"{right[: len(line) - 1]}…" if line[-1] == "…" else right)
        elif line.startswith("Not in these tables"):
            counts = Counter(each.group for each in self.facts.result.libraries)
            for name, number in re.findall(r"(?:: |, | and )([^:]+?) \((\d+)\)", line):
                self.ledger.at("not in these tables", name).says(number, str(counts[_GROUPS.get(name, name)]))
        elif start:
            self.ledger.at(start.rstrip(" :("), "sentence").says(line, self.expected[start])
        else:
            return title == _QUESTION
        return True

    def _closing(self) -> Iterator[tuple[str, str]]:
        """Yield how each kind of sentence behind the tables begins, and what has to follow."""
        offered, run, data = self.facts.offered, self.facts.result, self.facts.result.dataset
        changes = self.facts.changes(offered, lambda each: each.metric)
        absent = [f"{name} ({each.status})" for name, each in self.facts.entries.items() if each.status != "audited"]
        contradicted = [each for each in offered if each.formula and each.contradicted]
        surprises = {
            "Another formula than documented": [f"{_label(each)}⟨, {each.words}⟩" for each in contradicted],
            "Gives different answers to the same question": [
                _label(each) for each in offered if each.verdict == "unstable"
            ],
            "Another formula than in the version before": [
                f"{_label(each)} (before: {old.entry.version})" for each, old in changes
            ],
            "Did not run": absent,
        }
        for kind, cases in surprises.items():
            more = f"; and {len(cases) - 3} more" if len(cases) > 3 else ""
            yield f"{kind} (", f"{len(cases)}): {'; '.join(cases[:3])}{more}"
        sizes = f"{data.users:,} user⟨s⟩, {data.items:,} item⟨s⟩, {data.pairs:,} relevant pair⟨s⟩. recsys-metric-audit"
        yield f"{plain(data.name)}: ", f"{sizes} {run.tool}, {run.time:%Y-%m-%d}: {plain(run.command)}"
        for each in run.experiments:
            yield f"{plain(each.title)}: ", plain(each.question)

    def _answer(self) -> str:
        groups = grouped(self.measured, lambda each: each.metric_title)
        shared = {title: own for title, own in groups.items() if len(own) > 1}
        names = [*dict.fromkeys(each.name for each in self.measured)]
        agreeing = sum(each.verdict == "agrees" for each in self.measured)
        canonical = f"the canonical formula of {agreeing} of {len(self.measured)} metric⟨s⟩."
        if len(names) < 2:
            one = "".join(f"One library version was measured: {name} computes {canonical}" for name in names)
            return one or "Nothing could be measured in this run."
        if not shared:
            alone = f"the {len(names)} library versions that were measured have no metric in common"
            return f"Nothing can be compared: {alone}. They compute {canonical}"
        # What fits no definition counts as one formula.
        formulas = {
            title: {each.formula or "?" for each in own if each.formula or each.outcome == "unexplained"}
            for title, own in shared.items()
        }
        apart = [title for title in shared if len(formulas[title]) > 1]
        same = [title for title in shared if title not in apart and all(each.formula for each in shared[title])]
        unsure = [title for title in shared if title not in (*apart, *same)]
        clauses = {
            f"agree on the formula of {_named(same)}": same,
            f"differ on {'' if same else 'the formula of '}{len(apart)}": apart,
            f"of {_named(unsure)} it cannot be told": unsure,
        }
        start = "No" if apart else "No difference was found" if unsure else "Yes, on what was asked here"
        most = max(apart, key=lambda title: len(formulas[title]), default="")
        return (
            f"{start}. Of {len(shared)} metric⟨s⟩ that {len(names)} library version⟨s⟩ computed from the same "
            f"predictions, they {listed([clause for clause, titles in clauses.items() if titles])}"
            f"{_most(most, formulas[most], shared[most]) if most else ''}."
        )

    def _headline(self, title: str, line: str) -> None:
        """Hold a headline: how many compute what, and the lists of libraries that it names."""
        self.headlines.append(title)
        metric, at = self.facts.metrics[title], self.ledger.at(title, "headline")
        own = [each for each in self.newest if each.metric == metric]
        canonical = self.facts.canonical(metric, self.facts.first_k)
        groups = grouped(own, lambda each: _kind(each, on_yes_no_data(canonical.signature if canonical else "")))
        same, alike, others, unknown = (groups.get(kind, []) for kind in ("same", "alike", "other", "unknown"))
        usual = canonical.value if canonical else math.nan
        expected = f"{title}: {len(same)} of {len(own)} compute⟨s⟩ the canonical formula"
        expected += f" ({usual!r}⟨; ⟦any same⟧⟩)" if canonical else ""
        if alike:
            expected += f"; {len(alike)} equal⟨s⟩ it on yes/no data" + _range(alike, usual, " (", "⟨ here⟩)")
        if others:
            between = _range(others, usual, ", ", "") if len(others) > 1 else ""
            expected += f"; {len(others)} other⟨s⟩{between}⟨: ⟦any other⟧⟩"
        if len(unknown) > 1:
            expected += f"; {len(unknown)} not known: ⟦any unknown⟧"
        for one in unknown if len(unknown) == 1 else ():
            which = f"not known which of {len(one.fitting)} formulas"
            which = which if len(one.fitting) > 1 else "axes of its formula are not known"
            expected += f"; ⟦any unknown⟧: {_UNKNOWN.get(one.outcome, which)}"
        lists = at.says(line, f"{expected}{'; ⟦any lost⟧' if 'lost' in groups else ''}.")
        unlike, _, causes = lists.pop("same", "").partition(", by ")
        named = {kind: self._named(at, text, groups[kind]) for kind, text in lists.items()}
        for kind in ("unknown", "lost"):
            at.holds("sentences", len(named.get(kind, ())), len(groups.get(kind, ())))
        others = self._named(at, unlike, same)
        at.holds("sentences", "whole lists" in causes, any("§" in each.marks for each in others))
        single = any(each.finding.assumed.get("truth") == "first" for each in others)
        at.holds("sentences", "one relevant item" in causes, single)
        shown = (re.findall(rf"formula \(({NUMBER})", line) or [""])[0]
        for each in same:
            far = abs((usual if each.number is None else each.number) - usual) > 10.0 ** -len(shown.partition(".")[2])
            fits = not (is_rounding(shown, each.number) if each in others else far)
            at.holds("sentences", each.value, "told if it is not the canonical value", fits)

    def _named(self, at: Place, text: str, own: Sequence[Fact]) -> list[Fact]:
        """Hold a list of libraries, their values and in brackets their formula: ``A and B 0.1 (words), C per user``."""
        titles = "|".join(map(re.escape, sorted({each.title for each in self.newest}, key=len, reverse=True)))
        bracketed = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"
        token = rf"({titles})|({NUMBER}|per user|not recorded|failed|crashed|timed out)|\(({bracketed})\)|,? (?:and )?"
        waiting: list[Fact] = []
        found: list[Fact] = []
        for title, number, meaning in re.findall(token, text):
            mine = [each for each in own if each.title == title]
            # Names before a value share it, and the words in brackets behind it.
            waiting = [*(each for each in waiting if each not in found or not title), *mine]
            at.holds("sentences", title, "one of this kind", bool(mine) or not title)
            for each in waiting if number or meaning else ():
                self.ledger.at(at.row, each.title).says(number or meaning, each.value if number else each.words)
                found.append(each)
        whole = not re.sub(token, "", text) and all(each in found for each in waiting)
        at.holds("sentences", text, "a list of libraries with values", whole)
        return [each for each in own if each in found]


def _label(each: Fact) -> str:
    return f"{each.metric_title} of {each.name}"


def _named(titles: Sequence[str]) -> str:
    return f"{len(titles)}⟨ ({listed(titles)})⟩"


def _most(title: str, formulas: set[str], group: Sequence[Fact]) -> str:
    """Return what the answer says of the metric with the most formulas."""
    fewer, finite = len(set(map(on_yes_no_data, formulas))), [*filter(math.isfinite, means(group))]
    alike = len(finite) > 1 and math.isclose(finite[0], finite[-1], rel_tol=_SINGLE_PRECISION)
    values = f", with values from {finite[0]!r} to {finite[-1]!r}" if len(finite) > 1 else ""
    values = ", with one value here" if alike else values
    return f"; {title} alone has {len(formulas)} formulas⟨ ({fewer} on yes/no data)⟩{values}"


def _kind(each: Fact, usual: str) -> str:
    """Return the clause of a headline that counts a finding."""
    if each.verdict == "agrees":
        return "same"
    if not each.formula:
        return "unknown" if each.verdict else "lost"
    return "alike" if on_yes_no_data(each.formula) == usual else "other"


def _range(group: Sequence[Fact], usual: float, before: str, after: str) -> str:
    """Return the range of the means of a group, or where all are the canonical number that they are."""
    finite = [*filter(math.isfinite, means(group))]
    same = "⟨the same number here⟩" if all(_gives(each, usual) for each in group) else ""
    return f"{before}{same}⟨{span(finite)}⟩{after}" if finite else ""


def _gives(each: Fact, usual: float) -> bool:
    """Return True if a function gives a number, to the digits that it has."""
    effect = each.finding.effect
    rounds = each.k is not None and effect is not None and effect.same_value
    return each.number is not None and (rounds or math.isclose(each.number, usual, rel_tol=_SINGLE_PRECISION))
