"""Writes what a paper says of a definition: a sentence, LaTeX, BibTeX of its sources, and a command."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from importlib.metadata import version

from recsys_metric_audit.reference.catalogue import find_variant
from recsys_metric_audit.reference.catalogue.bibliography import Citation, Source
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.axis_meanings import axis_question, value_meaning_in
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reference.formula_text import averaging_lines, formula_lines
from recsys_metric_audit.reference.formula_text.template import NOTATION
from recsys_metric_audit.reference.space.levels import Level, by_level

TOOL = "recsys-metric-audit"
_PLACE = re.compile(r"(?P<place>.*?)(?: (?P<volume>\d+) \((?P<number>\d+)\))?(?:, (?P<pages>article \d+|\d+–\d+))?")
_LEVEL_SENTENCES: dict[Level, str] = {"who_counts": "Who counts", "input": "Unusual input"}


@dataclass(frozen=True)
class PaperKit:
    """Holds the texts for a paper on one definition.

    Attributes:
        sentence: What was computed, as plain text for a section on methods.
        latex: The formula and how users become one number, as one LaTeX environment, and its symbols as a comment.
        bibtex: An entry for each source of the definition, and one for this tool.
        command: What computes it again.
    """

    sentence: str
    latex: str
    bibtex: tuple[str, ...]
    command: str


def paper_kit(definition: Definition) -> PaperKit:
    """Return the texts for a paper on one definition."""
    sources = tuple(dict.fromkeys(citation.source for citation in _citations(definition)))
    return PaperKit(
        sentence=_sentence(definition, sources),
        latex=_latex(definition),
        bibtex=(*map(bibtex, sources), _tool_entry()),
        command=_command(definition),
    )


def bibtex(source: Source) -> str:
    """Return the BibTeX entry of a source; what is no article, chapter or book is ``@misc``."""
    year = re.search(r"\b(?:19|20)\d\d\b", source.short)
    found = _PLACE.fullmatch(re.sub(r", (19|20)\d\d$", "", source.place))
    assert found is not None
    kind, place = _kind(source, found["volume"])
    fields = {
        "author": source.authors or f"{{{source.short}}}",
        "title": f"{{{source.title}}}",
        place: found["place"],
        "volume": found["volume"],
        "number": found["number"],
        "pages": (found["pages"] or "").replace("–", "--"),
        "year": year[0] if year else "",
        "doi": source.link.removeprefix("https://doi.org/") if "://doi.org/" in source.link else "",
        "url": source.link,
    }
    lines = [f"  {name} = {{{_escaped(name, text)}}}," for name, text in fields.items() if text]
    return "\n".join([f"@{kind}{{{key(source)},", *lines, "}"])


def key(source: Source) -> str:
    """Return the key of a source's entry: the first word of its short citation and the year, as ``tamm2021``.

    Pages of software have no year: all words of theirs are in the key, as ``trec_eval_9``.
    """
    plain = unicodedata.normalize("NFKD", source.short).encode("ascii", "ignore").decode().lower()
    words, year = [re.sub(r"[^a-z0-9_]", "", word) for word in plain.split()], re.search(r"\d{4}", plain)
    return re.sub(r"\d", "", words[0]) + year[0] if year else "_".join(words)


def _kind(source: Source, volume: str | None) -> tuple[str, str]:
    """Return the kind of a source's entry, and the field that its place goes into."""
    if volume is not None:
        return "article", "journal"
    if not source.authors or "blog" in source.place or "arXiv" in source.place:
        return "misc", "howpublished"
    if re.search(r"Press|Springer", source.place):
        return "book", "publisher"
    return "inproceedings", "booktitle"


def _escaped(name: str, text: str) -> str:
    return text if name in ("url", "doi") else re.sub(r"(?<!\\)([&%$#_])", r"\\\1", text)


def _tool_entry() -> str:
    return "\n".join([
        f"@software{{{TOOL},", f"  author = {{{{{TOOL} maintainers}}}},", f"  title = {{{{{TOOL}}}}},",
        f"  version = {{{version(TOOL)}}},", "}",
    ])  # fmt: skip


def _citations(definition: Definition) -> tuple[Citation, ...]:
    """Return who states the definition, or else its formula."""
    variant = find_variant(definition) or find_variant(formula_of(definition))
    return (*variant.citations, *variant.in_code) if variant is not None else ()


def _sentence(definition: Definition, sources: tuple[Source, ...]) -> str:
    """Return what was computed, in words: the formula, the mean over users, and what is not canonical beside it."""
    first, *others = [line.text.replace(" = ", " is ", 1) for line in formula_lines(definition)]
    parts = [f"{first}{', where ' + '; '.join(others) if others else ''}."]
    parts.append(f"Reported is {'; '.join(line.text for line in averaging_lines(definition))}.")
    levels = by_level(definition.differs_on)
    for level, title in _LEVEL_SENTENCES.items():
        told = [_meaning(definition, axis) for axis in levels.get(level, ())]
        parts += [f"{title}: {'; '.join(told)}."] if told else []
    cited = f" ({'; '.join(source.short for source in sources)})" if sources else ""
    parts.append(f"In the notation of {TOOL} {version(TOOL)} this is {definition.signature()}{cited}.")
    return " ".join(parts)


def _meaning(definition: Definition, name: str) -> str:
    return f"{axis_question(definition, name)}: {value_meaning_in(definition, name, definition.axes[name])}"


def _latex(definition: Definition) -> str:
    lines = [line.latex for line in (*formula_lines(definition), *averaging_lines(definition))]
    symbols = "\n".join(f"% {symbol}: {meaning}" for symbol, meaning in NOTATION)
    return f"{symbols}\n\\begin{{gather*}}\n" + " \\\\\n".join(f"  {line}" for line in lines) + "\n\\end{gather*}"


def _command(definition: Definition) -> str:
    """Return the command that computes the definition on one's own files; ``-k`` only where a cut-off acts."""
    signature = definition.signature().replace(f"@{definition.k}", "", 1)
    cut = "" if definition.k is None else f" -k {definition.k if isinstance(definition.k, int) else 10}"
    return f"audit evaluate predictions.csv truth.csv{cut} --metrics '{signature}'"


def kit_text(kit: PaperKit) -> str:
    """Return all texts of a kit, each under its heading, to be copied from a terminal: nothing is wrapped."""
    parts = {
        "Sentence": kit.sentence, "LaTeX (amsmath)": kit.latex, "BibTeX": "\n".join(kit.bibtex), "Command": kit.command
    }  # fmt: skip
    return "\n\n".join(f"{heading}\n\n{text}" for heading, text in parts.items())
