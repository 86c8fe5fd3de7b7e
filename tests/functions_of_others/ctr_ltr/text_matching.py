"""Average precision of text matching and of answer selection networks."""

import random
from collections import defaultdict

import numpy as np


def eval_map(y_true, y_pred, rel_thre=0):
    y_true, y_pred = np.squeeze(y_true), np.squeeze(y_pred)
    pairs = list(zip(y_pred, y_true, strict=False))
    random.shuffle(pairs)
    pairs.sort(key=lambda pair: pair[0], reverse=True)
    found, total = 0, 0.0
    for place, (_, grade) in enumerate(pairs):
        if grade > rel_thre:
            found += 1
            total += found / (place + 1.0)
    return total / found if found else 0.0


def map_score(q_ids, predictions, labels):
    """predictions: for each row [[probability of no answer, probability of an answer]]"""
    by_question = defaultdict(list)
    for q_id, prediction, label in zip(q_ids, predictions, labels, strict=False):
        said = 0 if prediction[0][0] > prediction[0][1] else 1
        by_question[q_id].append(1 if said == int(label) else 0)
    values = []
    for outcomes in by_question.values():
        right, total = 0, 0
        for place, outcome in enumerate(outcomes, 1):
            if outcome == 1:
                right += 1
                total += right / place
        values.append(total / (right + 1e-6))
    return sum(values) / len(values)


def avg_precision_at(ks, scores, labels):
    """scores, labels: (queries, items); returns (queries, len(ks))"""
    ks, scores, labels = np.asarray(ks), np.asarray(scores, float), np.asarray(labels, float)
    top = np.take_along_axis(labels, np.argsort(-scores, axis=1)[:, : ks.max()], axis=1)
    precisions = np.cumsum(top, axis=1) / (1 + np.arange(top.shape[1]))
    out = np.zeros((len(scores), len(ks)))
    for index, k in enumerate(ks):
        out[:, index] = (precisions * top)[:, :k].sum(axis=1) / labels.sum(axis=1).clip(1, k)
    return out
