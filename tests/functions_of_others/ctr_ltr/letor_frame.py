"""Scores of one query of a benchmark data set, as columns that are added to its table."""

import numpy as np
import pandas as pd


def calNDCG(dataset):
    """dataset: rows of one query in ranked order, the grade in the column y"""
    dataset = pd.DataFrame(dataset)
    n = dataset.shape[0]
    weights = np.array([1 / np.log2(rank + 1) for rank in range(1, n + 1)])
    dataset["DCG"] = (weights * (np.power(2.0, dataset["y"].to_numpy()) - 1)).cumsum()
    best = np.sort(dataset["y"].to_numpy())[::-1]
    dataset["DCG_max"] = (weights * (np.power(2.0, best) - 1)).cumsum()
    dataset["NDCG"] = dataset["DCG"] / dataset["DCG_max"]
    return dataset
