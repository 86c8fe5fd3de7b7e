"""Evaluation of A-LLMRec: the title that is the answer and what the language model wrote; (NDCG, HT)."""

import numpy as np


def evaluate(answers, llm_predictions, k=1):
    NDCG, HT = 0.0, 0.0
    for answer, prediction in zip(answers, llm_predictions, strict=False):
        if k > 1:
            rank = prediction.index(answer)
            if rank < k:
                NDCG += 1 / np.log2(rank + 1)
                HT += 1
        elif k == 1 and answer in prediction:
            NDCG += 1
            HT += 1
    return NDCG / len(answers), HT / len(answers)
