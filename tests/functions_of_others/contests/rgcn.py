"""Relational graph convolution: raw and filtered ranks of lines that are appended one by one."""

import numpy as np


class Summary:
    calculate_hits_at = (1, 3, 10)

    def __init__(self, raw_ranks, filtered_ranks):
        self.results = {"Raw": self.scores(raw_ranks), "Filtered": self.scores(filtered_ranks)}

    def scores(self, ranks):
        hits = {f"H@{n}": sum(1.0 for rank in ranks if rank <= n) / len(ranks) for n in self.calculate_hits_at}
        return {"MRR": sum(1 / rank for rank in ranks) / len(ranks), **hits}


class Score:
    def __init__(self, dataset):
        self.raw_ranks = [None] * len(dataset)
        self.filtered_ranks = [None] * len(dataset)
        self.pointer = 0

    def append_line(self, evaluations, gold_idx, filter_idxs):
        evaluations = np.asarray(evaluations, float)
        gold = evaluations[gold_idx]
        above = np.sum(evaluations >= gold)
        self.raw_ranks[self.pointer] = above
        self.filtered_ranks[self.pointer] = above - np.sum(evaluations[filter_idxs] >= gold) + 1
        self.pointer += 1

    def get_summary(self):
        return Summary(self.raw_ranks, self.filtered_ranks)
