"""Holds the sentences of a report that have a figure, a name or a verdict in them against the raw answers."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from recsys_metric_audit.reference.definitions.definition import SignatureError, parse, stated_axes
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reports.model.result import Finding, Library
from recsys_metric_audit.reports.verification.document import NUMBER, is_rounding, plain
from recsys_metric_audit.reports.verification.judge_tables import hold_value
from recsys_metric_audit.reports.verification.returned import (
    IDENTIFIED,
    Ledger,
    Meanings,
    Returned,
    open_cutoff,
    reading_marks,
)

_CANONICAL = r"the canonical formula"
_HEADLINE = re.compile(
    rf"(?P<title>[^:]+): (?P<same>\d+) of (?P<all>\d+) computes? {_CANONICAL}"
    rf"(?: \((?P<canonical>{NUMBER})(?:; (?P<shifted>[^;]*))?\))?(?P<rest>(?:;.*)?)\."
)
_ANSWER = re.compile(
    r"(?P<start>No|No difference was found|Yes, on what was asked here)\. Of (?P<shared>\d+) metrics? that "
    r"(?P<versions>\d+) library versions? computed from the same predictions, they (?P<clauses>[^;]*?)"
    r"(?:; (?P<title>.+?) alone has (?P<formulas>\d+) formulas(?: \((?P<fewer>\d+) on yes/no data\))?"
    rf"(?P<between>, with values from (?P<low>{NUMBER}) to "
    rf"(?P<high>{NUMBER})|, with one value here)?)?\."
)
_CLAUSES = {
    "same": r"agree on the formula of (\d+)(?: \((.*?)\))?",
    "apart": r"differ on (?:the formula of )?(\d+)(?: \((.*?)\))?",
    "unsure": r"of (\d+)(?: \((.*?)\))? it cannot be told",
}
_GROUPS = {
    "recommender frameworks": "frameworks", "metric libraries": "metrics", "learning to rank": "ranking",
    "search and text": "search", "systems of the paper": "paper", "libraries without a group": "",
}  # fmt: skip
_EQUAL = re.compile(
    rf"(\d+) equals? it on yes/no data(?: \((the same number here|.*?)(?: to ({NUMBER}))?(?: here)?\))?"
)
_OTHERS = re.compile(rf"(\d+) others?(?:, (the same number here|{NUMBER})(?: to ({NUMBER}))?)?(?:: (.*))?")
_ONE_UNKNOWN = re.compile(r"(.*): (no known formula fits|not reproducible|not known which of (\d+) formulas)")
_UNKNOWN = {"no known formula fits": "unexplained", "not reproducible": "unstable"}
_FIXED = ("# Do libraries compute the same metric?", "Do libraries compute the same metric?")


_SINGLE_PRECISION = 1e-6
"""Numbers that differ by less, relatively, are one that was computed in single precision."""


def _is_number(finding: Finding, value: float | None) -> bool:
    """Return True if a function returned ``value``, to the digits that it gives."""
    if finding.value is None or value is None:
        return False
    rounds = finding.k is not None and finding.effect is not None and finding.effect.same_value
    return rounds or math.isclose(finding.value, value, rel_tol=_SINGLE_PRECISION)


class SentenceJudge:
    """Judges the sentences of one form."""

    def __init__(self, returned: Returned, meanings: Meanings, ledger: Ledger) -> None:
        self.returned, self.meanings, self.ledger = returned, meanings, ledger
        counted = {(each.library, each.version): each for each in returned.newest.values()}
        heads = returned.heads(returned.first_k).values() if returned.first_k is not None else ()
        self.heads = [each for each in heads if each.status not in ("not_offered", "unavailable")]
        self.newest = [each for each in self.heads if (each.library, each.version) in counted]
        self.headlines: list[str] = []
        self.by_title = {plain(entry.title): entry for entry in counted.values()}

    def judge(self, line: str) -> bool:
        """Hold one sentence; return False if it is of no known kind."""
        judges: Sequence[tuple[re.Pattern[str], Callable[[re.Match[str]], None]]] = (
            (_HEADLINE, self._headline),
            (_ANSWER, self._answer),
            (re.compile(rf".*computes? {_CANONICAL} of (\d+) of (\d+) metrics?\."), self._alone),
            (re.compile(r"(.*) \((\d+)\): (.*)"), self._surprise),
            (re.compile(r"Not in these tables(?:, but on the page of a run)?: (.*?)\.(?: --group .*)?"), self._hidden),
            (re.compile(r"(.*): ([\d,]+) users?, ([\d,]+) items?, ([\d,]+) relevant pairs?\. recsys-metric-audit "
                        r"(\S+), (\S+): (.*)"), self._source),
            (re.compile(r"(.*): (unavailable|failed): (.*)"), self._note),
            (re.compile(r"(.*?): (.*)"), self._glossary),
        )  # fmt: skip
        if line in _FIXED or line == "Nothing could be measured in this run.":
            if line not in _FIXED:
                self.ledger.at(line, "functions measured").sentence(any(f.verdict for f in self.heads), False)
            return True
        for pattern, hold in judges:
            found = pattern.fullmatch(line)
            if found is not None and self._is_of(hold, found):
                hold(found)
                return True
        return False

    def _is_of(self, hold: object, found: re.Match[str]) -> bool:
        """Return True if a sentence that looks like one of a kind is one: it may be a line of a key."""
        if hold == self._surprise:
            return found[1] in _SURPRISES
        if hold == self._headline:
            return found["title"] in self.returned.metrics
        if hold == self._note:
            return found[1] in self.returned.labels
        if hold == self._glossary:
            asked = {plain(each.title): plain(each.question) for each in self.returned.result.experiments}
            done = {b.name.replace("_", " ") for f in self.returned.result.findings for b in f.behaviours.values()}
            return asked.get(found[1]) == found[2] or found[1] in done
        return True

    def _headline(self, found: re.Match[str]) -> None:
        at = found["title"]
        self.headlines.append(at)
        here = partial(self.ledger.at, at)
        metric = self.returned.metrics[at]
        own = [each for each in self.newest if each.metric == metric]
        reference = self.returned.canonical(metric, self.returned.first_k)
        same = [each for each in own if each.verdict == "agrees"]
        others = [each for each in own if each.verdict != "agrees" and self.returned.formula(each)]
        unknown = [each for each in own if each.verdict and not self.returned.formula(each)]
        lost = [each for each in own if each.verdict is None]
        here("libraries with the canonical formula").sentence(int(found["same"]), len(same))
        here("libraries").sentence(int(found["all"]), len(own))
        value = reference.value if reference else None
        if found["canonical"] or reference:
            here("canonical value").number(found["canonical"] or "", value)
        listed, _, causes = (found["shifted"] or "").partition(", by ")
        named = self._named(at, listed, same, unlike=value)
        whole = any("§" in reading_marks(each) for each in named)
        here("by whole lists").sentence("whole lists" in causes, whole)
        single = any(each.assumed.get("truth") == "first" for each in named)
        here("by one relevant item").sentence("one relevant item" in causes, single)
        for each in same:
            if value is not None and each.value is not None and abs(each.value - value) > _unit(found["canonical"]):
                here(str(self._title(each))).holds(
                    "sentences", "like the canonical value", repr(each.value), each in named
                )
        told = {"others": 0, "unknown": 0, "lost": 0}
        usual = _on_yes_no_data(reference.signature) if reference else ""
        if equal := _EQUAL.search(found["rest"]):
            alike = [each for each in others if _on_yes_no_data(self.returned.formula(each)) == usual]
            here(equal[0]).sentence(int(equal[1]), len(alike))
            self._range(at, equal[2], equal[3], alike, value)
            others = [each for each in others if each not in alike]
        for clause in filter(None, _split(found["rest"])):
            if "on yes/no data" in clause:
                continue
            if other := _OTHERS.fullmatch(clause):
                told["others"] += int(other[1])
                self._range(at, other[2], other[3], others, value)
                self._named(at, other[4] or "", others)
            elif several := re.fullmatch(r"(\d+) not known: (.*)", clause):
                told["unknown"] += int(several[1])
                self._named(at, several[2], unknown)
            elif one := _ONE_UNKNOWN.fullmatch(clause):
                told["unknown"] += 1
                for each in self._named(at, one[1], unknown):
                    here(one[1]).verdict(_UNKNOWN.get(one[2], "ambiguous"), each.verdict)
                    if one[3]:
                        here(one[1]).sentence(int(one[3]), len(self._fitting(each)))
            else:
                told["lost"] += len(self._named(at, clause, lost))
        here("others, not known, not measured").sentence(tuple(told.values()), tuple(map(len, (others, unknown, lost))))

    def _fitting(self, finding: Finding) -> set[str]:
        as_if = (finding.model_copy(update={"verdict": "variant", "signature": each, "formula": None})
                 for each in (finding.signature, *finding.equivalent) if each)  # fmt: skip
        return {self.returned.formula(each) for each in as_if}

    def _range(
        self, at: str, low: str | None, high: str | None, others: Sequence[Finding], value: float | None
    ) -> None:
        here = partial(self.ledger.at, at)
        means = [each.value for each in others if each.value is not None and math.isfinite(each.value)]
        if low == "the same number here":
            same = [each for each in others if _is_number(each, value)]
            here("the same number here").sentence(len(same), len(others))
        elif low is not None:
            here("lowest of the others").number(low, min(means, default=None))
            here("highest of the others").number(high or low, max(means, default=None))
        elif len(others) > 1:
            here("values of the others").sentence([], means)

    def _named(self, at: str, text: str, own: Sequence[Finding], unlike: float | None = None) -> list[Finding]:
        """Hold a list of libraries, their values and in brackets their formula: ``A and B 0.1 (words), C per user``."""
        titles = "|".join(map(re.escape, sorted(self.by_title, key=len, reverse=True)))
        status = "failed|crashed|timed out"
        pattern = rf"(?P<name>{titles})|(?P<value>{NUMBER}|per user|{status})|(?P<gap>,? (?:and )?)"
        waiting: list[Finding] = []
        valued: list[Finding] = []
        found: list[Finding] = []
        place = 0
        while place < len(text):
            here = re.compile(pattern).match(text, place)
            if text[place] == "(":
                end = _closing(text, place)
                for each in valued:
                    self.meanings.words(
                        self.ledger.at(at, self._title(each)),
                        each.metric,
                        self.returned.formula(each),
                        text[place + 1 : end],
                    )
                place = end + 1
                continue
            if here is None or not here[0]:
                self.ledger.at(at, "list of libraries").holds(
                    "sentences", text, f"unknown from {text[place:]!r} on", False
                )
                return found
            if here["name"]:
                entry = self.by_title[here["name"]]
                waiting += (mine := [each for each in own if _is_of(each, entry)])
                self.ledger.at(at, here["name"]).holds("sentences", "named", "not of this kind", bool(mine))
            elif here["value"]:
                for each in waiting:
                    hold_value(self.ledger.at(at, self._title(each)), here["value"], each)
                    if unlike is not None and is_rounding(here["value"], unlike):
                        self.ledger.at(at, "beside the canonical value").holds(
                            "sentences", here["value"], "itself", False
                        )
                found, valued, waiting = [*found, *waiting], waiting, []
            place = here.end()
        self.ledger.at(at, "list of libraries").holds("sentences", text, "a value for each", not waiting)
        return found

    def _answer(self, found: re.Match[str]) -> None:
        answer = partial(self.ledger.at, "answer")
        measured = [each for each in self.heads if each.verdict]
        by_metric: dict[str, list[Finding]] = {}
        for each in measured:
            by_metric.setdefault(each.metric, []).append(each)
        shared = {metric: group for metric, group in by_metric.items() if len(group) > 1}
        formulas = {metric: self._formulas(group) for metric, group in shared.items()}
        sets = {
            "apart": {metric for metric in shared if len(formulas[metric]) > 1},
            "same": {metric for metric, group in shared.items() if len(formulas[metric]) == 1
                     and all(each.verdict in IDENTIFIED for each in group)},
        }  # fmt: skip
        sets["unsure"] = set(shared) - sets["apart"] - sets["same"]
        right = (
            "No" if sets["apart"] else "No difference was found" if sets["unsure"] else "Yes, on what was asked here"
        )
        answer("first words").sentence(found["start"], right)
        answer("metrics").sentence(int(found["shared"]), len(shared))
        answer("versions").sentence(int(found["versions"]), len({(f.library, f.version) for f in measured}))
        for name, pattern in _CLAUSES.items():
            told = re.search(pattern, found["clauses"])
            answer(name).sentence(int(told[1]) if told else 0, len(sets[name]))
            if told and told[2]:
                titles = sorted(re.split(r", | and ", told[2]))
                answer(f"metrics {name}").sentence(titles, sorted(map(self.returned.title, sets[name])))
        metric = self.returned.metrics.get(found["title"] or "", "")
        answer("most formulas").sentence(
            int(found["formulas"] or 0), max(map(len, formulas.values())) if sets["apart"] else 0
        )
        answer(found["title"]).sentence(
            int(found["formulas"] or 0), len(formulas.get(metric, ())) if sets["apart"] else 0
        )
        if found["fewer"]:
            fewer = len(set(map(_on_yes_no_data, formulas.get(metric, ()))))
            answer("formulas on yes/no data").sentence(int(found["fewer"]), fewer)
        values = [f.value for f in shared.get(metric, ()) if f.value is not None and math.isfinite(f.value)]
        if found["low"]:
            answer(f"lowest {found['title']}").number(found["low"], min(values, default=None))
            answer(f"highest {found['title']}").number(found["high"], max(values, default=None))
        elif len(values) > 1:
            one = math.isclose(min(values), max(values), rel_tol=_SINGLE_PRECISION)
            answer("with one value here").sentence(bool(found["between"]), one)

    def _formulas(self, group: Sequence[Finding]) -> set[str]:
        """Return the formulas of a metric; what fits none counts as one."""
        known = {self.returned.formula(each) for each in group if each.verdict in IDENTIFIED}
        return known | ({"?"} if any(each.verdict == "unexplained" for each in group) else set())

    def _alone(self, found: re.Match[str]) -> None:
        answer = partial(self.ledger.at, "answer")
        measured = [each for each in self.heads if each.verdict]
        agreeing = sum(each.verdict == "agrees" for each in measured)
        answer("metrics").sentence((int(found[1]), int(found[2])), (agreeing, len(measured)))
        one = re.match(r"One library version was measured: (.*) computes", found[0])
        if one:
            entry = self.returned.versions.get(one[1])
            answer("library").sentence(entry is not None and all(_is_of(f, entry) for f in measured), True)
        elif several := re.search(r"the (\d+) library versions", found[0]):
            answer("versions").sentence(int(several[1]), len({(f.library, f.version) for f in measured}))

    def _surprise(self, found: re.Match[str]) -> None:
        kind, number = found[1], int(found[2])
        here = partial(self.ledger.at, kind)
        cases = list(_SURPRISES[kind](self))
        here("number").sentence(number, len(cases))
        more = re.search(r"; and (\d+) more$", found[3])
        told = found[3][: more.start()] if more else found[3]
        places = sorted(
            (place.span(), finding)
            for label, finding in cases
            for place in re.finditer(rf"(?<!\S){re.escape(label)}(?=$|[,;])", told)
        )
        shown = min(3, len(cases))
        here("cases told, and more").sentence((len(places), int(more[1]) if more else 0), (shown, len(cases) - shown))
        ends = [*(start for (start, _), _ in places[1:]), len(told)]
        for ((start, end), finding), until in zip(places, ends, strict=True):
            words = told[end:until].strip("; ").removeprefix(", ")
            if words and finding is not None:
                formula = self.returned.formula(finding)
                self.meanings.words(here(told[start:end]), finding.metric, formula, words)
            else:
                here(told[start:end]).sentence(words, "")

    def _title(self, finding: Finding) -> str:
        return self.returned.titles[finding.library, finding.version]

    def _label(self, each: Finding) -> str:
        return f"{self.returned.title(each.metric)} of {self._title(each)} {plain(each.version)}"

    def _documented_otherwise(self) -> Iterator[tuple[str, Finding | None]]:
        for each in self.heads:
            if each.matches_claim is False and self.returned.formula(each) and contradicts_formula(each):
                yield self._label(each), each

    def _unstable(self) -> Iterator[tuple[str, Finding | None]]:
        yield from ((self._label(each), None) for each in self.heads if each.verdict == "unstable")

    def _changed(self) -> Iterator[tuple[str, Finding | None]]:
        places = {(f.library, f.version, f.metric): f for f in self.heads}
        for new, old in pairwise(self.returned.result.libraries):
            for each in self.heads:
                before = places.get((old.library, old.version, each.metric))
                if _is_of(each, new) and new.library == old.library and before is not None:
                    was, now = self.returned.formula(before), self.returned.formula(each)
                    if was and now and was != now:
                        yield f"{self._label(each)} (before: {old.version})", None

    def _not_run(self) -> Iterator[tuple[str, Finding | None]]:
        for each in self.returned.result.libraries:
            if each.status != "audited":
                yield f"{plain(each.title)} {plain(each.version)} ({each.status})", None

    def _hidden(self, found: re.Match[str]) -> None:
        counts = Counter(each.group for each in self.returned.result.libraries)
        for title, number in re.findall(r"(?:^|, | and )(.+?) \((\d+)\)", found[1]):
            self.ledger.at("not in these tables", title).sentence(int(number), counts[_GROUPS.get(title, title)])

    def _source(self, found: re.Match[str]) -> None:
        run = self.returned.result
        sizes = (f"{each:,}" for each in (run.dataset.users, run.dataset.items, run.dataset.pairs))
        right = (plain(run.dataset.name), *sizes, run.tool, f"{run.time:%Y-%m-%d}", plain(run.command))
        self.ledger.at("source", "data and command").sentence(found.groups(), right)

    def _note(self, found: re.Match[str]) -> None:
        entry = self.returned.labels[found[1]]
        self.ledger.at(found[1], "status").verdict(found[2], entry.status)
        reason = plain(entry.reason or "")
        self.ledger.at(found[1], "reason").holds("sentences", found[3], reason, reason.startswith(found[3].rstrip("…")))

    def _glossary(self, found: re.Match[str]) -> None:
        self.ledger.counts["sentences"] += 1


_SURPRISES: dict[str, Callable[[SentenceJudge], Iterator[tuple[str, Finding | None]]]] = {
    "Another formula than documented": SentenceJudge._documented_otherwise,
    "Gives different answers to the same question": SentenceJudge._unstable,
    "Another formula than in the version before": SentenceJudge._changed,
    "Did not run": SentenceJudge._not_run,
}


def contradicts_formula(finding: Finding) -> bool:
    """Return True if what the documentation states is contradicted on the formula, or is another metric."""
    try:
        claimed = parse(finding.claimed or "")
    except SignatureError:
        return True
    stated = stated_axes(finding.claimed or "") - set(finding.cannot_matter)
    apart = [
        axis for axis, value in finding.definition.items() if axis in stated and claimed.axes.get(axis, value) != value
    ]
    return not apart or any(level_of(axis) == "formula" for axis in apart)


def _on_yes_no_data(signature: str) -> str:
    """Return what a formula is where every gain is 1: gains that are then 1 make no difference.

    Nor does it make one whether the best rows of a list are meant, or the relevant ones among them: others are 0.
    """
    without = re.sub(r"\|gain:(?:linear|exp2|exp2_threshold)(?=\||$)", "", open_cutoff(signature))
    return re.sub(r"\|ideal:rows(?=\||$)", "|ideal:listed", without)


def _is_of(finding: Finding, entry: Library) -> bool:
    return (finding.library, finding.version) == (entry.library, entry.version)


def _unit(printed: str | None) -> float:
    """Return one unit of the last digit of a printed number."""
    decimals = len((printed or "").partition(".")[2])
    return float(10**-decimals)


def _split(text: str) -> list[str]:
    """Return the clauses between semicolons that are in no brackets."""
    found, depth = [""], 0
    for char in text:
        depth += (char == "(") - (char == ")")
        found = [*found, ""] if char == ";" and not depth else [*found[:-1], found[-1] + char]
    return [each.strip() for each in found]


def _closing(text: str, opening: int) -> int:
    depth = 0
    for place in range(opening, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if not depth:
            return place
    return len(text)
