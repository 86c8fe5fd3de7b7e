"""Retrieval of programs for the same problem: as many answers of each index as there are right ones."""

import logging
import sys

import numpy as np


def calculate_scores(answers, predictions):
    values = []
    for key, right in answers.items():
        if key not in predictions:
            logging.error("Missing prediction for index %s.", key)
            sys.exit()
        wanted, shown = set(right), set(predictions[key])
        if len(wanted) != len(shown):
            logging.error("Mismatch the number of answers for index %s.", key)
            sys.exit()
        values.append(len(wanted & shown) / len(wanted))
    return {"MAP": round(np.mean(values), 4)}
