"""A table with a column of the right id and a column of lists of candidates."""


def get_performance_mrr(data, col_gold, col_pred, list_k=(1, 5, 10)):
    performance = {}
    for k in list_k:

        def one(row, k=k):
            top = list(row[col_pred][:k])
            return 1 / (top.index(row[col_gold]) + 1) if row[col_gold] in top else 0

        data["in_topx"] = data.apply(one, axis=1)
        performance[k] = data["in_topx"].mean()
    return performance
