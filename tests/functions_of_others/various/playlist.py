"""Playlist continuation: predicted and held-out track ids of one playlist."""


def calc_r_precision(prediction, ground_truth):
    relevant = 0
    for track in prediction:
        if track in ground_truth:
            relevant += 1
    return float(relevant) / float(len(ground_truth))
