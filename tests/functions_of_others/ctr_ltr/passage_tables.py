"""Reciprocal ranks of passage search in tables: judgments and results, or lists in the cells of one table."""

import pandas as pd


def grade_results(judgments, results):
    labeled = pd.merge(results, judgments, on=["query_id", "doc_id"])
    labeled["reciprocal_rank"] = 1 / labeled["rank"]
    return labeled


def mrr(judgments, results):
    """judgments: query_id, doc_id, grade; results: query_id, doc_id, rank from 1"""
    return grade_results(judgments, results).groupby("query_id")["reciprocal_rank"].max().mean()


def get_performance_mrr(data, col_gold, col_pred, list_k=(1, 5, 10)):
    """Take the right one in col_gold, a ranked list in col_pred."""
    performance = {}
    for k in list_k:
        data["in_topx"] = data.apply(
            lambda row, k=k: (
                1 / (list(row[col_pred][:k]).index(row[col_gold]) + 1) if row[col_gold] in row[col_pred][:k] else 0
            ),
            axis=1,
        )
        performance[k] = data["in_topx"].mean()
    return performance
