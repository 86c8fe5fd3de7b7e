"""The order and input axes: which truth rows are relevant, and at which rank each of them stands."""

from __future__ import annotations

from dataclasses import replace

from recsys_metric_audit.reference.space.axis import axis

WITHOUT_RULE = frozenset({"other", "unspecified"})
"""Values that give no rule: a definition with one of them says nothing of the inputs on which its axis acts."""
_OTHER = "in a way that none of these values describes; evaluated as the canonical one"

# fmt: off
ORDER = axis("order", "what ranks the list",
    {"score": "by score, best first", "rows": "by the order of the rows; scores are not read"},
    slug="order-lost", part="order",
    sources={"rows": "Tamm et al. 2021, §4: a rank is the position in the recommendation list"})
TIES = axis("ties", "order of equal scores", {
    "given": "as given (a stable sort)",
    "reversed": "the other way round than given",
    "item_asc": "by item id as a number, ascending",
    "item_desc": "by item id as a number, descending",
    "text_asc": "by item id as text, ascending",
    "text_desc": "by item id as text, descending",
    "average": "the mean over all orders of the tied items",
    "best": "relevant items first (optimistic)",
    "worst": "relevant items last (pessimistic)",
    "shared": "tied rows share a rank: one plus the rows that score strictly higher",
    "middle": "tied rows share the mean of their places (for hit rate, recall and reciprocal rank only)",
    "unspecified": "by no rule of the input, as an unstable sort; evaluated as given",
    "other": _OTHER,
}, slug="tie-rule", slugs={"shared": "shared-ranks", "middle": "shared-ranks"}, part="order", sources={
    "average": "McSherry & Najork 2008, Computing information retrieval performance measures "
    "efficiently in the presence of tied scores, abstract",
    "text_desc": "trec_eval, form_res_rels.c: equal scores in descending order of the document's name",
    "shared": "OpenRec, openrec/utils/evaluators: ranks count the negatives that score higher",
    "middle": "PyKEEN, documentation, Understanding the Evaluation: the realistic rank, the mean of the optimistic "
    "and the pessimistic one",
    "unspecified": "NumPy, API documentation of numpy.argsort: the default, quicksort, is not stable",
})
DUPLICATES = axis("duplicates",
    "an item that is recommended twice (which copy is the later one is settled before ties are)", {
    "counted": "every place counts as a hit",
    "first_in_place": "later places stay, but are no hits",
    "first_closed_up": "later places are removed and the list closes up",
    "last": "only the last place is kept, as in a dict, and the list closes up",
    "error": "the library refuses the input",
    "other": _OTHER,
}, slug="duplicates", part="order",
    sources={"first_in_place": "Tamm et al. 2021, §4.1: rel(u) and rec(u) are intersected as sets"})
TRUTH_DUPLICATES = axis("truth_duplicates", "a relevant item that the truth lists twice", {
    "counted": "it counts twice, in the hits and in r",
    "once": "it counts once",
    "r_only": "it counts twice in r, but is one hit",
    "error": "the library refuses the input",
    "other": _OTHER,
}, slug="truth-duplicates", part="order",
    sources={"once": "Tamm et al. 2021, §4.1: rel(u) and rec(u) are intersected as sets"})
CUTOFF = axis("cutoff", "how deep hits count, and which k stands in denominators (a number: so deep, whatever k is)", {
    "k": "the first k rows",
    "none": "the whole list; k is the list's length everywhere",
    "k_plus_1": "k + 1 rows",
    "k_minus_1": "k - 1 rows",
    "hits_uncut": "hits count in the whole list; k stays in the denominator",
    "hits_k_plus_1": "hits count in k + 1 rows; k stays in the denominator",
}, slug="cut-off", part="order", numeric=(1.0, 1000.0), of_number="the first {} rows, whatever k is")
POSITIONS = axis("positions", "what a rank counts", {
    "list": "the place in the list",
    "negatives_only": "one plus the irrelevant items above: relevant ones push nobody down",
}, slug="positions", part="order")
RELEVANCE = axis("relevance",
    "which truth rows are relevant (t is the case's threshold; a number: a gain of that and more)", {
    "every_row": "every one",
    "positive": "gain > 0",
    "at_least_t": "gain >= t",
    "above_t": "gain > t",
    "equal_1": "gain = 1",
}, slug="relevance-threshold", part="order", numeric=(0.0, 1000.0), of_number="gain >= {}",
    of_more="gain > {}")
RELEVANCE_BY_RULE = replace(RELEVANCE, numeric=None, of_number="", of_more="")
"""Relevance where ratings are compared: a gain is a target there, and no number of it decides what is compared."""
COUNTED_SCORES = axis("counted_scores", "which recommended rows can be hits",
    {"any": "all", "nonzero": "score other than 0", "positive": "score above 0"},
    slug="score-filter", part="order")
TRUTH = axis("truth", "which relevant items are looked at", {
    "all": "all",
    "first": "the first truth row only (leave-one-out code)",
    "listed": "those of the rows that are ranked: the others are not passed",
}, slug="leave-one-out", slugs={"listed": "unlisted-dropped"}, part="order",
    sources={"listed": "Beta-RecSys, beta_rec/core/eval_engine.py, evaluate: scores and labels of the same pairs"})

CANDIDATES = axis("candidates", "which rows are ranked", {
    "all": "all that are given",
    "test_only": "only those whose item is in the user's truth, relevant or not",
    "without_train": "all but those of items that the user's train data hold",
}, slug="candidates", part="order",
    sources={"test_only": "Tamm et al. 2021, §2: some rank only items present in the test set"})
# fmt: on

AXES = (ORDER, TIES, DUPLICATES, TRUTH_DUPLICATES, CUTOFF, POSITIONS, RELEVANCE, COUNTED_SCORES, TRUTH, CANDIDATES)
