"""Holds the HTML page against the raw answers: matrix, shares, agreements, formula pages, metrics, libraries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reports.model.result import Reference, Witness
from recsys_metric_audit.reports.verification.document import UnreadableError, is_rounding, plain
from recsys_metric_audit.reports.verification.facts import Fact, Facts, exact, grouped, listed
from recsys_metric_audit.reports.verification.ledger import Ledger, Place
from recsys_metric_audit.reports.verification.readers import Node

VERDICTS = {
    "agrees": "computes the canonical formula",
    "variant": "computes another documented formula",
    "undocumented": "computes a formula that neither its documentation nor a source of the catalogue states",
    "ambiguous": "several formulas fit all that was asked",
    "unexplained": "no definition fits",
    "unstable": "gives different answers to the same question",
    "not_offered": "not offered",
    "timed_out": "timed out",
}
"""What the page says of a verdict or status; others are said in their own word."""
_SHORT = {"ambiguous": "several fit", "unexplained": "none fits", "unstable": "unstable"}
_LEVELS = {"Formula": "formula", "Who counts": "who_counts", "Input handling": "input"}
_SOURCES = {"library": "its own documentation", "catalogue": "a source of the catalogue"}
_CLAIMS = {
    True: "As its documentation says:",
    False: "Not what its documentation says:",
    None: "Its documentation says",
}
_NOTHING = 5e-7
"""Smallest change of a value that is told as one: six decimals."""


class PageJudge:
    """Judges everything on one page but the tables of the paper, which are judged like those of the other forms."""

    def __init__(self, facts: Facts, ledger: Ledger, page: Node) -> None:
        self.facts, self.ledger, self.page = facts, ledger, page
        self.formulas: dict[str, tuple[str, str]] = {}
        """The letter and the signature of each formula page, by the link to it."""

    def judge(self) -> None:
        """Hold every part of the page."""
        figures, pages = self.page.all("figure.matrix"), self.page.all("section.meaning")
        if len(figures) != len(self.facts.result.k):
            raise UnreadableError(self.ledger.file, f"it has {len(figures)} matrices for the cut-offs of the run")
        told = Counter(each for section in pages for each in self._formula_page(section))
        for each in self.facts.every:
            at = self.ledger.at(each.name, f"{each.function} {each.k}")
            at.holds("verdicts", f"on {told[each]} pages", "a finding of one page", told[each] == 1)
        for k, figure, shares in zip(self.facts.result.k, figures, self.page.all("div.shares"), strict=True):
            counts = Counter(each.outcome.replace("_", " ") for each in self.facts.heads(k).values())
            shown = {item.without("b", "span"): item.first("b").text for item in shares.all("li")}
            right = {name: str(number) for name, number in counts.items()}
            self.ledger.at("shares", f"k = {k}").holds("sentences", shown, right)
            self._matrix(figure, k)
        for body in self.page.all("table.agreement", "tbody"):
            title, *rows = body.all("tr")
            heads = self.facts.heads(self.facts.first_k).values()
            self._computed_by(rows, [each for each in heads if each.metric_title == title.text])
        for section in self.page.all("section.metric"):
            self._metric(section)
        for section in self.page.all("section.library"):
            self._library(section)

    def _matrix(self, figure: Node, k: int) -> None:
        first, canonical = figure.all("thead", "tr")
        metrics = [self.facts.metrics[head.text] for head in first.all("th")[1:]]
        for metric, cell in zip(metrics, canonical.all("td"), strict=True):
            row, title = self.facts.canonical(metric, k), cell.first("span").attributes.get("title", "")
            right = f"{row.value!r} {row.signature} = {exact(row.value)}" if row else "–"
            self.ledger.at("Canonical", f"matrix, {metric}").says(f"{cell.first('b').text} {title}".strip(), right)
        rows = {row.first("th").text: row.all("td") for row in figure.all("tbody", "tr")}
        due = {f"{name}{'' if each.live else ' (recorded)'}": name for name, each in self.facts.entries.items()}
        self.ledger.at("matrix", "rows").holds("marks", [*rows], [*due])
        groups = grouped(self.facts.at(k), lambda each: (each.name, each.metric))
        for label in rows.keys() & due.keys():
            for metric, cell in zip(metrics, rows[label], strict=False):  # a version that did not run has a note
                place = (due[label], metric)
                if cell.classes != ["note"]:
                    at = self.ledger.at(label, f"matrix, {metric}")
                    self._cell(at, cell, self.facts.heads(k).get(place), groups.get(place, []))

    def _cell(self, at: Place, cell: Node, fact: Fact | None, own: Sequence[Fact]) -> None:
        data = [cell.attributes[name] for name in ("data-s", "data-l") if name in cell.attributes]
        printed = " ".join([cell.classes[0], cell.first("b").text, *data, cell.first("small").text]).strip()
        right = [fact.outcome, fact.value] if fact else ["not_offered", "–"]
        if fact and fact.verdict:
            right += [exact(fact.number)] if fact.number is not None else []
            right += ["".join(level[0] for level in _LEVELS.values() if _moves(fact, level))]
            right += [fact.letter, fact.words if fact.formula else _SHORT[fact.verdict]]
            further = sum(each.offered for each in own) - 1
            right += [f"&{further}"] if further > 0 else []
        at.says(printed, " ".join(filter(None, right)), "verdicts")
        if fact and "equal" in cell.classes:
            reference = self.facts.canonical(fact.metric, self.facts.first_k if fact.k is None else fact.k)
            equal = fact.number is None or _is_near(fact, reference)  # nor is what has no mean printed bold
            at.holds("marks", "like the canonical value", fact.value, equal)

    def _computed_by(self, rows: Sequence[Node], own: Sequence[Fact]) -> None:
        """Hold rows of formulas, with the library versions that compute each; some name a formula by its axes."""
        groups = grouped((each for each in own if each.formula), lambda each: each.formula)
        for row in rows:
            head, *who = [part for part in row.parts if isinstance(part, Node)]
            letter, signature = self.formulas.get(head.first("a").attributes.get("href", ""), ("", ""))
            group = groups.pop(signature, [])
            at = self.ledger.at(f"who computes {signature}", head.text)
            at.holds("sentences", {*self._versions(who[0].text)}, {each.name for each in group})
            words = group[0].words if group and head.tag == "td" else "⟦any axes⟧"
            at.says(head.text, f"{letter} {words}".strip())
        self.ledger.at("who computes what", "formulas").holds("sentences", "no row of", [*groups], not groups)

    def _versions(self, text: str) -> Iterator[str]:
        """Yield the names of library versions in a list such as ``A 1.0; B 2.0, 1.0 and 0.9``."""
        titles = {plain(each.title) for each in self.facts.entries.values()}
        for one in text.split("; "):
            title = max((each for each in titles if one.startswith(f"{each} ")), key=len, default="")
            for version in re.split(r", | and ", one.removeprefix(f"{title} ")):
                yield f"{title} {version}"

    def _formula_page(self, section: Node) -> list[Fact]:
        """Hold the page of one formula; return the findings that it tells of."""
        own: list[Fact] = []
        for article in section.all("article.finding"):
            findings = self._findings(article)
            own += findings
            if findings:
                self._article(article, findings)
        at = self.ledger.at(f"page of {section.attributes['id']}", "formula")
        outcomes, titles = {each.outcome for each in own}, {each.metric_title for each in own}
        at.holds("verdicts", {*section.classes} - {"page", "meaning"}, outcomes)
        title, _, heading = section.first("header.common").text.partition(": ")
        words = {VERDICTS.get(each, each) for each in outcomes}
        at.holds("verdicts", ({title}, {*heading.split(" or ")}), (titles, words))
        for proof in section.all("section.proof"):
            lines = [part.text for part in proof.all("p")]
            witnesses = [each.finding.witness for each in own if each.finding.witness]
            fits = any(lines[: len(each)] == each for witness in witnesses for each in _proofs(witness))
            at.holds("sentences", lines, "a smallest input of this page", fits)
        signature = section.first("p.signature")
        if signature.text and own:
            right = own[0].formula or own[0].finding.signature or ""
            at.says(signature.text, f"{own[0].letter} {right}".strip())
            self.formulas[f"#{section.attributes['id']}"] = (own[0].letter, right)
        members = section.all("section.members", "li")
        for item in members:
            self._member(item, own)
        at.holds("sentences", section.first("section.members", "small").text, str(len(members) or ""))
        return own

    def _findings(self, article: Node) -> list[Fact]:
        """Return the findings of an entry, in the order in which it tells them."""
        at = article.first("p.function")
        cuts = at.without("code").removeprefix("at k = ") or "–"
        versions = article.first("h1", "small").text.removesuffix(", recorded").split(", ")
        places = [
            (version, row.first("td").text)
            for row in article.all("table.places", "tbody", "tr")
            for version in _versions(row)
        ] or [(version, k) for version in versions for k in cuts.split(", ")]
        found = [self._find(f"{_title(article)} {version}", at.first("code").text, k) for version, k in places]
        self.ledger.at(_title(article), at.text).holds("verdicts", places, "functions of the run", None not in found)
        return [each for each in found if each is not None]

    def _find(self, name: str, function: str, k: str) -> Fact | None:
        return self.facts.by_place.get((name, function, None if k == "–" else int(k)))

    def _article(self, article: Node, findings: Sequence[Fact]) -> None:
        first, outcomes = findings[0], {each.outcome for each in findings}
        at = self.ledger.at(f"page of {first.name}", first.function)
        heading = VERDICTS.get(first.outcome, first.outcome)
        at.holds("verdicts", outcomes, {first.outcome})
        if first.verdict is None:
            at.says(article.first("p.says").text, heading, "verdicts")
            return
        canonical = self.facts.canonical(first.metric, first.k)
        own, usual = ("–" if each is None else repr(each) for each in (first.number, canonical and canonical.value))
        right = f"This function {own} Canonical {usual} Verdict {first.letter} {heading}"
        at.says(article.first("div.figures-big").words, plain(right), "verdicts")
        at.says(article.first("p.tells").text, f"{self._computed(first)} {_effect(first, canonical)}")
        for row in article.all("table.places", "tbody", "tr"):
            fact = self._find(f"{_title(article)} {_versions(row)[0]}", first.function, row.first("td").text)
            at.says(row.first("b").text, exact(fact.number if fact else None))
        for line in article.all("dl.levels", "div"):
            differs = "differs" in [state.text for state in line.all("b")]
            at.holds("verdicts", differs, _moves(first, _LEVELS[line.first("dt").text]))
        for claim, right in zip(article.all("p.claim"), _claims(first), strict=True):
            at.says(claim.text, right)
        _evidence(at, article.first("details.folded"), first)

    def _computed(self, fact: Fact) -> str:
        """Return what an entry says of the formula."""
        if fact.verdict == "agrees":
            return f"It computes the canonical {fact.metric_title}."
        if not fact.formula:
            return f"{fact.metric_title}: {VERDICTS[fact.outcome]}."
        usual = (fact.metric, fact.formula) in self.facts.canonical_formulas
        either = f"⟨the usual {fact.metric_title}⟩" if usual else ""
        return f"It computes {either}⟨{fact.metric_title} by another formula: {fact.words}⟩."

    def _member(self, item: Node, findings: Iterable[Fact]) -> None:
        """Hold a line that lists where else a formula is computed, and the values."""
        function, named = item.first("code").text, {*self._versions(item.first("a").without("code"))}
        own = [each for each in findings if each.function == function and each.name in named]
        at, (cuts, _, values) = self.ledger.at(item.text, "the same elsewhere"), item.without("a").rpartition(":")
        right = ({each.name for each in own}, {str(each.k) for each in own if each.k is not None})
        at.holds("sentences", (named, {*re.findall(r"\d+", cuts)}), right)
        shown = [[_is_shown(text, each.number) for each in own] for text in values.strip().split(", ")]
        fits = bool(own) and all(map(any, shown)) and all(map(any, zip(*shown, strict=True)))
        at.holds("numbers", values, [each.value for each in own], fits)

    def _metric(self, section: Node) -> None:
        title = section.first("h1").without("small")
        own = [each for each in self.facts.every if each.metric_title == title]
        at = self.ledger.at(f"metric {title}", "formulas, findings and canonical values")
        known = {each.formula for each in own if each.formula}
        if summary := section.first("h1", "small").text:
            at.says(summary, f"{len(known)} formula⟨s⟩ identified in {len(own):,} finding⟨s⟩")
        rows = [each for each in self.facts.result.reference if each.metric == self.facts.metrics.get(title)]
        canons = {f"Canonical: {each.signature} = {each.value!r} on this data" for each in rows}
        at.holds("numbers", {each.text for each in section.all("p.canon")}, canons)
        self._computed_by(section.all("table.variants", "tbody", "tr"), own)

    def _library(self, section: Node) -> None:
        title, table = section.first("h1").text, section.first("table.functions")
        names = [f"{title} {head.text}" for head in table.all("thead", "th")[3:]]
        names = [name for name in names if name in self.facts.entries]
        for row in table.all("tbody", "tr"):
            function, (metric, k, *cells) = row.first("code").text, row.all("td")
            spread = [cell for cell in cells for _ in range(int(cell.attributes.get("colspan", 1)))]
            for name, cell in zip(names, spread, strict=False):  # a last cell has the letter of its edge behaviour
                fact, right = self._find(name, function, k.text), [metric.text, "–"]
                if fact is not None:
                    right = [fact.metric_title, fact.outcome, *filter(None, [fact.letter]), f"{fact.value}⟨ ≠⟩"]
                printed = " ".join([metric.text, *cell.classes[1:2], cell.text])
                self.ledger.at(name, function).says(printed, " ".join(right), "verdicts")


def _effect(fact: Fact, canonical: Reference | None) -> str:
    """Return what an entry says of the value, and of what moves it from the canonical one."""
    if fact.number is None:
        return "It gives a value for each user and no mean."
    if canonical is None:
        return f"On this data it is {fact.value}."
    same = f"⟨, and so is the canonical {fact.metric_title}⟩" if _is_near(fact, canonical) else ""
    digits = f"⟨: the canonical {canonical.value!r} to the digits that it gives⟩"
    finding, effect = fact.finding, fact.finding.effect
    passed = any(axis in finding.does_not_apply and level_of(axis) == "formula" for axis in finding.assumed)
    mover = "⟨the formula with ⟩what the call passes" if passed else "the formula"
    by = {mover: effect.formula, "who counts": effect.who_counts, "input handling": effect.input} if effect else {}
    moving = ", ".join(f"{name} makes {change!r} of it" for name, change in by.items() if abs(change) >= _NOTHING)
    others = "⟨⟨, ⟩⟦any still⟧ nothing of it⟩⟨⟨, ⟩from ⟦any broken⟧ on it is no number⟦any rest⟧⟩"
    return f"On this data it is {fact.value}{same}{digits}⟨, the canonical {canonical.value!r}⟨; {moving}{others}⟩⟩."


def _evidence(at: Place, details: Node, first: Fact) -> None:
    """Hold the figures of the evidence; those in which findings differ are in a table of their own."""
    seen = first.finding.evidence
    tried = f"{seen.held_out_users:,} user⟨s⟩ in {seen.held_out_cases:,} case⟨s⟩, all predicted"
    returned = {
        "Cases asked": f"{seen.cases:,}",
        "Largest deviation": f"{seen.largest_deviation!r}",
        "Tolerance": f"{seen.tolerance!r}",
        "Identified definition on the data": f"{seen.fitted_value!r}",
        "Held-out inputs": f"{tried if seen.held_out_cases else ''}⟦any without⟧",
        "Value on this data, every digit:": exact(first.number),
    }
    for part in [part for line in details.all("p") for part in line.text.split(" · ")]:
        for name in [name for name in returned if part.startswith(f"{name} ")]:
            at.says(part, f"{name} {returned[name]}")


def _versions(row: Node) -> list[str]:
    return row.first("th").without("small").split(", ")


def _title(article: Node) -> str:
    return article.first("h1").without("small").rpartition(":")[0].strip()


def _moves(fact: Fact, level: str) -> bool:
    return any(name == level and axes for name, axes in fact.finding.levels.items())


def _is_near(fact: Fact, reference: Reference | None) -> bool:
    """Return True if a value is as near the canonical one as one that is said to be the same has to be."""
    if fact.number is None or reference is None:
        return False
    return abs(fact.number - reference.value) <= 1e-3 * max(1.0, abs(reference.value))


def _is_shown(printed: str, number: float | None) -> bool:
    return printed == "–" if number is None else is_rounding(printed, number)


def _claims(fact: Fact) -> list[str]:
    """Return what an entry says of who states the formula, and of what its documentation states."""
    finding = fact.finding
    by = listed([_SOURCES[each] for each in finding.documented_by]) or f"neither {' nor '.join(_SOURCES.values())}"
    claimed = f"{_CLAIMS[finding.matches_claim]} {plain(finding.claimed or '')}⟨ (⟦any where⟧)⟩"
    told = {f"The formula is stated by {by}.": bool(fact.formula), claimed: finding.claimed is not None}
    return [line for line, due in told.items() if due]


def _proofs(witness: Witness) -> Iterator[list[str]]:
    """Yield the lines of a smallest input with every digit: without those of its case, and with them."""
    users = [
        f"User {plain(user.user)}: {user.r} relevant{_stated('library', user.library_value)}"
        f"{_stated('canonical', user.canonical_value)}"
        for user in witness.users
    ]
    own, usual = ("–" if each is None else repr(each) for each in (witness.library_value, witness.canonical_value))
    case = f"Case {witness.case}{'' if witness.k is None else f', k = {witness.k}'}: library {own}, canonical {usual}"
    yield [plain(witness.text), *users]
    yield [plain(witness.text), plain(case), *users]


def _stated(by: str, number: float | None) -> str:
    return "" if number is None else f", {by} {number!r}"
