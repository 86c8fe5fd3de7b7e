"""Evaluation of a click-through model with attention over the history: area under the curve by hand."""


def calc_auc(raw_arr):
    """raw_arr: rows [no click, click, score]"""
    rows = sorted(raw_arr, key=lambda row: row[2])
    area = 0.0
    shown_before, clicked_before = 0.0, 0.0
    shown, clicked = 0.0, 0.0
    for row in rows:
        shown += row[0]
        clicked += row[1]
        area += (shown - shown_before) * (clicked + clicked_before)
        shown_before, clicked_before = shown, clicked
    nearly_all = len(rows) - 1e-3
    if clicked > nearly_all or shown > nearly_all:
        return -0.5
    if shown * clicked > 0.0:
        return 1.0 - area / (2.0 * clicked * shown)
    return None


def _flat(score):
    positive, negative = score[:, 0], score[:, 1]
    return [[0, 1, s] for s in positive.tolist()] + [[1, 0, s] for s in negative.tolist()]


def eval_auc(score):
    """score: (n, 2), of the clicked and of the other item"""
    return calc_auc(_flat(score))
