"""Code search by a description: the index of the right function for each url, and ranked indices."""

import logging
import sys

import numpy as np


def calculate_scores(answers, predictions):
    values = []
    for key, right in answers.items():
        if key not in predictions:
            logging.error("Missing prediction for url %s.", key)
            sys.exit()
        ranks = [rank for rank, one in enumerate(predictions[key], 1) if one == right]
        values.append(1 / ranks[0] if ranks else 0)
    return {"MRR": round(np.mean(values), 4)}
