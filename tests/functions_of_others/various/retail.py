"""A retail recommender: a data frame with lists in columns, one for each model; and lists with the prices of goods."""

import numpy as np
import pandas as pd


def total_precision_at_N(data, N=5, true="actual"):
    models = [column.replace("recommend_", "") for column in data.columns if "recommend_" in column]

    def of_row(row):
        wanted = set(row[true])
        return pd.Series({f"precision_{m}": len(set(row[f"recommend_{m}"][:N]) & wanted) / N for m in models})

    return data.apply(of_row, axis=1).mean().sort_values(ascending=False)


def money_precision_at_k(recommended_list, bought_list, prices_recommended, k=5):
    prices = np.array(prices_recommended[:k])
    bought = np.isin(np.array(recommended_list[:k]), np.array(bought_list))
    return (bought * prices).sum() / prices.sum()
