"""Multi-modal recommendation: scores of all items, lists of validation and test items; the five best items count."""

import numpy as np


def get_hit_ratio(rank_list, ground_truth):
    return [1.0 if item in rank_list else 0.0 for item in ground_truth]


def get_dcg(scores):
    return ((np.power(2.0, scores) - 1) / np.log2(np.arange(len(scores)) + 2)).sum()


def get_ndcg(rank_list, ground_truth):
    dcg = get_dcg(np.array([1.0 if item in ground_truth else 0.0 for item in rank_list]))
    return dcg / get_dcg(np.ones(len(ground_truth))) if dcg else 0.0


def compute_hr_ndcg(score, valid, test):
    val_hr, val_ndcg, te_hr, te_ndcg = [], [], [], []
    for i in range(score.shape[0]):
        best = np.argsort(score[i])[-5:][::-1].tolist()
        val_hr += get_hit_ratio(best, valid[i])
        te_hr += get_hit_ratio(best, test[i])
        val_ndcg.append(get_ndcg(best, valid[i]))
        te_ndcg.append(get_ndcg(best, test[i]))
    return np.mean(val_hr), np.mean(val_ndcg), np.mean(te_hr), np.mean(te_ndcg)
