"""Formulas of metrics that use the ranks of hits."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.formula_text.set_text import DENOMINATORS
from recsys_metric_audit.reference.formula_text.template import Factor, FormulaTemplate
from recsys_metric_audit.reference.space.lists import Floats, Lists, Places

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
    "exp2": (r"\frac{2^{g_j} - 1}{2^{g_{\max}}}", "(2^g_j - 1) / 2^g_max"),
    "linear": (r"\frac{g_j}{g_{\max}}", "g_j / g_max"),
    "binary": (r"\frac{1}{2}", "1/2"),
    "gain": ("g_j", "g_j"),
}
_ONE_LIST = "over all rows of all users as one list"
OVER = {"user": ("", ""), "stacked": (rf"\text{{{_ONE_LIST}}}", _ONE_LIST)}

FORMULAS = {
    "reciprocal_rank": FormulaTemplate(
        "How high the first relevant item stands: what a user who looks for one thing has to scroll.",
        ((r"\text{RR@}<k> = <ranks>", "RR@<k> = <ranks>"),),
        {"ranks": {
            "first": (r"\frac{1}{\min \{ j \le n : h_j = 1 \}}", "1 / rank of the first hit; 0 without one"),
            "last": (r"\frac{1}{\max \{ j \le n : h_j = 1 \}}", "1 / rank of the last hit; 0 without one"),
            "sum": (r"\sum_{j \le n} \frac{h_j}{j}", "sum of 1 / j over the hits"),
            "mean_hits": (r"\frac{1}{H} \sum_{j \le n} \frac{h_j}{j}", "(sum of 1 / j over the hits) / H"),
            "mean_relevant": (r"\frac{1}{r} \sum_{j \le n} \frac{h_j}{j}", "(sum of 1 / j over the hits) / r"),
            "normalised": (r"\frac{\sum_{j \le n} h_j / j}{\sum_{j \le \min(k, r)} 1 / j}",
                           "(sum of 1 / j over the hits) / (1 + 1/2 + ... + 1/min(k, r))"),
            "normalised_shown": (r"\frac{\sum_{j \le n} h_j / j}{\sum_{j \le \min(r, n)} 1 / j}",
                                 "(sum of 1 / j over the hits) / (1 + 1/2 + ... + 1/min(r, n))"),
            "top_only": (r"h_1", "1 if the first item is a hit, else 0"),
        }}, sums=("the sum of 1 / rank",),
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
        {"satisfaction": _SATISFACTION}, sums=("the sum",),
    ),
    "pfound": FormulaTemplate(
        "How likely a reader finds something before losing patience.",
        ((r"\text{PFound@}<k> = \sum_{j \le n} <decay>^{j - 1} R_j \prod_{i \lt j} (1 - R_i)",
          "PFound@<k> = sum over the hits of <decay>^(j - 1) · R_j · (1 - R_i for all hits i above)"),
         _STOPS),
        {"satisfaction": _SATISFACTION}, sums=("the sum",),
    ),
    "nerr": FormulaTemplate(
        "What a reader who stops when satisfied gains for each item looked at.",
        ((r"\text{NERR@}<k> = \frac{\sum_{j \le n} V_j R_j}{\sum_{j <patience.end>} V_j}",
          "NERR@<k> = (sum over the hits of V_j · R_j) / (sum of V_j over all ranks<patience.end>)"),
         (r"V_j = <patience> \prod_{i \lt j} (1 - R_i)", "V_j = <patience> · (1 - R_i for all hits i above)"), _STOPS),
        {"satisfaction": _SATISFACTION,
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
