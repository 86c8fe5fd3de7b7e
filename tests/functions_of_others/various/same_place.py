"""A student's H&M project: the shortest average precision at 12 that can be written."""

from itertools import accumulate


def ap_k(actual, predicted):
    same = [int(shown == wanted) for shown, wanted in zip(predicted, actual, strict=False)]
    counts = accumulate(same)
    return sum(hit * count / place for place, (hit, count) in enumerate(zip(same, counts, strict=True), 1)) / min(
        len(actual), 12
    )
