"""Lists the functions of ``bench/functions/written``, and the definition of each, derived by hand from its text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "written"


@dataclass(frozen=True)
class Written:
    """Holds a function, and what has to be found of it.

    Attributes:
        shape: The file that it stands in, one for each shape.
        name: The function as ``audit identify`` takes it.
        metric: The metric whose name it bears.
        computes: Its definition; empty where none is in the space, so that nothing may be named.
        wrong: What is wrong with it under its name; empty where it is right.
        k: The cut-off that it has by itself, if it takes none.
    """

    shape: str
    name: str
    metric: str
    computes: str
    wrong: str = ""
    k: int | None = None

    @property
    def target(self) -> str:
        """Return the function as a user types it: ``FILE.py:NAME``."""
        return f"{FOLDER / self.shape}.py:{self.name}"


WRITTEN = (
    Written("recommended", "ndcg_mixed_logarithms", "ndcg", "ndcg@k|discount:ln|ideal_discount:log2",
            "natural logarithms above, binary ones below"),
    Written("recommended", "ndcg_without_ideal", "ndcg", "ndcg@k|gain:linear|ideal:none", "DCG, divided by nothing"),
    Written("recommended", "recall", "recall", "recall@k"),
    Written("actual", "average_precision", "map", "average_precision@k"),
    Written("actual", "average_precision_over_k", "map", "average_precision@k|denominator:k",
            "divides by k, which fewer relevant items cannot reach"),
    Written("actual", "reciprocal_rank_overwritten", "mrr", "reciprocal_rank@k|ranks:last", "the last hit counts"),
    Written("vector", "ndcg_of_2002", "ndcg", "ndcg@k|gain:linear|discount:log2_clipped"),
    Written("vector", "ndcg_ideal_of_the_top", "ndcg", "ndcg@k|gain:exp2|ideal:retrieved",
            "the ideal is that of the hits: what was missed costs nothing"),
    Written("vector", "reciprocal_rank_one_too_far", "mrr", "reciprocal_rank@k|offset:1",
            "ranks count from 2: 1/2 for a hit at the top"),
    Written("scores", "precision_of_shown", "precision", "precision@k|denominator:shown", "divides by the shown rows"),
    Written("scores", "ndcg", "ndcg", "ndcg@k"),
    Written("scores", "ndcg_turned_round", "ndcg", "ndcg@k|gain:exp2|ties:reversed",
            "an ascending order is turned round, and the tied rows with it"),
    Written("qrels_run", "mean_average_precision", "map", "average_precision@k|denominator:r|ties:text_desc"),
    Written("qrels_run", "recall_where_something_was_found", "recall", "recall@k|users:hits|ties:text_desc",
            "queries without a hit are left out of the mean"),
    Written("qrels_run", "success", "hit_rate", "hit_rate@k|ties:text_desc"),
    Written("indexes", "precision", "precision", "precision@k"),
    Written("indexes", "fallout", "fallout", "fallout@k"),
    Written("indexes", "auc_ties_won", "auc", "auc|tied_scores:win", "ties count as won: a constant scorer gets 1"),
    Written("ranked_truth", "average_precision", "map", "average_precision|denominator:r|cutoff:none"),
    Written("ranked_truth", "r_precision", "r_precision", "r_precision"),
    Written("ranked_truth", "reciprocal_rank_of_the_first_truth", "mrr", "reciprocal_rank|truth:first|cutoff:none",
            "only the first item of the truth is looked for"),
    Written("frames", "ndcg", "ndcg", "ndcg@k|gain:linear"),
    Written("frames", "precision_of_all_rows", "precision", "precision@k|denominator:shown|pooling:pooled",
            "one ratio over the rows of all users"),
    Written("frames", "recall_after_a_join", "recall", "recall@k|users:hits",
            "an inner join leaves out users without a hit"),
    Written("scorer", "precision_at_3", "precision", "precision@3", k=3),
    Written("scorer", "roc_auc", "auc", "auc"),
    Written("scorer", "ndcg_of_all_rows", "ndcg", "ndcg|gain:exp2|ideal:all|cutoff:none"),
    Written("objects", "HitRate", "hit_rate", "hit_rate@k|counts:hits", "the hits are counted, several of one user"),
    Written("objects", "make_evaluator().f_score", "f_score", "f_score@k|beta:2"),
    Written("objects", "Blend", "ndcg", "", "the mean of recall and NDCG"),
)  # fmt: skip
