"""Area under the curve of an interest evolution network, over (score, label) records."""


def calc_auc(raw_arr):
    records = sorted(raw_arr, key=lambda r: r[0], reverse=True)
    pos = sum(1.0 for r in records if r[1] == 1.0)
    neg = len(records) - pos
    curve, fp, tp = [], 0.0, 0.0
    for r in records:
        if r[1] == 1.0:
            tp += 1
        else:
            fp += 1
        curve.append((fp / neg, tp / pos))
    auc, last_x, last_y = 0.0, 0.0, 0.0
    for x, y in curve:
        if x != last_x:
            auc += (x - last_x) * (y + last_y) / 2.0
            last_x, last_y = x, y
    return auc
