"""Text to video retrieval: a square matrix of similarities, the right video of each text on the diagonal."""

import numpy as np


def compute_metrics(x):
    ordered = np.sort(-x, axis=1)
    own = np.diag(-x)[:, None]
    places = np.where(ordered - own == 0)[1]
    return {
        "R1": float((places == 0).sum()) / len(places),
        "R5": float((places < 5).sum()) / len(places),
        "R10": float((places < 10).sum()) / len(places),
        "MR": np.median(places) + 1,
    }
