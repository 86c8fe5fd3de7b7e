"""Development score of a listwise network: padded batches and the length of each list."""

import numpy as np


def mean_average_precision(probs, labels, length, th):
    """probs, labels: (queries, longest list); th: how many ranks are looked at"""
    out = 0.0
    for row in range(len(probs)):
        ranking = np.argsort(probs[row][: length[row]])[::-1]
        candidates = labels[row, ranking]
        right, precisions = 0.0, []
        for place in range(min(th, len(candidates))):
            if candidates[place] == 1:
                right += 1
                precisions.append(right / (place + 1))
        if precisions:
            out += sum(precisions) / len(precisions)
    return out / float(len(probs))
