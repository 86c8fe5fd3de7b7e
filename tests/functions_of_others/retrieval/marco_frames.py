"""Search results graded in tables: judgments are joined to results, then averaged by query."""

import pandas as pd


def grade_results(judgments, results):
    graded = pd.merge(results, judgments, on=["query_id", "doc_id"])
    graded["reciprical_rank"] = 1 / graded["rank"]
    return graded


def mrr(labeled_results):
    return labeled_results.groupby("query_id")["reciprical_rank"].max().mean()
