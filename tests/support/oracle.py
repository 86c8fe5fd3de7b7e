"""A slow oracle: every definition, written from the text of the definition space, one user at a time.

Plain lists and ``Fraction``; nothing here is taken from the package under test but the case itself. A *list row* is a
row of the user's list after duplicates are settled; a *hit* is a pair of a list row and a relevant truth row of its
item. So an item that the truth lists twice makes two hits on one list row.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import groupby, permutations, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recsys_metric_audit.reference.input.case import Case

Number = Fraction | float | int
Values = Mapping[str, str]
NAN = math.nan


@dataclass(frozen=True, eq=False)
class User:
    """One user's input: rows (item, score) as given, truth (item, gain) as given, numbers of train rows and items."""

    rows: tuple[tuple[int, Fraction], ...]
    truth: tuple[tuple[int, Fraction], ...]
    train: int
    catalogue: int
    threshold: Fraction
    lowest: Fraction
    highest: Fraction
    seen: tuple[int, ...] = ()
    left_out: int = 0  # rows given that are no candidates
    together: bool = False


@dataclass(frozen=True)
class ListRow:
    """A row of the settled list: its score, its level (equal levels are tied) and the gains it hits."""

    score: Fraction
    level: Fraction
    gains: tuple[Fraction, ...]


@dataclass(frozen=True)
class Hit:
    """Holds a relevant truth row on a list row: place in the list, position that formulas see, gain and score."""

    place: int
    position: int | Fraction
    gain: Fraction
    score: Fraction


@dataclass(frozen=True)
class Ranking:
    """Holds one resolved list: rows best first, hits anywhere, gains of all relevant rows best first, k and depth."""

    user: User
    list_rows: tuple[ListRow, ...]
    listed: tuple[Hit, ...]
    gains: tuple[Fraction, ...]
    missing_gains: tuple[Fraction, ...]
    k: int
    depth: int

    @cached_property
    def hits(self) -> tuple[Hit, ...]:
        return tuple(hit for hit in self.listed if hit.position <= self.depth)

    @property
    def missed(self) -> int:
        return len(self.missing_gains)

    @property
    def r(self) -> int:
        return len(self.gains)

    @property
    def shown(self) -> int:
        return min(self.k, len(self.list_rows))


@cache
def users_of(case: Case) -> list[User]:
    """Users of predictions or truth, by ascending id. Kept until :func:`forget`, as rankings are."""
    rows: dict[int, list[tuple[int, Fraction]]] = {}
    truth: dict[int, list[tuple[int, Fraction]]] = {}
    rec, known = case.predictions, case.truth
    for user, item, score in zip(rec.user.tolist(), rec.item.tolist(), rec.score.tolist(), strict=True):
        rows.setdefault(user, []).append((item, Fraction(score)))
    for user, item, gain in zip(known.user.tolist(), known.item.tolist(), known.gain.tolist(), strict=True):
        truth.setdefault(user, []).append((item, Fraction(gain)))
    catalogue = len(case.catalogue) or len(set(rec.item.tolist()) | set(known.item.tolist()))
    return [
        User(
            tuple(rows.get(user, ())), tuple(truth.get(user, ())), case.train.user.tolist().count(user), catalogue,
            Fraction(case.threshold), Fraction(case.scale[0]), Fraction(case.scale[1]),
            tuple(case.train.item[case.train.user == user].tolist()),
        )
        for user in sorted(rows.keys() | truth.keys())
    ]  # fmt: skip


def stacked(case: Case, values: Values) -> list[User]:
    """All rows of the users asked for as those of one user, whose items are (user, item) pairs, numbered so."""
    ids = sorted({*case.predictions.user.tolist(), *case.truth.user.tolist()})
    passed = [looked_at(user, {**values, "pairs": "rated"}) for user in users_of(case)]
    asked = [
        (name, user) for name, user, own in zip(ids, users_of(case), passed, strict=True)
        if in_one_ranking(len(relevant_rows(own, {**values, "truth_duplicates": "counted", "truth": "all"})),
                          len(own.rows), values["users"], rated=bool(own.truth))
    ]  # fmt: skip
    if not asked:
        return [replace(user, rows=(), truth=(), train=0, seen=()) for user in users_of(case)[:1]]
    names, each = [name for name, _ in asked], [user for _, user in asked]
    rec, known = case.predictions, case.truth
    given = [row for row in zip(*(c.tolist() for c in (rec.user, rec.item, rec.score)), strict=True) if row[0] in names]
    true = [
        row for row in zip(*(c.tolist() for c in (known.user, known.item, known.gain)), strict=True) if row[0] in names
    ]  # fmt: skip
    number = {pair: index for index, pair in enumerate(sorted({(user, item) for user, item, _ in (*given, *true)}))}
    rows = tuple((number[user, item], Fraction(score)) for user, item, score in given)
    truth = tuple((number[user, item], Fraction(gain)) for user, item, gain in true)
    one = each[0]
    train, catalogue = sum(user.train for user in each), sum(user.catalogue for user in each)
    numbers = tuple(number[name, item] for name, user in asked for item in user.seen if (name, item) in number)
    return [User(rows, truth, train, catalogue, one.threshold, one.lowest, one.highest, numbers, together=True)]


