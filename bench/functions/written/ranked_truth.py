"""Functions of (ranked items, truth), which cut nothing."""


def average_precision(ranked, truth):
    found, total = 0, 0.0
    for rank, item in enumerate(ranked, 1):
        if item in truth:
            found += 1
            total += found / rank
    return total / len(truth)


def r_precision(ranked, truth):
    r = len(truth)
    return sum(item in truth for item in ranked[:r]) / r


def reciprocal_rank_of_the_first_truth(ranked, truth):
    target = next(iter(truth))
    return 1 / (ranked.index(target) + 1) if target in ranked else 0.0
