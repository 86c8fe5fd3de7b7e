"""In a folder that is named like its library: it must get the library all the same."""

import statistics


def prepare(case):
    return case.relevant.gain.tolist()


FUNCTIONS = {"statistics.mean": lambda gains, k: statistics.mean(gains)}
