"""A library that does what it is asked: per-user counts, their mean, and what it was given."""

import os
from pathlib import Path

import numpy as np

Path("pid").write_text(str(os.getpid()))


def prepare(case):
    return case


def rows_within(case, k):
    counts = [min(int((case.recommended.user == user).sum()), k) for user in case.users]
    return sum(counts) / len(counts), case.users, counts


def given(case, k):
    columns = [
        case.recommended.user, case.recommended.item, case.recommended.score,
        case.relevant.user, case.relevant.item, case.relevant.gain,
        case.train.user, case.train.item, case.catalogue, [case.threshold], case.scale,
    ]  # fmt: skip
    flat = np.concatenate([np.asarray(column, dtype=float) for column in columns])
    return None, np.arange(len(flat)), flat


FUNCTIONS = {"statistics.mean": rows_within, "statistics.median": given}
