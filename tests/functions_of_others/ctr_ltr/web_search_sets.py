"""Metrics of a data set of web search sessions: each query is a list of (prediction, label)."""

import numpy as np


def get_dcg(ordered_labels):
    return np.sum((2**ordered_labels - 1) / np.log2(np.arange(ordered_labels.shape[0]) + 2))


def get_idcg(complete_labels, max_len):
    return get_dcg(np.sort(complete_labels)[::-1][:max_len])


def get_err_k(ranked_labels, K):
    satisfied = (np.exp2(ranked_labels) - 1) / 2**4
    err = 0.0
    for place in range(K):
        err += satisfied[place] * np.prod(1 - satisfied[:place]) / (place + 1)
    return err


def _split(item):
    pred, label = zip(*item, strict=False)
    return np.argsort(pred)[::-1], np.array(label)


def calc_err(query_list, K=(1, 3, 5, 10), prefix=""):
    found = {k: [] for k in K}
    for item in query_list:
        ranking, label = _split(item)
        for k in K:
            if len(label) >= k:
                found[k].append(get_err_k(label[ranking[:k]], k))
    return {prefix + "_err@" + str(k): np.mean(found[k]) for k in K}


def calc_dcg(query_list, K=(1, 3, 5, 10), prefix=""):
    found = {k: [] for k in K}
    for item in query_list:
        ranking, label = _split(item)
        for k in K:
            found[k].append(get_dcg(label[ranking[:k]]))
    return {prefix + "_dcg@" + str(k): np.mean(found[k]) for k in K}


def calc_ndcg(query_list, K=(1, 3, 5, 10), prefix=""):
    found = {k: [] for k in K}
    for item in query_list:
        ranking, label = _split(item)
        for k in K:
            if len(label) >= k:
                found[k].append(get_dcg(label[ranking[:k]]) / (get_idcg(label, max_len=k) + 10e-9))
    return {prefix + "_ndcg@" + str(k): np.mean(found[k]) for k in K}


def evaluate_all_metric(qid_list, label_list, score_list):
    current = qid_list[0]
    all_query, rows = [], []
    for qid, label, score in zip(qid_list, label_list, score_list, strict=False):
        if qid != current:
            all_query.append(rows)
            current, rows = qid, []
        rows.append([score, label])
    results = {}
    for part in (calc_dcg(all_query, prefix="all"), calc_ndcg(all_query, prefix="all")):
        results.update(part)
    results.update(calc_err(all_query, prefix="all"))
    return results
