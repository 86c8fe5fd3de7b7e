"""Holds the HTML page against the raw answers: matrix, shares, agreements, formula pages, metrics, libraries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reports.model.result import Finding, Witness
from recsys_metric_audit.reports.verification.document import NUMBER, UnreadableError, is_rounding, plain
from recsys_metric_audit.reports.verification.judge_tables import hold_value
from recsys_metric_audit.reports.verification.readers import Node
from recsys_metric_audit.reports.verification.returned import IDENTIFIED, Ledger, Meanings, Place, Returned, open_cutoff

VERDICTS = {
    "computes the canonical formula": "agrees",
    "computes another documented formula": "variant",
    "computes a formula that neither its documentation nor a source of the catalogue states": "undocumented",
    "several formulas fit all that was asked": "ambiguous",
    "no definition fits": "unexplained",
    "gives different answers to the same question": "unstable",
    "not offered": "not_offered",
    "timed out": "timed_out",
}
"""What the page says of a verdict or status; other statuses are said in their own word."""
_SHORT = {"several fit": "ambiguous", "none fits": "unexplained", "unstable": "unstable"}
_LEVELS = {"Formula": "formula", "Who counts": "who_counts", "Input handling": "input"}
_FORMULA_MOVES = "the formula|the formula with what the call passes|what the call passes"
_DOCUMENTED = {"its own documentation": "library", "a source of the catalogue": "catalogue"}
_CLAIMS = {
    "As its documentation says:": True,
    "Not what its documentation says:": False,
    "Its documentation says": None,
}


class PageJudge:
    """Judges one page."""

    def __init__(self, returned: Returned, meanings: Meanings, ledger: Ledger, page: Node) -> None:
        self.returned, self.meanings, self.ledger, self.page = returned, meanings, ledger, page
        self.by_place = {(f.library, f.version, f.function, f.k): f for f in returned.result.findings}
        self.names = {(entry.library, entry.version): name for name, entry in returned.versions.items()}

    def judge(self) -> None:
        """Hold everything but the tables of the paper, which are judged like those of the other forms."""
        figures = self.page.all("figure", "matrix")
        if len(figures) != len(self.returned.result.k):
            raise UnreadableError(self.ledger.file, f"it has {len(figures)} matrices for the cut-offs of the run")
        told = [each for section in self.page.all("section", "meaning") for each in self._formula_page(section)]
        for place in sorted(map(str, self.by_place.keys() - set(told))):
            self.ledger.at(place, "page").holds("verdicts", "nothing", "a finding", False)
        for k, figure, shares in zip(self.returned.result.k, figures, self.page.all("div", "shares"), strict=True):
            self._shares(shares, k)
            self._matrix(figure, k)
        for body in self.page.first("table", "agreement").all("tbody"):
            self._agreement(body)
        chips = {
            each.attributes.get("id"): each.first("p", "signature").first("span", "chip").text
            for each in self.page.all("section", "meaning")
        }
        for section in self.page.all("section", "metric"):
            self._metric(section, chips)
        for section in self.page.all("section", "library"):
            self._library(section)

    def _shares(self, shares: Node, k: int) -> None:
        counts = Counter((f.verdict or f.status).replace("_", " ") for f in self.returned.heads(k).values())
        told = {item.without("b", "span"): item.first("b").text for item in shares.all("li")}
        self.ledger.at("shares", f"k = {k}").sentence(told, {name: str(counts[name]) for name in told})
        self.ledger.at("shares", "all").sentence(set(told), set(counts))

    def _matrix(self, figure: Node, k: int) -> None:
        heads = self.returned.heads(k)
        first, canonical = figure.first("thead").all("tr")
        metrics = [self.returned.metrics.get(head.text, "") for head in first.all("th")[1:]]
        if "" in metrics:
            raise UnreadableError(self.ledger.file, f"its matrix has the unknown metric {first.all('th')[1:]}")
        for metric, cell in zip(metrics, canonical.all("td"), strict=True):
            row = self.returned.canonical(metric, k)
            at, printed = self.ledger.at("Canonical", f"matrix, {metric}"), cell.first("b").text
            if row is None:
                at.mark(printed, "–")
            else:
                at.number(printed, row.value)
                title = cell.first("span", "cell").attributes.get("title")
                at.figure(title, f"{row.signature} = {row.value!r}")
        rows = figure.first("tbody").all("tr")
        labels = [row.first("th").text for row in rows]
        self.ledger.at("matrix", "rows").mark(labels, self._row_labels())
        for label, line in zip(labels, rows, strict=True):
            entry = self.returned.versions.get(label.removesuffix(" (recorded)"))
            if entry is None or line.first("td", "note").tag:
                continue
            for metric, cell in zip(metrics, line.all("td"), strict=True):
                place = (entry.library, entry.version, metric)
                own = [each for each in self.returned.at(k) if (each.library, each.version, each.metric) == place]
                self._cell(label, metric, cell, heads.get(place), own)

    def _row_labels(self) -> list[str]:
        return [
            f"{self.names[e.library, e.version]}{'' if e.live else ' (recorded)'}"
            for e in self.returned.result.libraries
        ]

    def _cell(self, row: str, metric: str, cell: Node, finding: Finding | None, own: Sequence[Finding]) -> None:
        at = self.ledger.at(row, f"matrix, {metric}")
        if finding is None:
            at.verdict((cell.classes[:1], cell.text), (["not_offered"], "–"))
            return
        at.verdict(cell.classes[0], finding.verdict or finding.status)
        hold_value(at, cell.first("b").text, finding)
        if finding.verdict is None:
            return
        self.meanings.mark(at, finding, cell.first("span", "chip").text)
        self._words(at, finding, cell.first("small").without("span", "i"))
        levels = "".join(level[0] for level in ("formula", "who_counts", "input") if finding.levels.get(level))
        at.mark(cell.attributes.get("data-l", ""), levels)
        exact = "" if finding.value is None else repr(finding.value)
        at.figure(cell.attributes.get("data-s", ""), exact)
        further = len([each for each in own if each.status not in ("not_offered", "unavailable")]) - 1
        at.figure(cell.first("small").first("i").text.lstrip("&"), str(further) if further > 0 else "")
        reference = self.returned.canonical(metric, finding.k if finding.k is not None else self.returned.first_k)
        if "equal" in cell.classes and reference is not None and finding.value is not None:
            near = abs(finding.value - reference.value) <= 1e-3 * max(1.0, abs(reference.value))
            at.holds("marks", "like the canonical value", repr(finding.value), near)

    def _words(self, at: Place, finding: Finding, words: str) -> None:
        """Hold the words of a formula, or of a verdict, in few words."""
        if finding.verdict in IDENTIFIED and words not in ("canonical", "the usual formula"):
            self.meanings.words(at, finding.metric, self.returned.formula(finding), words)
        else:
            right = "agrees" if words == "canonical" else _SHORT.get(words, words)
            canonical = self.returned.canonical(finding.metric, finding.k)
            usual = canonical is not None and self.returned.formula(finding) == open_cutoff(canonical.signature)
            at.holds("verdicts", words, str(finding.verdict), finding.verdict == right or usual)

    def _agreement(self, body: Node) -> None:
        title, *groups = body.all("tr")
        metric = self.returned.metrics.get(title.text, "")
        k = self.returned.first_k
        heads = [each for place, each in self.returned.heads(k).items() if place[2] == metric]
        formulas: dict[str, list[Finding]] = {}
        for each in filter(self.returned.formula, heads):
            formulas.setdefault(self.returned.formula(each), []).append(each)
        by_versions = {frozenset(self.names[f.library, f.version] for f in own): own for own in formulas.values()}
        self.ledger.at(f"agreement on {metric}", "formulas").sentence(len(groups), len(formulas))
        for group in groups:
            formula, libraries = group.all("td")
            own = by_versions.get(frozenset(self._versions(libraries.text)), [])
            at = self.ledger.at(f"agreement on {metric}", libraries.text)
            at.holds("sentences", formula.text, "no such group", bool(own))
            if own:
                chip = formula.first("span", "chip").text
                self.meanings.mark(at, own[0], chip)
                self._words(at, own[0], formula.text.removeprefix(chip).strip())

    def _versions(self, text: str) -> list[str]:
        """Return ``A 1.0; B 2.0, 1.0 and 0.9`` as versions with their titles."""
        found = []
        for one in text.split("; "):
            title = max((t for t in self.returned.titles.values() if one.startswith(f"{t} ")), key=len, default="")
            found += [f"{title} {version}" for version in re.split(r", | and ", one.removeprefix(f"{title} "))]
        return found

    def _formula_page(self, section: Node) -> list[tuple[str, str, str, int | None]]:
        """Hold the page of one formula; return the findings that it tells of."""
        metric, _, heading = section.first("header", "common").text.partition(": ")
        told = []
        for article in section.all("article", "finding"):
            findings = self._findings(article)
            for finding in findings:
                at = self.ledger.at(f"page of {self.names[finding.library, finding.version]}", finding.function)
                at.sentence(self.returned.metrics.get(metric), finding.metric)
                told.append((finding.library, finding.version, finding.function, finding.k))
            if findings:
                self._article(article, findings)
        own_findings = [self.by_place[place] for place in told]
        verdicts = sorted({each.verdict or each.status for each in own_findings})
        at = self.ledger.at(f"page of {section.attributes.get('id')}", "verdict")
        at.verdict(sorted({*section.classes} - {"page", "meaning"}), verdicts)
        at.verdict(sorted(VERDICTS.get(each, each) for each in heading.split(" or ")), verdicts)
        witnesses = [each.witness for each in own_findings if each.witness]
        for proof in section.all("section", "proof"):
            self._proof(proof, witnesses)
        signature = section.first("p", "signature").first("code").text
        if signature and own_findings:
            chip = section.first("p", "signature").first("span", "chip").text
            self.meanings.mark(self.ledger.at(f"page of {signature}", "signature"), own_findings[0], chip)
            formulas = {self.returned.formula(each) or each.signature for each in own_findings}
            self.ledger.at(f"page of {signature}", "signature").sentence({signature}, formulas)
        members = section.first("section", "members")
        for item in members.all("li"):
            self._member(item, own_findings)
        if listed := len(members.all("li")):
            at = self.ledger.at(f"page of {section.attributes.get('id')}", "number of the same elsewhere")
            at.sentence(members.first("h2").first("small").text, str(listed))
        return told

    def _findings(self, article: Node) -> list[Finding]:
        """Return the findings of an entry, in the order in which it tells them."""
        head = article.first("h1")
        title, _, _ = head.without("small").rpartition(":")
        versions = head.first("small").text.removesuffix(", recorded").split(", ")
        title, cuts = title.strip(), article.first("p", "function").without("code").removeprefix("at k = ")
        ks = [int(k) for k in cuts.split(", ")] if cuts else [None]
        function = article.first("code").text
        rows = article.first("table", "places").first("tbody").all("tr")
        places = [(v, None if row.first("td").text == "–" else int(row.first("td").text))
                  for row in rows for v in row.first("th").without("small").split(", ")]  # fmt: skip
        found = []
        for version, k in places or [(version, k) for version in versions for k in ks]:
            entry = self.returned.versions.get(f"{title} {version}")
            finding = entry and self.by_place.get((entry.library, entry.version, function, k))
            if finding:
                found.append(finding)
            else:
                self.ledger.at(f"{title} {version}", f"{function} {k}").holds("verdicts", "a page", "no finding", False)
        return found

    def _article(self, article: Node, findings: Sequence[Finding]) -> None:
        first = findings[0]
        at = self.ledger.at(f"page of {self.names[first.library, first.version]}", first.function)
        says = article.first("p", "says")
        words = says.without("small").removeprefix(says.first("span", "chip").text).strip()
        reference = self.returned.canonical(first.metric, first.k) or self.returned.canonical(first.metric, None)
        for finding in findings:
            at.verdict(VERDICTS.get(words, words), finding.verdict or finding.status)
        if first.verdict is None:
            return
        self.meanings.mark(at, first, says.first("span", "chip").text)
        value, canonical, *_ = article.first("div", "figures-big").all("b")
        self._optional(at, value.text, first.value)
        self._optional(at, canonical.text, reference.value if reference else None)
        self._sentences(at, article.first("p", "tells").text, first, reference.value if reference else None)
        for row in article.first("table", "places").first("tbody").all("tr"):
            version, k = row.first("th").without("small").split(", ")[0], row.first("td").text
            finding = next(f for f in findings if plain(f.version) == version and str(f.k or "–") == k)
            exact = "–" if finding.value is None else repr(finding.value)
            self.ledger.at(at.row, f"{first.function} {version} {k}").figure(row.first("b").text, exact)
        for line in article.first("dl", "levels").all("div"):
            level = _LEVELS[line.first("dt").text]
            states = [state.text for state in line.all("b")]
            at.verdict("differs" in states, bool(first.levels.get(level)))  # type: ignore[call-overload]
        for claim in article.all("p", "claim"):
            self._claim(at, claim, first)
        self._evidence(at, article.first("details", "folded"), findings)

    def _evidence(self, at: Place, details: Node, findings: Sequence[Finding]) -> None:
        """Hold the figures of the evidence; those in which the findings differ are in a table of their own."""
        first, seen = findings[0], findings[0].evidence
        told = [part for line in details.all("p") for part in line.text.split(" · ")]
        shown = {"Cases asked": float(seen.cases), "Largest deviation": seen.largest_deviation,
                 "Tolerance": seen.tolerance, "Identified definition on the data": seen.fitted_value}  # fmt: skip
        for name, right in shown.items():
            for printed in (part.removeprefix(f"{name} ") for part in told if part.startswith(f"{name} ")):
                at.number(printed, right)
        tried = [re.match(r"Held-out inputs ([\d,]+) users? in ([\d,]+) cases?, all predicted", part) for part in told]
        for found in filter(None, tried):
            figures = tuple(int(each.replace(",", "")) for each in found.groups())
            at.sentence(figures, (seen.held_out_users, seen.held_out_cases))
        every = [part.partition(": ")[2] for part in told if part.startswith("Value on this data, every digit: ")]
        alike = len({(repr(each.value), each.k) for each in findings}) == 1
        at.figure(every[:1] or [repr(first.value)] * alike, [repr(first.value)] if every or alike else [])

    def _optional(self, at: Place, printed: str, value: float | None) -> None:
        if value is None:
            at.figure(printed, "–")
        else:
            at.number(printed, value)

    def _sentences(self, at: Place, text: str, finding: Finding, canonical: float | None) -> None:
        """Hold what an entry says of the formula, and of its effect on the data."""
        title = re.escape(self.returned.title(finding.metric))
        other = re.match(rf"It computes {title} by another formula: (.*?)\. (?=On this data|It gives)", text)
        agrees = re.match(rf"It computes the (canonical|usual) {title}\.", text)
        if other:
            self.meanings.words(at, finding.metric, self.returned.formula(finding), other[1])
            at.verdict(True, finding.verdict in ("variant", "undocumented"))
        elif agrees:
            right = "agrees" if agrees[1] == "canonical" else finding.verdict
            at.verdict(finding.verdict, right)
        else:
            said = re.match(rf"{title}: (.*?)\. ", text)
            at.verdict(VERDICTS.get(said[1]) if said else text, finding.verdict)
        data = re.search(
            rf"On this data it is ({NUMBER})(, and so is the canonical {title}|[,:] the canonical ({NUMBER}))?", text
        )
        if data is None:
            at.sentence(text.endswith("It gives a value for each user and no mean."), finding.value is None)
            return
        at.number(data[1], finding.value)
        if data[3]:
            at.number(data[3], canonical)
        elif data[2]:
            near = canonical is not None and finding.value is not None and (
                abs(finding.value - canonical) <= 1e-3 * max(1.0, abs(canonical)))  # fmt: skip
            at.holds("sentences", data[0], f"{finding.value!r}, canonical {canonical!r}", near)
        effect = finding.effect
        parts = (
            {_FORMULA_MOVES: effect.formula, "who counts": effect.who_counts, "input handling": effect.input}
            if effect
            else {}
        )
        for name, change in parts.items():
            if printed := re.search(rf"(?:{name}) makes ({NUMBER}) of it", text):
                at.number(printed[1], change)
        if " of it" in text:
            decided = [axis for axis in finding.assumed if axis in finding.does_not_apply]
            at.sentence("what the call passes" in text, "formula" in map(level_of, decided))

    def _claim(self, at: Place, claim: Node, finding: Finding) -> None:
        if claim.text.startswith("The formula is stated by "):
            named = [by for words, by in _DOCUMENTED.items() if words in claim.text and "neither" not in claim.text]
            at.verdict(named, list(finding.documented_by))
            return
        words = next((words for words in _CLAIMS if claim.text.startswith(words)), "")
        said = (_CLAIMS.get(words), claim.first("code").text)
        at.verdict(said, (finding.matches_claim, plain(finding.claimed or "")))

    def _proof(self, proof: Node, witnesses: Sequence[Witness]) -> None:
        """Hold the smallest input: one of the witnesses of the page, with its values."""
        text = [plain(part.text) for part in proof.all("p")]
        own = [each for each in witnesses if plain(each.text) == text[0]]
        told = [re.findall(rf"(?:k = |library |canonical |: )({NUMBER}|–)(?= relevant|,|:|$)", line)
                for line in text if re.match(r"Case |User ", line)]  # fmt: skip
        right: list[list[list[float | None]]] = []
        for each in own:
            head = [*([float(each.k)] if each.k is not None else []), each.library_value, each.canonical_value]
            users: list[list[float | None]] = [
                [float(user.r), *(v for v in (user.library_value, user.canonical_value) if v is not None)]
                for user in each.users
            ]
            right.append([head, *users] if any(line.startswith("Case ") for line in text) else users)
        self.ledger.at("smallest input", text[0]).holds(
            "sentences", str(told), str(right), any(_equal(told, each) for each in right)
        )

    def _member(self, item: Node, findings: Iterable[Finding]) -> None:
        """Hold a line that lists where else a formula is computed, and the values."""
        function = item.first("code").text
        cuts, _, said = item.without("a").rpartition(":")
        values, words = said.strip().split(", "), item.first("a").without("code")
        own = [
            each for each in findings if each.function == function and plain(each.version) in re.split(r", | ", words)
            and words.startswith(f"{self.returned.titles[each.library, each.version]} ")
        ]  # fmt: skip
        returned = [each.value for each in own]
        fits = all(any(_is_shown(text, value) for value in returned) for text in values)
        fits = fits and all(any(_is_shown(text, value) for text in values) for value in returned)
        title = max((t for t in self.returned.titles.values() if words.startswith(f"{t} ")), key=len, default="")
        places = (set(words.removeprefix(f"{title} ").split(", ")), set(re.findall(r"\d+", cuts)))
        right = ({plain(each.version) for each in own}, {str(each.k) for each in own if each.k is not None})
        self.ledger.at(item.text, "the same elsewhere").sentence(places, right)
        self.ledger.at(item.text, "the same elsewhere").holds("numbers", str(values), str(returned), bool(own) and fits)

    def _metric(self, section: Node, chips: Mapping[str | None, str]) -> None:
        head = section.first("h1")
        metric = self.returned.metrics.get(head.without("small"), "")
        own = [each for each in self.returned.result.findings if each.metric == metric]
        formulas = {self.returned.formula(each) for each in own} - {""}
        told = re.fullmatch(r"(\d+) formulas? identified in ([\d,]+) findings?", head.first("small").text)
        figures = (told[1], told[2]) if told else (head.text,)
        self.ledger.at(f"metric {metric}", "formulas and findings").sentence(
            figures, (str(len(formulas)), f"{len(own):,}")
        )
        rows = {(row.signature, repr(row.value)) for row in self.returned.result.reference if row.metric == metric}
        canons = {
            (p.first("code").text, p.without("code").partition("= ")[2].removesuffix(" on this data"))
            for p in section.all("p", "canon")
        }
        self.ledger.at(f"metric {metric}", "canonical").figure(canons, rows)
        for row in section.first("table", "variants").first("tbody").all("tr"):
            who = {plain(link.text) for link in row.first("td").all("a")}
            chip = row.first("th").first("span", "chip").text
            of_formula: dict[str, dict[str, dict[str, None]]] = {}
            for f in own:
                formula = self.returned.formula(f)
                if self.meanings.letters.get((metric, chip)) == formula or (not chip and f.verdict == "agrees"):
                    title = self.returned.titles[f.library, f.version]
                    of_formula.setdefault(formula, {}).setdefault(title, {})[plain(f.version)] = None
            named = [{f"{title} {', '.join(of)}" for title, of in each.items()} for each in of_formula.values()]
            at = self.ledger.at(f"variants of {metric}", row.first("th").text)
            page = row.first("th").first("a").attributes.get("href", "").removeprefix("#")
            at.mark(chip, chips.get(page, chip))
            at.holds("sentences", ", ".join(sorted(who)), str(named), who in named)

    def _library(self, section: Node) -> None:
        title = section.first("h1").text
        table = section.first("table", "functions")
        heads = [head.text for head in table.first("thead").all("th")]
        versions = [head for head in heads[3:] if f"{title} {head}" in self.returned.versions]
        for row in table.first("tbody").all("tr"):
            function, (metric, k, *cells) = row.first("code").text, row.all("td")
            place = 0
            for cell in cells:
                if place == len(versions):
                    break  # the letter of its edge behaviour
                for version in versions[place : place + int(cell.attributes.get("colspan", 1))]:
                    entry = self.returned.versions[f"{title} {version}"]
                    finding = self.by_place.get(
                        (entry.library, entry.version, function, None if k.text == "–" else int(k.text))
                    )
                    self._version(f"{title} {version}", function, metric.text, cell, finding)
                    place += 1

    def _version(self, row: str, function: str, metric: str, cell: Node, finding: Finding | None) -> None:
        if finding is None:
            self.ledger.at(row, function).verdict(cell.text, "–")
            return
        self.ledger.at(row, function).sentence(self.returned.metrics.get(metric), finding.metric)
        self.ledger.at(row, function).verdict(cell.classes[1], finding.verdict or finding.status)
        chip = cell.first("span", "chip").text
        text = cell.text.removesuffix(" ≠").removeprefix(chip).strip()
        hold_value(self.ledger.at(row, function), text, finding)
        self.meanings.mark(self.ledger.at(row, function), finding, chip)


def _is_shown(printed: str, value: float | None) -> bool:
    return printed == "–" if value is None else is_rounding(printed, value)


def _equal(told: Sequence[Sequence[str]], right: Sequence[Sequence[float | None]]) -> bool:
    if [len(each) for each in told] != [len(each) for each in right]:
        return False
    return all(_is_shown(a, b) for one, other in zip(told, right, strict=True) for a, b in zip(one, other, strict=True))
