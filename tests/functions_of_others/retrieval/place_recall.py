"""Visual place recognition: database images found for each query image, and the ones that are near enough."""

import numpy as np


def compute_recall(gt, predictions, numQ, n_values, recall_str=""):
    correct = np.zeros(len(n_values))
    for query, found in enumerate(predictions):
        for place, n in enumerate(n_values):
            if np.isin(found[:n], gt[query]).any():
                correct[place:] += 1
                break
    share = correct / numQ
    print(f"recalls {recall_str}: {share}")
    return {n: share[place] for place, n in enumerate(n_values)}
