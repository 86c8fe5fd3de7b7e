"""Retrieval part of a benchmark of chat assistants' long-term memory: sessions found for a question."""

import numpy as np


def dcg(relevances, k):
    top = np.asarray(relevances, dtype=float)[:k]
    if not len(top):
        return 0.0
    return top[0] + (top[1:] / np.log2(np.arange(2, len(top) + 1))).sum()


def ndcg(rankings, correct_docs, corpus_ids, k=10):
    grades = [int(name in correct_docs) for name in corpus_ids]
    best = dcg(sorted(grades, reverse=True), k)
    got = dcg([grades[place] for place in rankings[:k]], k)
    return got / best if best else 0.0


def evaluate_retrieval(rankings, correct_docs, corpus_ids, k=10):
    seen = {corpus_ids[place] for place in rankings[:k]}
    found = [name in seen for name in correct_docs]
    return float(any(found)), float(all(found)), ndcg(rankings, correct_docs, corpus_ids, k)
