"""What an in-house function computes, told on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from audit.inhouse.own_function import Answer
from audit.inhouse.summary import Identified
from reference.definitions.definition import Definition, parse
from reports.wording.formatting import printable
from reports.wording.labels import VERDICTS
from reports.wording.variant_letters import open_cutoff

WIDTH = 100
_INDENT = 13


def text(answer: Answer) -> str:
    """The answer in lines of at most 100 characters; empty where there is none."""
    return "\n".join(_lines(answer, answer.identified)) if answer.identified is not None else ""


def _lines(answer: Answer, made: Identified) -> Iterator[str]:
    found, name = made.finding, printable(answer.request.target.name)
    if made.signature is not None:
        yield f"{name} computes {made.signature}"
    yield from _row("verdict", f"{found.verdict}: {VERDICTS[found.verdict or 'unexplained']}")
    if made.signature is not None:
        for number, line in enumerate(_moved(parse(open_cutoff(made.signature)))):
            yield from _row("" if number else "differs on", line)
    for each in made.equivalent:
        yield from _row("fits as well", each)
    if found.evidence.nearest is not None:
        near = found.evidence.nearest
        yield from _row("nearest", f"{open_cutoff(near.signature)}, off by {near.deviation:.3g}")
    if made.not_asked:
        yield from _row("not asked", f"{', '.join(made.not_asked)}: this call does not show them; taken as canonical")
    for said, times in made.refusals.items():
        yield from _row("no number", f"{times} of {found.evidence.cases} cases: {printable(said)}")
    if found.witness is not None:
        yield from _row("witness", found.witness.text.replace("the library says", "the function says"))
    yield from _row("asked", f"{found.evidence.cases} cases, under Python {answer.python}; {_range(made)}")


def _moved(definition: Definition) -> Iterator[str]:
    for name in definition.differs_on:
        value = definition.axes[name]
        yield f"{name}:{value} ({definition.family.axis(name).value(value).meaning})"


def _range(made: Identified) -> str:
    told = made.finding.evidence.range
    k = str(made.finding.k) if made.one_k else told.get("k", "")
    return f"gains {told.get('gains', '')}, k {k}; beyond that nothing is claimed"


def _row(head: str, words: str) -> list[str]:
    lines = wrap(words, WIDTH - _INDENT - 2, break_on_hyphens=False) or [""]
    return [f"  {head if n == 0 else '':<{_INDENT}}{line}" for n, line in enumerate(lines)]
