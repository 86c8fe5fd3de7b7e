"""Spark's RankingMetrics, its RDD of pairs as a list: (predicted ids, relevant ids) of each query."""

import math


def _mean(values):
    values = list(values)
    return sum(values) / len(values)


def _average_precision(pred, lab, k):
    if not lab:
        return 0.0
    count, total = 0, 0.0
    for place in range(min(k, len(pred))):
        if pred[place] in lab:
            count += 1
            total += count / (place + 1)
    return total / min(len(lab), k)


def mean_average_precision(prediction_and_labels):
    sized = ((pred, set(lab), max(len(pred), len(set(lab)))) for pred, lab in prediction_and_labels)
    return _mean(_average_precision(*query) for query in sized)


def ndcg_at(prediction_and_labels, k):
    if k <= 0:
        raise ValueError("ranking position k should be positive")

    def of_pair(pair):
        pred, lab = pair[0], set(pair[1])
        if not lab:
            return 0.0
        dcg, best = 0.0, 0.0
        for place in range(min(max(len(pred), len(lab)), k)):
            gain = 1.0 / math.log(place + 2)
            if place < len(pred) and pred[place] in lab:
                dcg += gain
            if place < len(lab):
                best += gain
        return dcg / best

    return _mean(map(of_pair, prediction_and_labels))
