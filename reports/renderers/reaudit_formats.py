"""Output formats of the re-audit of a paper: terminal, Markdown, JSON."""

from __future__ import annotations

import json
import math
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from recsys_metric_audit.reports.paper.claims import load_claims, paper_keys
from recsys_metric_audit.reports.paper.digits import Digits
from recsys_metric_audit.reports.paper.reaudit import ClaimView, FindingView, Reaudit, SubjectView
from recsys_metric_audit.reports.renderers.markdown import fill_template
from recsys_metric_audit.reports.wording.formatting import printable
from recsys_metric_audit.reports.wording.labels import count


def print_screen(found: Reaudit, origin: str, console: Console, others: Sequence[str] = ()) -> None:
    """Print every claim on one screen of ``LINES`` lines: the answer, and the reason in a sentence.

    Args:
        found: The re-audit.
        origin: Where its run was read from, in words.
        console: Where to print.
        others: The keys of the other papers, which the screen ends with.
    """
    for line in screen_lines(found, origin, others, min(console.width, WIDTH)):
        console.print(Text(printable(line)), soft_wrap=True)


SURVEY = 21
"""Number of the claim on the papers that were surveyed, whose details are Table 3."""

LINES, WIDTH = 50, 100
"""The size of the one screen; on a narrower one reasons have as many lines, and are cut earlier."""
_INDENT = 4
_SEVEREST = ("no", "in part", "yes, but")
"""Answers whose reasons are given the lines that are left, in this order."""


def screen_lines(found: Reaudit, origin: str, others: Sequence[str] = (), width: int = WIDTH) -> list[str]:
    """Return the lines of the one screen; a reason that is longer than its room ends with an ellipsis."""
    head = [
        *textwrap.wrap(f"{found.paper.short}, re-audited. {answer_counts(found)}", width),
        *textwrap.wrap(f"From {origin}.", width, max_lines=2, placeholder=" …"),
        f"audit paper {'' if others else f'{found.key} '}NUMBER tells a claim in full.",
    ]
    foot = textwrap.wrap(f"Other papers (audit paper KEY): {', '.join(others)}.", width) if others else []
    wrapped = {told.number: textwrap.wrap(told.reason, width - _INDENT) for told in found.told}
    room = _rooms(found, wrapped, LINES - len(head) - len(foot) - len(found.told))
    lines = list(head)
    for told in found.told:
        title = f"{told.number:2}  {told.answer:<9} {told.title}"
        lines += textwrap.wrap(title, width, subsequent_indent=" " * _INDENT)
        own = textwrap.wrap(told.reason, width - _INDENT, max_lines=room[told.number], placeholder=" …")
        lines += [" " * _INDENT + line for line in own]
    return lines + foot


def list_lines() -> list[str]:
    """Return one line for each paper: its key, its authors and title, and the number of its claims."""
    papers = [(key, load_claims(key)) for key in paper_keys()]
    width = max(len(key) for key, _ in papers)
    return [f"{key:<{width}}  {one.paper.citation} ({count(len(one.claim), 'claim')})" for key, one in papers]


def answer_counts(found: Reaudit) -> str:
    """Return the numbers of claims by answer."""
    return _counts([f"“{told.answer}”" for told in found.told])


def _counts(names: Sequence[str]) -> str:
    return f"{count(len(names), 'claim')}: {', '.join(f'{n} {name}' for name, n in Counter(names).most_common())}"


def _rooms(found: Reaudit, wrapped: Mapping[int, Sequence[str]], lines: int) -> dict[int, int]:
    """Return how many lines the reason of each claim has: one, the severest answers more while lines are left."""
    room = dict.fromkeys(wrapped, 1)
    left = lines - len(room)
    rank = {answer: place for place, answer in enumerate(_SEVEREST)}
    for told in sorted(found.told, key=lambda told: rank.get(told.answer, len(rank))):
        more = min(left, len(wrapped[told.number]) - 1)
        room[told.number] += max(more, 0)
        left -= max(more, 0)
    return room


def print_claim(told: ClaimView, console: Console) -> None:
    """Print one claim in full: what the paper says, the verdict in words, and the evidence for it."""
    _print(console, f"{told.number}. {told.title}: {told.verdict.upper()}", 0, "bold")
    _print(console, f"The paper, {told.citation}: {told.text}", 3, "italic")
    _print(console, told.reason, 3)
    if told.words:
        _print(console, told.words, 3)
    for line in _evidence_lines(told):
        _print(console, f"- {line}", 3, "dim")
    for line in told.unverified:
        _print(console, f"Not verifiable here: {line}", 3)


def print_rest(found: Reaudit, console: Console) -> None:
    """Print what belongs to no single claim on a library: Table 3, and the digits that agree."""
    _print(console, "Table 3. How 15 papers introduce their metrics", 0, "bold")
    _print(console, "  ".join(f"{name} {share}" for name, share in found.table3), 3)
    for name, says in found.papers:
        _print(console, f"{name}: {says}", 3)
    if found.digits:
        console.print()
        _print(console, _DIGITS_TITLE, 0, "bold")
    for each in found.digits:
        _print(console, _digits_line(each), 3)


_DIGITS_TITLE = "The paper's values on its own data, where the definitions agree"


def _digits_line(each: Digits) -> str:
    return (
        f"{each.library} {each.version} {each.metric}, {each.function}: {each.value!r}, in the paper {each.paper!r}: "
        f"{each.digits} digits are the same"
    )


def verdict_counts(found: Reaudit) -> str:
    """Return the numbers of claims by verdict, in a sentence."""
    return f"{_counts([told.verdict for told in found.told])}."


def _print(console: Console, words: str, indent: int, style: str = "") -> None:
    console.print(Padding(Text(printable(words), style=style), (0, 0, 0, indent)))


def _evidence_lines(told: ClaimView) -> list[str]:
    return [*told.arithmetic, *told.experiments, *(_function_line(a, e) for a in told.about for e in a.evidence)]


def _function_line(about: SubjectView, each: FindingView) -> str:
    recorded = " (recorded)" if each.recorded else ""
    witness = f". Witness: {each.witness}" if each.witness else ""
    return f"{about.library} {each.version}{recorded} {each.function}: {each.found}, {each.stands}{witness}"


def as_markdown(found: Reaudit, origin: str) -> str:
    """Return the re-audit as a page of Markdown; ``origin`` says where its run was read from."""
    return fill_template(
        "reaudit.md.j2",
        found=found,
        origin=origin,
        verdict_counts=verdict_counts,
        digits_title=_DIGITS_TITLE,
        digits_line=_digits_line,
    )


def as_json(found: Reaudit, origin: str) -> str:
    """Return a JSON object with the fields of :class:`reports.paper.reaudit.Reaudit`, ``paper`` and ``from``."""
    document = {**asdict(found), "paper": found.paper.citation, "from": origin}
    return json.dumps(_json_value(document), indent=1, ensure_ascii=False, allow_nan=False)


def _json_value(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _json_value(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(each) for each in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
