"""Reports of LLM-ESR by the popularity of the target: ranks from 0, an array of popularities, the target items."""

import numpy as np


def metric_pop_report(data_rank, pop_dict, target_items, topk=10, aug_pop=0, ts_tail=20):
    NDCG_s = HT_s = NDCG_l = HT_l = 0
    item_pop = np.asarray(pop_dict)[np.asarray(target_items).astype("int64")]
    count_s = len(item_pop[item_pop < ts_tail + aug_pop])
    count_l = len(item_pop[item_pop >= ts_tail + aug_pop])
    for i, rank in enumerate(data_rank):
        if i == 0:  # skip the padding index
            continue
        if rank < topk:
            if item_pop[i] < ts_tail + aug_pop:
                NDCG_s += 1 / np.log2(rank + 2)
                HT_s += 1
            else:
                NDCG_l += 1 / np.log2(rank + 2)
                HT_l += 1
    return {
        "Tail NDCG@10": NDCG_s / count_s if count_s != 0 else 0,
        "Tail HR@10": HT_s / count_s if count_s != 0 else 0,
        "Popular NDCG@10": NDCG_l / count_l if count_l != 0 else 0,
        "Popular HR@10": HT_l / count_l if count_l != 0 else 0,
    }
