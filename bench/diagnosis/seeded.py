"""The seeded faults: the definitions that the fake library computes, and faults that no definition describes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from recsys_metric_audit.reference.catalogue import CATALOGUE
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space.edges import AXES as EDGES
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE

Group = Literal["documented", "single", "stacked", "outside", "held_out"]
GROUPS: tuple[Group, ...] = ("documented", "single", "stacked", "outside", "held_out")
NUMBERS = ("float32", "6 decimals", "4 decimals")
STACKED = 360
"""How many faults have several axes changed at once."""
THRESHOLDS = ("0.5", "0.6", "1", "2", "4", "above_0.5")
"""Constant thresholds of relevance, seeded beside the named rules."""
WITHOUT_NAME = {
    "persistence": ("0.7",), "beta": ("3",), "decay": ("0.6",), "patience": ("0.75",), "top": ("4", "3.5"),
    "offset": ("1", "60"), "discount": ("3",), "cutoff": ("3",),
}  # fmt: skip
"""Numbers that have no name on the axes that take any."""
SEED = 20211

# Ten of the eleven families that libraries offer under the paper's names, and the rest of the space once each.
HEADLINES = (
    "precision", "recall", "hit_rate", "f_score", "reciprocal_rank", "average_precision", "average_recall", "ndcg",
    "auc", "r_precision", "rbp", "err",
)  # fmt: skip

OUTSIDE: tuple[tuple[str, str], ...] = (
    *((fault, base) for fault in ("k is at most 10", "lists are cut at 10")
      for base in ("precision@k", "recall@k", "ndcg@k", "average_precision@k", "reciprocal_rank@k")),
    ("k is at least 2", "precision@k"), ("k is at least 2", "ndcg@k"), ("k of 5 is taken as 10", "precision@k"),
    ("the sixth row is lost", "ndcg@k"), ("the sixth row is lost", "auc"),
    ("scores of 0 and below are gone", "precision@k|denominator:shown"), ("scores of 0 and below are gone", "auc"),
    ("item 13 is unknown", "average_precision@k"), ("item 13 is unknown", "auc"),
    ("item 12 is never relevant", "reciprocal_rank@k"), ("item 13 is never relevant", "recall@k"),
    ("items from 502 on are never relevant", "recall@k"), ("items from 502 on are never relevant", "ndcg@k"),
    ("at most 3 relevant items a user", "recall@k"),
    ("at most 3 relevant items a user", "average_precision@k|denominator:r"),
    ("gains of 4 and more are dropped", "reciprocal_rank@k"),
    ("gains are rounded up", "ndcg@k|gain:linear"), ("gains are rounded up", "ndcg@k|gain:exp2"),
    ("gains are rounded up", "ndcg@k|gain:exp2|ideal:none"), ("gains are cast to int", "precision@k|numerator:gains"),
    ("gains are capped at 4", "ndcg@k|gain:linear"), ("gains are capped at 4", "ndcg@k|gain:exp2"),
    ("gains of 3 are 4", "ndcg@k|gain:exp2"),
    ("median", "precision@k"), ("median", "ndcg@k"),
    ("the first user is left out", "recall@k"), ("the last user is left out", "ndcg@k|gain:exp2"),
    ("over n - 1 users", "precision@k"), ("over n + 1 users", "average_precision@k"),
    ("the best and the worst user", "reciprocal_rank@k"), ("trimmed mean", "recall@k"),
    ("at most four users", "hit_rate@k"), ("weighted by 1/r", "ndcg@k"), ("weighted by the root of r", "recall@k"),
    ("the first user counts twice", "f_score@k"), ("short lists count half", "precision@k"),
    ("nan where k is beyond the list", "recall@k"), ("0 where k is beyond the list", "average_precision@k"),
    ("a thousandth more from r 4 on", "ndcg@k"), ("squared for r above k", "recall@k"),
    ("halved for lists of 6 and more", "precision@k"), ("rounded up from 0.9 on", "ndcg@k|gain:exp2"),
    ("at most 0.75", "average_precision@k"),
)  # fmt: skip
"""(fault, the definition that it is a fault of)."""
HELD_OUT: tuple[tuple[str, str, str], ...] = (
    *(("ties of 17 rows and more in no order", base, "ties")
      for base in ("precision@k", "ndcg@k", "average_precision@k", "reciprocal_rank@k")),
    *(("tied rows share a rank in lists of 17 and more", base, "ties") for base in ("recall@k", "ndcg@k", "rbp@k")),
    *(("items twice in 17 rows and more count once", base, "duplicates") for base in ("recall@k", "ndcg@k")),
    *(("lists ten rows short are filled with relevant items", base, "") for base in ("hit_rate@k", "precision@k")),
)  # fmt: skip
"""(fault that the probes do not show, or not what it is, the definition that it is a fault of, the axis of which
nothing may be said any more; none where no formula may be).
"""


@dataclass(frozen=True)
class Fault:
    """One function of the fake library.

    Attributes:
        group: The group of the fault.
        definition: What the function computes, or departs from.
        number: How its number is returned.
        wrong: How it departs from the definition; empty if it does not.
        axis: The axis on which it does so on held-out inputs; empty if on none.
    """

    group: Group
    definition: Definition
    number: str = "exact"
    wrong: str = ""
    axis: str = ""

    @property
    def description(self) -> str:
        """The fault in one line."""
        parts = (self.definition.signature(), self.wrong, self.number)
        return ", ".join(part for part in parts if part not in ("", "exact"))


def faults(seed: int = SEED) -> list[Fault]:
    """Return all faults in a fixed order; ``seed`` draws the stacked ones."""
    from recsys_metric_audit.reference.definitions.definition import parse

    # What reads which items are shown, not which are relevant, is not searched.
    made = [Fault("documented", each.definition) for each in CATALOGUE if each.definition.metric in METRICS]
    made += [Fault("single", definition) for definition in _singles()]
    made += list(_stacked(seed))
    made += [Fault("outside", parse(base), wrong=wrong) for wrong, base in OUTSIDE]
    return made + [Fault("held_out", parse(base), wrong=wrong, axis=axis) for wrong, base, axis in HELD_OUT]


def _singles() -> Iterator[Definition]:
    """Yield every canonical definition, and every change of one axis of it."""
    for name, metric in METRICS.items():
        yield Definition.of(name)
        for axis in metric.all_axes:
            thresholds = THRESHOLDS if axis.name == "relevance" and axis.numeric else ()
            for value in (*axis.names, *thresholds, *WITHOUT_NAME.get(axis.name, ())):
                moved = {axis.name: value}
                if axis.name == "weight":  # acts on a weighted mean only: the two are one choice
                    moved["pooling"] = "weighted"
                if axis.name == "undefined":  # acts on a user who is averaged over
                    moved["users"] = "all"
                if value not in (*WITHOUT_RULE, metric.canonical[axis.name]) and _is_meaningful(name, moved):
                    yield Definition.of(name, moved)


def _is_meaningful(name: str, moved: dict[str, str]) -> bool:
    return METRICS[name].refusal({**METRICS[name].canonical, **moved}) is None


def _stacked(seed: int) -> Iterator[Fault]:
    """Yield faults with two or three axes of formula, averaging and order changed at once, and an edge; rounded."""
    rng = random.Random(seed)
    seen: set[str] = set()
    while len(seen) < STACKED:
        name = rng.choice(HEADLINES)
        definition = _drawn(rng, name, rng.choice((2, 3)))
        if definition is not None and len(shortest(definition).differs_on) > 1 and str(definition) not in seen:
            yield Fault("stacked", definition, NUMBERS[len(seen) % len(NUMBERS)])
            seen.add(str(definition))


def _drawn(rng: random.Random, name: str, count: int) -> Definition | None:
    metric = METRICS[name]
    axes = [axis for axis in metric.all_axes if axis.part != "edges"]
    edges = [axis for axis in metric.all_axes if axis in EDGES]
    moved = {}
    for axis in (*rng.sample(axes, count), rng.choice(edges)):
        values = (*axis.names, *WITHOUT_NAME.get(axis.name, ()))
        moved[axis.name] = rng.choice([v for v in values if v not in (*WITHOUT_RULE, metric.canonical[axis.name])])
    if "weight" in moved:
        moved["pooling"] = "weighted"
    if moved.get("pooling") == "weighted":
        moved.setdefault("weight", "relevant")
    if "undefined" in moved and moved["undefined"] != "error":
        moved["users"] = "all"
    return Definition.of(name, moved) if _is_meaningful(name, moved) else None
