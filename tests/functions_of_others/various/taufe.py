"""TAUFE: flat arrays of scores, labels and groups; five values, four of them arrays over three cut-offs."""

from math import log

import numpy as np


def _ndcg(flags, ideal, k):
    ideal = ideal + [0] * (k - len(ideal))

    def dcg(values):
        return sum(value / log(place + 2, 2) for place, value in enumerate(values[:k]))

    return dcg(flags) / dcg(ideal)


def _user(order, test, k_list):
    order = order.tolist()
    order += [0] * (k_list[-1] - len(order))
    first = second = third = 0.0
    flags = []
    for place in range(len(k_list)):
        hit = order[place] in test
        if hit and place < k_list[0]:
            first = 1.0
        if hit and place < k_list[1]:
            second += 1.0
        third += hit
        flags.append(int(hit))
    ideal = [1] * len(test)
    size = len(test) or 1
    return (
        np.array([first, second / k_list[1], third / k_list[2]]),
        np.array([first / size, second / size, third / size]),
        np.array([_ndcg(flags, ideal, k) for k in k_list[:3]]),
    )


def topk_accuracy(Y_pred, Y_true, groups, k_list):
    users = set(groups)
    avg_rank, precisions, recalls, ndcgs = 0, None, None, None
    for number, user in enumerate(users):
        rows = np.where(groups == user)[0]
        test = np.where(Y_true[rows] == 1)[0]
        if len(test) == 0:
            continue
        order = np.argsort(-Y_pred[rows])
        avg_rank += np.isin(order, test).argmax() + 1
        p, r, n = _user(order, test, k_list)
        if number == 0:
            precisions, recalls, ndcgs = p, r, n
        else:
            precisions += p
            recalls += r
            ndcgs += n
    f1 = precisions
    for i in range(len(k_list)):
        both = precisions[i] + recalls[i]
        f1[i] = 2 * precisions[i] * recalls[i] / both if both else 0
    count = len(users)
    return avg_rank / count, precisions / count, recalls / count, f1 / count, ndcgs / count
