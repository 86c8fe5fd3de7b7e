"""Next-basket metrics of TIFU-KNN: the truth is a 0/1 vector over all items."""

import math

import numpy as np


def get_NDCG1(groundtruth, pred_rank_list, k):
    dcg = 0
    for seen, item in enumerate(pred_rank_list):
        if seen >= k:
            break
        if groundtruth[item] == 1:
            dcg += 1 / math.log2(seen + 1 + 1)
    idcg = 0
    for i in range(int(np.sum(groundtruth))):
        idcg += 1 / math.log2(i + 1 + 1)
    return dcg / idcg


def get_precision_recall_Fscore(groundtruth, pred):
    correct = truth = positive = 0
    for i in range(len(groundtruth)):
        if groundtruth[i] == 1:
            truth += 1
            if pred[i] == 1:
                correct += 1
        if pred[i] == 1:
            positive += 1
    nothing = positive == 0 or truth == 0
    precision = correct / positive if positive else 0
    recall = correct / truth if truth else 0
    F = 2 * precision * recall / (precision + recall) if not nothing and precision + recall > 0 else 0
    return precision, recall, F, correct
