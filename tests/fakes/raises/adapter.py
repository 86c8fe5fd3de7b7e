"""Every call fails: with an error, by leaving, as if interrupted, without words, by declining."""

import sys

from audit_harness import NotOffered, Unaskable


class MuteError(Exception):
    def __str__(self):
        raise RuntimeError("no words")


def prepare(case):
    return case


def of(error):
    def fail(case, k):
        raise error

    return fail


def deep(case, k):
    return deep(case, k)


FUNCTIONS = {
    "statistics.mean": of(ValueError("nothing to average")),
    "statistics.median": lambda case, k: sys.exit("leaving"),
    "statistics.mode": of(KeyboardInterrupt()),
    "statistics.stdev": of(MuteError()),
    "statistics.pstdev": deep,
    "statistics.variance": of(NotOffered("the cut-off is not supported")),
    "statistics.median_low": of(Unaskable("an item without a score")),
    "statistics.pvariance": lambda case, k: None,
    "statistics.harmonic_mean": of(ValueError("x" * 100000)),
    "statistics.absent": lambda case, k: 1.0,
    "statistics.inner.absent": lambda case, k: 1.0,
    "no_such_library.metric": lambda case, k: 1.0,
}
