"""Measures of a library for self-supervised graph recommendation: dicts of dicts, and lists of (item, score)."""

import math


class Metric:
    @staticmethod
    def hits(origin, res):
        count = {}
        for user in origin:
            shown = {pair[0] for pair in res[user]}
            count[user] = len(set(origin[user]) & shown)
        return count

    @staticmethod
    def hit_ratio(origin, hits):
        found = sum(hits[user] for user in hits)
        held = sum(len(origin[user]) for user in origin)
        return found / held

    @staticmethod
    def precision(hits, N):
        return sum(hits.values()) / (len(hits) * N)

    @staticmethod
    def NDCG(origin, res, N):
        total = 0
        for user in res:
            got, best = 0, 0
            for place, pair in enumerate(res[user]):
                if pair[0] in origin[user]:
                    got += 1.0 / math.log(place + 2, 2)
            for place, _ in enumerate(list(origin[user])[:N]):
                best += 1.0 / math.log(place + 2, 2)
            total += got / best
        return total / len(res)


def ranking_evaluation(origin, res, N):
    lines = []
    for n in N:
        cut = {user: res[user][:n] for user in res}
        hits = Metric.hits(origin, cut)
        lines.append("Top " + str(n) + "\n")
        lines.append("Hit Ratio:" + str(Metric.hit_ratio(origin, hits)) + "\n")
        lines.append("Precision:" + str(Metric.precision(hits, n)) + "\n")
        lines.append("NDCG:" + str(Metric.NDCG(origin, cut, n)) + "\n")
    return lines
