"""Documented variants of metrics beyond accuracy: coverage, concentration, novelty, diversity, serendipity."""

from __future__ import annotations

from reference.catalogue.bibliography import (
    ABDOLLAHPOURI,
    CASTELLS,
    GE,
    RECOMMENDERS,
    RECPACK,
    RECTOOLS,
    SHANI,
    ZHANG,
    ZHOU,
    ZIEGLER,
    Citation,
)
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
    Variant("intra_list_diversity@k", ("intra-list diversity", "ILD"), "",
            (Citation(RECOMMENDERS, "docstring of user_diversity", "after formula (3) of Zhang et al. 2012"),
             Citation(ZHANG, "formula (3)", "as MS Recommenders cites it"))),
    Variant("intra_list_diversity@k|direction:similarity|denominator:one", ("intra-list similarity", "ILS"),
            "It grows with the length of the list, and points the other way.",
            (Citation(ZIEGLER, "intra-list similarity", "of topics; here of the users who have an item"),)),
    Variant("intra_list_diversity@k|distance:hamming|denominator:k", ("ILD of Hamming distances",),
            "A number of features, not a share of 1; lower where fewer than k items are shown.",
            (Citation(RECTOOLS, "docstring of IntraListDiversity"),)),
    Variant("intra_list_diversity@k|distance:jaccard|denominator:k", ("ILD of Jaccard distances",),
            "Other distances; lower where fewer than k items are shown.",
            (Citation(RECPACK, "docstring of IntraListDiversityK"),)),
    Variant("serendipity@k", ("serendipity", "unlikeness to what the user has"), "",
            (Citation(RECOMMENDERS, "docstring of user_item_serendipity", "after Zhang et al. 2012"),
             Citation(ZHANG, "unserendipity", "of which it is the complement, as MS Recommenders cites it"))),
    Variant("serendipity@k|unexpected:not_popular", ("serendipity beside a primitive recommender",),
            "An item is unexpected or not: popular ones count nothing, and what the user has does not matter.",
            (Citation(GE, "serendipity", "useful items that a primitive model does not recommend"),)),
    Variant("serendipity@k|unexpected:popularity|denominator:k", ("serendipity by popularity ranks",),
            "What the user has does not matter; useful items count by how far they stand above their popularity.",
            (Citation(RECTOOLS, "docstring of Serendipity"),)),
)  # fmt: skip
