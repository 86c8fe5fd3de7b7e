"""Formulas of the metrics beyond accuracy: coverage, concentration, novelty, diversity and serendipity."""

from __future__ import annotations

from recsys_metric_audit.reference.formula_text.template import FormulaTemplate, Line, Slots

_LOGS: dict[str, Line] = {"log2": (r"\log_2", "log2"), "ln": (r"\ln", "ln"), "log10": (r"\log_{10}", "log10")}
_COVERED: Slots = {
    "unit": {"share": ("", ""), "percent": (r"100 \cdot ", "100 × ")},
    "counted": {"all": ("", ""), "denominator": (r"\text{ among these}", " that are among these")},
    "denominator": {
        "one": (r"\left| \bigcup_u L_u \right|", "the number of items shown in any list"),
        "*": (
            r"<unit>\frac{\left| \bigcup_u L_u <counted> \right|}{\left| <meaning> \right|}",
            "<unit>items shown in any list<counted> / <meaning>",
        ),
    },
}
# fmt: off
_USERS: Slots = {
    "counted": {"all": ("", ""), "denominator": (r"\text{ among these}", " who are among these")},
    "denominator": {
        "one": (r"\left| \{u : L_u \ne \emptyset\} \right|", "the number of users with recommendations"),
        "all": (r"\frac{\left| \{u : L_u \ne \emptyset\} \right|}{|U|}",
                "users with recommendations / users with rows of any kind"),
        "*": (r"\frac{\left| \{u : L_u \ne \emptyset\} <counted> \right|}{\left| <meaning> \right|}",
              "users with recommendations<counted> / <meaning>"),
    },
}
_GINI: Slots = {
    "direction": {"concentration": ("", ""), "diversity": ("1 - ", "1 - ")},
    "denominator": {"n_minus_1": (r"(n - 1)", "(n - 1)"), "n": ("n", "n"), "n_plus_1": (r"(n + 1)", "(n + 1)")},
    "over": {
        "catalogue": (r"n \text{: the items that exist}", "n: the items that exist, also those shown 0 times"),
        "shown": (r"n \text{: the items that are shown}", "n: the items that are shown"),
        "train": (r"n \text{: the items of the train data}", "n: the items of the train data; others do not count"),
        "catalogue_plus_1": (r"n \text{: the items that exist and one more}", "n: the items that exist and one more"),
    },
}
_ENTROPY: Slots = {
    "log": _LOGS,
    "divided": {
        "one": ("", ""),
        "shown": (r"\frac{1}{n}", " / n, the number of items shown"),
        "log_shown": (r"\frac{1}{<log> n}", " / <log> n, n the number of items shown"),
        "log_catalogue": (r"\frac{1}{<log> |I|}", " / <log> of the number of items that exist"),
    },
    "mean_over": {
        "items": (r"\sum_i p_i", "the sum of p_i "),
        "lists": (
            r"\frac{1}{|U|} \sum_u \frac{1}{|L_u|} \sum_{i \in L_u}",
            "the mean over users of the mean over their rows of ",
        ),
    },
    "probability": {
        "rows": (r"p_i = \frac{x_i}{\sum_j x_j}", "p_i = rows that show item i / all rows shown"),
        "places": (r"p_i = \frac{x_i}{k \cdot |U|}", "p_i = rows that show item i / (k × users with recommendations)"),
        "users": (r"p_i = \frac{x_i}{|U|}", "p_i = rows that show item i / users with recommendations"),
    },
}
_OVER: dict[str, Line] = {"shown": ("n", "n"), "k": ("k", "k")}
_UNSEEN: dict[str, Line] = {
    "one_row": ("", "an item without train rows: as if one user had it"),
    "zero": ("", "an item without train rows adds 0"),
    "left_out": ("", "items without train rows are left out"),
    "error": ("", "an item without train rows is refused"),
}
_NOVELTY: Slots = {
    "log": _LOGS,
    "denominator": {**_OVER, "items": ("|I|", "the items that exist")},
    "popularity": {
        "users": (r"N = \text{train users}", "train users"),
        "rows": (r"N = \text{train rows}", "train rows"),
    },
    "scale": {"one": ("", ""), "log_users": (r"\frac{1}{<log> \text{train users}}", " / <log>(train users)")},
    "unseen": {name: (rf"\text{{{text}}}", text) for name, (_, text) in _UNSEEN.items()},
}
_POPULARITY: Slots = {
    "denominator": {**_OVER, "truth": ("|T|", "the truth rows of the user")},
    "counted": {
        "all": (r"i \in L", "the n items shown"),
        "judged": (r"i \in L \cap T", "the items shown that the user's truth has"),
    },
    "scale": {
        "one": ("x_i", "the users who have i"),
        "rows": (r"\frac{x_i}{\text{train rows}}", "the users who have i / train rows"),
        "users": (r"\frac{x_i}{\text{train users}}", "the users who have i / train users"),
        "most": (r"\frac{x_i}{\max_j x_j}", "the users who have i / the most that any item has"),
        "quantile": (
            r"\frac{\text{place of } i \text{, the least popular first}}{\text{train items}}",
            "the place of i among the train items, the least popular first / their number",
        ),
    },
    "unseen": _NOVELTY["unseen"],
}
_BIAS: Slots = {
    "counted": {"all": (r"L_u", "the items shown"), "relevant": (r"L_u \cap R_u", "the relevant items shown")},
    "chances": {
        "new": (r"\text{the user does not have}", "that the user does not have"),
        "all": (r"\text{the user may have, too}", "whether the user has them or not"),
    },
    "counted.whole": {"all": ("", ""), "relevant": (r"\text{relevant }", "relevant ")},
    "spread": {"population": (r"\sigma", "standard deviation"), "sample": ("s", "standard deviation (of a sample)")},
    "tail": {
        "*": (
            r"T \text{: }<meaning>\text{; } H \text{: the other train items}",
            "T, the long tail: <meaning>; H, the head: the other train items",
        )
    },
    "unseen": {"*": (r"\text{an item without train rows }<meaning>", "an item without train rows <meaning>")},
}
_EXPECTED: Slots = {
    "novelty": {
        "complement": (r"1 - \frac{x_i}{\text{train users}}", "1 - the users who have i / train users"),
        "self_information": (r"\log_2 \frac{\text{train rows}}{x_i}", "log2(train rows / the users who have i)"),
    },
    "counted": {
        "relevant": (r"i_j \in L \cap R", "the relevant items shown"),
        "all": (r"i_j \in L", "the items shown"),
    },
    "discount": {"log2": (r"\frac{1}{\log_2 (j + 1)}", "1 / log2(j + 1)"), "none": ("1", "1")},
    "denominator": {
        "shown": (r"\sum_{i_j \in L} d_j", "the sum of the d_j of the items shown"),
        "k": (r"\sum_{j \le k} d_j", "the sum of the d_j of k places"),
    },
    "unseen": {"*": (r"\text{an item without train rows }<meaning>", "an item without train rows <meaning>")},
    "counted.left": {"relevant": ("<undefined>", "<undefined>"), "all": ("", "")},
    "undefined": {"*": (r"\text{a user without relevant items }<meaning>", "a user without relevant items <meaning>")},
}
_NEW: Slots = {"denominator": _OVER}
_TAIL: Slots = {
    "denominator": {**_OVER, "one": ("1", "1")},
    "tail": {"*": (r"T \text{: }<meaning>", "T: <meaning>")},
    "unseen": {"*": (r"\text{an item without train rows }<meaning>", "an item without train rows <meaning>")},
}

