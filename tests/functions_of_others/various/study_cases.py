"""Study notes on recommendation: a list of cases, each a dict with what was recommended and what is relevant."""


def calc_hit_rate(case):
    common = set(case["recommend_result"]) & set(case["relevant_items"])
    return len(common) / len(case["recommend_result"])


def calc_mean_hit_rate(cases):
    total = 0
    for case in cases:
        total += calc_hit_rate(case)
    return total / len(cases)
