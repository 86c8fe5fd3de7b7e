"""Two challenges about landmarks: recognition (one class and score an image) and retrieval (a list an image)."""

import numpy as np


def GlobalAveragePrecision(predictions, recognition_solution, ignore_non_gt_test_images=False):
    positives = sum(1 for truth in recognition_solution.values() if truth)
    rows = sorted(predictions.items(), key=lambda row: (row[0], row[1]["class"]))
    rows = sorted(rows, key=lambda row: row[1]["score"], reverse=True)
    gap, seen, right = 0.0, 0, 0
    for key, row in rows:
        if ignore_non_gt_test_images and not recognition_solution[key]:
            continue
        seen += 1
        if row["class"] in recognition_solution[key]:
            right += 1
            gap += right / seen
    return gap / positives


def MeanAveragePrecision(predictions, retrieval_solution, max_predictions=100):
    total = 0.0
    for key, shown in predictions.items():
        if key not in retrieval_solution:
            raise ValueError(f"Test image {key} is not part of retrieval_solution")
        wanted, seen = retrieval_solution[key], set()
        ap, right = 0.0, 0
        for place, one in enumerate(shown[:max_predictions]):
            if one in wanted and one not in seen:
                right += 1
                ap += right / (place + 1)
            seen.add(one)
        total += ap / min(len(wanted), max_predictions)
    return total / len(retrieval_solution)


def MeanPrecisions(predictions, retrieval_solution, max_predictions=100):
    table = np.zeros((len(retrieval_solution), max_predictions))
    for row, (key, shown) in enumerate(predictions.items()):
        if key not in retrieval_solution:
            raise ValueError(f"Test image {key} is not part of retrieval_solution")
        seen, right = set(), 0
        for place in range(max_predictions):
            if place < len(shown) and shown[place] not in seen:
                right += shown[place] in retrieval_solution[key]
                seen.add(shown[place])
            table[row, place] = right / (place + 1)
    return table.mean(axis=0)
