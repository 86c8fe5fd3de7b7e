"""Ends its process in several ways, and answers in between."""

import ctypes
import os
import signal
import sys


def prepare(case):
    return case


def leave(case, k):
    print("about to leave", file=sys.stderr)
    os._exit(3)


def kill(case, k):
    os.kill(os.getpid(), signal.SIGKILL)


def crash(case, k):
    return ctypes.string_at(0)


FUNCTIONS = {
    "statistics.mean": leave,
    "statistics.median": lambda case, k: k / 4,
    "statistics.mode": kill,
    "statistics.stdev": crash,
}
