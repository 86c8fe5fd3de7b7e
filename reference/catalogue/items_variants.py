"""Documented variants of metrics beyond accuracy: coverage, concentration, novelty and popularity."""

from __future__ import annotations

from reference.catalogue.bibliography import ABDOLLAHPOURI, CASTELLS, GE, SHANI, ZHOU, Citation
from reference.catalogue.variant import Variant

SHOWN_ITEMS = (
    Variant("catalogue_coverage@k", ("catalogue coverage", "item coverage"), "", (Citation(GE, "§3.1"),)),
    Variant("gini@k", ("Gini index",), "", (Citation(SHANI, "§8.3.3.1, item space coverage"),)),
    Variant("shannon_entropy@k", ("Shannon entropy", "distributional coverage"), "",
            (Citation(SHANI, "§8.3.3.1, item space coverage"),)),
    Variant("novelty@k", ("mean self-information", "surprisal", "mean inverse user frequency"), "",
            (Citation(ZHOU, "surprisal/novelty"),)),
    Variant("novelty@k|popularity:rows", ("novelty under the item choice model",),
            "Higher by the logarithm of the mean number of rows of a train user.",
            (Citation(CASTELLS, "item choice model"),)),
    Variant("average_popularity@k", ("average recommendation popularity", "ARP"), "",
            (Citation(ABDOLLAHPOURI, "ARP"),)),
    Variant("user_coverage", ("user coverage",), "", (Citation(SHANI, "§8.3.3.2, user space coverage"),)),
)  # fmt: skip
