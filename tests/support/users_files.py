"""Draws files of a user's kind: thresholds, gains of all kinds, text ids, close scores, train items among the shown."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from recsys_metric_audit.audit.data.dataset import Dataset
from recsys_metric_audit.audit.data.files.user_files import read_case

_GAINS = {
    "one": (1.0,), "stars": (1.0, 2.0, 3.0, 4.0, 5.0), "fractions": (0.25, 0.5, 1.0, 2.5),
    "with 0": (0.0, 1.0, 2.0), "negative": (-1.0, 1.0, 2.0, 3.0),
}  # fmt: skip
_K = (1, 2, 3, 5, 10, 40)
"""Cut-offs; the last is above the number of items."""


@dataclass(frozen=True)
class Drawn:
    """Holds a drawn data set, its cut-off, and what it has, in words."""

    data: Dataset
    k: int
    kind: str


def drawn_files(seed: int, folder: Path) -> Drawn:
    """Write files of up to six users and 15 items, and read them as the command does."""
    rng = random.Random(f"files of a user {seed}")
    users = rng.choice((1, 1, 2, 3, 4, 6))
    gains, scores = rng.choice(list(_GAINS)), rng.choice(("apart", "apart", "tied", "close", "shares"))
    named, beside = rng.choice((str, str, "{:03}".format, "n{}".format)), rng.choice(("no", "others", "shown"))
    full = rng.random() < 0.4  # every user has a list, and a relevant item in it
    all_listed = rng.random() < 0.4  # the lists have all items of the truth
    rows, truth, train = list[tuple[str, str, str]](), list[tuple[str, str, str]](), list[tuple[str, str]]()
    for number in range(users):
        user, items = named(number * 3 + 8), rng.sample(range(5, 20), 12)
        length = rng.choice((1, 3, 6, 10)) if full or number == 0 else rng.choice((0, 1, 3, 6, 10))
        shown = items[:length]
        rows += [(user, named(item), score) for item, score in zip(shown, _scores(scores, length, rng), strict=True)]
        relevant = rng.sample(items, rng.choice((1, 1, 2, 4)) if number == 0 else rng.choice((0, 1, 2, 4)))
        if all_listed:
            relevant = rng.sample(shown, min(len(shown), len(relevant)))
        if number == 0 or (full and not set(relevant) & set(shown)):
            relevant = list(dict.fromkeys([rng.choice(shown), *relevant]))
        truth += [(user, named(item), repr(rng.choice(_GAINS[gains]))) for item in relevant]
        others = [item for item in range(5, 20) if item not in relevant]
        if beside != "no":
            source = others if beside == "shown" else [item for item in others if item not in shown]
            train += [(user, named(item)) for item in rng.sample(source, min(3, len(source)))]
    highest = max(float(gain) for *_, gain in truth)
    if highest < 1:  # the command refuses a truth in which nothing is relevant
        truth[0] = (*truth[0][:2], "1.0")
        highest = 1.0
    threshold = float(rng.choice([each for each in (1, 1, 2, 3, 4) if each <= highest]))
    if beside != "no" and rng.random() < 0.5:
        train += [(named(number), named(number % 15 + 5)) for number in range(60, 90)]
    files = {"p": ("user,item,score", rows), "t": ("user,item,gain", truth), "r": ("user,item", train)}
    for name, (header, lines) in files.items():
        text = "\n".join([header, *(",".join(line) for line in lines)]) + "\n"
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    data = read_case(folder / "p.csv", folder / "t.csv", folder / "r.csv" if train else None, threshold=threshold)
    kind = f"gains {gains}, threshold {threshold:g}, scores {scores}, train {beside if train else 'no'}, {users} users"
    return Drawn(data, rng.choice(_K), kind)


def _scores(kind: str, length: int, rng: random.Random) -> list[str]:
    match kind:
        case "tied":
            values = [rng.choice((0.25, 0.5, 0.75)) for _ in range(length)]
        case "close":
            values = [0.702106 - 1e-9 * number for number in range(length)]
        case "shares":
            values = [rng.random() for _ in range(length)]
        case _:
            values = [float(each) for each in np.array(rng.sample(range(1, 60), length)) / 8]
    return [repr(value) for value in sorted(values, reverse=True)]
