"""Prints a million lines on both streams, through Python and past it."""

import os
import sys
import time
from pathlib import Path


def prepare(case):
    print("the first line")
    return case


def talk(case, k):
    for number in range(1000000):
        print("line", number)
    os.write(2, b"past Python\n" * 1000000)
    return 0.5


def wait(case, k):
    sys.stdout.flush()
    for _ in range(6000):
        # What is left within the limit is not cut any more.
        if max(Path(log).stat().st_size for log in ("stdout.log", "stderr.log")) <= 1 << 20:
            print("the last line", file=sys.stderr)
            return 0.25
        time.sleep(0.01)
    raise RuntimeError("the logs were left to grow")


FUNCTIONS = {"statistics.mean": talk, "statistics.median": wait}