_DIVERSITY: Slots = {
    "distance": {
        "cosine": (r"1 - \frac{|U_i \cap U_j|}{\sqrt{|U_i| |U_j|}}", "1 - |U_i and U_j| / sqrt(|U_i| |U_j|)"),
        "jaccard": (r"1 - \frac{|U_i \cap U_j|}{|U_i \cup U_j|}", "1 - |U_i and U_j| / |U_i or U_j|"),
        "hamming": (r"|U_i \,\triangle\, U_j|", "the users in one of U_i and U_j only"),
        "euclidean": (r"\sqrt{|U_i \,\triangle\, U_j|}", "sqrt(the users in one of U_i and U_j only)"),
    },
    "direction": {"diversity": ("d_{ij}", "d(i, j)"), "similarity": ("(1 - d_{ij})", "(1 - d(i, j))")},
    "denominator": {
        "pairs": (r"\frac{2}{n (n - 1)}", " / (n (n - 1) / 2)"),
        "k": (r"\frac{2}{k (k - 1)}", " / (k (k - 1) / 2)"),
        "one": ("", ""),
    },
    "denominator.left": {"one": ("", ""), "*": ("<no_pair>", "<no_pair>")},
    "no_pair": {"*": (r"\text{a list without a pair }<meaning>", "a list without a pair <meaning>")},
}
_SERENDIPITY: Slots = {
    "denominator": _OVER,
    "useful": {
        "judged": (r"i \in L, \, i \in T", "the items shown that the user's truth has"),
        "relevant": (r"i \in L, \, i \in R", "the relevant items shown"),
        "all": (r"i \in L", "the items shown"),
    },
    "unexpected": {
        "history": (
            r"v_i = 1 - \frac{1}{|H|} \sum_{j \in H} \frac{|U_i \cap U_j|}{\sqrt{|U_i| |U_j|}}, \quad"
            r" H \text{: the items that the user has}, U_i \text{: the users who have } i",
            "v_i = 1 - the mean of |U_i and U_j| / sqrt(|U_i| |U_j|) over the items j that the user has;"
            " U_i: the users who have i",
        ),
        "popularity": (
            r"v_i = \max\left(0, \frac{p_i - j}{|I|}\right), \quad p_i \text{: the place of } i \text{ by train rows},"
            r" j \text{: its rank}",
            "v_i = max(0, (p_i - j) / items that exist), p_i the place of i by train rows, j its rank",
        ),
        "not_popular": (
            r"v_i = 1 \text{ if at least } k \text{ items have more train rows, else } 0",
            "v_i = 1 if nobody has i, or at least k items have more train rows, else 0",
        ),
    },
    "unexpected.left": {"history": ("<no_history>", "<no_history>"), "*": ("", "")},
    "no_history": {"*": (r"\text{a user without train rows }<meaning>", "a user without train rows <meaning>")},
}

