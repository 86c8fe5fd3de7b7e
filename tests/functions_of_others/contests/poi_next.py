"""Next place to visit: metrics over a trajectory, of targets and scores over all places."""

import numpy as np


def top_k_acc(y_true_seq, y_pred_seq, k):
    right = 0
    for wanted, scores in zip(y_true_seq, y_pred_seq, strict=False):
        if wanted in scores.argsort()[-k:][::-1]:
            right += 1
    return right / len(y_true_seq)


def mAP_metric(y_true_seq, y_pred_seq, k):
    total = 0
    for wanted, scores in zip(y_true_seq, y_pred_seq, strict=False):
        place = np.where(scores.argsort()[-k:][::-1] == wanted)[0]
        if len(place) != 0:
            total += 1 / (place[0] + 1)
    return total / len(y_true_seq)


def MRR_metric_last_timestep(y_true_seq, y_pred_seq):
    wanted, scores = y_true_seq[-1], y_pred_seq[-1]
    order = scores.argsort()[-len(scores) :][::-1]
    return 1 / (np.where(order == wanted)[0][0] + 1)
