"""Zero-shot retrieval with joint embeddings: scores of texts and images, and which pairs belong together."""

import numpy as np


def recall_at_k(scores, positive_pairs, k):
    top = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    right = np.take_along_axis(positive_pairs, top, axis=1).sum(axis=1)
    return right / positive_pairs.sum(axis=1)
