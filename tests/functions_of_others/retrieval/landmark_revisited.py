"""Revisited landmark retrieval: a matrix of database indices, rank x query, with good and junk ones for each query."""

import numpy as np


def compute_ap(ranks, nres):
    total = 0.0
    for number, rank in enumerate(ranks):
        left = 1.0 if rank == 0 else number / float(rank)
        right = (number + 1) / float(rank + 1)
        total += (left + right) / (2.0 * nres)
    return total


def compute_map(ranks, gnd, kappas=()):
    ranks = np.asarray(ranks)
    aps, prs = np.full(len(gnd), np.nan), np.full((len(gnd), len(kappas)), np.nan)
    for query, truth in enumerate(gnd):
        good = np.array(truth["ok"])
        if not len(good):
            continue
        junk = np.array(truth.get("junk", []))
        column = ranks[:, query]
        column = column[~np.isin(column, junk)]
        places = np.flatnonzero(np.isin(column, good))
        aps[query] = compute_ap(places, len(good))
        places = places + 1
        for number, kappa in enumerate(kappas):
            depth = min(max(places), kappa)
            prs[query, number] = (places <= depth).sum() / depth
    return np.nanmean(aps), aps, np.nanmean(prs, axis=0), prs
