"""Which definition each of :mod:`tests.support.inhouse_functions` computes: function, its metric, signature."""

LISTS = [
    ("precision", "precision", "precision@k"),
    ("precision_of_shown", "precision", "precision@k|denominator:shown"),
    ("precision_uncut", "precision", "precision@k|cutoff:hits_uncut"),
    ("recall", "recall", "recall@k"),
    ("recall_at_most_k", "recall", "recall@k|denominator:min"),
    ("hit_rate", "hit_rate", "hit_rate@k"),
    ("hit_count", "hit_rate", "hit_rate@k|counts:hits"),
    ("f1", "f_score", "f_score@k"),
    ("reciprocal_rank", "reciprocal_rank", "reciprocal_rank@k"),
    ("reciprocal_rank_of_all", "reciprocal_rank", "reciprocal_rank@k|ranks:sum"),
    ("average_precision", "average_precision", "average_precision@k"),
    ("average_precision_of_all", "average_precision", "average_precision@k|denominator:r"),
    ("average_precision_of_hits", "average_precision", "average_precision@k|denominator:hits"),
    ("average_precision_nan", "average_precision", "average_precision@k|denominator:hits|no_hit:nan|no_list:nan"),
    ("ndcg", "ndcg", "ndcg@k"),
    ("ndcg_exponential", "ndcg", "ndcg@k|gain:exp2|no_hit:error"),
    ("ndcg_linear", "ndcg", "ndcg@k|gain:linear|no_hit:error"),
    ("ndcg_ideal_not_cut", "ndcg", "ndcg@k|ideal:all"),
    ("ndcg_ideal_retrieved", "ndcg", "ndcg@k|gain:exp2|ideal:retrieved"),
    ("ndcg_zero_based", "ndcg", "ndcg@k|discount:log2_off_by_one"),
    ("dcg_natural", "ndcg", "ndcg@k|discount:ln|ideal:none"),
    ("auc", "auc", "auc|unlisted:dropped|no_negatives:0"),
    ("recall", "ndcg", "recall@k"),
]
FRAMES = [
    ("frames_ndcg", "ndcg", "ndcg@k|nobody:error|truth_duplicates:once"),
    ("frames_f1_of_means", "f_score", "f_score@k|of:means|nobody:error|truth_duplicates:once"),
    ("frames_recall_of_listed", "recall", "recall@k|users:both|nobody:error|truth_duplicates:once"),
]
