"""Holds Tables 1 to 3 and the table of edge behaviour, with their keys, against the raw answers."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from recsys_metric_audit.reports.model.ranking import DefinitionRanking
from recsys_metric_audit.reports.verification.document import Table, UnreadableError, is_rounding, plain
from recsys_metric_audit.reports.verification.facts import SIGNS, Fact, Facts, grouped, open_cutoff, title_of
from recsys_metric_audit.reports.verification.ledger import Ledger, Place
from recsys_metric_audit.reports.verification.retrieval import KEY, judge_names

OTHER_USERS = {
    "both": "with relevant items and a list", "predictions": "with a list", "all": "with either",
    "hits": "with a hit", "one_relevant": "with one relevant item",
    "truth_rows": "with truth rows, relevant or not", "both_rows": "with truth rows, relevant or not, and a list",
}  # fmt: skip
SITUATIONS = {
    "undefined": "no relevant item",
    "no_list": "no list",
    "no_hit": "no hit",
    "no_negatives": "no irrelevant item",
}
_ALWAYS = ("/user no mean", "° recorded", "! see warning")
_EXPLAINED = (
    "~ not known which formula",
    "? no formula fits",
    "! not reproducible",
    "§ takes no k: reads the whole list",
)


@dataclass
class Shown:
    """Keeps what a table showed and what its key explained, as letters by metric and signs of no metric.

    A column is a metric of Table 1 or a formula of Table 2; the last one there, of all others, is the empty formula.
    """

    table: Table
    k: int = 0
    columns: dict[str, str] = field(default_factory=dict)
    findings: list[Fact] = field(default_factory=list)
    explained: set[tuple[str, str]] = field(default_factory=set)


class TableJudge:
    """Judges the tables of one form."""

    def __init__(self, facts: Facts, ledger: Ledger) -> None:
        self.facts, self.ledger = facts, ledger
        self._groups: set[str] = set()  # of libraries that Table 1 shows

    def judge(self, table: Table, whole: bool = True) -> Shown:
        """Hold every row of a table, and if it is ``whole`` that no row is missing; return what it showed."""
        shown = Shown(table)
        judges = {"Edge behaviour": self._behaviours, "Table 3": self._winners, "Table 4": self._retrieval}
        if table.name in judges:
            judges[table.name](table)
            return shown
        if not re.match(r"Table [12]\b", table.name):
            raise UnreadableError(self.ledger.file, f"it has the unknown {table.name}")
        shown.k = self._cutoff(table)
        shown.columns = self._metrics(table) if table.name.startswith("Table 1") else self._formulas(table, shown.k)
        told = []
        for label, cells in table.rows:
            names = self._names(label)
            canonical = label in ("Canonical", "Canonical reference")
            at = self.ledger.at(label, "library and version")
            at.holds("marks", label, "no such version", bool(names) or canonical or label.endswith(" (paper)"))
            for name in names or ([""] if canonical else []):
                self._row(name, label, cells, shown)
            told += names
        groups = {self.facts.entries[name].group for name in told}
        self._groups |= groups
        entries = [name for name, entry in self.facts.entries.items() if entry.group in groups]
        due = [name for name in entries if name in told or (whole and self._is_due(name, shown))]
        for name in due:
            self.ledger.at(name, "row").holds("marks", "no row", "values", name in told)
        in_order = told == [name for name in due if name in told]
        self.ledger.at(table.name, "rows").holds("sentences", "in another order", "in the order of the run", in_order)
        return shown

    def _retrieval(self, table: Table) -> None:
        judge_names(table, self.facts, self.ledger)

    def _cutoff(self, table: Table) -> int:
        """Return the cut-off that a table names, or else the only one of the run."""
        known = set(self.facts.result.k)
        named = {int(k) for k in re.findall(r"\bk = (\d+)", f"{table.name} {table.caption}")} or known
        if len(named) != 1 or not named <= known:
            raise UnreadableError(self.ledger.file, f"{table.name} is of the cut-off {sorted(named)}, not of the run")
        self.ledger.at(table.name, "caption").holds("sentences", "(k = " in table.name, len(known) > 1)
        return named.pop()

    def _metrics(self, table: Table) -> dict[str, str]:
        """Return the metric of each column of Table 1; a column of the paper's own has none of the run."""
        unknown = [head for head in table.columns if head not in self.facts.metrics and not head.endswith(" paper")]
        if unknown:
            raise UnreadableError(self.ledger.file, f"{table.name} has the heading {unknown[0]}")
        return {head: self.facts.metrics.get(head, "-") for head in table.columns}

    def _formulas(self, table: Table, k: int) -> dict[str, str]:
        """Return the formula of each column of Table 2."""
        canonical, found = self.facts.canonical("auc", k), dict[str, str]()
        for place, head in enumerate(table.columns):
            mark = head.rpartition(" ")[2]
            usual = open_cutoff(canonical.signature) if canonical and mark == "canonical" else None
            if mark in ("other", "paper"):
                found[head] = "" if mark == "other" else "-"
                continue
            known = usual or self.ledger.meanings.letters.get(("auc", mark)) or self._fitting(table, place, k, found)
            found[head] = known
            self.ledger.at(table.name, head).says(
                head, f"{_area(known, k)} {'canonical' if usual else f'⟦letter auc {known}⟧'}"
            )
        return found

    def _fitting(self, table: Table, place: int, k: int, taken: Mapping[str, str]) -> str:
        """Return the formula without a letter that fits the cells of a column of Table 2 best."""
        rows = [(cells[place], self.facts.areas(name, k)) for label, cells in table.rows for name in self._names(label)]
        known = {*self.ledger.meanings.letters.values(), *taken.values(), ""}

        def fits(formula: str) -> int:
            return sum(_may_show(text.split(" ")[0], own.get(formula)) for text, own in rows)

        return max((each for _, own in rows for each in own if each not in known), key=fits, default="none")

    def _names(self, label: str) -> list[str]:
        """Return the library versions of a row; several, where their rows are joined."""
        labels = self.facts.labels
        first, *others = label.split(", ")
        title = plain(self.facts.entries[labels[first]].title) if first in labels else ""
        for joined in ([label], [first, *(f"{title} {each}" for each in others)]):
            if all(each in labels for each in joined):
                return [labels[each] for each in joined]
        return []

    def _row(self, name: str, label: str, cells: Sequence[str], shown: Shown) -> None:
        """Hold the cells of one library version, or of the canonical values; of one that did not run, the note."""
        if name and self.facts.entries[name].status != "audited":
            # Beside the values of the paper, the key has the note.
            words, status = {text.partition(":")[0] for text in cells} - {"–", ""}, self.facts.entries[name].status
            self.ledger.at(label, "status").holds("verdicts", words, status, words <= {status})
            return
        first, own = shown.table.name.startswith("Table 1"), self._shown_in(name, shown)
        for (head, column), text in zip(shown.columns.items(), cells, strict=True):
            findings = own.get(column, [])
            shown.findings += findings
            right = ", ".join(_cell(each, lettered=first or not column) for each in findings)
            if not name and (first or head.endswith(" canonical")):
                known = self.facts.canonical(column if first else "auc", shown.k)
                right = repr(known.value) if known else ""
            self.ledger.at(label, head).says(text, right or "–")

    def _shown_in(self, name: str, shown: Shown) -> Mapping[str, list[Fact]]:
        """Return the findings that a row shows by column."""
        if shown.table.name.startswith("Table 1"):
            heads = (each for each in self.facts.heads(shown.k).values() if each.name == name)
            return grouped((each for each in heads if each.outcome != "not_offered"), lambda each: each.metric)
        columns = shown.columns.values()
        areas = self.facts.areas(name, shown.k).values()
        return grouped(areas, lambda each: each.formula if each.formula in columns else "")

    def _is_due(self, name: str, shown: Shown) -> bool:
        """Return True if a version has something to show in a table."""
        absent = self.facts.entries[name].status != "audited" and shown.table.name.startswith("Table 1")
        return absent or not self._shown_in(name, shown).keys().isdisjoint(shown.columns.values())

    def key(self, line: str, shown: Shown) -> bool:
        """Hold one line of a table's key; return False if it is none."""
        at = self.ledger.at(shown.table.name, f"key, {line[:40]}")
        if shown.table.name == "Table 3":
            return self._first_by(at, line)
        if shown.table.name == "Table 4" and line[:1] == KEY[0]:
            at.says(line, KEY)
            return True
        titles = f"({'|'.join(map(re.escape, sorted(self.facts.metrics, key=len, reverse=True)))})"
        referred = re.fullmatch(r"(.*): see (?:the page|the columns of Table 2)", line)
        lettered = re.match(rf"(?:{titles} [a-z]{{1,2}}(?:, | ))+(?=\S)", line)
        if nan := re.fullmatch(rf"{titles} nan: (.+)", line):
            self._nan(at, nan[2], [each for each in shown.findings if each.metric_title == nan[1]])
        elif found := referred or lettered:
            words = "" if referred else line[found.end() :]
            for title, marks in re.findall(rf"{titles} ([a-z ]+?)(?=, | $|$)", found[1] if referred else found[0]):
                self._letters(at, self.facts.metrics[title], marks.split(), words, shown)
        else:
            return line in _ALWAYS or self._sign(at, line, shown)
        return True

    def _letters(self, at: Place, metric: str, marks: Sequence[str], words: str, shown: Shown) -> None:
        """Hold the words of the letters of a metric; without words, they are explained elsewhere."""
        for mark in marks:
            shown.explained.add((metric, mark))
            if words:
                at.says(words, f"⟦words {metric} {self.ledger.meanings.letters.get((metric, mark), '')}⟧")

    @staticmethod
    def _sign(at: Place, line: str, shown: Shown) -> bool:
        """Hold a line of the key that says what a sign means; return False if it is none."""
        axes = {axis for each in shown.findings for axis in each.moving}
        if line.startswith("† counts other users: "):
            users = {each.finding.definition.get("users", "") for each in shown.findings if "users" in each.moving}
            told = re.split(r" or (?=with )", line.partition(": ")[2])
            at.holds("sentences", sorted(told), sorted(OTHER_USERS.get(each, each) for each in users))
        elif line.startswith("‡ counts otherwise who has "):
            at.holds("sentences", _situations(line), axes & set(SITUATIONS))
        elif line not in _EXPLAINED:
            return False
        shown.explained.add(("", line[0]))
        return True

    @staticmethod
    def _nan(at: Place, words: str, findings: Sequence[Fact]) -> None:
        nan = [each for each in findings if each.number is not None and math.isnan(each.number)]
        counting = [each.finding.definition for each in nan if not each.takes_one_ranking]
        right = {axis for axis in SITUATIONS if any(each.get(axis) == "nan" for each in counting)}
        at.holds("sentences", (bool(nan), _situations(words)), (True, right))

    def key_is_complete(self, shown: Shown) -> None:
        """Hold that each letter and sign that a table shows is explained, and none besides."""
        needed = {("", mark) for each in shown.findings for mark in each.marks + SIGNS.get(each.outcome, "")}
        lettered = {(each.metric, each.formula) for each in shown.findings if each.formula and each.verdict != "agrees"}
        needed |= {(metric, self.ledger.meanings.lettered.get((metric, formula), "")) for metric, formula in lettered}
        for metric, mark in sorted(needed ^ shown.explained):
            said = "explained, not shown" if (metric, mark) in shown.explained else "shown, not explained"
            self.ledger.at(shown.table.name, f"key of {metric}").holds("marks", mark, said, False)

    def _winners(self, table: Table) -> None:
        """Hold the first recommender and its lead by the canonical definition, and how many definitions say so."""
        for label, cells in table.rows:
            title, _, k = label.partition(" k = ")
            cutoff = int(k or self.facts.result.k[0])
            canonical = self.facts.canonical(self.facts.metrics[title], cutoff)
            own = self.facts.rankings.get(canonical.signature) if canonical else None
            if own is None or not own.leads:
                raise UnreadableError(self.ledger.file, f"{table.name} has {label}, which no recommender leads")
            lead = min(own.leads.values(), key=lambda each: each.difference)
            ends = "no interval" if math.isnan(lead.low) else f"[{lead.low!r}, {lead.high!r}]"
            self.ledger.at(label, "first").says(cells[0], " = ".join(own.first))
            self.ledger.at(label, "lead").says(cells[1], f"{lead.difference!r} {ends}")
            firsts = [("", own), *self._firsts(self.facts.metrics[title], cutoff)]
            ranked = {ranking.signature: ranking.first for _, ranking in firsts if _has_order(ranking)}
            counts = Counter(map(" = ".join, ranked.values()))
            self.ledger.at(label, "same first").says(cells[2], str(counts.pop(" = ".join(own.first))))
            right = {each: str(number) for each, number in counts.items()}
            self.ledger.at(label, "other first").holds("sentences", _counted(cells[3]), right)
            changed = [self.facts.rankings[each] for each, first in ranked.items() if first != own.first]
            clear = sum(_is_clear(own, each) for each in changed)
            self.ledger.at(label, "beyond chance").says(cells[4], f"{clear} of {len(changed)}" if changed else "–")

    def _firsts(self, metric: str, k: int | None = None) -> list[tuple[str, DefinitionRanking]]:
        """Return the titles of libraries with the rankings by what their functions of a metric compute on the data."""
        findings = self.facts.every if k is None else self.facts.at(k)
        shown = [each for each in findings if self.facts.entries[each.name].group in self._groups]
        own = [each for each in shown if each.metric == metric and each.formula and self._is_ranked(each)]
        titles, rankings = self.facts.entries, self.facts.rankings
        return [(plain(titles[each.name].title), rankings[each.finding.signature or ""]) for each in own]

    def _is_ranked(self, each: Fact) -> bool:
        """Return True if the value of a function is that of the ranking by its definition, to a thousandth."""
        ranking = self.facts.rankings.get(each.finding.signature or "")
        if ranking is None or each.finding.assumed.get("truth", "all") != "all":
            return False
        value, number = next(iter(ranking.values.values()), None), each.number
        if value is None or number is None:
            return True
        return str(value) == str(number) or math.isclose(value, number, rel_tol=1e-3)

    def _first_by(self, at: Place, line: str) -> bool:
        """Hold a line on the libraries by whose definitions a recommender is first; return False if it is none."""
        titles = "|".join(map(re.escape, self.facts.metrics))
        found = re.fullmatch(
            rf"({titles})(?: at k = (\d+))? (?:(.+) first by (.+)|no order by (\d+) further definitions?)", line
        )
        if found is None:
            return False
        title, k, first, names, number = found.groups()
        own = self._firsts(self.facts.metrics[title], int(k) if k else None)
        if number:
            at.says(number, str(len({each.signature for _, each in own if not _has_order(each)})), "numbers")
        right = {name for name, each in own if " = ".join(each.first) == first}
        for name in re.split(r", | and (?=\d+ more$)| and ", names or ""):
            more = re.fullmatch(r"(\d+) more", name)
            fits = int(more[1]) < len(right) if more else name in right or not name
            at.holds("sentences", name, sorted(right), fits)
        return True

    def _behaviours(self, table: Table) -> None:
        """Hold the table of edge behaviour: how many functions do what in each experiment."""
        named = {plain(each.title): each.name for each in self.facts.result.experiments}
        for label, cells in table.rows:
            for head, text in zip(table.columns, cells, strict=True):
                own = [each for each in reversed(self.facts.every) if each.name == head]
                acts = {each.function: each.finding.behaviours.get(named[label]) for each in own}
                known = [act.name for act in acts.values() if act]
                done = [name.replace("_", " ") for name in known if not name.startswith("not_ask")]
                counts, told = Counter(done), _counted(text)
                rest = len(done) - sum(counts[each] for each in told)
                right = {each: str(counts[each] or rest) for each in told}
                at = self.ledger.at(label, head)
                at.holds("verdicts", *((text, next(iter(counts), "–")) if len(counts) < 2 else (told, right)))