def in_one_ranking(r: int, length: int, rule: str, *, rated: bool) -> bool:
    return {
        "truth": r > 0, "both": r > 0 and length > 0, "predictions": length > 0, "all": True, "one_relevant": r == 1,
        "truth_rows": rated, "both_rows": rated and length > 0,
    }[rule]  # fmt: skip


def looked_at(user: User, values: Values) -> User:
    """Return the user's rows and truth that the definition looks at, with the targets that it asks for."""
    if values.get("candidates", "all") != "all":
        keep = {"test_only": lambda item: item in dict(user.truth), "without_train": lambda item: item not in user.seen}
        rows = tuple(row for row in user.rows if keep[values["candidates"]](row[0]))
        user = replace(user, rows=rows, left_out=len(user.rows) - len(rows))
    if values.get("truth") == "listed":
        user = replace(user, truth=tuple(row for row in user.truth if row[0] in {item for item, _ in user.rows}))
    pairs = values.get("pairs", "rated")
    if pairs == "rated":
        return user
    is_relevant = {**values, "truth_duplicates": "counted", "truth": "all"}
    relevant = relevant_rows(user, is_relevant)
    if pairs == "all_0_1":
        liked = {item for item, _ in relevant}
        return replace(user, truth=tuple((item, Fraction(item in liked)) for item in dict(user.rows)))
    return replace(user, truth=tuple((i, Fraction((i, gain) in relevant)) for i, gain in user.truth))


def relevant_rows(user: User, values: Values) -> list[tuple[int, Fraction]]:
    """Truth rows that are relevant, as given."""
    tests = {
        "every_row": lambda gain: True,
        "positive": lambda gain: gain > 0,
        "at_least_t": lambda gain: gain >= user.threshold,
        "above_t": lambda gain: gain > user.threshold,
        "equal_1": lambda gain: gain == 1,
    }
    word, _, number = (rule := values["relevance"]).rpartition("_")
    own = (lambda gain: gain > Fraction(number)) if word == "above" else (lambda gain: gain >= Fraction(rule))
    kept = [(item, gain) for item, gain in user.truth if tests.get(rule, own)(gain)]
    if values["truth_duplicates"] == "once":
        kept = [(item, gain) for place, (item, gain) in enumerate(kept) if item not in [i for i, _ in kept[:place]]]
    return kept[:1] if values["truth"] == "first" else kept


Indexed = tuple[int, int, Fraction]
"""Row number as given, item, score."""


def settled_rows(user: User, values: Values) -> tuple[list[Indexed], set[int]]:
    """(rows that stay, numbers of those that may hit) once an item that is recommended twice is settled.

    Which copy counts is decided by score, then as given (by the rows where scores are not read); the tie rule then
    orders what is left.
    """
    rows = [(number, item, score) for number, (item, score) in enumerate(user.rows)]
    ranked = rows if values["order"] == "rows" else sorted(rows, key=lambda row: (-row[2], row[0]))
    rule = values["duplicates"]
    items = [item for _, item, _ in ranked]
    first = {number for place, (number, item, _) in enumerate(ranked) if item not in items[:place]}
    last = {number for place, (number, item, _) in enumerate(ranked) if item not in items[place + 1 :]}
    stay = {"first_closed_up": first, "last": last}.get(rule, {row[0] for row in rows})
    may_hit = first if rule == "first_in_place" else stay
    score_rules = {"any": lambda score: True, "nonzero": lambda score: score != 0, "positive": lambda score: score > 0}
    counted = score_rules[values["counted_scores"]]
    return [row for row in rows if row[0] in stay], {row[0] for row in rows if row[0] in may_hit and counted(row[2])}


