"""News recommendation (Tianchi): hit rates and MRR of a table of recalled articles, best first for each user."""


def evaluate(df, total):
    """columns user_id, article_id, label; total: how many users there are; (hitrate_5, mrr_5, hitrate_10, ...)"""
    cuts = (5, 10, 20, 40, 50)
    hits, inverse = dict.fromkeys(cuts, 0), dict.fromkeys(cuts, 0.0)
    for _, g in df.groupby(["user_id"]):
        clicked = g[g["label"] == 1]["article_id"].values
        if len(clicked) == 0:
            continue
        place = g["article_id"].values.tolist().index(clicked[0])
        for cut in cuts:
            if place < cut:
                hits[cut] += 1
                inverse[cut] += 1.0 / (place + 1)
    return tuple(value / total for cut in cuts for value in (hits[cut], inverse[cut]))
