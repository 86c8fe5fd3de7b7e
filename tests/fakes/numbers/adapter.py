"""In a folder named like a module of the standard library; returns numbers that text easily damages."""

NUMBERS = [float("nan"), float("inf"), -float("inf"), -0.0, 5e-324, 0.1 + 0.2, 1e308]


def prepare(case):
    return case


FUNCTIONS = {
    "statistics.mean": lambda case, k: NUMBERS[k],
    "statistics.median": lambda case, k: (NUMBERS[k], range(len(NUMBERS)), NUMBERS),
}