def orders(rows: list[Indexed], worth: Mapping[int, Fraction], values: Values) -> Iterator[list[Indexed]]:
    """Every order of the rows that the rules allow; several only where ties are averaged."""
    if values["order"] == "rows":
        yield rows
        return
    groups = [list(group) for _, group in groupby(sorted(rows, key=lambda row: -row[2]), key=lambda row: row[2])]
    if values["ties"] == "average":
        for chosen in product(*(permutations(group) for group in groups)):
            yield [row for group in chosen for row in group]
        return
    keys = {
        **dict.fromkeys(("given", "shared", "middle", "reversed"), lambda row: row[0]),
        **dict.fromkeys(("item_asc", "item_desc"), lambda row: (row[1], row[0])),
        **dict.fromkeys(("text_asc", "text_desc"), lambda row: (str(row[1]), row[0])),
        "best": lambda row: (row[0] not in worth, -worth.get(row[0], Fraction(0)), row[0]),
        "worst": lambda row: (row[0] in worth, worth.get(row[0], Fraction(0)), row[0]),
    }
    backwards = values["ties"] in ("reversed", "item_desc", "text_desc")
    yield [row for group in groups for row in sorted(group, key=keys[values["ties"]], reverse=backwards)]


READ = (
    "candidates", "pairs", "relevance", "truth_duplicates", "truth", "order", "duplicates", "counted_scores", "ties",
    "positions", "cutoff",
)  # fmt: skip
"""Axes that a resolved list depends on."""


def rankings(user: User, k: int | None, values: Values) -> list[Ranking]:
    """Return the resolved lists of a user, all equally likely; those of definitions that resolve alike are shared."""
    chosen = tuple((name, values[name]) for name in READ if name in values)
    # All rows as one user's are put together anew each time: keeping their lists would only fill the memory.
    return (_rankings.__wrapped__ if user.together else _rankings)(user, k, chosen)


def forget() -> None:
    """Let go of the users and lists that are kept."""
    users_of.cache_clear()
    _rankings.cache_clear()


@cache
def _rankings(user: User, k: int | None, chosen: tuple[tuple[str, str], ...]) -> list[Ranking]:
    values = dict(chosen)
    user = looked_at(user, values)
    if values.get("pairs", "rated") != "rated":
        values = {**values, "relevance": "every_row"}
    relevant = relevant_rows(user, values)
    rows, may_hit = settled_rows(user, values)
    once = values["truth_duplicates"] == "r_only"
    gains_of = {
        number: tuple(gain for other, gain in relevant if other == item)[: 1 if once else None]
        if number in may_hit else ()
        for number, item, _ in rows
    }  # fmt: skip
    worth = {number: sum(gains, Fraction(0)) for number, gains in gains_of.items() if gains}
    found = {item for number, item, _ in rows if gains_of[number]}
    names = [item for item, _ in relevant]
    copied = [once and item in names[:place] for place, item in enumerate(names)]
    missing = tuple(g for (item, g), copy in zip(relevant, copied, strict=True) if copy or item not in found)
    best_first = tuple(sorted((gain for _, gain in relevant), reverse=True))
    out = []
    for order in orders(rows, worth, values):
        ranked = tuple(
            ListRow(score, -Fraction(place) if values["order"] == "rows" else score, gains_of[number])
            for place, (number, _, score) in enumerate(order)
        )
        cut, depth = _cut(k, len(ranked), values["cutoff"])
        ties = values["ties"] if values["order"] == "score" else ""
        out.append(Ranking(user, ranked, _hits(ranked, values["positions"], ties), best_first, missing, cut, depth))
    return out


def _hits(list_rows: tuple[ListRow, ...], positions: str, ties: str) -> tuple[Hit, ...]:
    out = []
    for place, row in enumerate(list_rows, 1):
        shared = ties in ("shared", "middle")
        higher = [other for other in list_rows if other.level > row.level] if shared else list_rows[: place - 1]
        position: Fraction | int = 1 + sum(positions == "list" or not other.gains for other in higher)
        if ties == "middle":  # the mean of the best rank and the worst: every other row of this score may be above
            others = [other for other in list_rows if other is not row and other.level == row.level]
            position += Fraction(sum(positions == "list" or not other.gains for other in others), 2)
        out.extend(Hit(place, position, gain, row.score) for gain in row.gains)
    return tuple(out)


def _cut(k: int | None, length: int, cutoff: str) -> tuple[int, int]:
    """(k as denominators see it, depth to which hits count)."""
    if k is None or cutoff == "none":
        shift = {"k_plus_1": 1, "k_minus_1": -1}.get(cutoff, 0)
        return length + shift, length + (1 if cutoff == "hits_k_plus_1" else shift)
    if cutoff.isdigit():
        return k, int(cutoff)
    return {
        "k": (k, k),
        "hits_uncut": (k, length),
        "hits_k_plus_1": (k, k + 1),
        "k_plus_1": (k + 1, k + 1),
        "k_minus_1": (k - 1, k - 1),
    }[cutoff]
