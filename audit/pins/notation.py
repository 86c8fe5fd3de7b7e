"""Translates between signatures and the notations of seven tools, such as ``ndcg_cut_10`` of trec_eval.

Which function of a library a text calls is data (``notations.toml``). What the function computes is not: it is the
formula that was accepted of the newest version of the library that has one. So a translation says of formulas what
experiments found, and nothing of who is averaged or of how unusual rows are treated.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from recsys_metric_audit.audit.libraries.manifest import load
from recsys_metric_audit.audit.pins.pin_file import read_pin
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.projection import formula_of

_FILE = Path(__file__).with_name("notations.toml")
_CUT = "{k}"
_OF_ITS_OWN = re.compile(r"\w+\(.*\)(@\d+)?|\w+_([\d.]+|k)")
"""A text that is a call, or ends as names of trec_eval do: nothing of ours is written so."""


@dataclass(frozen=True)
class Notation:
    """Holds how the users of a tool write metrics.

    Attributes:
        name: What the notation is called where it is asked for.
        title: The tool.
        library: The audited library whose functions the texts call.
        written: The text of each function, with ``{k}`` for the cut-off.
    """

    name: str
    title: str
    library: str
    written: Mapping[str, str]

    @cached_property
    def accepted(self) -> list[tuple[str, str, str, Definition]]:
        """Return function, text, version and formula of each text: that of the newest version that has one formula."""
        manifest = load(adapters_dir() / self.library)
        newest_last = [pin for each in reversed(manifest.versions) if (pin := read_pin(manifest, each)) is not None]
        found = {
            name: (pin.version, function.formulas[0])
            for pin in newest_last
            for name, function in pin.functions.items()
            if len(function.formulas) == 1
        }
        known = ((name, text, *found[name]) for name, text in self.written.items() if name in found)
        return [(name, text, version, parse(formula)) for name, text, version, formula in known]


@dataclass(frozen=True)
class WrittenMetric:
    """Holds a metric as a notation writes it, and the formula that was accepted of the function that it calls."""

    text: str
    notation: Notation
    version: str
    function: str
    formula: Definition

    @property
    def sentence(self) -> str:
        """Return what the text means, in a sentence."""
        called = f"{self.notation.library} {self.version}: {self.function}"
        return f"{self.text} in {self.notation.title} ({called}) computes the formula {self.formula.signature()}"


def notations() -> Mapping[str, Notation]:
    """Return all notations by name."""
    rows = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {name: Notation(name, **row) for name, row in rows.items()}


def notation_named(name: str) -> Notation:
    """Return a notation by its name, or by that of its library.

    Raises:
        UserError: if there is none.
    """
    every = notations()
    for each in every.values():
        if name in (each.name, each.library):
            return each
    raise UserError(f"there is no notation {name!r}", f"one of: {', '.join(every)}")


def read_written(text: str) -> list[WrittenMetric]:
    """Return what a text means in each notation that has it; none if no notation has it.

    Args:
        text: A metric as a tool writes it, such as ``ndcg_cut_10`` or ``MAP(k=10, divide_by_k=True)``. With the name of
            a notation before it (``ranx:map@10``) it is read in that one; without, it has to be written as nothing of
            ours is: in other tools ``map@10`` means another formula than here.
    """
    name, colon, rest = text.partition(":")
    every = notations()
    if colon and name in every:
        return list(_read(every[name], rest))
    if not _OF_ITS_OWN.fullmatch(text.strip()):
        return []
    return [each for notation in every.values() for each in _read(notation, text)]


def written_like(text: str) -> list[str]:
    """Return the calls that are known of what a text calls, each with its tool, such as ``nDCG@k (ir_measures)``."""
    called = text.partition("(")[0].strip().lower() if "(" in text else None
    return [
        f"{pattern.replace(_CUT, 'k')} ({notation.title})"
        for notation in notations().values()
        for _, pattern, _, _ in notation.accepted
        if re.split(r"\W", pattern.lower())[0] == called
    ]


def write_formula(definition: Definition, notation: Notation) -> list[WrittenMetric]:
    """Return how a notation writes the formula of a definition: in no way, in one or in several."""
    wanted, k = formula_of(definition), definition.k
    return [
        WrittenMetric(pattern.replace(_CUT, str(k)), notation, version, function, formula.with_(k=k))
        for function, pattern, version, formula in notation.accepted
        if (k is None) == (_CUT not in pattern) and formula.with_(k=k) == wanted
    ]


def _read(notation: Notation, text: str) -> Iterator[WrittenMetric]:
    plain = _plain(text)
    for function, pattern, version, formula in notation.accepted:
        before, cut, after = map(re.escape, _plain(pattern).partition(_CUT))
        found = re.fullmatch(rf"{before}(\d+|k){after}" if cut else before, plain)
        if found:
            k = found[1] if cut else None
            own = formula.with_(k=int(k) if k and k.isdigit() else k)
            yield WrittenMetric(text.strip(), notation, version, function, own)


def _plain(text: str) -> str:
    """Return a text without blanks, and with one kind of quotation marks."""
    return re.sub(r"\s+", "", text).replace('"', "'")
