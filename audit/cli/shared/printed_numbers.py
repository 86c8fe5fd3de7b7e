"""Reads the printed numbers of ``audit which`` (``ndcg@20=0.1571``), and tells which definitions give them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from recsys_metric_audit.audit.cli.shared.inputs import check_cutoffs
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.metric_name import metric_of_relevance
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reference.value_search.bounds import bounds, formulas_above_one
from recsys_metric_audit.reference.value_search.by_value import Found, Match, Printed
from recsys_metric_audit.reference.value_search.impossible_pairs import (
    CheckedPair,
    CheckedTable,
    ImpossiblePair,
    usually_possible,
)
from recsys_metric_audit.reference.value_search.printed_number import PrintedNumberError, read_printed_number
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.result_file import LoadedRun
from recsys_metric_audit.reports.wording.axis_words import value_meaning
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.labels import count, metric_title

_VALUE = re.compile(r"(?:(?P<metric>[^=@]+?)\s*(?:@\s*(?P<k>\d{1,9}))?\s*=)?\s*(?P<number>[^=]+)")


def read_printed(texts: Sequence[str], metric: str | None, k: int | None) -> tuple[Printed, ...]:
    """Return the printed numbers with their metrics and cut-offs.

    Args:
        texts: numbers, each with its metric and cut-off before it or not: ``[METRIC[@K]=]NUMBER``.
        metric: the metric of numbers that name none.
        k: the cut-off of numbers that name none.

    Raises:
        UserError: for a text of another form, an unknown metric, a metric or cut-off that is missing, and two
            different numbers for one metric and cut-off.
    """
    found: dict[tuple[str, int | None], Printed] = {}
    for text in texts:
        printed = _read(text, metric, k)
        other = found.setdefault((printed.metric, printed.k), printed)
        if other.number.value != printed.number.value:
            at = "" if printed.k is None else f"@{printed.k}"
            raise UserError(
                f"--value: {printed.metric}{at} is printed as {other.number.text} and as {printed.number.text}",
                "give one number for each metric and cut-off",
            )
    return tuple(found.values())


def _read(text: str, metric: str | None, k: int | None) -> Printed:
    where = f"--value {text}"
    parts = _VALUE.fullmatch(text.strip())
    if parts is None:
        raise UserError(f"{where}: not of the form [METRIC[@K]=]NUMBER", "try --value ndcg@20=0.1571")
    named = parts["metric"] or metric
    if named is None:
        raise UserError(f"{where}: which metric is it?", f"try --value ndcg@20={parts['number'].strip()}")
    name = metric_of_relevance(named)
    try:
        number = read_printed_number(parts["number"])
    except PrintedNumberError as error:
        raise UserError(f"{where}: {error}", error.advice) from None
    cut = int(parts["k"]) if parts["k"] else k
    if cut is not None:
        check_cutoffs([cut])
    return Printed(name, cut, number)


_SHOWN_FORMULAS = 8
_SHOWN_SETTINGS = 4


def lines(found: Found, run: LoadedRun | None) -> list[str]:
    """Return the answer for one metric in lines of text; ``run`` tells which libraries compute each formula."""
    out = [", ".join(map(printed_text, found.printed))]
    out += [f"  {each.number.note}" for each in found.printed if each.number.note]
    if not found.matches:
        return [*out, *_none(found)]
    formulas = grouped((match.formula, match) for match in found.matches)
    groups = _equal_here(formulas)
    give = "gives it" if len(groups) == 1 else "give it"
    out.append(f"{count(len(groups), 'formula')} of {found.tried:,} definitions tried {give}:")
    for group in groups[:_SHOWN_FORMULAS]:
        out += _group(group, formulas[group[0]], run)
    if len(groups) > _SHOWN_FORMULAS:
        out += ["", f"  and {len(groups) - _SHOWN_FORMULAS} more: --format json lists them all"]
    if run is not None:
        out += ["", f"Libraries: {run.origin}."]
    if len(groups) > 1:
        out += ["", "A number at another cut-off, or of another metric of the same table, tells more of them apart:"]
        out.append("add --value METRIC@K=NUMBER.")
    return out


def _group(group: Sequence[Definition], matches: Sequence[Match], run: LoadedRun | None) -> list[str]:
    """Return the lines of formulas that give every user the same value on this data."""
    first, *others = group
    out = ["", f"  {first.signature()}", f"    {_words(first)}"]
    out += [f"    {_setting(match)}" for match in matches[:_SHOWN_SETTINGS]]
    if len(matches) > _SHOWN_SETTINGS:
        out.append(f"    and {len(matches) - _SHOWN_SETTINGS} other ways to choose users and to handle rows")
    if others:
        out.append(f"    equal for every user here: {', '.join(each.signature() for each in others[:_SHOWN_SETTINGS])}")
    if run is not None:
        names = dict.fromkeys(name for each in group for name in _libraries(each, run))
        out.append(f"    computed by: {', '.join(names) or 'no library'}")
    return out


def _equal_here(formulas: Mapping[Definition, Sequence[Match]]) -> list[list[Definition]]:
    """Group the formulas whose first matches give every user the same value on this data."""
    return list(grouped((matches[0].fingerprint, formula) for formula, matches in formulas.items()).values())


def as_json(found: Found, run: LoadedRun | None) -> dict[str, Any]:
    """Return the answer for one metric as JSON values."""
    return {
        "metric": found.metric,
        "printed": [{"k": each.k, "text": each.number.text, "value": each.number.value} for each in found.printed],
        "tried": found.tried,
        "formulas": [
            {
                "formula": formula.signature(),
                "words": _words(formula),
                **({} if run is None else {"libraries": _libraries(formula, run)}),
                "definitions": [_match(match) for match in matches],
            }
            for formula, matches in grouped((match.formula, match) for match in found.matches).items()
        ],
        "nearest": [] if found.matches else [_match(match) for match in found.nearest],
        "impossible": [] if found.matches else _impossible(found),
    }


def _match(match: Match) -> dict[str, Any]:
    return {"signature": match.definition.signature(), "changes": match.changes, "values": list(match.values),
            "alike": match.alike}  # fmt: skip


def printed_text(printed: Printed) -> str:
    """Return a printed number with its metric and cut-off."""
    at = "" if printed.k is None else f"@{printed.k}"
    return f"{metric_title(printed.metric)}{at} = {printed.number.text}"


def _words(formula: Definition) -> str:
    return formula_words(formula.metric, formula.signature()) or "the canonical formula"


def _setting(match: Match) -> str:
    """Return who counts and how input is handled, in words, with the values that come out."""
    definition = match.definition
    moved = [name for name in definition.differs_on if level_of(name) != "formula"]
    meanings = [f"{name}: {value_meaning(definition.metric, name, definition.axes[name])}" for name in moved]
    values = ", ".join(f"{value:.6f}" for value in match.values)
    alike = f" ({match.alike:,} other choices of users and rows give the same here)" if match.alike else ""
    return f"{values}  {'; '.join(meanings) or 'who counts and input handling canonical'}{alike}"


def _none(found: Found) -> list[str]:
    out = [f"none of {found.tried:,} definitions tried gives it", *_impossible(found)]
    out += ["the nearest are:", *(f"  {_setting(match)}  {match.definition.signature()}" for match in found.nearest)]
    return [*out, "--changes 3 tries more; other data, another cut-off or another split of it give other numbers."]


def _impossible(found: Found) -> list[str]:
    """Say which printed numbers the canonical formula cannot give on any data, and which formulas exceed 1."""
    low, high = bounds(found.metric)
    said = []
    for each in found.printed:
        if each.number.high < low or each.number.low > high:
            beyond = [_words(formula) for formula in formulas_above_one(found.metric)]
            above = f"; formulas that can: {', '.join(beyond)}" if beyond and each.number.low > high else ""
            percent = f"; in percent, write {each.number.text}%" if high < each.number.value <= 100 else ""
            said.append(f"impossible on any data: the canonical formula is never {printed_text(each)}{above}{percent}")
    return said


def _libraries(formula: Definition, run: LoadedRun) -> list[str]:
    """Return the library versions of a run whose function computes a formula."""
    wanted = _open(formula)
    findings = (each for each in run.result.findings if each.formula is not None and not each.equivalent)
    same = (each for each in findings if _open(formula_of(parse(each.formula or ""))) == wanted)
    return list(dict.fromkeys(f"{each.library} {each.version}" for each in same))


def _open(definition: Definition) -> Definition:
    return definition if definition.k is None else definition.with_(k="k")


_SHOWN = 6


def table_lines(pairs: Sequence[CheckedPair], table: CheckedTable | None) -> Iterator[str]:
    """Yield the answer in lines of text; ``table`` is of users with one relevant item each."""
    users = "users with one relevant item each" if table is not None else "users"
    if usually_possible(pairs, table):
        sure = "some users with one relevant item each have these numbers together"
        known = table is not None and table.usual in table.possible
        yield f"possible: {sure if known else 'nothing speaks against these numbers'}, by the usual formulas"
    else:
        yield f"impossible: no {users} have these numbers together, by the usual formulas"
    if table is not None:
        yield from _together(table)
    yield ""
    yield "Two by two, whatever the lists. Both numbers are plain means over the same users;"
    yield "relevance is yes or no, but for NDCG of other gains."
    for pair in pairs:
        yield ""
        yield " and ".join(map(printed_text, pair.printed))
        if not pair.impossible:
            yield f"  {count(len(pair.possible), 'pair')} of documented formulas: nothing speaks against any"
            continue
        for each in pair.impossible[:_SHOWN]:
            yield from _impossible_pair(each)
        if len(pair.impossible) > _SHOWN:
            yield f"  and {len(pair.impossible) - _SHOWN} more: --format json lists them all"
        yield _possible(pair.possible)


def _together(table: CheckedTable) -> Iterator[str]:
    """Yield what follows from all numbers at once."""
    if table.why_not:
        yield f"  {table.why_not}"
    tried = len(table.possible) + len(table.impossible)
    yield f"  {len(table.possible)} of {tried} choices of documented formulas are possible, all numbers at once"
    if table.usual in table.impossible:
        first = sorted(table.possible, key=lambda choice: sum(each.signature().count("|") for each in choice))
        yield from (f"  possible  {', '.join(each.signature() for each in choice)}" for choice in first[:_SHOWN])


def _impossible_pair(pair: ImpossiblePair) -> Iterator[str]:
    names = " with ".join(each.signature() for each in (pair.first, pair.second) if each is not None)
    yield f"  impossible  {names}"
    yield from (f"              {why}" for why in pair.why)


def _possible(pairs: tuple[tuple[Definition, Definition], ...]) -> str:
    if not pairs:
        return "  no pair of documented formulas is left: other users, another formula, or a misprint"
    shown = "\n              ".join(f"{one.signature()} with {other.signature()}" for one, other in pairs[:_SHOWN])
    return f"  left        {shown}" + (f"\n              and {len(pairs) - _SHOWN} more" if len(pairs) > _SHOWN else "")


def table_json(pairs: Sequence[CheckedPair], table: CheckedTable | None) -> dict[str, Any]:
    """Return the answer as JSON values."""
    together = {} if table is None else {"together": {
        name: [[each.signature() for each in choice] for choice in choices]
        for name, choices in (("possible", table.possible), ("impossible", table.impossible))
    }}  # fmt: skip
    return {"usual": "possible" if usually_possible(pairs, table) else "impossible", **together, "pairs": [
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
    ]}  # fmt: skip
