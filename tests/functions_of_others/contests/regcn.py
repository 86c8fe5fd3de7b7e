"""Reasoning over temporal graphs: statistics of the ranks of all snapshots, counted from 1."""

import numpy as np


def stat_ranks(rank_list, method):
    total_rank = np.concatenate(rank_list)
    mrr = np.mean(1.0 / total_rank)
    print(f"MRR ({method}): {mrr:.6f}")
    for hit in (1, 3, 10):
        print(f"Hits ({method}) @ {hit}: {np.mean(total_rank <= hit):.6f}")
    return mrr
