"""The paper re-audited, printed: for a terminal, as Markdown, as JSON."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from reports.paper.digits import Digits
from reports.paper.reaudit import About, Evidence, Reaudit, Told
from reports.renderers.markdown import code_span, escape
from reports.wording.formatting import printable

PAPER = (
    "Tamm, Damdinov & Vasilev, Quality Metrics in Recommender Systems: Do We Calculate Metrics Consistently? "
    "RecSys 2021"
)


def print_reaudit(found: Reaudit, origin: str, console: Console) -> None:
    """Print every claim with its answer, and below it what that stands on."""
    _say(console, f"{PAPER}, re-audited. From {origin}.", 0)
    _say(console, verdict_counts(found), 0)
    for told in found.told:
        console.print()
        _say(console, f"{told.number}. {told.title}: {told.verdict.upper()}", 0, "bold")
        _say(console, f"The paper, {told.citation}: {told.text}", 3, "italic")
        _say(console, told.words, 3)
        for line in _grounds(told):
            _say(console, f"- {line}", 3, "dim")
    console.print()
    _say(console, "Table 3. How 15 papers introduce their metrics", 0, "bold")
    _say(console, "  ".join(f"{name} {share}" for name, share in found.table3), 3)
    for name, says in found.papers:
        _say(console, f"{name}: {says}", 3)
    if found.digits:
        console.print()
        _say(console, _DIGITS, 0, "bold")
    for each in found.digits:
        _say(console, _compared(each), 3)


_DIGITS = "The paper's values on its own data, where the definitions agree"


def _compared(each: Digits) -> str:
    return (
        f"{each.library} {each.version} {each.metric}, {each.function}: {each.value!r}, in the paper {each.paper!r}: "
        f"{each.digits} digits are the same"
    )


def verdict_counts(found: Reaudit) -> str:
    """Return how many claims came out how."""
    counts = Counter(told.verdict for told in found.told)
    return f"{len(found.told)} claims: " + ", ".join(f"{number} {name}" for name, number in counts.most_common()) + "."


def _say(console: Console, words: str, indent: int, style: str = "") -> None:
    console.print(Padding(Text(printable(words), style=style), (0, 0, 0, indent)))


def _grounds(told: Told) -> list[str]:
    return [*told.arithmetic, *told.experiments, *(_line(a, e) for a in told.about for e in a.evidence)]


def _line(about: About, each: Evidence) -> str:
    recorded = " (recorded)" if each.recorded else ""
    witness = f". Witness: {each.witness}" if each.witness else ""
    return f"{about.library} {each.version}{recorded} {each.function}: {each.found}, {each.stands}{witness}"


def as_markdown(found: Reaudit, origin: str) -> str:
    """Return the same as a page of Markdown."""
    parts = [f"# {escape(PAPER)}, re-audited", escape(f"From {origin}. {verdict_counts(found)}")]
    for told in found.told:
        parts += [
            f"## {told.number}. {escape(told.title)}: {told.verdict}",
            f"*The paper, {escape(told.citation)}: {escape(told.text)}*",
            escape(told.words),
            "\n".join(f"- {line}" for line in _marked(told)),
        ]
    heads, shares = zip(*found.table3, strict=True)
    row = "| " + " | ".join("---" for _ in heads) + " |"
    parts += [
        "## Table 3. How 15 papers introduce their metrics",
        "\n".join([f"| {' | '.join(heads)} |", row, f"| {' | '.join(shares)} |"]),
        "\n".join(f"- {escape(name)}: {escape(says)}" for name, says in found.papers),
    ]
    if found.digits:
        parts += [f"## {_DIGITS}", "\n".join(f"- {escape(_compared(each))}" for each in found.digits)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _marked(told: Told) -> list[str]:
    lines = [escape(line) for line in (*told.arithmetic, *told.experiments)]
    for about in told.about:
        for each in about.evidence:
            recorded = " (recorded)" if each.recorded else ""
            witness = f" Witness: {escape(each.witness)}" if each.witness else ""
            lines.append(
                f"{escape(about.library)} {escape(each.version)}{recorded} {code_span(each.function)}: "
                f"{code_span(each.found)}, {escape(each.stands)}.{witness}"
            )
    return lines


def as_json(found: Reaudit, origin: str) -> str:
    """Return the same for programs: names as in :class:`reports.paper.reaudit.Reaudit`."""
    document = {"paper": PAPER, "from": origin, **asdict(found)}
    return json.dumps(_writable(document), indent=1, ensure_ascii=False, allow_nan=False)


def _writable(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _writable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(each) for each in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
