"""future-agi PR1613, trulens #2746, llama_index PR22683: repeats in what was retrieved or in the truth."""

import math


def mean_average_precision(ground_truth, retrieved):
    """AP above 1: each copy counts, the divisor is the number of different relevant items."""
    gold, hits, total = set(ground_truth), 0, 0.0
    for i, chunk in enumerate(retrieved, 1):
        if chunk in gold:
            hits += 1
            total += hits / i
    return total / len(gold) if gold else 0.0


def ndcg(expected_ids, retrieved_ids):
    """Let the ideal run over the raw list of expected ids, copies included; the gain over a set."""
    wanted = set(expected_ids)
    dcg = sum(1 / math.log2(i + 1) for i, one in enumerate(retrieved_ids, 1) if one in wanted)
    ideal = sum(1 / math.log2(i + 1) for i in range(1, len(expected_ids) + 1))
    return dcg / ideal if ideal else 0.0


def recall(retrieved, relevant):
    """gbrain #4607: membership by a set, divisor the raw list."""
    wanted = set(relevant)
    return len(wanted & set(retrieved)) / len(relevant) if relevant else 0.0
