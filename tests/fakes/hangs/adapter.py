"""One function never comes back, one that the first would keep from being asked does."""

import os
import time
from pathlib import Path

Path("pid").write_text(str(os.getpid()))


def prepare(case):
    return case


def hang(case, k):
    while True:
        time.sleep(60)


FUNCTIONS = {"statistics.mean": hang, "statistics.median": lambda case, k: k / 4}
