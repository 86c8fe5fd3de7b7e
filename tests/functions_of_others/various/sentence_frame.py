"""Retrieval with sentence transformers: one data frame; the right answer in a column, candidates in a list column."""


def get_performance_mrr(data, col_gold, col_pred, list_k=(1, 5, 10)):
    performance = {}
    for k in list_k:

        def value(row, k=k):
            shown = list(row[col_pred])[:k]
            return 1 / (shown.index(row[col_gold]) + 1) if row[col_gold] in shown else 0

        performance[k] = data.apply(value, axis=1).mean()
    return performance
