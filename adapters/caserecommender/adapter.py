"""Case Recommender: evaluations of rows of user, item and score, and of a test set as its ReadFile makes it."""

from types import SimpleNamespace

from caserec.evaluation.item_recommendation import ItemRecommendationEvaluation
from caserec.evaluation.rating_prediction import RatingPredictionEvaluation


def prepare(case):
    shown, truth = case.recommended, case.relevant
    feedback = {}
    for user, item, gain in zip(truth.user.tolist(), truth.item.tolist(), truth.gain.tolist()):
        feedback.setdefault(user, {})[item] = gain
    test = {
        "users": truth.users,
        "feedback": feedback,
        "items_seen_by_user": {user: set(own) for user, own in feedback.items()},
    }
    rows = [list(row) for row in zip(shown.user.tolist(), shown.item.tolist(), shown.score.tolist())]
    return SimpleNamespace(rows=rows, test=test)


def ranking(name):
    def answer(data, k):
        evaluation = ItemRecommendationEvaluation(n_ranks=[k], metrics=[name], verbose=False)
        return evaluation.evaluate_recommender(data.rows, data.test)["%s@%d" % (name, k)]

    return answer


def rating(name):
    def answer(data, k):
        evaluation = RatingPredictionEvaluation(metrics=[name], verbose=False)
        return evaluation.evaluate_recommender(data.rows, data.test)[name]

    return answer


PLACE = "caserec.evaluation.item_recommendation.ItemRecommendationEvaluation.evaluate_recommender[%s]"
FUNCTIONS = {PLACE % name: ranking(name) for name in ("PREC", "RECALL", "MAP", "NDCG")}
PLACE = "caserec.evaluation.rating_prediction.RatingPredictionEvaluation.evaluate_recommender[%s]"
FUNCTIONS.update({PLACE % name: rating(name) for name in ("MAE", "RMSE")})
