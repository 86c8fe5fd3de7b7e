"""python-recsys: evaluation objects that are loaded query by query, then compute the mean."""

ROUND_FLOAT = 6


class Evaluation:
    def __init__(self):
        self._ground_truth = []
        self._test = []

    def load(self, ground_truth, test):
        self._ground_truth = list(ground_truth) if isinstance(ground_truth, list) else ground_truth
        self._test = list(test) if isinstance(test, list) else test

    def compute(self):
        if len(self._ground_truth) == 0 or len(self._test) == 0:
            raise ValueError("nothing was loaded")


class ReciprocalRank(Evaluation):
    def compute(self):
        if self._test not in self._ground_truth:
            return 0.0
        return 1.0 / (self._ground_truth.index(self._test) + 1)


class AveragePrecision(Evaluation):
    def compute(self):
        super().compute()
        precisions, hits = [], 0
        for k in range(1, len(self._test) + 1):
            if self._test[k - 1] in self._ground_truth:
                hits += 1
                precisions.append(round(len(set(self._ground_truth) & set(self._test[:k])) / float(k), ROUND_FLOAT))
        return sum(precisions) / hits if hits else 0.0


class _Mean(Evaluation):
    of = Evaluation

    def __init__(self):
        super().__init__()
        self._values = []

    def load(self, ground_truth, test):
        one = self.of()
        one.load(ground_truth, test)
        self._values.append(one.compute())

    def compute(self):
        return round(sum(self._values) / len(self._values), ROUND_FLOAT)


class MeanReciprocalRank(_Mean):
    of = ReciprocalRank

    def load(self, ranked_list, elem):
        if isinstance(elem, list):
            raise ValueError("the second parameter must be an element, not a list")
        super().load(ranked_list, elem)


class MeanAveragePrecision(_Mean):
    of = AveragePrecision

    def load(self, ground_truth, test):
        super().load(ground_truth, test if isinstance(test, list) else [test])
