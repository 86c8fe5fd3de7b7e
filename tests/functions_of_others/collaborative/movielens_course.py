"""Course on recommenders with MovieLens: top-N lists of (movie, rating) by user, and predictions that were left out."""


class RecommenderMetrics:
    @staticmethod
    def HitRate(topNPredicted, leftOutPredictions):
        hits = total = 0
        for left_out in leftOutPredictions:
            user, left_out_movie = left_out[0], left_out[1]
            hit = False
            for movie, _ in topNPredicted[int(user)]:
                if int(left_out_movie) == int(movie):
                    hit = True
                    break
            if hit:
                hits += 1
            total += 1
        return hits / total

    @staticmethod
    def AverageReciprocalHitRank(topNPredicted, leftOutPredictions):
        summation = total = 0
        for user, left_out_movie, _, _, _ in leftOutPredictions:
            hit_rank = rank = 0
            for movie, _ in topNPredicted[int(user)]:
                rank = rank + 1
                if int(left_out_movie) == movie:
                    hit_rank = rank
                    break
            if hit_rank > 0:
                summation += 1.0 / hit_rank
            total += 1
        return summation / total
