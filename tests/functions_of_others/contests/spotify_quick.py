"""Million Playlist challenge: the three scores of one playlist, from the held-out tracks and the candidates."""

import math


def get_r_precision(answer, cand):
    held_out = set(answer)
    return len(held_out & set(cand[: len(answer)])) / len(answer)


def get_ndcg(answer, cand):
    gained = 1 if cand[0] in answer else 0
    best, next_place = 1, 2
    for position in range(1, len(cand)):
        if cand[position] in answer:
            gained += 1 / math.log(position + 1, 2)
            best += 1 / math.log(next_place, 2)
            next_place += 1
    return gained / best
