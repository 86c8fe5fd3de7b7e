"""Holds the page of findings and the table of CSV against the raw answers."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import pairwise

from recsys_metric_audit.reference.space.levels import LEVELS
from recsys_metric_audit.reports.model.result import Effect, Finding, Library, Reference, Witness
from recsys_metric_audit.reports.verification.document import NUMBER, UnreadableError, is_rounding, plain
from recsys_metric_audit.reports.verification.judge_sentences import contradicts_formula
from recsys_metric_audit.reports.verification.readers import unescaped
from recsys_metric_audit.reports.verification.returned import Kind, Ledger, Meanings, Place, Returned, open_cutoff

_RUN = re.compile(
    r"Run of (\S+) on (.*), newest of the recorded versions: ([\d,]+) librar(?:y|ies), ([\d,]+) functions? measured, "
    r"(\d+) with the canonical formula; ([\d,]+) formulas? other than the library's own documentation states\."
)
_LEAD = re.compile(r"([\d,]+) functions? measured, (\d+) with the canonical formula(?:; (\d+) not: (.*))?\.")
_GROUP = re.compile(r"- (.*) \((`.*`)\)(?:, canonical on yes/no data)?: (.*)")
_DIFFERENCE = re.compile(
    rf"- \*\*(?P<title>.*?)\*\*: (?P<words>.*?)(?:, (?P<value>{NUMBER})(?: to (?P<high>{NUMBER}))? here)? "
    r"\((?P<functions>`.*?`(?:, `.*?`)*(?:, \d+ more)?)\)"
    r"(?P<standing>, as documented|, a formula of the literature|, documented nowhere)?"
)
_WITNESS = re.compile(
    rf"(?P<lists>.*?)(?:, k = (?P<k>\d+))?: (?:its documentation|the canonical formula) gives "
    rf"(?P<other>no value|{NUMBER}), the library (?P<own>no value|{NUMBER})"
)
_DOCUMENTED = re.compile(
    r"  - Documented: (?:(?P<says>`.*`|“.*”), that is )?(?P<words>.*) \((?P<claimed>`.*`)\)(?:; (?P<where>.*))?"
)
_CHANGE = re.compile(
    r"- (?P<title>.*) (?P<function>`.*`) \((?P<metric>.*)\): "
    r"(?P<old>.*) in (?P<before>\S+); (?P<new>.*) in (?P<after>\S+)"
)
_ISSUE = re.compile(
    r"# (?P<name>.*): (?:documentation and code state different formulas of (?P<apart>.*)"
    r"|the documentation does not say which (?P<unsaid>.*) is computed)"
    r"|The documentation of (?P<documents>`.*?) says(?: \((?P<where>.*)\))?:|> (?P<says>.*)"
    r"|(?:The code, in (?P<source>.*), computes another formula|A formula that the documentation does not state is "
    r"computed in (?P<place>.*?) by (?P<by>`.*)): (?P<words>.*?)\."
    r"(?: Its values are compared with those of tools that compute another\.)?"
    r"|Smallest input: (?P<smallest>.*)"
    r"|To reproduce: `audit reproduce '(?P<subject>.*)'` of recsys-metric-audit prints a script\."
)
_AS_CANONICAL = "canonical, which is not what its documentation states"
_ALWAYS = {"library", "version", "function", "metric", "k", "status", "verdict", "value", "canonical_value"}
"""Columns without which a row says nothing."""
_VERDICT_WORDS = {
    "not known which formula": "ambiguous",
    "no formula fits": "unexplained",
    "not reproducible": "unstable",
}


class FindingsJudge:
    """Judges the page of findings."""

    def __init__(self, returned: Returned, meanings: Meanings, ledger: Ledger) -> None:
        self.returned, self.meanings, self.ledger = returned, meanings, ledger
        found = returned.at(returned.first_k) if returned.first_k is not None else list(returned.result.findings)
        self.newest = {entry.library: entry for entry in returned.newest.values()}
        self.of = {
            name: [f for f in found if (f.library, f.version) == (name, entry.version)]
            for name, entry in self.newest.items()
        }

    def judge(self, text: str) -> None:
        """Hold the whole page, section by section."""
        head, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
        if not head.startswith("# Findings\n") or not sections:
            raise UnreadableError(self.ledger.file, "it is no page of findings")
        self._run(head)
        for section in sections:
            title, _, body = section.partition("\n")
            if title == "Who agrees with whom":
                self._groups(body)
            elif title == "Library by library":
                self._libraries(body)
            elif title == "Between releases":
                self._changes([line for line in body.splitlines() if line])
            else:
                raise UnreadableError(self.ledger.file, f"it has the unknown section {title!r}")

    def _run(self, head: str) -> None:
        run = self.returned.result
        found = next(filter(None, map(_RUN.fullmatch, map(unescaped, head.splitlines()))), None)
        if found is None:
            raise UnreadableError(self.ledger.file, "no line says which run it is of")
        measured = [f for own in self.of.values() for f in own if f.verdict]
        contradicted = {(f.library, f.metric, self.returned.formula(f)) for f in measured if self._contradicted(f)}
        right = (len(self.of), len(measured), sum(f.verdict == "agrees" for f in measured), len(contradicted))
        self.ledger.at("head", "run").sentence((found[1], found[2]), (f"{run.time:%Y-%m-%d}", plain(run.dataset.name)))
        self.ledger.at("head", "figures").sentence(found.groups()[2:], tuple(f"{n:,}" for n in right))

    @staticmethod
    def _contradicted(finding: Finding) -> bool:
        return finding.matches_claim is False and bool(finding.claimed) and contradicts_formula(finding)

    def _groups(self, body: str) -> None:
        seen: dict[str, int] = {}
        metric = ""
        for line in filter(None, body.splitlines()):
            if line.startswith("### "):
                metric = self.returned.metrics.get(unescaped(line[4:]), "")
                continue
            found = _GROUP.fullmatch(line)
            if found is None or not metric:
                raise UnreadableError(self.ledger.file, f"it has the unknown line {line[:60]!r}")
            signature = found[2].strip("` ")
            own = {plain(self.newest[f.library].title): None for each in self.of.values() for f in each
                   if f.metric == metric and self.returned.formula(f) == signature}  # fmt: skip
            at = self.ledger.at(f"who agrees on {metric}", signature)
            at.sentence(sorted(re.split(r", | and ", unescaped(found[3]))), sorted(own))
            self._words(at, metric, signature, unescaped(found[1]))
            seen[metric] = seen.get(metric, 0) + 1
        formulas = {
            (f.metric, self.returned.formula(f)) for own in self.of.values() for f in own if self.returned.formula(f)
        }
        right = {metric: len([1 for of, _ in formulas if of == metric]) for metric, _ in formulas}
        self.ledger.at("who agrees with whom", "formulas").sentence(sorted(seen.items()), sorted(right.items()))

    def _words(self, at: Place, metric: str, formula: str, words: str) -> None:
        if words != "canonical":
            self.meanings.words(at, metric, formula, words)
        else:
            agrees = any(
                f.verdict == "agrees" and self.returned.formula(f) == formula for f in self.returned.result.findings
            )
            reference = self.returned.canonical(metric, self.returned.first_k)
            usual = reference is not None and open_cutoff(reference.signature) == formula
            at.holds("verdicts", words, formula, agrees or usual)

    def _libraries(self, body: str) -> None:
        parts = re.split(r"^### (.*)$", body, flags=re.MULTILINE)
        rest = parts[-1].rstrip().rpartition("\n")[2]
        same = re.fullmatch(r"Canonical in every function that was measured: (.*)\.", unescaped(rest))
        if same:
            parts[-1] = parts[-1].rstrip().removesuffix(rest)
        told = set()
        for title, part in zip(parts[1::2], parts[2::2], strict=True):
            entry = self.returned.versions.get(unescaped(title))
            if entry is None or self.newest[entry.library] != entry:
                self.ledger.at(title, "library").holds("verdicts", title, "no newest version", False)
                continue
            told.add(entry.library)
            self._library(entry, part)
        right = {name for name, own in self.of.items() if self._differing(own) or self._lost(own)}
        self.ledger.at("library by library", "libraries").sentence(sorted(told), sorted(right))
        named = sorted(f"{plain(e.title)} {plain(e.version)}" for name, e in self.newest.items()
                       if any(f.verdict for f in self.of[name]) and not self._differing(self.of[name]))  # fmt: skip
        said = sorted(re.split(r", | and ", same[1])) if same else []
        self.ledger.at("library by library", "canonical in every function").sentence(said, named)

    def _differing(self, own: Sequence[Finding]) -> list[Finding]:
        return [f for f in own if f.verdict and (f.verdict != "agrees" or self._contradicted(f))]

    @staticmethod
    def _lost(own: Sequence[Finding]) -> list[Finding]:
        return [f for f in own if f.status not in ("measured", "not_offered", "unavailable")]

    def _library(self, entry: Library, part: str) -> None:
        own, name = self.of[entry.library], f"{plain(entry.title)} {plain(entry.version)}"
        groups: dict[tuple[str, str, bool], list[Finding]] = {}
        for each in self._differing(own):
            groups.setdefault((each.metric, self.returned.formula(each), self._contradicted(each)), []).append(each)
        waiting = list(groups.values())
        lines = iter(part.strip().splitlines())
        lead = _LEAD.fullmatch(next(lines, ""))
        if lead is None:
            raise UnreadableError(self.ledger.file, f"{name} has no line of how many functions were measured")
        lost = self._lost(own)
        right = (sum(bool(f.verdict) for f in own), sum(f.verdict == "agrees" for f in own), len(lost))
        self.ledger.at(name, "figures").sentence(
            (int(lead[1].replace(",", "")), int(lead[2]), int(lead[3] or 0)), right
        )
        if lead[4]:
            self._functions(self.ledger.at(name, "not measured"), lead[4], lost)
        group: list[Finding] = []
        for line in lines:
            if found := _DIFFERENCE.fullmatch(line):
                group = next((g for g in waiting if f"`{plain(g[0].function)}`" in found["functions"]), [])
                waiting = [each for each in waiting if each is not group]
                self._difference(name, found, group)
            elif found := _DOCUMENTED.fullmatch(line):
                self._documented(name, found, group, entry)
            elif line.startswith("  - Witness: "):
                self._witness(self.ledger.at(name, "witness"), unescaped(line.removeprefix("  - Witness: ")), group)
            elif line.startswith("  - "):
                unpredicted = {plain(each.evidence.unpredicted) for each in group}
                self.ledger.at(name, "unpredicted").holds(
                    "sentences", line, str(unpredicted), unescaped(line[4:]) in unpredicted
                )
            elif line.startswith("  <details>"):
                self._issue(name, lines, group, entry)
            elif line.strip():
                raise UnreadableError(self.ledger.file, f"{name} has the unknown line {line[:60]!r}")
        left = [each[0].function for each in waiting]
        self.ledger.at(name, "differences").holds("sentences", "nothing", ", ".join(left), not left)

    def _functions(self, at: Place, text: str, own: Sequence[Finding]) -> None:
        names, more = re.findall(r"`(.*?)`", text), re.search(r"(\d+) more$", text)
        right = [plain(each.function) for each in own]
        at.sentence((names, int(more[1]) if more else 0), (right[:4], max(len(right) - 4, 0)))

    def _difference(self, name: str, found: re.Match[str], group: Sequence[Finding]) -> None:
        at = self.ledger.at(name, f"{found['title']} {found['functions']}")
        if not group:
            at.holds("sentences", "a difference", "none", False)
            return
        first, words = group[0], unescaped(found["words"])
        self._functions(at, found["functions"], group)
        at.sentence(self.returned.metrics.get(unescaped(found["title"])), first.metric)
        means = sorted((f.value for f in group if f.value is not None), key=lambda mean: (math.isnan(mean), mean))
        if found["value"] or means:
            at.number(found["value"] or "", next(iter(means), None))
            at.number(found["high"] or found["value"] or "", next(reversed(means), None))
        formula, contradicted = self.returned.formula(first), self._contradicted(first)
        if not formula:
            at.verdict(_VERDICT_WORDS.get(words, words), first.verdict)
        elif words != _AS_CANONICAL:
            self.meanings.words(at, first.metric, formula, words)
        by = {name for each in group for name in each.documented_by}
        standing = (
            ", as documented"
            if "library" in first.documented_by
            else ", a formula of the literature"
            if by
            else ", documented nowhere"
        )
        at.verdict(found["standing"] or "", standing if formula and not contradicted else "")

    def _documented(self, name: str, found: re.Match[str], group: Sequence[Finding], entry: Library) -> None:
        first = next((each for each in group if self._contradicted(each)), None)
        at = self.ledger.at(name, "documented")
        claimed = open_cutoff(plain(first.claimed or "")) if first else ""
        at.sentence(found["claimed"].strip("` "), claimed)
        says = found["says"] or ""
        says = says.strip("` ") if says.startswith("`") else unescaped(says.strip("“”"))
        at.sentence(says, plain(first.claim_says or "") if first else "no claim")
        at.sentence(unescaped(found["where"] or ""), plain(entry.claims.get(first.function, "")) if first else "")

    def _witness(self, at: Place, text: str, group: Sequence[Finding]) -> None:
        first = next((each for each in group if each.witness), group[0] if group else None)
        contradicted = next((each for each in group if self._contradicted(each)), None)
        witness = contradicted.claim_witness if contradicted else first.witness if first else None
        found = _WITNESS.fullmatch(text.rstrip("."))
        fits = found is not None and witness is not None and _is_witness(found, witness)
        returned = f"{witness.library_value}, {witness.canonical_value}, k {witness.k}" if witness else "no witness"
        at.holds("sentences", text, returned, fits)

    def _issue(self, name: str, lines: Iterator[str], group: Sequence[Finding], entry: Library) -> None:
        """Hold every line of a text for an issue, and its script."""
        first = next((each for each in group if self._contradicted(each)), group[0] if group else None)
        if first is None:
            raise UnreadableError(self.ledger.file, f"{name} has a text for an issue about nothing")
        whole = "\n".join(line.removeprefix("  ") for line in iter(lambda: next(lines, "  </details>"), "  </details>"))
        text, _, script = whole.replace("````markdown", "").replace("````", "").partition("```python\n")
        at, title = self.ledger.at(name, f"text for an issue, {first.function}"), self.returned.title(first.metric)
        right = {
            "name": plain(first.function).partition("[")[0].rpartition(".")[2], "apart": title, "unsaid": title,
            "where": plain(entry.claims.get(first.function, "")), "source": plain(entry.source),
            "place": plain(entry.source), "subject": f"{first.library}=={first.version}:{first.function}",
            "says": plain(first.claim_says or open_cutoff(first.claimed or "")),
        }  # fmt: skip
        for line in filter(str.strip, text.splitlines()):
            found = _ISSUE.fullmatch(line)
            if found is None:
                raise UnreadableError(self.ledger.file, f"{name} has the unknown line {line[:60]!r}")
            for part, printed in found.groupdict().items():
                if printed is None:
                    continue
                if part in right:
                    at.sentence(printed, right[part])
                elif part in ("documents", "by"):
                    self._functions(at, printed, group)
                elif part == "smallest":
                    self._witness(at, printed, group)
                elif printed != _AS_CANONICAL:
                    self.meanings.words(at, first.metric, self.returned.formula(first), printed)
        returned = "\n".join(line.rstrip() for line in (first.script or "").rstrip().splitlines())
        same = script.rstrip().removesuffix("```").rstrip() == returned
        at.holds("sentences", "a script", "another script", same)

    def _changes(self, lines: Sequence[str]) -> None:
        places = {(f.library, f.version, f.function): f for f in self.returned.at(self.returned.first_k)}
        right = {}
        for new, old in pairwise(self.returned.result.libraries):
            for (library, version, function), each in places.items():
                before = places.get((old.library, old.version, function))
                if (
                    (library, version) == (new.library, new.version)
                    and new.library == old.library
                    and before is not None
                ):
                    was, now = self.returned.formula(before), self.returned.formula(each)
                    if was and now and was != now:
                        key = (plain(new.title), plain(function), plain(old.version), plain(version))
                        right[key] = (each.metric, was, now)
        told = set()
        for line in lines:
            found = _CHANGE.fullmatch(line)
            if found is None:
                raise UnreadableError(self.ledger.file, f"it has the unknown line {line[:60]!r}")
            key = (
                unescaped(found["title"]),
                found["function"].strip("` "),
                unescaped(found["before"]),
                unescaped(found["after"]),
            )
            told.add(key)
            metric, was, now = right.get(key, ("", "", ""))
            self.ledger.at(f"between releases, {key[0]}", key[1]).sentence(
                self.returned.metrics.get(unescaped(found["metric"])), metric
            )
            for words, formula in ((found["old"], was), (found["new"], now)):
                self._words(self.ledger.at(f"between releases, {key[0]}", key[1]), metric, formula, unescaped(words))
        self.ledger.at("between releases", "changes").sentence(sorted(told), sorted(right))


def _is_witness(found: re.Match[str], witness: Witness) -> bool:
    values = ((found["own"], witness.library_value), (found["other"], witness.canonical_value))
    numbers = all(text == "no value" if value is None else is_rounding(text, value) for text, value in values)
    lists = [f"{each.gain or 0.0:g}" for user in witness.users[:2] for each in (*user.items, *user.missing)]
    gains, scores = (
        " ".join(re.findall(rf"(?:{word}) \[(.*?)\]", found["lists"])).split() for word in ("gains|in it", "scores")
    )
    ranked = [[each.score for each in user.items if each.score is not None] for user in witness.users[:2]]
    unordered = [own for own in ranked if any(one <= other for one, other in pairwise(own))]
    alike = not lists or (gains == lists and scores == [f"{each:g}" for own in unordered for each in own])
    return numbers and found["k"] == (None if witness.k is None else str(witness.k)) and alike


def judge_csv(text: str, returned: Returned, ledger: Ledger) -> None:
    """Hold every field of the table of findings: one row a finding, in their order, numbers with every digit."""
    rows = list(csv.DictReader(StringIO(text, newline="")))
    if len(rows) != len(returned.result.findings) or not rows:
        raise UnreadableError(ledger.file, f"it has {len(rows)} rows for {len(returned.result.findings)} findings")
    entries = {(entry.library, entry.version): entry for entry in returned.result.libraries}
    for row, finding in zip(rows, returned.result.findings, strict=True):
        at = f"{finding.library} {finding.version} {finding.function} {finding.k or ''}".strip()
        canonical = returned.canonical(finding.metric, finding.k) or returned.canonical(finding.metric, None)
        right = _fields(finding, entries[finding.library, finding.version], canonical, returned)
        if set(row) - set(right) or not set(row) >= _ALWAYS:
            raise UnreadableError(ledger.file, f"{at} lacks columns, or has columns that are not known")
        for name, field in row.items():
            value = right[name]
            printed = repr(value) if isinstance(value, float) else _text(value)
            kind: Kind = "verdicts" if name in ("verdict", "status") else "sentences"
            kind = "numbers" if isinstance(value, float) else kind
            ledger.at(at, name).holds(kind, field, printed, plain(field) in (plain(printed), "'" + plain(printed)))


_OF_AXES = ("differs_on", "unknown", "cannot_matter", "does_not_apply")


def _fields(finding: Finding, entry: Library, canonical: Reference | None, returned: Returned) -> dict[str, object]:
    effect = finding.effect or Effect.model_construct(**dict.fromkeys(Effect.model_fields))
    return {
        **{name: getattr(finding, name) for name in (*Finding.model_fields, *_OF_AXES)},
        "canonical_value": canonical.value if canonical else None,
        "same_value": effect.same_value,
        **{f"effect_{name}": getattr(effect, name) for name in ("formula", "who_counts", "input", "total")},
        **{f"differs_{level}": finding.levels.get(level, ()) for level in LEVELS},
        "python": entry.python,
        "dataset": returned.result.dataset.name,
        "dataset_digest": returned.result.dataset.digest,
    }


def _text(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: ""}[value]
    return "; ".join(value) if isinstance(value, tuple | dict) else str(value)
