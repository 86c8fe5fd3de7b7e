"""Trivago (RecSys 2019): reciprocal ranks of the clicked hotel, from lists and from one table."""

from collections import defaultdict

import numpy as np


def calculate_mean_rec_err(queries, clicks):
    inverse = []
    for shown, clicked in zip(queries, clicks, strict=False):
        if shown and clicked in shown:
            inverse.append(min(1, 1 / (shown.index(clicked) + 1)))
    return np.array(inverse).mean()


def group_clickouts_into_list(df, predcol):
    lists = defaultdict(list)
    best_first = df.sort_values(predcol, ascending=False)
    for clickout_id, item_id in zip(best_first.clickout_id, best_first.item_id, strict=True):
        lists[clickout_id].append(item_id)
    return lists


def mrr_fast(df_val, predcol):
    """columns clickout_id, item_id, was_clicked, and that of the scores"""
    lists = group_clickouts_into_list(df_val, predcol)
    clicked = df_val[df_val["was_clicked"] == 1]
    return calculate_mean_rec_err([lists[each] for each in clicked["clickout_id"]], clicked["item_id"].tolist())
