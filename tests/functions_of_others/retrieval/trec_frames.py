"""A port of the TREC measures to tables: run (query, docid, score) and qrels (query, docid, rel)."""

import numpy as np
import pandas as pd


def _top(run, depth, trec_eval):
    if trec_eval:
        run = run.sort_values(["query", "score", "docid"], ascending=[True, False, False])
    top = run.groupby("query")[["query", "docid"]].head(depth).copy()
    top["rank"] = top.groupby("query").cumcount() + 1
    return top


def get_ndcg(run, qrels, depth=1000, per_query=False, trec_eval=True):
    topics = set(run["query"]) & set(qrels["query"])
    run, qrels = run[run["query"].isin(topics)], qrels[qrels["query"].isin(topics)].copy()
    found = pd.merge(_top(run, depth, trec_eval), qrels[qrels["rel"] > 0])
    qrels = qrels.sort_values(["query", "rel"], ascending=[True, False])
    qrels["rank"] = qrels.groupby("query").cumcount() + 1
    sums = []
    for table in (found, qrels):
        gain = table["rel"] if trec_eval else 2.0 ** table["rel"] - 1.0
        sums.append((gain / np.log2(table["rank"] + 1)).groupby(table["query"]).sum())
    values = (sums[0] / sums[1]).fillna(0.0)
    return values if per_query else values.sum() / len(topics)


def get_reciprocal_rank(run, qrels, depth=1000, per_query=False, trec_eval=True):
    topics = set(run["query"]) & set(qrels["query"])
    found = pd.merge(_top(run, depth, trec_eval), qrels[qrels["rel"] > 0][["query", "docid"]])
    values = 1.0 / found.groupby("query")["rank"].min()
    return values if per_query else values.sum() / len(topics)
