"""Scoring of a news recommendation competition: a file of labels by impression and a file of submitted ranks."""

import json

import numpy as np


def _dcg(y_true, y_score, k=10):
    top = np.take(y_true, np.argsort(y_score)[::-1][:k])
    return np.sum((2**top - 1) / np.log2(np.arange(len(top)) + 2))


def ndcg_score(y_true, y_score, k=10):
    return _dcg(y_true, y_score, k) / _dcg(y_true, y_true, k)


def mrr_score(y_true, y_score):
    ranked = np.take(y_true, np.argsort(y_score)[::-1])
    return np.sum(ranked / (np.arange(len(ranked)) + 1)) / np.sum(ranked)


def auc_score(y_true, y_score):
    y_score = np.asarray(y_score)
    gap = y_score[y_true == 1][:, None] - y_score[y_true == 0]
    return float(np.mean((gap > 0) + 0.5 * (gap == 0)))


def parse_line(line):
    impression, values = line.strip("\n").split()
    return impression, json.loads(values)


def scoring(truth_f, sub_f):
    """lines such as '1 [0,0,1]' and '1 [2,3,1]'; returns AUC, MRR, nDCG@5, nDCG@10"""
    found = []
    for number, line in enumerate(truth_f, 1):
        submitted = sub_f.readline()
        impression, labels = parse_line(line)
        if labels == []:
            continue
        if submitted == "":
            own, ranks = impression, [1] * len(labels)
        else:
            own, ranks = parse_line(submitted)
        if own != impression:
            raise ValueError(f"line {number}: {own} is not {impression}")
        y_true = np.array(labels, dtype="float32")
        y_score = [1.0 / rank for rank in ranks]
        if not all(0 <= score <= 1 for score in y_score):
            raise ValueError(f"line {number}: ranks should be from 1")
        found.append(
            (
                auc_score(y_true, y_score),
                mrr_score(y_true, y_score),
                ndcg_score(y_true, y_score, 5),
                ndcg_score(y_true, y_score, 10),
            )
        )
    return tuple(np.mean(found, axis=0))
