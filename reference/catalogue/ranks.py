"""Documented variants of what looks at ranks: reciprocal rank, average precision, NDCG, RBP, ERR."""

from __future__ import annotations

from reference.catalogue.variant import Variant
from reference.sources import (
    AGGARWAL,
    BELLEI,
    BURGES,
    CHAPELLE,
    DESHPANDE,
    GIORGI,
    JARVELIN,
    LENSKIT,
    MCSHERRY,
    MOFFAT,
    NING,
    RECOMETRICS,
    RECTOOLS,
    SCHROEDER,
    SPARK,
    TAMM,
    TREC_EVAL,
    Citation,
)

_RECIPROCAL_RANK = (
    Variant("reciprocal_rank@k", ("reciprocal rank", "RR@k", "MRR (its mean)"), "",
            (Citation(TAMM, "§4.3"), Citation(GIORGI, "Reciprocal Rank", "its text, not its code"),
             Citation(BELLEI, "§5"))),
    Variant("reciprocal_rank@k|ranks:sum", ("sum of reciprocal ranks", "ARHR over several hits"),
            "Exceeds the canonical one by 1 / rank of every further hit; equal with one relevant item a user.",
            (Citation(TAMM, "§4.3, §5", "on DaisyRec and SLIM"), Citation(DESHPANDE, "ARHR", "one relevant item"),
             Citation(NING, "ARHR"), Citation(AGGARWAL, "equations 7.18 and 7.19", "any number of relevant items"))),
    Variant("reciprocal_rank@k|ranks:last", ("rank of the last hit",),
            "Lower for every user with two hits or more: the loop does not stop at the first.",
            (Citation(GIORGI, "Reciprocal Rank", "its code rr_k, against its text"),)),
    Variant("reciprocal_rank@k|ranks:normalised", ("normalised sum of reciprocal ranks", "NCRR"),
            "Counts every hit and is 1 only when all min(k, r) best places are hits.", ()),
)  # fmt: skip
_AVERAGE_PRECISION = (
    Variant("average_precision@k", ("average precision over min(k, r)", "AP@k", "MAP@k (its mean)"), "",
            (Citation(TAMM, "§4.4", "x = min(k, r)"), Citation(RECOMETRICS, "TAP@K"))),
    Variant("average_precision@k|denominator:r", ("area under the precision-recall curve", "trec_eval's map_cut"),
            "Lower for users with more than k relevant items.",
            (Citation(TAMM, "§4.4", "x = r"), Citation(SCHROEDER, "§4.2"), Citation(BELLEI, "§4.3", "point 3"),
             Citation(TREC_EVAL, "measure map_cut"), Citation(RECOMETRICS, "AP@K"),
             Citation(SPARK, "Mean Average Precision", "over r, as its code; the page prints 1 / rank for precision"))),
    Variant("average_precision@k|denominator:k", ("average precision over k",),
            "Lower for users with fewer than k relevant items, whose perfect list scores r / k.",
            (Citation(TAMM, "§4.4", "x = k"), Citation(RECTOOLS, "MAP", "divide_by_k=True"))),
    Variant("average_precision@k|denominator:hits", ("average precision over the hits",),
            "Higher whenever a relevant item that could be shown is not: misses after the last hit cost nothing.",
            (Citation(GIORGI, "Average Precision"), Citation(BELLEI, "§4", "its own choice"))),
    Variant("average_precision@k|denominator:shown", ("average precision over what is shown", "“Kaggle” as stated"),
            "Lower for users with fewer relevant items than shown ones.", (Citation(BELLEI, "§4.3", "point 2"),)),
    Variant("average_precision@k|denominator:k|indicator:dropped", ("mean of precision at every rank",),
            "Higher after early hits: every rank below a hit adds its precision too.",
            (Citation(TAMM, "§4.4", "on Elliot"),)),
    Variant("average_precision@k|denominator:cumulative", ("average precision over cumulated min(j, r)",),
            "Lower by an order of magnitude: the denominators of all ranks are added up.",
            (Citation(TAMM, "§4.4", "on NeuRec"),)),
    *(Variant(f"average_precision@k|mean:{mean}", (name,), differs, (Citation(SCHROEDER, "§4.2", name),))
      for mean, name, differs in (
          ("geometric", "GMAP", "Lower when users differ: 0 as soon as one user has no hit."),
          ("harmonic", "HMAP", "Lower still when users differ: the worst users decide."),
          ("quadratic", "QMAP", "Higher when users differ: the best users decide."))),
)  # fmt: skip
_NDCG = (
    Variant("ndcg@k", ("BNDCG", "binary NDCG"), "",
            (Citation(TAMM, "§4.5", "BNDCG"), Citation(SPARK, "Normalized Discounted Cumulative Gain"))),
    Variant("ndcg@k|gain:exp2", ("WNDCG", "NDCG with exponential gain"),
            "Differs when relevant items have different gains: the best must stand first.",
            (Citation(TAMM, "§4.5", "WNDCG"), Citation(BURGES, "its NDCG"))),
    Variant("ndcg@k|gain:linear", ("NDCG with linear gain",),
            "Differs when relevant items have different gains, less sharply than with exponential gain.",
            (Citation(GIORGI, "Normalized Discount Cumulative Gain"), Citation(RECOMETRICS, "NDCG@K"),
             Citation(TREC_EVAL, "measure ndcg_cut"))),
    Variant("ndcg@k|gain:exp2|ideal:retrieved", ("NDCG sorted by itself", "ideal from the retrieved gains"),
            "Higher whenever a relevant item is not shown: misses cost nothing, order alone counts. Its natural"
            " logarithm stands above and below and cancels.",
            (Citation(BELLEI, "§6"),)),
    Variant("ndcg@k|gain:exp2|ideal:all", ("NDCG with an uncut ideal, exponential gain",),
            "Lower for users with more than k relevant items: the ideal list is longer than k.",
            (Citation(BELLEI, "§6.2", "point 2; MLlib, which it names, cuts at k"),)),
    Variant("ndcg@k|ideal:all", ("NDCG with an uncut ideal",),
            "Lower for users with more than k relevant items: the ideal list is longer than k.",
            (Citation(BELLEI, "§6.2", "point 2; MLlib, which it names, cuts at k"),)),
    Variant("ndcg@k|ideal:none", ("BDCG", "DCG, binary"), "Not divided by anything: it exceeds 1 from two hits on.",
            (Citation(TAMM, "§4.5", "on OpenRec"), Citation(JARVELIN, "DCG", "discounted by log_b j from rank b on"))),
    Variant("ndcg@k|discount:ln|ideal:none", ("DCG, natural logarithm",),
            "1 / ln 2 = 1.44 times DCG with the binary logarithm; with an ideal of its own it would cancel.",
            (Citation(BELLEI, "§6", "DCG"),)),
    Variant("ndcg@k|discount:log2_clipped", ("NDCG, b = 2", "NDCG with a clipped discount"),
            "Ranks 1 and 2 weigh the same: only ranks from b on are discounted.",
            (Citation(JARVELIN, "DCG", "with b = 2"), Citation(LENSKIT, "LogRankWeight", "the original correction"))),
    Variant("ndcg@k|ideal:ones", ("NDCG with an ideal of k ones",),
            "Lower for users with fewer than k relevant items: the ideal list is full of items they do not have.",
            (Citation(RECTOOLS, "NDCG", "divide_by_achievable=False"),)),
    Variant("ndcg@k|ties:average", ("tie-averaged NDCG",),
            "Differs when scores tie: the mean over all orders of the tied items.", (Citation(MCSHERRY, "abstract"),)),
)  # fmt: skip
_OTHERS = (
    Variant("rbp@k", ("RBP", "rank-biased precision"), "",
            (Citation(MOFFAT, "RBP"), Citation(TREC_EVAL, "measure rbp", "p = 0.9 unless told"))),
    Variant("err@k", ("ERR", "expected reciprocal rank"), "", (Citation(CHAPELLE, "ERR"),)),
)  # fmt: skip

RANKS = (*_RECIPROCAL_RANK, *_AVERAGE_PRECISION, *_NDCG, *_OTHERS)
