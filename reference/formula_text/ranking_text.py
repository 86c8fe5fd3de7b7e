"""Formulas of metrics that look at what a ranked list holds: sets, ranks, gains, and pairs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from recsys_metric_audit.reference.formula_text.table_text import DECISION
from recsys_metric_audit.reference.formula_text.template import Factor, FormulaTemplate, Line, Slots, Values
from recsys_metric_audit.reference.metrics.ndcg import discounts, gains
from recsys_metric_audit.reference.space.lists import Floats, Lists, Places

DENOMINATORS = {
    "k": (r"k", "k"),
    "r": (r"r", "r"),
    "shown": (r"\min(k, |L|)", "min(k, |L|)"),
    "min": (r"\min(k, r)", "min(k, r)"),
    "min_shown": (r"\min(r, |L|, k)", "min(r, n)"),
    "hits": (r"H", "H"),
}
_SET_SLOTS: Slots = {
    "numerator": {
        "hits": (r"\sum_{j \le n} h_j", "H"),
        "gains": (r"\sum_{j \le n} h_j g_j", "(sum of the gains of the hits)"),
    },
    "denominator": DENOMINATORS,
}
_RECALL: Slots = {
    **_SET_SLOTS,
    "numerator.note": {
        "hits": ("", ""),
        "gains": (r"r: \text{ the sum of all gains}", "where r is the sum of all gains"),
    },
}

SETS = {
    "precision": FormulaTemplate(
        "How many of the k places are filled with something relevant; the order inside them does not matter.",
        ((r"\text{precision@}<k> = \frac{<numerator>}{<denominator>}", "precision@<k> = <numerator> / <denominator>"),),
        _SET_SLOTS, sums=("H",),
    ),
    "recall": FormulaTemplate(
        "How much of what is relevant to the user is among the first k places; order inside them does not matter.",
        ((r"\text{recall@}<k> = \frac{<numerator>}{<denominator>}", "recall@<k> = <numerator> / <denominator>"),
         ("<numerator.note>", "<numerator.note>")),
        _RECALL, sums=("H",), ideal_sum="the sum of all gains",
    ),
    "hit_rate": FormulaTemplate(
        "Whether the user finds at least one relevant item among the first k.",
        ((r"\text{hit rate@}<k> = <counts>", "hit_rate@<k> = <counts>"),),
        {"counts": {
            "any": (r"\begin{cases} 1 & H > 0 \\ 0 & H = 0 \end{cases}", "1 if H > 0, else 0"),
            "hits": (r"H", "H"), "recall": (r"\frac{H}{r}", "H / r"), "precision": (r"\frac{H}{k}", "H / k"),
            "only": (r"\begin{cases} 1 & H > 0, r = 1 \\ 0 & \text{otherwise} \end{cases}",
                     "1 if H > 0 and r = 1, else 0"),
        }}, sums=("H",),
    ),
    "f_score": FormulaTemplate(
        "Precision and recall in one number, near the smaller of the two.",
        (
            (r"F_{<beta>}\text{@}<k> = \frac{(1 + <beta>^2) \, P R}{<beta>^2 P + R}",
             "F@<k> = (1 + <beta>²) P R / (<beta>² P + R)"),
            ("<operands>", "<operands>"),
            (r"<of>", "<of>"),
            ("<decision>", "<decision>"),
        ),
        {
            "operands": {
                "precision_recall": (r"P = \frac{H}{<precision>}, \quad R = \frac{H}{<recall>}",
                                     "P = H / <precision>, R = H / <recall>"),
                "average_precision_recall": (
                    r"P = \frac{1}{<precision>} \sum_{j \le n} h_j P_j, \quad"
                    r" R = \frac{1}{<recall>} \sum_{j \le n} h_j R_j",
                    "P = (sum of P@j over the hits) / <precision>, R = (sum of R@j) / <recall>",
                ),
            },
            "precision": DENOMINATORS, "recall": DENOMINATORS, "decision": DECISION,
            "operands.ratio": {
                "precision_recall": (r"\text{that is } \frac{(1 + <beta>^2) \, H}{<beta>^2 <recall> + <precision>}",
                                     "that is (1 + <beta>²) H / (<beta>² <recall> + <precision>)"),
                "average_precision_recall": ("", ""),
            },
            "of": {"users": ("<operands.ratio>", "<operands.ratio>"), "means": ("<pooling>", "<pooling>")},
            "pooling": {
                "user": (r"\text{of <mean> of } P \text{ and that of } R \text{ over users}",
                         "of <mean> of P and that of R over users"),
                "pooled": (r"P = \frac{\sum_u H_u}{\sum_u <precision>}, \quad R = \frac{\sum_u H_u}{\sum_u <recall>}",
                           "of P = (sum of numerators) / (sum of denominators) over users, and R likewise"),
                "weighted": (r"\text{of <mean> of } P \text{ and that of } R \text{ over users, weighted}",
                             "of <mean> of P and that of R over users, weighted"),
            },
            "mean": {"arithmetic": ("the mean", "the mean"), "geometric": ("the geometric mean", "the geometric mean"),
                     "harmonic": ("the harmonic mean", "the harmonic mean"),
                     "quadratic": ("the quadratic mean", "the quadratic mean")},
        },
    ),
    "r_precision": FormulaTemplate(
        "Precision at a cut-off that suits the user: as many places as there are relevant items.",
        ((r"\text{R-precision} = \frac{1}{<cut>} \sum_{j \le <cut>} h_j",
          "R-precision = (hits among the first <cut>) / <cut>"),),
        {"cut": {"r": ("r", "r"), "min": (r"\min(k, r)", "min(k, r)")}}, sums=("H",),
    ),
}  # fmt: skip


_ADDED = {"cumulative": (r"\sum_{j \le k} \min(j, r)", "(min(1, r) + ... + min(k, r))")}
_DIVIDED = {**DENOMINATORS, **_ADDED}


def _hits_so_far(lists: Lists, places: Places, values: object) -> Floats:
    """Return the number of hits down to each place."""
    return places.ordinal.astype(float)


def _precision(lists: Lists, places: Places, values: object) -> Floats:
    """Return the precision at each place."""
    return np.asarray(places.ordinal / places.rank)


def _recall(lists: Lists, places: Places, values: object) -> Floats:
    """Return the recall at each place."""
    return np.asarray(places.ordinal / np.maximum(lists.relevant[places.list], 1))


_PRECISION_COLUMNS: dict[str, Factor] = {"H_j": _hits_so_far, "P@j": _precision}
_RECALL_COLUMNS: dict[str, Factor] = {"H_j": _hits_so_far, "R@j": _recall}
_STOPS = (r"R_j = <satisfaction>", "R_j = <satisfaction>")
_SATISFACTION = {
    "exp2": (r"\frac{2^{g_j} - 1}{2^{<top>}}", "(2^g_j - 1) / 2^<top>"),
    "linear": (r"\frac{g_j}{<top>}", "g_j / <top>"),
    "binary": (r"\frac{1}{2}", "1/2"),
    "gain": ("g_j", "g_j"),
}
_TOP = {"scale": (r"g_{\max}", "g_max")}
_ONE_LIST = "over all rows of all users as one list"
OVER = {"user": ("", ""), "stacked": (rf"\text{{{_ONE_LIST}}}", _ONE_LIST)}

RANKS = {
    "reciprocal_rank": FormulaTemplate(
        "How high the first relevant item stands: what a user who looks for one thing has to scroll.",
        ((r"\text{RR@}<k> = <ranks>", "RR@<k> = <ranks>"),),
        {"ranks": {
            "first": (r"\frac{1}{\min \{ j \le n : h_j = 1 \}<offset.more>}",
                      "1 / <offset.rank> of the first hit; 0 without one"),
            "last": (r"\frac{1}{\max \{ j \le n : h_j = 1 \}<offset.more>}",
                     "1 / <offset.rank> of the last hit; 0 without one"),
            "sum": (r"\sum_{j \le n} \frac{h_j}{<offset>}", "sum of 1 / <offset> over the hits"),
            "mean_hits": (r"\frac{1}{H} \sum_{j \le n} \frac{h_j}{<offset>}",
                          "(sum of 1 / <offset> over the hits) / H"),
            "mean_relevant": (r"\frac{1}{r} \sum_{j \le n} \frac{h_j}{<offset>}",
                              "(sum of 1 / <offset> over the hits) / r"),
            "normalised": (r"\frac{\sum_{j \le n} h_j / <offset>}{\sum_{j \le \min(k, r)} 1 / <offset>}",
                           "(sum of 1 / <offset> over the hits) / (sum of 1 / <offset> for j to min(k, r))"),
            "normalised_shown": (r"\frac{\sum_{j \le n} h_j / <offset>}{\sum_{j \le \min(r, n)} 1 / <offset>}",
                                 "(sum of 1 / <offset> over the hits) / (sum of 1 / <offset> for j to min(r, n))"),
            "top_only": (r"h_1", "1 if the first item is a hit, else 0"),
            "best_gain": (r"\frac{1}{\text{rank of the first hit with the best gain}<offset.more>}",
                          "1 / <offset.rank> of the first of the hits with the best gain; 0 without one"),
        }, "offset": {"0": ("j", "j"), "#": ("(j + <number>)", "(j + <number>)")},
           "offset.more": {"0": ("", ""), "#": (" + <number>", "")},
           "offset.rank": {"0": ("", "rank"), "#": ("", "(rank + <number>)")}},
        sums=("the sum over the hits",),
    ),
    "average_precision": FormulaTemplate(
        "Precision at each rank where something relevant stands: early hits count in all that follow.",
        (
            (r"\text{AP@}<k> = \frac{1}{<denominator>} \sum_{j \le n} <indicator>",
             "AP@<k> = (sum of P@j over <indicator>) / <denominator>"),
            (r"P_j = \frac{1}{j} \sum_{i \le j} h_i", "P@j = H_j / j, H_j the hits down to rank j"),
            ("<over>", "<over>"),
        ),
        {"denominator": _DIVIDED, "over": OVER,
         "indicator": {"kept": (r"h_j P_j", "the ranks j of hits"), "dropped": (r"P_j", "all ranks j ≤ n"),
                       "every": (r"P_j \text{ (} j \le k \text{)}", "all ranks j ≤ k"),
                       "first_r": (r"h_j P_j \text{ (} j \le r \text{)}", "the ranks j ≤ r of hits")}},
        sums=("the sum of P@j",), factors=_PRECISION_COLUMNS,
    ),
    "average_recall": FormulaTemplate(
        "Recall at each rank where something relevant stands.",
        (
            (r"\text{AR@}<k> = \frac{1}{<denominator>} \sum_{j \le n} <indicator>",
             "AR@<k> = (sum of R@j over <indicator>) / <denominator>"),
            (r"R_j = \frac{1}{r} \sum_{i \le j} h_i", "R@j = H_j / r, H_j the hits down to rank j"),
            ("<over>", "<over>"),
        ),
        {"denominator": _DIVIDED, "over": OVER,
         "indicator": {"kept": (r"h_j R_j", "the ranks j of hits"), "dropped": (r"R_j", "all ranks j ≤ n"),
                       "every": (r"R_j \text{ (} j \le k \text{)}", "all ranks j ≤ k")}},
        sums=("r times the sum of R@j",), factors=_RECALL_COLUMNS,
    ),
    "bpref": FormulaTemplate(
        "How rarely an item that is known to be irrelevant stands above a relevant one; unrated items are skipped.",
        ((r"\text{bpref} = \frac{1}{r} \sum_{j} h_j \left( 1 - \frac{\min(n_j, <bound.most>)}{<bound>} \right)",
          "bpref = (sum over the relevant items in the list of 1 - min(n_j, <bound.most>) / <bound>) / r"),
         (r"n_j: \text{ rated irrelevant items above rank } j", "n_j: rated irrelevant items above; N: all of them")),
        {"bound": {"min": (r"\min(r, N)", "min(r, N)"), "r": ("r", "r"), "r_plus_10": ("r + 10", "(r + 10)")},
         "bound.most": {"min": ("r", "r"), "r": ("r", "r"), "r_plus_10": ("r + 10", "r + 10")}},
    ),
    "rbp": FormulaTemplate(
        "What a reader finds who goes on to the next rank with probability p.",
        ((r"\text{RBP@}<k> = <normalised> \sum_{j \le n} h_j <gain> \, <persistence>^{j - 1}",
          "RBP@<k> = <normalised> · sum over the hits of <gain> · <persistence>^(j - 1)"),),
        {"normalised": {"no": (r"(1 - <persistence>)", "(1 - <persistence>)"),
                        "yes": (r"\frac{1}{\sum_{j \le \min(k, r)} <persistence>^{j - 1}}",
                                "1 / (sum of the min(k, r) largest weights)"),
                        "shown": (r"\frac{1}{\sum_{j \le \min(r, n)} <persistence>^{j - 1}}",
                                  "1 / (sum of the min(r, n) largest weights)")},
         "gain": {"binary": ("", "1"), "linear": (r"g_j", "g_j")}}, sums=("the weighted sum",),
    ),
    "err": FormulaTemplate(
        "How soon a reader who stops when satisfied can expect to stop.",
        ((r"\text{ERR@}<k> = \sum_{j \le n} \frac{1}{j} R_j \prod_{i \lt j} (1 - R_i)",
          "ERR@<k> = sum over the hits of 1 / j · R_j · (1 - R_i for all hits i above)"),
         _STOPS),
        {"satisfaction": _SATISFACTION, "top": _TOP}, sums=("the sum",),
    ),
    "pfound": FormulaTemplate(
        "How likely a reader finds something before losing patience.",
        ((r"\text{PFound@}<k> = \sum_{j \le n} <decay>^{j - 1} R_j \prod_{i \lt j} (1 - R_i)",
          "PFound@<k> = sum over the hits of <decay>^(j - 1) · R_j · (1 - R_i for all hits i above)"),
         _STOPS),
        {"satisfaction": _SATISFACTION, "top": _TOP}, sums=("the sum",),
    ),
    "nerr": FormulaTemplate(
        "What a reader who stops when satisfied gains for each item looked at.",
        ((r"\text{NERR@}<k> = \frac{\sum_{j \le n} V_j R_j}{\sum_{j <patience.end>} V_j}",
          "NERR@<k> = (sum over the hits of V_j · R_j) / (sum of V_j over all ranks<patience.end>)"),
         (r"V_j = <patience> \prod_{i \lt j} (1 - R_i)", "V_j = <patience> · (1 - R_i for all hits i above)"), _STOPS),
        {"satisfaction": _SATISFACTION, "top": _TOP,
         "patience": {"all": ("", "1"), "rank": (r"\frac{1}{j}", "1 / j"),
                      "0.9": ("0.9^{j - 1}", "0.9^(j - 1)"), "#": ("<number>^{j - 1}", "<number>^(j - 1)")},
         "patience.end": {"all": (r"\le <k>", " j ≤ <k>"), "rank": (r"\le <k>", " j ≤ <k>"),
                          "0.9": (r"\lt \infty", " of an endless list"), "#": (r"\lt \infty", " of an endless list")}},
        sums=("the sum of V_j · R_j", "what hits keep from ranks below"),
    ),
    "interpolated_precision": FormulaTemplate(
        "How good precision can still be once some share of the relevant items is found.",
        ((r"<at>", "<at>"),
         (r"P(x) = \max \{ P_j : H_j \ge <needed> \}",
          "P(x) = the largest P@j at a hit j with H_j ≥ <needed>; 0 without"),
         (r"P_j = \frac{H_j}{j}", "P@j = H_j / j, H_j the hits down to rank j")),
        {"at": {"eleven": (r"\text{11-point AP} = \frac{1}{11} \sum_{x = 0, 0.1, \dots, 1} P(x)",
                           "11-point AP = (P(0) + P(0.1) + ... + P(1)) / 11"),
                "0.5": (r"\text{value} = P(0.5)", "value = P(0.5)"),
                "#": (r"\text{value} = P(<number>)", "value = P(<number>)")},
         "needed": {"up": (r"\lceil x r \rceil", "x · r"), "nearest": (r"\lfloor x r + 0.5 \rfloor", "round(x · r)"),
                    "plus_0.9": (r"\lfloor x r + 0.9 \rfloor", "floor(x · r + 0.9)")}},
        sums=(),
    ),
}  # fmt: skip


_GAINS: dict[str, Line] = {
    "binary": ("", "1"),
    "linear": (r"g_j", "g_j"),
    "exp2": (r"\left(2^{g_j} - 1\right)", "(2^g_j - 1)"),
    "exp2_threshold": (r"\left(2^{g_j - t + 1} - 1\right)", "(2^(g_j - t + 1) - 1)"),
    "exp2_plus1": (r"\left(2^{g_j + 1} - 1\right)", "(2^(g_j + 1) - 1)"),
    "square_minus_1": (r"\left(g_j^2 - 1\right)", "(g_j² - 1)"),
}
_CUT_GAINS: dict[str, Line] = {
    "linear_whole": (r"\text{int}(g_j)", "int(g_j)"),
    "exp2_whole": (r"\left(2^{\text{int}(g_j)} - 1\right)", "(2^int(g_j) - 1)"),
}
_DISCOUNTS: dict[str, Line] = {
    "log2": (r"\frac{1}{\log_2(j + 1)}", " / log2(j + 1)"),
    "ln": (r"\frac{1}{\ln(j + 1)}", " / ln(j + 1)"),
    "log10": (r"\frac{1}{\log_{10}(j + 1)}", " / log10(j + 1)"),
    "log2_clipped": (r"\frac{1}{\log_2(\max(j, 2))}", " / log2(max(j, 2))"),
    "log2_off_by_one": (r"\frac{1}{\log_2(j + 2)}", " / log2(j + 2)"),
    "reciprocal": (r"\frac{1}{j}", " / j"),
    "*": (r"\cdot <meaning>", " · <meaning>"),
}
_IDEALS = {
    "k": (r"\min(k, r)", "the min(k, r) best relevant items"),
    "all": (r"r", "all r relevant items, best first"),
    "listed": (r"\min(k, r_L)", "the k best relevant items that stand anywhere in the list (r_L of them)"),
    "rows": (r"\min(k, L)", "the k best rows of the list, an irrelevant one of gain 0 (L rows in all)"),
    "retrieved": (r"H", "the H hits, best first"),
    "shown": (r"\min(r, n)", "the min(r, n) best relevant items"),
}


def _ideal(ideal: str) -> Line:
    depth, words = _IDEALS[ideal]
    return (
        rf"\text{{IDCG}} = \sum_{{j \le {depth}}} <ideal_gain> <ideal_discount>",
        f"IDCG = the sum of <ideal_gain><ideal_discount> over {words}",
    )


def _gain(lists: Lists, places: Places, values: Values) -> Floats:
    """Return the undiscounted gain term of each place."""
    return gains(places, lists.threshold, values["gain"])


def _discount(lists: Lists, places: Places, values: Values) -> Floats:
    """Return the discount of each place."""
    return discounts(places.rank, values["discount"])


_MISS = (r" - \sum_{j \le n} (1 - h_j) <discount>", " - the sum of 1<discount> over the misses")
GAINS = {
    "ndcg": FormulaTemplate(
        "How near the list comes to the best order there is: gains count less the lower they stand.",
        (
            (r"<ideal.ratio>", "<ideal.ratio>"),
            (r"\text{DCG} = \sum_{j \le n} h_j <gain> <discount><miss_gain>",
             "DCG = the sum of <gain><discount> over the hits<miss_gain>"),
            (r"<ideal>", "<ideal>"),
            ("<over>", "<over>"),
        ),
        {
            "ideal.ratio": {
                **dict.fromkeys((*_IDEALS, "ones", "ones_shown"), (r"\text{NDCG@}<k> = \frac{\text{DCG}}{\text{IDCG}}",
                                                     "NDCG@<k> = DCG / IDCG")),
                "none": (r"\text{DCG@}<k> = \text{DCG}", "DCG@<k> = DCG, divided by nothing"),
            },
            "ideal": {
                **{name: _ideal(name) for name in _IDEALS},
                "ones": (r"\text{IDCG} = \sum_{j \le k} <ideal_discount>",
                         "IDCG = the sum of 1<ideal_discount> over ranks 1 to k"),
                "ones_shown": (r"\text{IDCG} = \sum_{j \le n} <ideal_discount>",
                               "IDCG = the sum of 1<ideal_discount> over ranks 1 to n"),
                "none": ("", ""),
            },
            "gain": _GAINS | _CUT_GAINS, "discount": _DISCOUNTS,
            "ideal_gain": {**_GAINS, "same": ("<gain>", "<gain>")},
            "ideal_discount": {**_DISCOUNTS, "same": ("<discount>", "<discount>")},
            "miss_gain": {"0": ("", ""), "-1": _MISS}, "over": OVER,
        },
        sums=("DCG", "their discounts"), ideal_sum="IDCG", factors={"gain term": _gain, "discount": _discount},
    )
}  # fmt: skip


def _pairs(lists: Lists, values: Values) -> Mapping[str, Floats]:
    return {
        "relevant": lists.positives.astype(float),
        "irrelevant": lists.negatives.astype(float),
        "irrelevant shown": lists.shown_negatives.astype(float),
    }


# fmt: off
_AUC: Slots = {
    "list": {
        "full": (r"\frac{\text{pairs won}}{r \cdot \bar r}", "pairs won / (relevant × irrelevant items)"),
        "topk": (r"\frac{\text{pairs won inside the first } k}{H \cdot (n - H)}",
                 "pairs won inside the first k / (hits × misses there)"),
        "limited": (
            r"\frac{W_k + \frac{H + r}{2} (\bar r - \bar r_k)}{r \cdot \bar r}",
            "(pairs won inside the first k + (H + r) / 2 · (irrelevant - irrelevant shown)) / (relevant × irrelevant)",
        ),
        "limited_hits": (r"\frac{\text{pairs won by the hits of the first } k}{\min(k, r) \cdot \bar r}",
                         "pairs won by the hits of the first k / (min(k, r) × irrelevant items)"),
        "top_negatives": (r"\frac{\text{pairs won}}{r \cdot \min(k, \bar r)}",
                          "pairs won against the k best irrelevant items / (relevant × those)"),
        "top_both": (r"\frac{\text{pairs won}}{\min(k, r) \cdot \min(k, \bar r)}",
                     "pairs won by the k best relevant against the k best irrelevant items / their number"),
    },
    "tied_scores": {
        "half": (r"\text{a pair of equal scores is won by half}", "a pair of equal scores is won by half"),
        "win": (r"\text{a pair of equal scores is won}", "a pair of equal scores is won"),
        "lose": (r"\text{a pair of equal scores is lost}", "a pair of equal scores is lost"),
        "ranked": (r"\text{a pair of equal scores is ordered as the list is}",
                   "a pair of equal scores is ordered as the list is"),
    },
    "scope": {"user": ("", ""), "stacked": (r"\text{over all rows of all users as one list}",
                                            "over all rows of all users as one list")},
}

AREAS = {
    "auc": FormulaTemplate(
        "How often a relevant item stands above an irrelevant one; every rank weighs the same.",
        ((r"\text{AUC} = <list>", "AUC = <list>"), ("<tied_scores>", "<tied_scores>"), ("<scope>", "<scope>")),
        _AUC, sums=("pairs won in the list",), counts=_pairs,
    ),
    "kendall_tau": FormulaTemplate(
        "Whether relevant items stand above irrelevant ones, from 1 (all do) to -1 (none does).",
        ((r"\tau = <compared>", "tau = <compared>"),),
        {"compared": {
            "list": (r"\frac{C - D}{r \cdot \bar r} = 2 \, \text{AUC} - 1",
                     "(pairs won - pairs lost) / (relevant × irrelevant items) = 2 AUC - 1"),
            "limited": (r"2 \, \text{LAUC@}k - 1", "2 LAUC@k - 1"),
            "recommended_or_not": (r"\frac{tp \cdot tn - fp \cdot fn}{(tp + fn)(fp + tn)}",
                                   "(tp tn - fp fn) / ((tp + fn)(fp + tn))"),
        }}, sums=("pairs won in the list",), counts=_pairs,
    ),
    "spearman_rho": FormulaTemplate(
        "Whether scores order the relevant items as their gains do.",
        ((r"\rho = \frac{\text{cov}(R_s, R_g)}{\sigma(R_s) \, \sigma(R_g)}",
          "rho = correlation of the ranks of scores and of gains, ties averaged"),),
        sums=("ranks by score", "ranks by gain", "products of deviations", "squares by score", "squares by gain"),
    ),
}
# fmt: on
