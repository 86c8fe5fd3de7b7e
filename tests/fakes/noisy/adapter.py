"""Prints a million lines on both streams, through Python and past it."""

import os
import sys


def prepare(case):
    print("the first line")
    return case


def talk(case, k):
    for number in range(1000000):
        print("line", number)
    os.write(2, b"past Python\n" * 1000000)
    print("the last line", file=sys.stderr)
    return 0.5


FUNCTIONS = {"statistics.mean": talk, "statistics.median": lambda case, k: 0.25}
