"""Recommending tags of questions: predictions and labels of all tags of one question, as two vectors."""


def evaluate_ori(pred, label, topk):
    """(precision, recall, f1)"""
    shown = sorted(range(len(pred)), key=lambda i: pred[i])[-topk:]
    found = sum(1 for index in shown if label[index] == 1)
    pre_k = found / float(topk)
    true = sum(label)
    rec_k = found / float(topk if true > topk else true)
    f1_k = 0.0 if pre_k == 0 and rec_k == 0 else 2 * pre_k * rec_k / (pre_k + rec_k)
    return pre_k, rec_k, f1_k


def evaluate_map(pred, label):
    true, found, avgp = sum(label), 0, 0.0
    for place, index in enumerate(sorted(range(len(pred)), key=lambda i: pred[i], reverse=True)):
        if label[index] == 1:
            found += 1
            avgp += found / (place + 1.0) / float(true)
        if found == true:
            break
    return avgp
