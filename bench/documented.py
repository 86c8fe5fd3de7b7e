"""Provides the documented definitions of eight families at one k, which the reference computes in the benches."""

DOCUMENTED = (
    "precision@k", "precision@k|denominator:shown", "precision@k|denominator:min", "precision@k|pooling:pooled",
    "recall@k", "recall@k|denominator:min",
    "hit_rate@k", "hit_rate@k|counts:hits", "hit_rate@k|counts:recall",
    "f_score@k", "f_score@k|of:means", "f_score@k|beta:2", "f_score@k|beta:0.5",
    "reciprocal_rank@k", "reciprocal_rank@k|ranks:sum", "reciprocal_rank@k|ranks:normalised",
    "average_precision@k", "average_precision@k|denominator:r", "average_precision@k|denominator:k",
    "average_precision@k|denominator:hits", "average_precision@k|denominator:shown",
    "average_precision@k|denominator:k|indicator:dropped", "average_precision@k|denominator:cumulative",
    "average_precision@k|mean:geometric", "average_precision@k|mean:harmonic", "average_precision@k|mean:quadratic",
    "ndcg@k", "ndcg@k|gain:exp2", "ndcg@k|gain:linear", "ndcg@k|gain:exp2|discount:ln|ideal:retrieved",
    "ndcg@k|ideal:all", "ndcg@k|discount:ln|ideal:none", "ndcg@k|ideal:none", "ndcg@k|discount:log2_clipped",
    "ndcg@k|ideal:ones", "ndcg@k|ties:average",
    "auc", "auc|undefined:0|no_negatives:0", "auc|pooling:weighted|weight:relevant",
    "auc|pooling:weighted|weight:rated", "auc@k|list:topk", "auc@k|list:limited",
)  # fmt: skip
FURTHER = 10
"""Further cut-offs that are measured together: what one adds is little beside the rest."""
