"""Holds Tables 1 and 2 and the table of edge behaviour, with their keys, against the raw answers."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from recsys_metric_audit.reports.model.result import Finding, Library
from recsys_metric_audit.reports.verification.document import (
    NUMBER,
    Cell,
    Row,
    Table,
    UnreadableError,
    is_rounding,
    plain,
)
from recsys_metric_audit.reports.verification.returned import (
    SIGNS,
    Ledger,
    Meanings,
    Place,
    Returned,
    moving,
    open_cutoff,
    reading_marks,
    takes_one_ranking,
)

OTHER_USERS = {
    "both": "with relevant items and a list", "predictions": "with a list", "all": "with either",
    "hits": "with a hit", "one_relevant": "with one relevant item",
    "truth_rows": "with truth rows, relevant or not", "both_rows": "with truth rows, relevant or not, and a list",
}  # fmt: skip
SITUATIONS = {
    "undefined": "no relevant item", "no_list": "no list", "no_hit": "no hit", "no_negatives": "no irrelevant item",
}  # fmt: skip
_SIGN_WORDS = {
    "~ not known which formula": "ambiguous",
    "? no formula fits": "unexplained",
    "! not reproducible": "unstable",
}
_VERSION_SIGNS = ("/user no mean", "° recorded", "! see warning")
_MARK = re.compile(r"([a-z]*|[~?!])([†‡§]*)")
_PARTS = re.compile(rf"({NUMBER}|–|per user|/user|not recorded|failed|crashed|timed out|unavailable)(?: ?([^\s,]+))?")


@dataclass
class Shown:
    """Keeps what a table showed, for its key: the findings, the letters by metric, and those that were explained."""

    table: Table
    findings: list[Finding] = field(default_factory=list)
    letters: set[tuple[str, str]] = field(default_factory=set)
    explained: Counter[tuple[str, str]] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)


class TableJudge:
    """Judges the tables of one form."""

    def __init__(self, returned: Returned, meanings: Meanings, ledger: Ledger) -> None:
        self.returned, self.meanings, self.ledger = returned, meanings, ledger

    def judge(self, table: Table, whole: bool = True) -> Shown:
        """Hold every row of a table, and if it is ``whole`` that no row is missing; return what it showed."""
        shown = Shown(table)
        if table.name == "Edge behaviour":
            for row in table.rows:
                self._behaviours(row, table.columns)
            return shown
        k = self._cutoff(table)
        columns = self._columns(table, k)
        rows = [row for row in table.rows if not row.label.endswith(" (paper)")]
        entries = [entry for row in rows for entry in self._row(row, columns, k, shown)]
        order = [self.returned.result.libraries.index(entry) for entry in entries]
        self.ledger.at(table.name, "rows").holds(
            "sentences", "in another order", "in the order of the run", order == sorted(set(order))
        )
        if whole:
            self._complete(table, entries, k)
        return shown

    def _cutoff(self, table: Table) -> int:
        """Return the cut-off that a table names, or else the only one of the run."""
        known = self.returned.result.k
        named = {int(k) for k in re.findall(r"\bk = (\d+)", f"{table.name} {table.caption}")} or set(known)
        if len(named) != 1 or not named <= set(known):
            raise UnreadableError(self.ledger.file, f"{table.name} is of the cut-off {sorted(named)}, not of the run")
        self.ledger.at(table.name, "caption").sentence(bool(re.search(r"\(k = ", table.name)), len(known) > 1)
        return named.pop()

    def _columns(self, table: Table, k: int) -> list[str]:
        """Return the metric of each column of Table 1, the formula of each of Table 2; "-" for the paper's columns."""
        if table.name.startswith("Table 1"):
            found = ["-" if head.endswith(" paper") else self.returned.metrics.get(head, "") for head in table.columns]
            if "" in found:
                raise UnreadableError(
                    self.ledger.file, f"{table.name} has the heading {table.columns[found.index('')]}"
                )
            return found
        canonical = self.returned.canonical("auc", k)
        chosen: list[str] = []
        for place, head in enumerate(table.columns):
            name, _, letter = head.rpartition(" ")
            if head == "other" or letter == "paper":
                chosen.append("" if head == "other" else "-")
            elif letter == "canonical":
                chosen.append(open_cutoff(canonical.signature) if canonical else "none")
            else:
                known = self.meanings.letters.get(("auc", letter)) or self._fitting(table, place, k, chosen)
                chosen.append(known)
            if chosen[-1] not in ("", "-"):
                metric = chosen[-1].partition("|")[0].partition("@")[0]
                right = _area_name(chosen[-1], k) if metric == "auc" else self.returned.title(metric)
                self.ledger.at(table.name, head).sentence(name, right)
        return chosen

    def _fitting(self, table: Table, place: int, k: int, taken: Sequence[str]) -> str:
        """Return the formula without a letter that fits the cells of a column of Table 2 best."""
        areas = {row.label: self.returned.areas(entry, k) for row in table.rows for entry in self._entries(row.label)}
        lettered = {text for (metric, _), text in self.meanings.letters.items() if metric == "auc"}
        free = dict.fromkeys(f for own in areas.values() for f in own if f and f not in lettered and f not in taken)

        def misfits(formula: str) -> int:
            pairs = ((row.cells[place].text, areas[row.label].get(formula)) for row in table.rows if row.label in areas)
            return sum(
                (text == "–") != (found is None) or not (found is None or _is_value(text, found.value))
                for text, found in pairs
            )

        return min(free, key=misfits, default="none")

    def _entries(self, label: str) -> list[Library]:
        """Return the library versions of a row; several, where their rows are joined."""
        labels = self.returned.labels
        if label in labels:
            return [labels[label]]
        first, *others = label.split(", ")
        title = plain(labels[first].title) if first in labels else ""
        names = [first, *(f"{title} {each}" for each in others)]
        if all(name in labels for name in names):
            return [labels[name] for name in names]
        # The terminal cuts a label that is too long.
        return [each for name, each in labels.items() if len(label) > 30 and name.startswith(label)][:1]

    def _row(self, row: Row, columns: Sequence[str], k: int, shown: Shown) -> list[Library]:
        """Hold one row; return its library versions."""
        if row.label in ("Canonical", "Canonical reference"):
            self._canonical(row, columns, k, shown.table)
            return []
        entries = self._entries(row.label)
        if not entries:
            self.ledger.at(row.label, "library and version").holds("marks", row.label, "no such version", False)
        self.ledger.counts["marks"] += len(entries)
        for entry in entries:
            if entry.status != "audited":
                words = row.cells[0].text.split(":")[0].strip()
                absent = {cell.text for cell in row.cells} == {"–"}  # beside the paper's values, the key has the note
                self.ledger.at(row.label, "status").holds(
                    "verdicts", words, entry.status, absent or words == entry.status
                )
            elif shown.table.name.startswith("Table 1"):
                self._metrics(row, entry, columns, k, shown)
            else:
                self._areas(row, entry, columns, k, shown)
        return entries

    def _canonical(self, row: Row, columns: Sequence[str], k: int, table: Table) -> None:
        for head, column, cell in zip(table.columns, columns, row.cells, strict=True):
            if table.name.startswith("Table 1"):
                reference = self.returned.canonical(column, k)
            else:
                reference = self.returned.canonical("auc", k) if head.endswith(" canonical") else None
            if reference is None:
                self.ledger.at(row.label, head).mark(cell.text, "–")
            else:
                self.ledger.at(row.label, head).number(cell.text, reference.value)

    def _metrics(self, row: Row, entry: Library, columns: Sequence[str], k: int, shown: Shown) -> None:
        heads = self.returned.heads(k)
        for head, metric, cell in zip(shown.table.columns, columns, row.cells, strict=True):
            finding = heads.get((entry.library, entry.version, metric))
            self._cell(self.ledger.at(row.label, head), cell, [finding] if finding else [], shown, lettered=True)

    def _areas(self, row: Row, entry: Library, columns: Sequence[str], k: int, shown: Shown) -> None:
        areas = self.returned.areas(entry, k)
        for head, formula, cell in zip(shown.table.columns, columns, row.cells, strict=True):
            other = [each for text, each in areas.items() if not text or text not in columns]
            own = other if formula == "" else [areas[formula]] if formula in areas else []
            self._cell(self.ledger.at(row.label, head), cell, own, shown, lettered=formula == "")
            letter = head.rpartition(" ")[2]
            if own and formula and own[0].verdict != "agrees":
                self.meanings.mark(self.ledger.at(row.label, head), own[0], letter)
                shown.letters.add(("auc", letter))

    def _cell(self, at: Place, cell: Cell, findings: Sequence[Finding], shown: Shown, lettered: bool) -> None:
        """Hold a cell against the findings that it shows, in their order; in Table 2 there may be several."""
        offered = [each for each in findings if each.status != "not_offered"]
        parts = _PARTS.findall(f"{cell.text} {cell.mark}".strip())
        joined = ", ".join(plain(" ".join(part)) for part in parts)
        whole = [("–", "")] if not offered else parts
        same_text = joined.replace(" ", "") == f"{cell.text}{cell.mark}".replace(" ", "")
        if not same_text or len(whole) != max(len(offered), 1) or (not offered and cell != Cell("–")):
            values = ", ".join(str(each.value) for each in offered)
            at.holds("numbers", f"{cell.text} {cell.mark}".strip(), values, False)
            return
        for finding, (text, mark) in zip(offered, whole, strict=False):
            shown.findings.append(finding)
            hold_value(at, text, finding)
            found = _MARK.fullmatch(mark)
            letter, reading = found.groups() if found else (mark, "")
            if finding.verdict is None:
                at.mark(mark, "")
                continue
            at.mark(reading, reading_marks(finding))
            if lettered or finding.verdict in SIGNS:
                self.meanings.mark(at, finding, letter)
                if letter.isalpha():
                    shown.letters.add((finding.metric, letter))
            else:
                at.mark(letter, "")

    def _complete(self, table: Table, entries: Sequence[Library], k: int) -> None:
        """Hold that no version of the groups shown is left out that has something to show."""
        metrics = {self.returned.metrics.get(head) for head in table.columns}
        heads = self.returned.heads(k)
        groups = {entry.group for entry in entries}
        for entry in self.returned.result.libraries:
            own = [each for place, each in heads.items() if place[:2] == (entry.library, entry.version)]
            if table.name.startswith("Table 1"):
                has = entry.status != "audited" or any(f.metric in metrics and f.status != "not_offered" for f in own)
            else:
                has = bool(self.returned.areas(entry, k))
            if has and entry.group in groups and entry not in entries:
                self.ledger.at(f"{entry.title} {entry.version}", "row").holds("marks", "no row", "values", False)

    def key(self, line: str, shown: Shown) -> bool:
        """Hold one line of a table's key; return False if it is none."""
        at = self.ledger.at(shown.table.name, f"key, {line[:40]}")
        titles = "|".join(map(re.escape, sorted(self.returned.metrics, key=len, reverse=True)))
        listed = re.fullmatch(r"(?:others )?(.*?): see (?:the page|the columns of Table 2)", line)
        if listed:
            for title, letters in re.findall(rf"({titles}) ((?:[a-z]+(?: |$))+)", listed[1].replace(",", "")):
                shown.explained.update((self.returned.metrics[title], each) for each in letters.split())
            self.ledger.counts["marks"] += 1
            return True
        if nan := re.fullmatch(rf"({titles}) nan: (.+)", line):
            self._nan(at, nan[2], [f for f in shown.findings if f.metric == self.returned.metrics[nan[1]]])
            return True
        if lettered := re.match(rf"((?:(?:{titles}) [a-z]+(?:, | ))+)(?=\S)", line):
            for title, letter in re.findall(rf"({titles}) ([a-z]+)", lettered[1]):
                metric = self.returned.metrics[title]
                shown.explained[metric, letter] += 1
                formula = self.meanings.letters.get((metric, letter), f"no formula has the letter {letter}")
                self.meanings.words(at, metric, formula, line[lettered.end() :])
            return True
        return self._sign(at, line, shown)

    def _sign(self, at: Place, line: str, shown: Shown) -> bool:
        moved = [(finding, moving(finding)) for finding in shown.findings]
        if re.match("† (?:averages|counts) other users: ", line):
            values = {finding.definition.get("users", "") for finding, axes in moved if "users" in axes}
            words = sorted(OTHER_USERS.get(each, each) for each in values)
            told = sorted(re.split(r" or (?=with )", line.partition(": ")[2]))
            at.sentence(told, words)
        elif line.startswith(("‡ counts unusual users otherwise (", "‡ counts otherwise who has ")):
            axes = set().union(*(axes for _, axes in moved)) & set(SITUATIONS)
            at.sentence(sorted(_situations(line)), sorted(axes))
        elif line == "§ takes no k: reads the whole list":
            at.sentence(True, any("§" in reading_marks(each) for each in shown.findings))
        elif line in _SIGN_WORDS:
            at.sentence(True, _SIGN_WORDS[line] in {f.verdict for f in shown.findings})
        elif line not in _VERSION_SIGNS:
            return False
        shown.told[line[0]] += 1
        return True

    def _nan(self, at: Place, words: str, findings: Sequence[Finding]) -> None:
        nan = [each for each in findings if each.value is not None and math.isnan(each.value)]
        of_users = [each for each in nan if not takes_one_ranking(each)]
        known = {axis for each in of_users for axis in SITUATIONS if each.definition.get(axis) == "nan"}
        at.sentence((bool(nan), sorted(_situations(words))), (True, sorted(known)))

    def key_is_complete(self, shown: Shown) -> None:
        """Hold that each letter and mark that a table shows is explained, and none besides."""
        name = shown.table.name
        for metric, letter in sorted(shown.letters ^ set(shown.explained)):
            said = "explained, not shown" if (metric, letter) in shown.explained else "shown, not explained"
            self.ledger.at(name, f"key of {metric}").holds("marks", letter, said, False)
        needed = {mark for each in shown.findings for mark in reading_marks(each)}
        needed |= {SIGNS[each.verdict] for each in shown.findings if each.verdict in SIGNS}
        told = set(shown.told) & {"†", "‡", "§", *SIGNS.values()}
        unexplained = sorted(needed - told)
        self.ledger.at(name, "key").holds("marks", "no line", " ".join(unexplained), not unexplained)

    def _behaviours(self, row: Row, columns: Sequence[str]) -> None:
        """Hold one experiment of the table of edge behaviour: how many functions do what."""
        named = [each.name for each in self.returned.result.experiments if plain(each.title) == row.label]
        for head, cell in zip(columns, row.cells, strict=True):
            entry = self.returned.versions.get(head)
            if not named or entry is None:
                raise UnreadableError(
                    self.ledger.file, f"Edge behaviour has {row.label}, {head}, which are not of the run"
                )
            asked: dict[str, str] = {}
            for each in self.returned.result.findings:
                acts = each.behaviours.get(named[0])
                if (each.library, each.version) == (entry.library, entry.version) and each.behaviours and acts:
                    asked.setdefault(each.function, acts.name)
            counts = Counter(
                each.replace("_", " ") for each in asked.values() if each not in ("not_asked", "not_askable")
            )
            told = dict(re.findall(r"([^,]+?) (\d+)(?:, |$)", cell.text))
            if len(counts) < 2:
                self.ledger.at(row.label, head).verdict(cell.text, next(iter(counts), "–"))
            else:
                rest = counts.total() - sum(counts[name] for name in told)
                right = {name: str(counts[name] or rest) for name in told}
                self.ledger.at(row.label, head).figure(told, right)