def _counted(text: str) -> dict[str, str]:
    """Return what a text such as ``ease 2, itemknn 1`` counts."""
    return dict(re.findall(r"([^,]+?) (\d+)(?:, |$)", text))


def _has_order(ranking: DefinitionRanking) -> bool:
    return 0 < len(ranking.first) < len(ranking.values)


def _is_clear(one: DefinitionRanking, other: DefinitionRanking) -> bool:
    """Return True if each of two rankings leads the first of the other by more than chance."""
    (first, *tied), (changed, *others) = one.first, other.first
    return not (tied or others) and one.leads[changed].low > 0 and other.leads[first].low > 0


def _may_show(text: str, each: Fact | None) -> bool:
    return is_rounding(text, each.number) or each.value.startswith(text) if each else text == "–"


def _cell(each: Fact, lettered: bool) -> str:
    """Return what has to be printed of a finding: its value, its letter or sign, and who counts."""
    mark = each.letter if lettered or not each.formula else ""
    return f"{each.value} {mark}{each.marks}".strip()


def _situations(words: str) -> set[str]:
    """Return the axes of the unusual users that a line of a key names."""
    found = {axis for axis, told in SITUATIONS.items() if re.search(rf"\b{told.removeprefix('no ')}\b", words)}
    return found | ({"no_hit"} if "only gains of 0" in words else set())


def _area(signature: str, k: int) -> str:
    """Return the name of an AUC in the literature: of one ranking of all users SAUC, of limited lists LAUC, ..."""
    metric = re.split(r"[@|]", signature)[0]
    axes = dict(part.split(":", 1) for part in signature.split("|")[1:])
    lists = axes.get("list", "")
    of_list = {"limited": "LAUC", "limited_hits": "LAUC", "top_negatives": "pAUC", "top_both": "pAp"}
    name = "SAUC" if axes.get("scope") == "stacked" else of_list.get(lists, "GAUC")
    prefix = {"weighted": "weighted ", "pooled": "pooled "}.get(axes.get("pooling", ""), "")
    return f"{prefix}{name}{f'@{k}' if lists else ''}" if metric == "auc" else title_of(metric)
