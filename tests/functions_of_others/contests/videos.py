"""YouTube-8M (Kaggle): metrics of the labels of a video, predictions and labels as matrices (videos, classes)."""

import heapq
import random

import numpy


def calculate_hit_at_one(predictions, actuals):
    best = numpy.argmax(predictions, 1)
    return numpy.average(actuals[numpy.arange(actuals.shape[0]), best])


def calculate_precision_at_equal_recall_rate(predictions, actuals):
    total = 0.0
    for scores, labels in zip(predictions, actuals, strict=True):
        wanted = int(numpy.sum(labels))
        best = numpy.argpartition(scores, -wanted)[-wanted:]
        total += sum(labels[index] for index in best if scores[index] > 0) / best.size
    return total / actuals.shape[0]


class AveragePrecisionCalculator:
    def __init__(self, top_n=None):
        self._top_n = top_n
        self._total_positives = 0
        self._heap = []

    def accumulate(self, predictions, actuals, num_positives=None):
        self._total_positives += numpy.sum(numpy.asarray(actuals) > 0) if num_positives is None else num_positives
        for pair in zip(predictions, actuals, strict=True):
            if self._top_n is None or len(self._heap) < self._top_n:
                heapq.heappush(self._heap, pair)
            elif pair[0] > self._heap[0][0]:
                heapq.heapreplace(self._heap, pair)

    def peek_ap_at_n(self):
        if not self._heap:
            return 0
        predictions, actuals = map(numpy.array, zip(*self._heap, strict=True))
        return self.ap_at_n(predictions, actuals, self._top_n, self._total_positives)

    @staticmethod
    def ap_at_n(predictions, actuals, n=20, total_num_positives=None):
        shuffled = random.Random(0).sample(range(len(predictions)), len(predictions))
        predictions, actuals = predictions[shuffled], actuals[shuffled]
        best = sorted(range(len(predictions)), key=lambda index: predictions[index], reverse=True)[:n]
        positives = numpy.sum(actuals > 0) if total_num_positives is None else total_num_positives
        if positives == 0:
            return 0
        if n is not None:
            positives = min(positives, n)
        found, ap = 0.0, 0.0
        for place, index in enumerate(best):
            if actuals[index] > 0:
                found += 1
                ap += found / (place + 1) / positives
        return ap


def calculate_gap(predictions, actuals, top_k=20):
    calculator = AveragePrecisionCalculator()
    top_k = min(top_k, predictions.shape[1])
    kept = []
    for row, truth in zip(predictions, actuals, strict=True):
        best = numpy.argpartition(row, -top_k)[-top_k:]
        kept.extend(zip(best, row[best], truth[best], strict=True))
    kept.sort(key=lambda each: each[0])  # class by class, which decides ties
    calculator.accumulate([each[1] for each in kept], [each[2] for each in kept], numpy.sum(actuals))
    return calculator.peek_ap_at_n()