def _situations(words: str) -> set[str]:
    """Return the axes of the unusual users that a line of a key names."""
    found = {axis for axis, told in SITUATIONS.items() if re.search(rf"\b{told.removeprefix('no ')}\b", words)}
    return found | ({"no_hit"} if "only gains of 0" in words else set())


def hold_value(at: Place, text: str, finding: Finding) -> None:
    """Hold a printed value against what a finding returned: its status, no mean, or a number."""
    if finding.verdict is None:
        status = "–" if finding.status == "not_offered" else finding.status.replace("_", " ")
        at.verdict(text, status)
    elif finding.value is None:
        silent = "not recorded" if finding.evidence.range.get("data", "").startswith("not compared") else "per user"
        at.verdict(text.replace("/user", "per user"), silent)
    else:
        at.number(text, finding.value)


def _is_value(text: str, value: float | None) -> bool:
    printed = text.split(" ")[0]
    return is_rounding(printed, value) if value is not None else not re.fullmatch(NUMBER, printed)


def _area_name(formula: str, k: int) -> str:
    """Return the name of an AUC in the literature: of one ranking of all users SAUC, of limited lists LAUC, ..."""
    axes: Mapping[str, str] = dict(part.split(":", 1) for part in formula.split("|")[1:])
    lists = axes.get("list", "")
    of_list = {"limited": "LAUC", "limited_hits": "LAUC", "top_negatives": "pAUC", "top_both": "pAp"}
    name = "SAUC" if axes.get("scope") == "stacked" else of_list.get(lists, "GAUC")
    prefix = {"weighted": "weighted ", "pooled": "pooled "}.get(axes.get("pooling", ""), "")
    return f"{prefix}{name}@{k}" if lists else f"{prefix}{name}"
