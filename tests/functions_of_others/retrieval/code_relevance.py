"""Code search with human annotations: ranked urls of each query against annotated relevance of some urls."""

import numpy as np


def coverage_per_language(predictions, relevance_scores, with_positive_relevance=False):
    annotated = covered = 0
    for query, urls in relevance_scores.items():
        shown = set(predictions[query])
        for url, relevance in urls.items():
            if with_positive_relevance and relevance <= 0:
                continue
            annotated += 1
            covered += url in shown
    return covered / annotated


def ndcg(predictions, relevance_scores, ignore_rank_of_non_annotated_urls=True):
    values = []
    for query, annotations in relevance_scores.items():
        place, gained = 1, 0
        for url in predictions[query]:
            known = url in annotations
            if known:
                gained += (2 ** annotations[url] - 1) / np.log2(place + 1)
            if known or not ignore_rank_of_non_annotated_urls:
                place += 1
        best = sum(
            (2**relevance - 1) / np.log2(rank + 1)
            for rank, relevance in enumerate(sorted(annotations.values(), reverse=True), start=1)
        )
        if best:
            values.append(gained / best)
    return sum(values) / len(values)
