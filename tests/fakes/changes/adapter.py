"""Changes what it was given."""


def prepare(case):
    return case


def take(case, k):
    total = float(case.recommended.score.sum() + case.relevant.gain.sum())
    case.recommended.score[:] = 0
    case.relevant.gain[:] = 0
    return total


FUNCTIONS = {"statistics.mean": take, "statistics.median": take}
