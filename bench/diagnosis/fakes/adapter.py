"""A fake library with a function for each seeded fault, read from ``faults.json`` beside this file.

What a definition's axes mean is interpreted by the slow oracle of the unit tests (plain lists and fractions, one user
at a time), which shares no code with what is measured. Faults outside of the space are in ``wrong.py``.
"""

import json
import os
import sys
from types import SimpleNamespace

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import numpy as np
import oracle
import oracle_means
from wrong import WRONG

with open(os.path.join(HERE, "faults.json"), encoding="utf-8") as file:
    FAULTS = json.load(file)

ORDER = (
    "order", "ties", "duplicates", "truth_duplicates", "cutoff", "positions", "relevance", "counted_scores", "truth",
)  # fmt: skip
NUMBERS = {
    "exact": float, "float32": np.float32, "4 decimals": lambda x: round(x, 4), "6 decimals": lambda x: round(x, 6),
}  # fmt: skip


class Memory:
    """Users and resolved lists of the case at hand: many functions ask the same of it."""

    def __init__(self):
        self.case, self.kept = None, {}
        self.slow = {name: getattr(oracle, name) for name in ("users_of", "rankings")}
        oracle.users_of = lambda case: self.once("users_of", case)
        oracle.rankings = self.rankings

    def take(self, case):
        self.case, self.kept = case, {}

    def once(self, name, case):
        if case is not self.case:
            return self.slow[name](case)
        if name not in self.kept:
            self.kept[name] = self.slow[name](case)
        return self.kept[name]

    def rankings(self, user, k, values):
        key = (id(user), k, *(values[axis] for axis in ORDER))
        if not any(user is own for own in self.kept.get("users_of", ())):
            return self.slow["rankings"](user, k, values)
        if key not in self.kept:
            self.kept[key] = self.slow["rankings"](user, k, values)
        return self.kept[key]


MEMORY = Memory()


def prepare(case):
    seen = SimpleNamespace(
        predictions=case.recommended, truth=case.relevant, train=case.train, catalogue=case.catalogue,
        threshold=case.threshold, scale=case.scale,
    )  # fmt: skip
    MEMORY.take(seen)
    return seen


def fake(fault):
    def answer(case, k):
        return oracle_means.evaluate(fault["metric"], fault["values"], case, k)

    def call(case, k):
        if fault["wrong"]:
            return WRONG[fault["wrong"]](answer, case, k)
        made = answer(case, k)
        if made.refused:
            raise ValueError("no such input, please")
        return NUMBERS[fault["number"]](made.mean)

    return call


FUNCTIONS = {fault["name"]: fake(fault) for fault in FAULTS}
