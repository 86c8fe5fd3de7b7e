"""Retrieval metrics of a framework for agents over data: expected and retrieved ids of one query."""

import math


class RetrievalMetricResult:
    def __init__(self, score, metadata=None):
        self.score, self.metadata = score, metadata or {}


class NDCG:
    metric_name = "ndcg"

    def compute(self, query=None, expected_ids=None, retrieved_ids=None, expected_texts=None, retrieved_texts=None):
        if not retrieved_ids or not expected_ids:
            raise ValueError("Retrieved ids and expected ids must be provided")
        wanted = set(expected_ids)
        weights = [1 / math.log2(rank + 1) for rank in range(1, len(retrieved_ids) + 1)]
        gained = sum(weight for weight, one in zip(weights, retrieved_ids, strict=True) if one in wanted)
        return RetrievalMetricResult(score=gained / sum(weights))


class MRR:
    metric_name = "mrr"
    use_granular_mrr = True

    def compute(self, query=None, expected_ids=None, retrieved_ids=None, expected_texts=None, retrieved_texts=None):
        if not retrieved_ids or not expected_ids:
            raise ValueError("Retrieved ids and expected ids must be provided")
        ranks = [rank for rank, one in enumerate(retrieved_ids, 1) if one in set(expected_ids)]
        if not self.use_granular_mrr:
            return RetrievalMetricResult(score=1.0 / ranks[0] if ranks else 0.0)
        return RetrievalMetricResult(score=sum(1.0 / rank for rank in ranks) / len(ranks) if ranks else 0.0)
