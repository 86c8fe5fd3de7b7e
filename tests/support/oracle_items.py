"""A slow oracle of the metrics beyond accuracy, in plain words: lists, sets and ``Fraction``, one row at a time.

Nothing here is taken from the package under test but the case itself.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from tests.support.oracle_item_terms import (
    LOGS,
    NAN,
    Values,
    expected_novelty,
    information,
    new_share,
    popularity_bias,
    quantile,
    tail,
)

if TYPE_CHECKING:
    from recsys_metric_audit.reference.input.case import Case

Lists = dict[int, list[int]]


class Refused(Exception):  # noqa: N818 (an outcome, not an error)
    """Tells that the definition refuses the case."""


def shown_to(case: Case, values: Values, k: int | None) -> tuple[Lists, dict[int, int]]:
    """Return the items that each user is shown, for users with rows, and the cut-off of each."""
    rows: dict[int, list[tuple[int, float]]] = {}
    rec = case.predictions
    for user, item, score in zip(rec.user.tolist(), rec.item.tolist(), rec.score.tolist(), strict=True):
        rows.setdefault(user, []).append((item, score))
    lists, cuts = {}, {}
    for user, own in rows.items():
        ranked = _ranked(own, values)
        if values.get("duplicates") == "error" and len(set(ranked)) < len(ranked):
            raise Refused
        if values.get("duplicates") == "first_closed_up":
            # Which copy stays is decided by score and the order given; a tie rule orders what stays.
            ranked = _ranked(_first_copies(own, values), values)
        cuts[user] = len(ranked) if k is None or values.get("cutoff") == "none" else k
        top = ranked[: cuts[user]]
        lists[user] = list(dict.fromkeys(top)) if values.get("duplicates") == "first_in_place" else top
    return lists, cuts


def _ranked(rows: Sequence[tuple[int, float]], values: Values) -> list[int]:
    if values.get("order") == "rows":
        return [item for item, _ in rows]
    keys = {
        "given": lambda place, item: place, "reversed": lambda place, item: -place,
        "item_asc": lambda place, item: item, "item_desc": lambda place, item: -item,
        "text_asc": lambda place, item: str(item), "text_desc": lambda place, item: [-ord(c) for c in str(item)] + [1],
    }  # fmt: skip
    key = keys[values.get("ties", "given")]
    ordered = sorted(enumerate(rows), key=lambda row: (-row[1][1], key(row[0], row[1][0])))
    return [item for _, (item, _) in ordered]


def _first_copies(rows: Sequence[tuple[int, float]], values: Values) -> list[tuple[int, float]]:
    places = list(range(len(rows)))
    if values.get("order") != "rows":
        places.sort(key=lambda place: (-rows[place][1], place))
    best: dict[int, int] = {}
    for place in places:
        best.setdefault(rows[place][0], place)
    return [rows[place] for place in sorted(best.values())]


def slow_value(metric: str, values: Values, case: Case, k: int | None) -> float:
    """Return the number of a definition on a case.

    Raises:
        Refused: if the definition refuses it.
    """
    lists, cuts = shown_to(case, values, k)
    rated = set(case.truth.user.tolist())
    if metric == "user_coverage":
        return _user_coverage(lists, case, values)
    if metric in ("novelty", "average_popularity", "tail_share"):
        return _averaged(metric, values, case, lists, cuts, rated)
    of_lists: dict[str, OfList] = {
        "intra_list_diversity": _diversity, "serendipity": _serendipity, "expected_novelty": expected_novelty,
        "new_share": new_share,
    }  # fmt: skip
    if metric in of_lists:
        return _mean_of_lists(of_lists[metric], values, case, k)
    if values["users"] == "both":
        lists = {user: items for user, items in lists.items() if user in rated}
    of_all = {"catalogue_coverage": _coverage, "gini": _gini, "shannon_entropy": _entropy}
    of_all["popularity_bias"] = popularity_bias
    made = of_all[metric](lists, case, values, sum(cuts[user] for user in lists))
    return _over_nobody(values) if made is None else float(made)


def _over_nobody(values: Values) -> float:
    if values["nobody"] == "error":
        raise Refused
    return float(values["nobody"])  # NaN, 0 or 1


def _user_coverage(lists: Lists, case: Case, values: Values) -> float:
    rated, trained, listed = set(case.truth.user.tolist()), set(case.train.user.tolist()), set(lists)
    every = {"truth": rated, "train": trained, "all": rated | trained | listed}.get(values["denominator"])
    if every is None:
        return float(len(listed))
    counted = listed & every if values["counted"] == "denominator" else listed
    return len(counted) / len(every) if every else NAN


def _coverage(lists: Lists, case: Case, values: Values, places: int) -> Fraction | float:
    train, rec = set(case.train.item.tolist()), set(case.predictions.item.tolist())
    truth = set(case.truth.item.tolist())
    catalogue = set(case.catalogue.tolist()) or rec | truth | train
    if values["denominator"] == "catalogue_plus_1":
        catalogue = catalogue | {-1}
    sets = {"catalogue": catalogue, "catalogue_plus_1": catalogue, "train": train, "truth": truth, "known": train | rec}
    every = sets.get(values["denominator"])
    seen = {item for items in lists.values() for item in items}
    if every is None:
        return Fraction(len(seen))
    if values["counted"] == "denominator" and every is not catalogue:
        seen &= every
    return Fraction(len(seen) * (100 if values["unit"] == "percent" else 1), len(every)) if every else NAN


def _gini(lists: Lists, case: Case, values: Values, places: int) -> Fraction | None:
    times = Counter(item for items in lists.values() for item in items)
    if values["over"] == "train":
        counts = sorted(times[item] for item in set(case.train.item.tolist()))
    else:
        every = {"shown": len(times), "catalogue_plus_1": _catalogue(case) + 1}.get(values["over"], _catalogue(case))
        counts = [0] * (every - len(times)) + sorted(times.values())
    n, total = len(counts), sum(counts)
    under = total * {"n": n, "n_minus_1": n - 1, "n_plus_1": n + 1}[values["denominator"]]
    if under == 0:
        return None
    index = Fraction(sum((2 * j - n - 1) * count for j, count in enumerate(counts, 1)), under)
    return 1 - index if values["direction"] == "diversity" else index


def _catalogue(case: Case) -> int:
    rec, truth, train = case.predictions, case.truth, case.train
    return len(set(case.catalogue.tolist()) or {*rec.item.tolist(), *truth.item.tolist(), *train.item.tolist()})


def _entropy(lists: Lists, case: Case, values: Values, places: int) -> float | None:
    times = Counter(item for items in lists.values() for item in items)
    if not times:
        return None
    log = LOGS[values["log"]]
    whole = {"rows": sum(times.values()), "places": places, "users": len(lists)}[values["probability"]]
    of_lists = {item: sum(own.count(item) / len(own) for own in lists.values()) / len(lists) for item in times}
    weights = of_lists if values["mean_over"] == "lists" else {item: times[item] / whole for item in times}
    total = -sum(weights[item] * log(count / whole) for item, count in times.items())
    under = {"one": 1, "shown": len(times)}.get(values["divided"])
    if under is None:
        under = log(len(times) if values["divided"] == "log_shown" else _catalogue(case))
    return total / under if under else None


def _averaged(
    metric: str, values: Values, case: Case, lists: Lists, cuts: Mapping[int, int], rated: set[int]
) -> float:  # fmt: skip
    had = Counter(case.train.item.tolist())
    users, rows = len(set(case.train.user.tolist())), len(case.train.user)
    everybody = {"predictions": set(lists), "both": set(lists) & rated, "truth": rated, "all": set(lists) | rated}
    sums: list[tuple[float, float]] = []
    for user in everybody[values["users"]]:
        if user not in lists:
            if values["pooling"] != "pooled":
                sums.append((0.0 if values["no_list"] == "0" else NAN, 1.0))
            continue
        if values["unseen"] == "error" and not all(had[item] for item in lists[user]):
            raise Refused
        kept = [item for item in lists[user] if had[item] or values["unseen"] != "left_out"]
        if not kept:
            continue
        if metric == "novelty":
            terms = [information(had[item], users, rows, values) for item in kept]
        elif metric == "tail_share":
            terms = [
                float(item in tail(had, values) or (not had[item] and values["unseen"] == "tail")) for item in kept
            ]
        else:
            most = max(had.values(), default=0)
            by = {"rows": rows, "users": users, "most": most}.get(values["scale"], 1)
            judged = set(case.truth.item[case.truth.user == user].tolist())
            useful = [item for item in kept if values["counted"] == "all" or item in judged]
            terms = [had[item] / max(by, 1) for item in useful]
            if values["scale"] == "quantile":
                terms = [quantile(had, item) for item in useful]
        in_truth = max(int((case.truth.user == user).sum()), 1)
        unders = {"k": cuts[user], "truth": in_truth, "items": _catalogue(case), "one": 1}
        under = unders.get(values["denominator"], len(kept))
        pooled = values["pooling"] == "pooled"
        sums.append((sum(terms), under) if pooled else (sum(terms) / under, 1.0))
    if not sums:
        return _over_nobody(values)
    return sum(over for over, _ in sums) / sum(under for _, under in sums)


OfList = Callable[["Case", Values, int, Sequence[tuple[int, int]], int], "float | None"]
"""Gives the value of a list of (rank, item), or None where the user is left out."""


def _mean_of_lists(of_list: OfList, values: Values, case: Case, k: int | None) -> float:
    lists, cuts = _ranked_lists(case, values, k)
    rated = set(case.truth.user.tolist())
    everybody = {"predictions": set(lists), "both": set(lists) & rated, "truth": rated, "all": set(lists) | rated}
    everybody["train"] = set(case.train.user.tolist())
    made: list[float | None] = []
    for user in everybody[values["users"]]:
        if user in lists:
            made.append(of_list(case, values, user, lists[user], cuts[user]))
        else:
            made.append(float(values["no_list"]))
    counted = [value for value in made if value is not None]
    return sum(counted) / len(counted) if counted else _over_nobody(values)


def _ranked_lists(case: Case, values: Values, k: int | None) -> tuple[dict[int, list[tuple[int, int]]], dict[int, int]]:
    """Return (rank, item) of what each user is shown; a later place that does not count keeps its rank."""
    lists, cuts = shown_to(case, {**values, "duplicates": _of_copies(values)}, k)
    out = {}
    truth = list(zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True))
    if values.get("truth_duplicates") == "error" and len(set(truth)) < len(truth):
        raise Refused
    for user, items in lists.items():
        rows = list(enumerate(items, 1))
        if values["duplicates"] == "first_in_place":
            rows = [(rank, item) for rank, item in rows if item not in items[: rank - 1]]
        if values.get("truth_duplicates") == "counted":
            rows = [row for row in rows for _ in range(max(1, truth.count((user, row[1]))))]
        out[user] = rows
    return out, cuts


def _of_copies(values: Values) -> str:
    return "counted" if values["duplicates"] == "first_in_place" else values["duplicates"]


def _owners(case: Case) -> dict[int, set[int]]:
    owners: dict[int, set[int]] = {}
    for user, item in zip(case.train.user.tolist(), case.train.item.tolist(), strict=True):
        owners.setdefault(item, set()).add(user)
    return owners


def _cosine(one: set[int], other: set[int]) -> float:
    return len(one & other) / math.sqrt(len(one) * len(other)) if one and other else 0.0


def _diversity(case: Case, values: Values, user: int, rows: Sequence[tuple[int, int]], cut: int) -> float | None:
    owners, total = _owners(case), 0.0
    for one, other in combinations([owners.get(item, set()) for _, item in rows], 2):
        distance = {
            "cosine": lambda a, b: 1 - _cosine(a, b),
            "jaccard": lambda a, b: 1 - len(a & b) / len(a | b) if a | b else 0.0,
            "hamming": lambda a, b: float(len(a ^ b)),
            "euclidean": lambda a, b: math.sqrt(len(a ^ b)),
        }[values["distance"]](one, other)
        total += 1 - distance if values["direction"] == "similarity" else distance
    if values["denominator"] == "one":
        return total
    size = len(rows) if values["denominator"] == "pairs" else cut
    if size < 2:
        return {"0": 0.0, "1": 1.0, "nan": NAN, "left_out": None}[values["no_pair"]]
    return total / (size * (size - 1) / 2)


def _serendipity(case: Case, values: Values, user: int, rows: Sequence[tuple[int, int]], cut: int) -> float | None:
    owners, rows_of = _owners(case), Counter(case.train.item.tolist())
    history = {item for item, held in owners.items() if user in held}
    truth = list(zip(case.truth.user.tolist(), case.truth.item.tolist(), case.truth.gain.tolist(), strict=True))
    judged = {item for rated, item, _ in truth if rated == user}
    liked = {item for rated, item, gain in truth if rated == user and gain >= case.threshold}
    if values["unexpected"] == "history" and not history and values["no_history"] == "left_out":
        return None
    total = 0.0
    for rank, item in rows:
        if values["useful"] != "all" and item not in (judged if values["useful"] == "judged" else liked):
            continue
        if values["unexpected"] == "history":
            likeness = [_cosine(owners.get(item, set()), owners[past]) for past in history]
            total += 1 - sum(likeness) / len(likeness) if history else 1.0
        elif values["unexpected"] == "not_popular":
            more = sum(count > rows_of[item] for count in rows_of.values())
            total += item not in rows_of or more >= cut
        else:
            exist, place = _catalogue(case), len({n for n in rows_of.values() if n > rows_of[item]}) + 1
            by_popularity = (exist + 1 - place) / exist if item in rows_of else 0.0
            total += max(0.0, (exist + 1 - rank) / exist - by_popularity)
    return total / (cut if values["denominator"] == "k" else len(rows))
