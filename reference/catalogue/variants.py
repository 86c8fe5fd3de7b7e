"""The documented variants of each metric: names, when they differ from the canonical one, and who states them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from recsys_metric_audit.reference.catalogue import bibliography as by
from recsys_metric_audit.reference.catalogue.bibliography import Citation
from recsys_metric_audit.reference.definitions.definition import Definition, parse


@dataclass(frozen=True)
class Variant:
    """Holds a definition with its names and the sources that state it.

    ``names`` begin with the usual one. ``differs`` says in one sentence when its value differs from the canonical
    definition's (empty for the canonical one). A variant without citations is in use, but no text that we know states
    it: it counts as undocumented. ``in_code`` names well-known programs that compute it without saying so.

    >>> from recsys_metric_audit import definitions
    >>> truncated = definitions("recall")[1]
    >>> truncated.name, truncated.signature
    ('recall that can reach 1', 'recall@k|denominator:min')
    >>> truncated.differs
    'Higher for users with more than k relevant items, who cannot all be shown.'
    """

    signature: str
    names: tuple[str, ...]
    differs: str
    citations: tuple[Citation, ...]
    in_code: tuple[Citation, ...] = ()

    @property
    def name(self) -> str:
        """The usual name."""
        return self.names[0]

    @cached_property
    def definition(self) -> Definition:
        """The definition that the signature stands for."""
        return parse(self.signature)

    @property
    def source(self) -> str:
        """All citations in one line."""
        used = f"in the code of {'; '.join(map(str, self.in_code))}" if self.in_code else "in use"
        return "; ".join(map(str, self.citations)) or f"{used}; no text that we know states it"


# fmt: off
_PRECISION = (
    Variant("precision@k", ("precision", "P@k"), "",
            (Citation(by.TAMM, "§4.1"), Citation(by.GIORGI, "Precision and Recall"), Citation(by.BELLEI, "§1"),
             Citation(by.SPARK, "Precision at k"))),
    Variant("precision@k|denominator:shown", ("precision over what is shown", "tp / (tp + fp)"),
            "Higher for users whose list is shorter than k: what is not shown cannot be wrong.",
            (Citation(by.SCHROEDER, "§4.2", "tp / (tp + fp)"),
             Citation(by.ELASTICSEARCH, "Precision at K", "over the documents returned, in its code"))),
    Variant("precision@k|denominator:min", ("precision with the smaller denominator", "truncated precision"),
            "Higher for users with fewer than k relevant items, whose best precision is otherwise r / k.",
            (Citation(by.RECOMETRICS, "TP@K"),)),
    Variant("precision@k|pooling:pooled", ("micro-averaged precision",),
            "Differs only where users' denominators do, which k is not: visible with users left out or edge rules.",
            (Citation(by.MANNING, "§13.6", "micro-averaging"),)),
)
_RECALL = (
    Variant("recall@k", ("recall", "R@k", "sensitivity", "true positive rate"), "",
            (Citation(by.TAMM, "§4.1"), Citation(by.GIORGI, "Precision and Recall"), Citation(by.BELLEI, "§2"),
             Citation(by.SCHROEDER, "§4.2"), Citation(by.ELASTICSEARCH, "Recall at K"))),
    Variant("recall@k|denominator:min", ("recall that can reach 1", "Mult-VAE recall"),
            "Higher for users with more than k relevant items, who cannot all be shown.",
            (Citation(by.TAMM, "§5", "on Mult-VAE"), Citation(by.LIANG, "§4.2"))),
)
_HIT_RATE = (
    Variant("hit_rate@k", ("hit rate", "HR@k", "success@k"), "",
            (Citation(by.TAMM, "§4.2"), Citation(by.TREC_EVAL, "measure success"))),
    Variant("hit_rate@k|counts:hits", ("number of hits",),
            "Exceeds 1 as soon as a user has two hits: it is k times precision.",
            (Citation(by.TAMM, "§4.2", "on DL RS Evaluation"),)),
    Variant("hit_rate@k|counts:recall", ("hit rate as recall",),
            "Below 1 for every user who has a hit but not all relevant items shown; equal when r = 1.",
            (Citation(by.TAMM, "§4.2, §5", "on CoupledCF and TriRank"),)),
)
_F_SCORE = (
    Variant("f_score@k", ("F1", "F1-measure", "mean of per-user F1"), "",
            (Citation(by.SCHROEDER, "§4.2"), Citation(by.GIORGI, "Precision and Recall"), Citation(by.BELLEI, "§3"))),
    Variant("f_score@k|of:means", ("F1 of the averaged values",),
            "Differs as soon as users do: the harmonic mean of two means is not the mean of harmonic means.",
            (Citation(by.OPITZ, "F1 of averages", "over classes instead of users"),)),
    Variant("f_score@k|beta:2", ("F2", "F-beta with β = 2"), "Weighs recall four times as much as precision.",
            (Citation(by.SCHROEDER, "§4.2", "F-beta"),)),
    Variant("f_score@k|precision:shown", ("F1 of tp / (tp + fp) and tp / (tp + fn)",),
            "Higher for users whose list is shorter than k.", (Citation(by.SCHROEDER, "§4.2"),)),
)
_R_PRECISION = (
    Variant("r_precision", ("R-precision", "Rprec"), "",
            (Citation(by.MANNING, "§8.4"), Citation(by.TREC_EVAL, "measure Rprec"))),
)

SETS = (*_PRECISION, *_RECALL, *_HIT_RATE, *_F_SCORE, *_R_PRECISION)


_RECIPROCAL_RANK = (
    Variant("reciprocal_rank@k", ("reciprocal rank", "RR@k", "MRR (its mean)"), "",
            (Citation(by.TAMM, "§4.3"), Citation(by.GIORGI, "Reciprocal Rank", "its text, not its code"),
             Citation(by.BELLEI, "§5"), Citation(by.ELASTICSEARCH, "Mean reciprocal rank"))),
    Variant("reciprocal_rank@k|ranks:sum", ("sum of reciprocal ranks", "ARHR over several hits"),
            "Exceeds the canonical one by 1 / rank of every further hit; equal with one relevant item a user.",
            (Citation(by.TAMM, "§4.3, §5", "on DaisyRec and SLIM"), Citation(by.DESHPANDE, "ARHR", "one relevant item"),
             Citation(by.NING, "ARHR"),
             Citation(by.AGGARWAL, "equations 7.18 and 7.19", "any number of relevant items"))),
    Variant("reciprocal_rank@k|ranks:last", ("rank of the last hit",),
            "Lower for every user with two hits or more: the loop does not stop at the first.",
            (Citation(by.GIORGI, "Reciprocal Rank", "its code rr_k, against its text"),)),
    Variant("reciprocal_rank@k|ranks:normalised", ("normalised sum of reciprocal ranks", "NCRR"),
            "Counts every hit and is 1 only when all min(k, r) best places are hits.",
            (Citation(by.CORNAC, "NCRR.compute", "over min(r, n), and n is k on its full rankings"),)),
    Variant("reciprocal_rank|cutoff:none|ties:middle", ("MRR of realistic ranks",),
            "Differs when scores tie: 1 over the mean of the best and the worst place of the first hit.",
            (Citation(by.PYKEEN, "Ranking Types", "the realistic rank"),)),
)
_AVERAGE_PRECISION = (
    Variant("average_precision@k", ("average precision over min(k, r)", "AP@k", "MAP@k (its mean)"), "",
            (Citation(by.TAMM, "§4.4", "x = min(k, r)"), Citation(by.RECOMETRICS, "TAP@K"),
             Citation(by.XGBOOST, "map", "its documentation of eval_metric"))),
    Variant("average_precision@k|denominator:r", ("area under the precision-recall curve", "trec_eval's map_cut"),
            "Lower for users with more than k relevant items.",
            (Citation(by.TAMM, "§4.4", "x = r"), Citation(by.SCHROEDER, "§4.2"), Citation(by.BELLEI, "§4.3", "point 3"),
             Citation(by.TREC_EVAL, "measure map_cut"), Citation(by.RECOMETRICS, "AP@K"),
             Citation(by.SPARK, "Mean Average Precision",
             "over r, as its code; the page prints 1 / rank for precision"))),
    Variant("average_precision|denominator:r|cutoff:none", ("average precision of the whole list", "trec_eval's map"),
            "Counts hits at every depth: k has no part in it.",
            (Citation(by.TREC_EVAL, "measure map"),
             Citation(by.SPARK, "Mean Average Precision", "meanAveragePrecision"))),
    Variant("average_precision|denominator:r|indicator:first_r|cutoff:none",
            ("MAP@R", "average precision within the first r places"),
            "Hits below rank r count nothing: lower than average precision of the whole list. k has no part in it.",
            (Citation(by.MUSGRAVE, "§3.2", "MAP@R"),
             Citation(by.METRIC_LEARNING, "mean_average_precision_at_r",
             "over min(k, r) if it retrieves fewer than r"))),
    Variant("average_precision@k|users:predictions|undefined:1", ("average precision, 1 without relevant items",),
            "Higher as soon as some user has no relevant item: that user counts as 1.",
            (Citation(by.XGBOOST, "map", "and 0 for the name with a minus at its end"),)),
    Variant("average_precision@k|denominator:k", ("average precision over k",),
            "Lower for users with fewer than k relevant items, whose perfect list scores r / k.",
            (Citation(by.TAMM, "§4.4", "x = k"), Citation(by.RECTOOLS, "MAP", "divide_by_k=True"))),
    Variant("average_precision@k|denominator:hits", ("average precision over the hits",),
            "Higher whenever a relevant item that could be shown is not: misses after the last hit cost nothing.",
            (Citation(by.GIORGI, "Average Precision"), Citation(by.BELLEI, "§4", "its own choice"))),
    Variant("average_precision@k|denominator:shown", ("average precision over what is shown", "“Kaggle” as stated"),
            "Lower for users with fewer relevant items than shown ones.", (Citation(by.BELLEI, "§4.3", "point 2"),)),
    Variant("average_precision@k|denominator:k|indicator:dropped", ("mean of precision at every rank",),
            "Higher after early hits: every rank below a hit adds its precision too.",
            (Citation(by.TAMM, "§4.4", "on Elliot"),)),
    Variant("average_precision@k|denominator:cumulative", ("average precision over cumulated min(j, r)",),
            "Lower by an order of magnitude: the denominators of all ranks are added up.",
            (Citation(by.TAMM, "§4.4", "on NeuRec"),)),
    *(Variant(f"average_precision@k|mean:{mean}", (name,), differs, (Citation(by.SCHROEDER, "§4.2", name),))
      for mean, name, differs in (
          ("geometric", "GMAP", "Lower when users differ: 0 as soon as one user has no hit."),
          ("harmonic", "HMAP", "Lower still when users differ: the worst users decide."),
          ("quadratic", "QMAP", "Higher when users differ: the best users decide."))),
)
_NDCG = (
    Variant("ndcg@k", ("BNDCG", "binary NDCG"), "",
            (Citation(by.TAMM, "§4.5", "BNDCG"), Citation(by.SPARK, "Normalized Discounted Cumulative Gain"))),
    Variant("ndcg@k|gain:exp2", ("WNDCG", "NDCG with exponential gain"),
            "Differs when relevant items have different gains: the best must stand first.",
            (Citation(by.TAMM, "§4.5", "WNDCG"), Citation(by.BURGES, "its NDCG"), Citation(by.GDEVAL, "NDCG@k"),
             Citation(by.LIGHTGBM, "label_gain", "default label gains"),
             Citation(by.XGBOOST, "ndcg_exp_gain", "its default"),
             Citation(by.CATBOOST, "type=Exp"))),
    Variant("ndcg@k|gain:exp2|users:predictions|undefined:1", ("NDCG with exponential gain, 1 without relevant items",),
            "Higher as soon as some user has no relevant item: that user counts as 1.",
            (Citation(by.XGBOOST, "ndcg", "and 0 for the name with a minus at its end"),)),
    Variant("ndcg@k|gain:exp2_whole", ("NDCG with exponential gain of whole grades",),
            "Differs from exponential gain where a gain is not a whole number: 2.5 counts as 2, and 0.5 as 0.",
            (Citation(by.XGBOOST_CODE, "src/metric/rank_metric.cc at v1.7.6, EvalRank::Eval",
             "labels are cast to int"),)),
    Variant("ndcg@k|gain:exp2|over:stacked", ("NDCG over one ranking of all rows", "NDCG without groups"),
            "Whose items score high decides: the first k rows of all users together count, and the k best of all.",
            (Citation(by.XGBOOST_CODE, "src/common/ranking_utils.cc at v3.2.0, RankingCache::InitOnCPU",
                      "without groups all rows are one"),)),
    Variant("ndcg|gain:linear|over:stacked|cutoff:none", ("NDCG of one row of all pairs", "ndcg_score([y], [p])"),
            "Whose items score high decides: a user's list is not seen as such, and no row is cut off.",
            (Citation(by.FLAML, "sklearn_metric_loss_score", "without a k: one row for scikit-learn's ndcg_score"),)),
    Variant("ndcg@k|gain:linear", ("NDCG with linear gain",),
            "Differs when relevant items have different gains, less sharply than with exponential gain.",
            (Citation(by.GIORGI, "Normalized Discount Cumulative Gain"), Citation(by.RECOMETRICS, "NDCG@K"),
             Citation(by.TREC_EVAL, "measure ndcg_cut"), Citation(by.SCIKIT_LEARN, "ndcg_score", "ignore_ties=True"),
             Citation(by.CATBOOST, "type=Base", "its default"))),
    Variant("ndcg@k|gain:linear|ties:average", ("tie-averaged NDCG with linear gain", "scikit-learn's ndcg_score"),
            "Differs when gains do, or when scores tie: the mean over all orders of the tied items.",
            (Citation(by.SCIKIT_LEARN, "ndcg_score", "its default"),)),
    Variant("ndcg@k|gain:linear|ties:text_desc", ("NDCG with ties by document id", "trec_eval's ndcg_cut"),
            "Differs when gains do, or when scores tie: renaming a tied item changes the value.",
            (Citation(by.TREC_EVAL, "measure ndcg_cut", "ties in form_res_rels.c"),)),
    Variant("ndcg|gain:linear|ideal:all|cutoff:none", ("NDCG of the whole list, uncut ideal", "trec_eval's ndcg"),
            "Lower for users with more relevant items than rows: what is not retrieved stands in the ideal.", (),
            (Citation(by.TREC_EVAL, "m_ndcg.c"),)),
    Variant("ndcg@k|ideal:retrieved", ("NDCG with an ideal over the retrieved list",),
            "Higher whenever a relevant item is not shown: one hit at the top is 1, whatever is missed.", (),
            (Citation(by.NGCF, "NGCF/utility/metrics.py", "ndcg_at_k, and in code that took it over"),)),
    Variant("ndcg@k|gain:exp2|ideal:retrieved", ("NDCG sorted by itself", "ideal from the retrieved gains"),
            "Higher whenever a relevant item is not shown: misses cost nothing, order alone counts. Its natural"
            " logarithm stands above and below and cancels.",
            (Citation(by.BELLEI, "§6"),)),
    Variant("ndcg@k|gain:exp2|ideal:all", ("NDCG with an uncut ideal, exponential gain",),
            "Lower for users with more than k relevant items: the ideal list is longer than k.",
            (Citation(by.BELLEI, "§6.2", "point 2; MLlib, which it names, cuts at k"),)),
    Variant("ndcg@k|ideal:all", ("NDCG with an uncut ideal",),
            "Lower for users with more than k relevant items: the ideal list is longer than k.",
            (Citation(by.BELLEI, "§6.2", "point 2; MLlib, which it names, cuts at k"),)),
    Variant("ndcg@k|ideal:none", ("BDCG", "DCG, binary"), "Not divided by anything: it exceeds 1 from two hits on.",
            (Citation(by.TAMM, "§4.5", "on OpenRec"),
             Citation(by.JARVELIN, "DCG", "discounted by log_b j from rank b on"))),
    Variant("ndcg@k|gain:linear|ideal:none", ("DCG", "DCG with linear gain"),
            "Not divided by anything: it grows with the gains and with the number of hits.",
            (Citation(by.JARVELIN, "DCG", "the gains themselves, discounted by log_b j from rank b on"),)),
    Variant("ndcg@k|gain:exp2|ideal:none", ("DCG with exponential gain",),
            "Not divided by anything: one hit of a high gain weighs more than several others.",
            (Citation(by.BURGES, "its NDCG", "the sum before it is normalised"),
             Citation(by.MANNING, "§8.4", "the sum in its NDCG"),
             Citation(by.ELASTICSEARCH, "Discounted cumulative gain", "unless normalize is set"))),
    Variant("ndcg@k|discount:ln|ideal:none", ("DCG, natural logarithm",),
            "1 / ln 2 = 1.44 times DCG with the binary logarithm; with an ideal of its own it would cancel.",
            (Citation(by.BELLEI, "§6", "DCG"),)),
    Variant("ndcg@k|discount:log2_clipped", ("NDCG, b = 2", "NDCG with a clipped discount"),
            "Ranks 1 and 2 weigh the same: only ranks from b on are discounted.",
            (Citation(by.JARVELIN, "DCG", "with b = 2"),
             Citation(by.LENSKIT, "LogRankWeight", "the original correction"))),
    Variant("ndcg@k|ideal:ones", ("NDCG with an ideal of k ones",),
            "Lower for users with fewer than k relevant items: the ideal list is full of items they do not have.",
            (Citation(by.RECTOOLS, "NDCG", "divide_by_achievable=False"),)),
    Variant("ndcg@k|ties:average", ("tie-averaged NDCG",),
            "Differs when scores tie: the mean over all orders of the tied items.", (Citation(by.MCSHERRY,
            "abstract"),)),
)
_OTHERS = (
    Variant("rbp@k", ("RBP", "rank-biased precision"), "",
            (Citation(by.MOFFAT, "RBP"), Citation(by.TREC_EVAL, "measure rbp", "p = 0.9 unless told"))),
    Variant("err@k", ("ERR", "expected reciprocal rank"), "", (Citation(by.CHAPELLE, "ERR"),)),
    Variant("err@k|top:4", ("ERR of gdeval", "ERR of the TREC web track"),
            "Takes 4 for the top grade, whatever grades the data have; gdeval refuses higher ones.",
            (Citation(by.GDEVAL, "ERR@k", "$MAX_JUDGMENT"),)),
    Variant("err@k|satisfaction:gain", ("ERR of probabilities", "CatBoost's ERR"),
            "The label itself is the probability to stop: labels above 1 leave the range from 0 to 1.",
            (Citation(by.CATBOOST_RANKING, "ERR"),)),
    Variant("pfound@k", ("PFound", "probability that something is found"), "", (Citation(by.GULIN, "its pFound"),)),
    Variant("pfound@k|satisfaction:gain", ("PFound of probabilities", "CatBoost's PFound"),
            "The label itself is the probability to stop: labels above 1 leave the range from 0 to 1.",
            (Citation(by.CATBOOST_PFOUND, "Calculation principles"),)),
    Variant("nerr@k", ("NERR8", "nearly expected reciprocal rank"), "", (Citation(by.AZZOPARDI, "equation 8"),)),
    Variant("nerr@k|patience:rank", ("NERR9",), "Higher after early hits: fewer readers look at the ranks below.",
            (Citation(by.AZZOPARDI, "equation 9"),)),
    Variant("nerr|patience:0.9|cutoff:none", ("NERR10",), "Looks at an endless list: k has no part in it.",
            (Citation(by.AZZOPARDI, "equation 10", "p = 0.9 unless told, as in ir_measures"),)),
    Variant("interpolated_precision", ("11-point AP", "eleven-point interpolated average precision"), "",
            (Citation(by.MANNING, "§8.4"),)),
    Variant("interpolated_precision|needed:plus_0.9", ("trec_eval 9's 11pt_avg",),
            "In floating point 0.7 of three items needs two of them, not three.",
            (Citation(by.TREC_EVAL_9, "m_11pt_avg.c"),)),
    Variant("interpolated_precision|needed:nearest", ("trec_eval 10's 11pt_avg",),
            "Higher: a third of three items is reached at recall 0.4 already, and recall 0.1 needs none of them.",
            (Citation(by.TREC_EVAL, "m_11pt_avg.c", "since version 10"),)),
    Variant("interpolated_precision|at:0.5", ("iprec_at_recall_0.50", "IPrec@0.5"),
            "A single point of recall.", (Citation(by.TREC_EVAL, "measure iprec_at_recall"),)),
)

RANKS = (*_RECIPROCAL_RANK, *_AVERAGE_PRECISION, *_NDCG, *_OTHERS)


_AUC = (
    Variant("auc", ("GAUC", "group AUC", "AUC per user"), "", (Citation(by.TAMM, "§4.6", "GAUC"),)),
    Variant("auc|no_negatives:0", ("GAUC, 0 where undefined",),
            "Lower as soon as some user's list holds nothing irrelevant: that user counts as 0.",
            (Citation(by.TAMM, "§4.6", "other libraries assign 0 in this situation"),)),
    Variant("auc|scope:stacked", ("SAUC", "stacked AUC"),
            "Compares items of different users by score: differs unless all users' scores are on one scale.",
            (Citation(by.TAMM, "§4.6", "SAUC"),)),
    Variant("auc|pooling:weighted|weight:rated", ("GAUC weighted by rated items",),
            "Users with many truth rows decide; equal when all have the same number.",
            (Citation(by.TAMM, "§4.6", "on RecBole"),)),
    Variant("auc|pooling:weighted|weight:relevant", ("per-user areas averaged term by term",),
            "Each relevant item weighs the same, not each user; equal when all have the same number.",
            (Citation(by.TAMM, "§4.6", "on Elliot"),)),
    Variant("auc@k|list:topk", ("GAUC@k",),
            "Pairs inside the first k only: far lower, and undefined where they hold only hits or only misses.",
            (Citation(by.TAMM, "§4.6", "on DL RS Evaluation and RePlay"),)),
    Variant("auc@k|list:limited", ("LAUC", "limited AUC"),
            "Ignores the order below rank k: what is relevant there counts as spread evenly.",
            (Citation(by.SCHROEDER, "§5.2"),)),
)
_TABLE = tuple(
    Variant(f"{metric}@k", names, "", citations)
    for metric, names, citations in (
        ("fallout", ("fallout", "false positive rate"), (Citation(by.SCHROEDER, "§4.2"),)),
        ("miss_rate", ("miss rate", "false negative rate"), (Citation(by.SCHROEDER, "§4.2"),)),
        ("inverse_precision", ("inverse precision", "true negative accuracy"), (Citation(by.SCHROEDER, "§4.2"),)),
        ("inverse_recall", ("inverse recall", "specificity"), (Citation(by.SCHROEDER, "§4.2"),)),
        ("accuracy", ("accuracy",), (Citation(by.POWERS, "Rand accuracy"),)),
        ("informedness", ("informedness",), (Citation(by.SCHROEDER, "§5.1"), Citation(by.POWERS, "Informedness"))),
        ("markedness", ("markedness",), (Citation(by.SCHROEDER, "§5.1"), Citation(by.POWERS, "Markedness"))),
        ("matthews_correlation", ("Matthews correlation", "MCC"),
         (Citation(by.SCHROEDER, "§5.1"), Citation(by.POWERS, "Correlation"))),
        ("mean_average_markedness", ("mean average markedness",), (Citation(by.SCHROEDER, "§5.1", "last paragraph"),)),
    )
)
_CORRELATION = (
    Variant("kendall_tau", ("Kendall's τ, boolean",), "", (Citation(by.SCHROEDER, "§4.3", "last paragraph"),)),
    Variant("kendall_tau@k|compared:limited", ("Kendall's τ, limited to the first k",),
            "Ignores the order below rank k: 2 · LAUC − 1.", (Citation(by.SCHROEDER, "§5.2", "last sentence"),)),
    Variant("kendall_tau@k|compared:recommended_or_not", ("Kendall's τ of recommended or not",),
            "Ignores order altogether: two groups against two groups.", (Citation(by.SCHROEDER, "§4.3"),)),
    Variant("spearman_rho", ("Spearman's ρ",), "", (Citation(by.SCHROEDER, "§4.3"),)),
    Variant("fcp", ("FCP", "fraction of concordant pairs"), "", (Citation(by.KOREN, "§5.2"),)),
)
_RATING = tuple(
    Variant(metric, names, "", (Citation(by.SCHROEDER, "§4.1"),))
    for metric, names in (
        ("mae", ("MAE", "mean absolute error")),
        ("mse", ("MSE", "mean squared error")),
        ("rmse", ("RMSE", "root mean squared error")),
        ("nmae", ("NMAE", "normalized mean absolute error")),
    )
)

AREAS = (*_AUC, *_TABLE, *_CORRELATION, *_RATING)


SHOWN_ITEMS = (
    Variant("catalogue_coverage@k", ("catalogue coverage", "item coverage"), "", (Citation(by.GE, "§3.1"),)),
    Variant("gini@k", ("Gini index",), "", (Citation(by.SHANI, "§8.3.3.1, item space coverage"),)),
    Variant("shannon_entropy@k", ("Shannon entropy", "distributional coverage"), "",
            (Citation(by.SHANI, "§8.3.3.1, item space coverage"),)),
    Variant("novelty@k", ("mean self-information", "surprisal", "mean inverse user frequency"), "",
            (Citation(by.ZHOU, "surprisal/novelty"),)),
    Variant("novelty@k|popularity:rows", ("novelty under the item choice model",),
            "Higher by the logarithm of the mean number of rows of a train user.",
            (Citation(by.CASTELLS, "item choice model"),)),
    Variant("average_popularity@k", ("average recommendation popularity", "ARP"), "",
            (Citation(by.ABDOLLAHPOURI, "ARP"),)),
    Variant("average_popularity@k|scale:quantile", ("mean popularity rank", "obscurity"),
            "A share of 1, whatever the number of users; it points the same way.",
            (Citation(by.LENSKIT_POPULARITY, "docstring of MeanPopRank"),)),
    Variant("tail_share@k", ("average percentage of long-tail items", "APLT"), "",
            (Citation(by.ABDOLLAHPOURI, "APLT"),)),
    Variant("tail_share@k|denominator:one", ("average coverage of long-tail items", "ACLT"),
            "A number of items, not a share of 1: it grows with k.",
            (Citation(by.ABDOLLAHPOURI, "ACLT"),)),
    Variant("tail_share@k|tail:tenth|unseen:zero", ("tail percentage",),
            "A far smaller tail: lower than the share of all items that are not popular.",
            (Citation(by.RECBOLE, "docstring of TailPercentage"),)),
    Variant("popularity_bias@k", ("popularity-based ranking-based statistical parity", "PopRSP"), "",
            (Citation(by.ZHU, "RSP", "groups of items by popularity are Elliot's"),)),
    Variant("popularity_bias@k|counted:relevant", ("popularity-based ranking-based equal opportunity", "PopREO"),
            "Of relevant items alone: it says nothing of the others that a list shows.",
            (Citation(by.ZHU, "REO", "groups of items by popularity are Elliot's"),)),
    Variant("expected_novelty@k", ("expected popularity complement", "EPC"), "",
            (Citation(by.VARGAS, "EPC", "the discount is a choice; here it is that of DCG"),)),
    Variant("expected_novelty@k|novelty:self_information", ("expected free discovery", "EFD"),
            "In bits, not a share of 1; rare items count the more.",
            (Citation(by.VARGAS, "EFD", "the discount is a choice; here it is that of DCG"),)),
    Variant("expected_novelty@k|counted:all|discount:none", ("popularity complement without rank and relevance",),
            "Every item shown counts alike: it says how little known the list is.",
            (Citation(by.VARGAS, "EPC, without discount and relevance"),)),
    Variant("new_share@k", ("share of new items", "novelty, as RePlay calls it"), "",
            (Citation(by.REPLAY, "docstring of Novelty", "the fraction of shown items that users did not see"),)),
    Variant("new_share@k|denominator:k", ("share of new items, of k",),
            "A list shorter than k counts as if its other places held items that the user has.",
            (Citation(by.REPLAY, "docstring of Novelty, formula"),)),
    Variant("user_coverage", ("user coverage",), "", (Citation(by.SHANI, "§8.3.3.2, user space coverage"),)),
    Variant("intra_list_diversity@k", ("intra-list diversity", "ILD"), "",
            (Citation(by.RECOMMENDERS, "docstring of user_diversity", "after formula (3) of Zhang et al. 2012"),
             Citation(by.ZHANG, "formula (3)", "as MS Recommenders cites it"))),
    Variant("intra_list_diversity@k|direction:similarity|denominator:one", ("intra-list similarity", "ILS"),
            "It grows with the length of the list, and points the other way.",
            (Citation(by.ZIEGLER, "intra-list similarity", "of topics; here of the users who have an item"),)),
    Variant("intra_list_diversity@k|distance:hamming|denominator:k", ("ILD of Hamming distances",),
            "A number of features, not a share of 1; lower where fewer than k items are shown.",
            (Citation(by.RECTOOLS, "docstring of IntraListDiversity"),)),
    Variant("intra_list_diversity@k|distance:jaccard|denominator:k", ("ILD of Jaccard distances",),
            "Other distances; lower where fewer than k items are shown.",
            (Citation(by.RECPACK, "docstring of IntraListDiversityK"),)),
    Variant("serendipity@k", ("serendipity", "unlikeness to what the user has"), "",
            (Citation(by.RECOMMENDERS, "docstring of user_item_serendipity", "after Zhang et al. 2012"),
             Citation(by.ZHANG, "unserendipity", "of which it is the complement, as MS Recommenders cites it"))),
    Variant("serendipity@k|useful:all", ("unexpectedness", "serendipity without relevance"),
            "Items that the user's truth does not have count, too: it says how unexpected the list is.",
            (Citation(by.RECOMMENDERS, "check of column types", "relevance term, default is 1 (relevant) for all"),)),
    Variant("serendipity@k|unexpected:not_popular", ("serendipity beside a primitive recommender",),
            "An item is unexpected or not: popular ones count nothing, and what the user has does not matter.",
            (Citation(by.GE, "serendipity", "useful items that a primitive model does not recommend"),)),
    Variant("serendipity@k|unexpected:popularity|denominator:k", ("serendipity by popularity ranks",),
            "What the user has does not matter; useful items count by how far they stand above their popularity.",
            (Citation(by.RECTOOLS, "docstring of Serendipity"),)),
)
# fmt: on
