"""Tells which documented formulas could not both have given two numbers of a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from recsys_metric_audit.audit.cli.printed.which_text import printed_text
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.value_search.impossible_pairs import CheckedPair, ImpossiblePair
from recsys_metric_audit.reports.wording.labels import count

_SHOWN = 6


def table_lines(pairs: tuple[CheckedPair, ...], *, one_relevant: bool) -> Iterator[str]:
    """Yield the answer in lines of text."""
    users = "who have one relevant item each" if one_relevant else "whatever their lists"
    yield f"Without predictions: what no users can have, {users}. Both numbers are plain means over the same"
    yield "users; relevance is yes or no, but for NDCG of other gains."
    for pair in pairs:
        yield ""
        yield " and ".join(map(printed_text, pair.printed))
        if not pair.impossible:
            yield f"  {count(len(pair.possible), 'pair')} of documented formulas: nothing speaks against any"
            continue
        for each in pair.impossible[:_SHOWN]:
            yield from _impossible(each)
        if len(pair.impossible) > _SHOWN:
            yield f"  and {len(pair.impossible) - _SHOWN} more: --format json lists them all"
        yield _possible(pair.possible)


def _impossible(pair: ImpossiblePair) -> Iterator[str]:
    names = (
        pair.first.signature() if pair.second is None else f"{pair.first.signature()} with {pair.second.signature()}"
    )
    yield f"  impossible  {names}"
    for why in pair.why:
        yield f"              {why}"


def _possible(pairs: tuple[tuple[Definition, Definition], ...]) -> str:
    if not pairs:
        return "  no pair of documented formulas is left: other users, another formula, or a misprint"
    shown = "; ".join(f"{one.signature()} with {other.signature()}" for one, other in pairs[:_SHOWN])
    return f"  left        {shown}" + (f"; and {len(pairs) - _SHOWN} more" if len(pairs) > _SHOWN else "")


def table_json(pairs: tuple[CheckedPair, ...]) -> list[dict[str, Any]]:
    """Return the answer as JSON values."""
    return [
        {
            "printed": [
                {"metric": each.metric, "k": each.k, "text": each.number.text, "value": each.number.value}
                for each in pair.printed
            ],
            "impossible": [
                {
                    "formulas": [each.signature() for each in (found.first, found.second) if each is not None],
                    "why": list(found.why),
                }
                for found in pair.impossible
            ],
            "possible": [[one.signature(), other.signature()] for one, other in pair.possible],
        }
        for pair in pairs
    ]
