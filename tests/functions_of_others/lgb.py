"""LightGBM #3422: a custom metric (preds, dataset) -> (name, value, bigger), called MAP@5: all hits / all positives."""

import numpy as np


def custom_map5(preds, lgb_dataset):
    labels, begin, ranks = lgb_dataset.get_label(), 0, []
    for size in lgb_dataset.get_group():
        size = int(size)
        order = (-np.asarray(preds[begin : begin + size])).argsort()
        own = np.empty_like(order)
        own[order] = np.arange(size)
        ranks.append(own)
        begin += size
    ranks = np.concatenate(ranks)
    return "custom_map@5", float(labels[ranks < 5].sum() / labels.sum()), True


def custom_map5_groups(preds, labels, group):
    """Do the same without the Dataset: group holds the sizes."""

    class D:
        def get_label(self):
            return np.asarray(labels, float)

        def get_group(self):
            return group

    return custom_map5(np.asarray(preds, float), D())[1]


def custom_map5_users(preds, labels, user_of_row):
    """Take the user of each row."""
    preds, labels, user = np.asarray(preds, float), np.asarray(labels, float), np.asarray(user_of_row)
    order = np.argsort(user, kind="stable")
    _, sizes = np.unique(user, return_counts=True)
    return custom_map5_groups(preds[order], labels[order], sizes)
