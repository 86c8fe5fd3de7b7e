"""Gives a value for each of very many users."""

import numpy as np

MANY = 200000


def prepare(case):
    return case


FUNCTIONS = {
    "statistics.mean": lambda case, k: (0.5, np.arange(MANY)[::-1], np.arange(MANY, dtype=np.float32) / 7),
}
