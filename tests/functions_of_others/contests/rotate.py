"""Knowledge graph embedding (self-adversarial sampling): the step of the test, on a batch of scores of all entities."""

import numpy as np


def test_step(score, positive_arg, filter_bias=None):
    """score: (batch, entities); positive_arg: the true entity of each triple"""
    score = np.asarray(score, float)
    if filter_bias is not None:
        score = score + filter_bias
    argsort = np.argsort(-score, axis=1)
    logs = []
    for i in range(len(score)):
        ranking = np.flatnonzero(argsort[i] == positive_arg[i])
        assert len(ranking) == 1
        rank = 1 + int(ranking[0])
        logs.append(
            {
                "MRR": 1.0 / rank,
                "MR": float(rank),
                "HITS@1": 1.0 if rank <= 1 else 0.0,
                "HITS@3": 1.0 if rank <= 3 else 0.0,
                "HITS@10": 1.0 if rank <= 10 else 0.0,
            }
        )
    return {name: sum(log[name] for log in logs) / len(logs) for name in logs[0]}
