"""Generated cases that random draws would hardly hit: each is built for one difference between definitions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from recsys_metric_audit.audit.questions.case_features import SEED, Row, generated_probe
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.input import case

TIED_NAMES: dict[str, frozenset[str]] = {
    "names": frozenset({"ties"}), "rated names": frozenset({"ties", "gains of 1", "unsorted"}),
    "names of rated misses": frozenset({"ties", "rated misses"}), "names listed twice": frozenset({"ties", "copies"}),
}  # fmt: skip
"""The sorts of :func:`tied_names_case`, with the features of their cases."""
STATE_BESIDE_NEGATIVE_GAIN = ("no list", "no truth", "no hit")
"""The unusual states of :func:`negative_gain_case`."""
WORTHLESS_GAINS = (0.0, 2.0, -1.0)
"""The gains of :func:`worthless_case`: 0, one below the threshold, and one that 2^(g + 1) - 1 makes 0."""
_LONG_TIES_SEED = 60


def with_gains_of_1(probe: Probe) -> Probe:
    """Return a case with all gains replaced by 1, and a threshold of 1."""
    return replace(probe, case=case.with_gains_of_1(probe.case, f"{probe.name}, gains of 1"))


def tied_names_case(number: int, what: str) -> Probe:
    """Return a case of items with names of unequal length that tie across the cut.

    Args:
        number: The number of the case.
        what: The relevant items: one tied item ("names"); several rated items with gains of 1 and more, every other
            list unsorted ("rated names"); half of the items, all rated ("names of rated misses"); all items, one of
            them twice in the truth ("names listed twice").
    """
    rng = np.random.default_rng([SEED, number, [*TIED_NAMES].index(what)])
    recommended: list[Row] = []
    truth: list[Row] = []
    for user in (1, 2, 3):
        items = [int(item) for item in rng.permutation([9, 10, 100, 11, 8])]
        tie = round(0.6 + user / 100, 2)  # no two users share a score
        scores = (tie + 0.3, tie, tie, tie, tie - 0.5)
        rows = [(user, item, round(score, 2)) for item, score in zip(items, scores, strict=True)]
        truth += _tied_truth(rng, what, number, user, items)
        unsorted = what == "rated names" and number % 2
        recommended += [rows[place] for place in rng.permutation(5)] if unsorted else rows
    title = f"{number + 1}: {what} of unequal length tie"
    threshold = 1.0 if what == "rated names" else 2.0
    return generated_probe(title, recommended, truth, 2 + number % 2, threshold=threshold)


def _tied_truth(rng: np.random.Generator, what: str, number: int, user: int, items: list[int]) -> list[Row]:
    tied_place = 1 + (number + user) % 3
    if what == "rated names":
        gains = (1.0, 2.0) if user % 2 else (1.0, 1.0, 2.0)
        drawn = rng.permutation(items[1:]).tolist()
        return [(user, item, gain) for item, gain in zip(drawn, gains, strict=False)]
    if what == "names of rated misses":
        return [(user, item, 4.0 if place in (tied_place, 4) else 1.0) for place, item in enumerate(items)]
    if what == "names listed twice":
        return [(user, item, 4.0) for item in (*items, items[1 + 2 * (number % 2)])]
    return [(user, items[tied_place], 4.0)]


def tied_copies_case(number: int) -> Probe:
    """Return a case of users whose relevant item is recommended twice with one score, across the cut.

    The copies tie with another item or stand next to each other: the cut shows which of them comes first.
    """
    recommended: list[Row] = []
    truth: list[Row] = []
    for user in (1, 2, 3):
        copied, other = ((9, 10), (10, 9), (11, 100))[(user + number) % 3]
        tied = [copied, other, copied] if number % 2 else [other, copied, copied]
        tie = round(0.6 + user / 100, 2)
        above = [(user, 50 + user, 0.95)] if number > 2 else []
        recommended += [*above, *((user, item, tie) for item in tied), (user, 60, 0.1)]
        truth += [(user, copied, 4.0), (user, 500 + user, 2.0)][: 1 + user % 2]
    k = 1 + number // 2 % 2 + (number > 2)
    return generated_probe(f"{number + 1}: copies of an item tie", recommended, truth, k, threshold=2.0)


def repeated_miss_case(number: int, *, rated: bool) -> Probe:
    """Return a case of users with one relevant item and, above it, an irrelevant item that is recommended twice.

    The relevant item stands just below the cut or a rank further down.

    Args:
        number: The number of the case.
        rated: Whether the truth holds the irrelevant items, with gains below the threshold.
    """
    room, recommended, truth = 2 + number % 3, list[Row](), list[Row]()
    for user in (1, 2, 3):
        misses = [10 + place for place in range(room - 1)]
        items = [*misses, misses[(number + user) % len(misses)], 20 + user, 30]
        recommended += [(user, item, round(0.9 - 0.1 * place - user / 100, 2)) for place, item in enumerate(items)]
        truth += [(user, 20 + user if user < 3 else 30, 4.0), *((user, item, 1.0) for item in misses if rated)]
    k = room + (not rated and number > 2)  # also a cut-off of k - 1 is then just above the hit
    title = f"{number + 1}: {'a rated miss' if rated else 'a miss'} twice above a hit"
    return generated_probe(title, recommended, truth, k, threshold=2.0)


def negative_gain_case(number: int) -> Probe:
    """Return a case of users whose hit has a gain below 0, and so perhaps their value, and one in an unusual state."""
    rows = [(user, 10 + place, round(0.9 - 0.1 * place - user / 100, 2)) for user in (1, 2) for place in range(3)]
    truth = [(1, 10, -1.0), (1, 500, 4.0), (2, 11, 3.0), (2, 500, 3.0)]
    state = STATE_BESIDE_NEGATIVE_GAIN[number]
    rows += [] if state == "no list" else [(3, 20, 0.8), (3, 21, 0.4)]
    truth += [] if state == "no truth" else [(3, 501, 4.0)]
    return generated_probe(f"{number + 1}: a gain below 0, {state}", rows, truth, 2, threshold=3.0)


def worthless_case(number: int, *, listed: bool) -> Probe:
    """Return a case with a user whose relevant items, or those in the list, are worth nothing to an ideal list.

    Args:
        number: The number of the gain that is worth nothing.
        listed: Whether the user has a list, with one such item; another relevant item is worth more and not listed.
    """
    rows = [(1, 10 + place, round(0.9 - 0.1 * place, 2)) for place in range(3)]
    gain = WORTHLESS_GAINS[number]
    truth = [(1, 11, 4.0), (1, 500, 3.0), (2, 501, gain), (2, 502, 4.0 if listed else gain)]
    rows += [(2, 503, 0.9), (2, 501, 0.8)] if listed else []
    what = "a hit that is worth nothing" if listed else "no list, worth nothing"
    return generated_probe(f"{number + 1}: {what}", rows, truth, 2, threshold=3.0)


def all_relevant_case(*, listed: bool) -> Probe:
    """Return a case with a user to whom all items that exist are relevant; nobody has training items.

    Args:
        listed: Whether that user has a list, of hits only.
    """
    rows, truth = [(1, 10, 0.9), (1, 11, 0.4)], [(1, 10, 4.0), (2, 10, 4.0), (2, 11, 2.0)]
    if listed:
        rows, truth = [*rows, (2, 10, 0.8), (2, 11, 0.3)], [(1, 11, 4.0), *truth]
    title = f"{1 + listed}: {'only hits' if listed else 'no list'}, no irrelevant item exists"
    return generated_probe(title, rows, truth, 2, threshold=2.0, seen=(), unseen=())


def repeated_hit_case(number: int) -> Probe:
    """Return a case of users whose only relevant item is recommended again, at once or after a miss, across the cut."""
    rows: list[Row] = []
    for user in (1, 2):
        first, other = 20 + user, 30 + user
        items = [[first, first, other], [first, other, first, 40], [other, first, other + 10, first]][number % 3]
        rows += [(user, item, round(0.9 - 0.2 * place - user / 100, 2)) for place, item in enumerate(items)]
    k = 1 + number % 3 + number // 3
    return generated_probe(f"{number + 1}: a hit once more", rows, [(1, 21, 4.0), (2, 22, 2.0)], k, threshold=2.0)


def long_lists_case(number: int, *, all_relevant: bool) -> Probe:
    """Return a case of lists of more than ten items with a hit far down, at a small cut-off or a large one."""
    rows: list[Row] = []
    truth: list[Row] = []
    for user in (1, 2, 3):
        length = 12 + (user + number) % 3
        rows += [(user, 10 + place, round(0.99 - 0.05 * place - user / 1000, 3)) for place in range(length)]
        places = range(length) if all_relevant else (length - 1, user)[: 1 + user % 2]
        truth += [(user, 10 + place, (4.0, 2.0)[place % 2]) for place in places]
    title = f"{number + 1}: {'long lists, all relevant' if all_relevant else 'long lists'}"
    return generated_probe(title, rows, truth, (3, 12)[number % 2], threshold=2.0)


def long_tied_lists_case(number: int, *, unsorted: bool, relevant: int = 1) -> Probe:
    """Return a case of long lists whose ninth to twelfth items tie, some of them relevant.

    Which of them comes first shows at a cut-off of ten, whatever k the function is given; and where more of them are
    relevant than have room, whether they share a rank.
    """
    rng = np.random.default_rng([SEED, _LONG_TIES_SEED + number + 2 * unsorted])
    recommended: list[Row] = []
    truth: list[Row] = []
    users = 6 if relevant == 1 else 2  # few enough for the mean over all orders of their ties
    for user in range(1, users + 1):
        tied = [int(item) for item in rng.permutation([9, 10, 100, 11])]
        items, tie = [*range(30, 38), *tied, 40], round(0.4 + user / 100, 2)
        scores = [*(round(0.99 - 0.05 * place - user / 1000, 3) for place in range(8)), *[tie] * 4, 0.1]
        rows = [(user, item, score) for item, score in zip(items, scores, strict=True)]
        recommended += [rows[place] for place in rng.permutation(len(rows))] if unsorted else rows
        truth += [(user, tied[(number + user + other) % 4], 4.0) for other in range(relevant)]
        truth += [(user, 30, 2.0)]
    title = f"{number + 1}: long lists, ties at the tenth{', unsorted' if unsorted else ''}"
    title += f", {relevant} relevant" if relevant > 1 else ""
    return generated_probe(title, recommended, truth, (3, 12)[number], threshold=2.0)
