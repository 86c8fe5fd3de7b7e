"""The formula of NDCG."""

from __future__ import annotations

from recsys_metric_audit.reference.formula_text.rank_text import OVER
from recsys_metric_audit.reference.formula_text.template import FormulaTemplate, Line, Values
from recsys_metric_audit.reference.metrics.ndcg import discounts, gains
from recsys_metric_audit.reference.space.lists import Floats, Lists, Places

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


_MISS = (
    r" - \sum_{j \le n} (1 - h_j) <discount>",
    " - the sum of 1<discount> over the misses",
)
FORMULAS = {
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
