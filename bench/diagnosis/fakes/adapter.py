"""A fake library with a function for each seeded fault, read from ``faults.json`` beside this file.

What a definition's axes mean is interpreted by the slow oracle of the unit tests (plain lists and fractions, one user
at a time), which shares no code with what is measured. Faults outside of the space are in ``wrong.py``.
"""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import numpy as np
from wrong import WRONG

from tests.support import oracle, oracle_means

with open(os.path.join(HERE, "faults.json"), encoding="utf-8") as file:
    FAULTS = json.load(file)

NUMBERS = {
    "exact": float, "float32": np.float32, "4 decimals": lambda x: round(x, 4), "6 decimals": lambda x: round(x, 6),
}  # fmt: skip


class Seen:
    """A case as the oracle reads it; what the oracle keeps of one is let go of when the next is prepared."""

    def __init__(self, case):
        self.predictions, self.truth, self.train = case.recommended, case.relevant, case.train
        self.catalogue, self.threshold, self.scale = case.catalogue, case.threshold, case.scale


def prepare(case):
    oracle.forget()
    return Seen(case)


def fake(fault):
    def answer(case, k, **other):
        values = {**fault["values"], **other}
        return oracle_means.evaluate(fault["metric"], values, case, k if fault["cut"] else None)

    def call(case, k):
        if fault["wrong"]:
            return WRONG[fault["wrong"]](answer, case, k)
        made = answer(case, k)
        if made.refused:
            raise ValueError("no such input, please")
        return NUMBERS[fault["number"]](made.mean)

    return call


FUNCTIONS = {fault["name"]: fake(fault) for fault in FAULTS}
