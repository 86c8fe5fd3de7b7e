"""Cross-domain recommendation of programmes: what a user watched, and the programmes on top."""

import math


def calculate_Precision(active_watching_log, topk_program):
    hit = 0
    for program in topk_program:
        if program in active_watching_log:
            hit += 1
    return hit / len(topk_program)


def calculate_NDCG(active_watching_log, topk_program):
    dcg = idcg = 0
    for i, program in enumerate(topk_program):
        if program in active_watching_log:
            dcg += 1 / math.log2(i + 2)
    for i in range(min(len(active_watching_log), len(topk_program))):
        idcg += 1 / math.log2(i + 2)
    return float(dcg / idcg) if idcg else 0