FORMULAS = {
    "catalogue_coverage": FormulaTemplate(
        "How much of what could be recommended is recommended to anybody.",
        ((r"\text{coverage@}<k> = <denominator>", "coverage@<k> = <denominator>"),), _COVERED,
    ),
    "user_coverage": FormulaTemplate(
        "For how many users there are recommendations at all.",
        ((r"\text{user coverage} = <denominator>", "user coverage = <denominator>"),), _USERS,
    ),
    "gini": FormulaTemplate(
        "How unequally often items are shown: 0 if all are alike, 1 if one is always shown.",
        ((r"\text{Gini@}<k> = <direction>\frac{\sum_j (2 j - n - 1) \, x_j}{<denominator> \sum_j x_j}",
          "Gini@<k> = <direction>sum of (2 j - n - 1) x_j / (<denominator> × sum of x_j)"),
         (r"x_1 \le \dots \le x_n \text{: rows that show each item}",
          "x_j: rows that show an item, in ascending order"),
         ("<over>", "<over>")), _GINI,
    ),
    "shannon_entropy": FormulaTemplate(
        "How evenly items are shown: the more of them alike, the higher.",
        ((r"H\text{@}<k> = - <divided> <mean_over> <log> p_i", "entropy@<k> = - (<mean_over><log> p_i)<divided>"),
         ("<probability>", "<probability>")), _ENTROPY,
    ),
    "novelty": FormulaTemplate(
        "How little known the items shown are: the fewer users have them, the higher.",
        ((r"\text{novelty@}<k> = \frac{1}{<denominator>} \sum_{i \in L} <scale> <log> \frac{N}{x_i},"
          r" \quad <popularity>",
          "novelty@<k> = (sum of <log>(<popularity> / users who have i)<scale> over the n items shown)"
          " / <denominator>"),
         ("<unseen>", "<unseen>")), _NOVELTY,
    ),
    "average_popularity": FormulaTemplate(
        "How well known the items shown are: the number of users who have them.",
        ((r"\text{popularity@}<k> = \frac{1}{<denominator>} \sum_{<counted>} <scale>",
          "popularity@<k> = (sum of <scale> over <counted>) / <denominator>"),
         ("<unseen>", "<unseen>")), _POPULARITY,
    ),
    "tail_share": FormulaTemplate(
        "How much of a list is not popular.",
        ((r"\text{tail@}<k> = \frac{|L \cap T|}{<denominator>}",
          "tail share@<k> = the items shown that are in T / <denominator>"),
         ("<tail>", "<tail>"), ("<unseen>", "<unseen>")), _TAIL,
    ),
    "popularity_bias": FormulaTemplate(
        "How unequal the chances of popular and of unpopular items are to be shown; 0 where they are equal.",
        ((r"\text{bias@}<k> = \frac{<spread>(c_H, c_T)}{\text{mean}(c_H, c_T)}",
          "popularity bias@<k> = <spread> / mean of two chances, those of the head H and of the long tail T"),
         (r"c_G = \frac{\sum_u |<counted> \cap G|}{\sum_u |\{<counted.whole>i \in G : <chances>\}|}",
          "chance of G = <counted> that are in G / the <counted.whole>items of G <chances>, each summed over users with"
          " a list"),
         ("<tail>", "<tail>"), ("<unseen>", "<unseen>")), _BIAS,
    ),
    "expected_novelty": FormulaTemplate(
        "How little known the relevant items of a list are, the first places counting most.",
        ((r"\text{novelty@}<k> = \frac{\sum_{<counted>} d_j \, v_{i_j}}{<denominator>}, \quad d_j = <discount>,"
          r" \; v_i = <novelty>",
          "novelty@<k> = (sum of d_j × v_i over <counted>, j the rank of i) / <denominator>; d_j = <discount>;"
          " v_i = <novelty>"),
         ("<unseen>", "<unseen>"), ("<counted.left>", "<counted.left>")), _EXPECTED,
    ),
    "new_share": FormulaTemplate(
        "How much of a list the user does not have yet.",
        ((r"\text{new@}<k> = \frac{|L \setminus H|}{<denominator>}",
          "share of new items@<k> = the items shown that are not in H / <denominator>"),
         (r"H \text{: the items that the user has in the train data}",
          "H: the items that the user has in the train data")), _NEW,
    ),
    "intra_list_diversity": FormulaTemplate(
        "How unlike one another the items of a list are, by the users who have them.",
        ((r"\text{ILD@}<k> = <denominator> \sum_{i, j \in L} <direction>, \quad d_{ij} = <distance>",
          "ILD@<k> = (sum of <direction> over all pairs of the n items shown)<denominator>"),
         (r"U_i \text{: the users of the train data who have } i",
          "d(i, j) = <distance>; U_i: the users of the train data who have i"),
         ("<denominator.left>", "<denominator.left>")), _DIVERSITY,
    ),
    "serendipity": FormulaTemplate(
        "How unexpected the useful items of a list are.",
        ((r"\text{serendipity@}<k> = \frac{1}{<denominator>} \sum_{<useful>} v_i",
          "serendipity@<k> = (sum of v_i over <useful>) / <denominator>"),
         ("<unexpected>", "<unexpected>"), ("<unexpected.left>", "<unexpected.left>")), _SERENDIPITY,
    ),
}
# fmt: on
ONE_VALUE = FormulaTemplate(
    "The one number itself: nothing is averaged.",
    (
        (
            r"\text{one value over the lists of } <users> \text{ together}",
            "one value over the lists of <users> together",
        ),
    ),
)
OF_ALL_USERS = FormulaTemplate(
    "The one number itself: nothing is averaged.",
    ((r"\text{one value for all users together}", "one value for all users together"),),
)
AVERAGED_LISTS = FormulaTemplate(
    "From users to the one number.",
    (("<pooling>", "<pooling>"),),
    {
        "pooling": {
            "user": (r"\frac{1}{|U|} \sum_{u \in U} v_u", "the mean of the values of <users>"),
            "pooled": (r"\frac{\sum_u N_u}{\sum_u D_u}", "(sum of numerators) / (sum of denominators) over <users>"),
        }
    },
)
MEAN_OF_LISTS = FormulaTemplate(
    "From users to the one number.", ((r"\frac{1}{|U|} \sum_{u \in U} v_u", "the mean of the values of <users>"),)
)
