"""NCF: leave-one-out evaluation of a model that returns the scores given.

It is written for Python 2, whose xrange is range in Python 3. A test rating is one relevant item of a user; its
negatives are the other items of the user's list, in the order of the list.
"""

from types import SimpleNamespace

import evaluate
import numpy as np
from audit_harness import Unaskable

evaluate.xrange = range


def prepare(case):
    listed = case.recommended.by_user("item", "score")
    ratings, negatives, scores = [], [], {}
    for user, relevant in case.relevant.by_user("item").items():
        items, own = listed.get(user, (np.empty(0, int), np.empty(0)))
        target = int(relevant[0])
        ratings.append([user, target])
        negatives.append([item for item in items.tolist() if item != target])
        scores[user] = dict(zip(items.tolist(), own.tolist()))
    return SimpleNamespace(ratings=ratings, negatives=negatives, scores=scores)


class Model:
    def __init__(self, scores):
        self.scores = scores

    def predict(self, pairs, batch_size, verbose):
        return [self.scores[user][item] for user, item in zip(*(column.tolist() for column in pairs))]


def ask(place):
    def answer(data, k):
        if any(target not in data.scores[user] for user, target in data.ratings):
            raise Unaskable("a test rating has a score: a relevant item that is not recommended has none")
        lists = evaluate.evaluate_model(Model(data.scores), data.ratings, data.negatives, k, num_thread=1)
        return None, [user for user, _ in data.ratings], lists[place]

    return answer


FUNCTIONS = {"evaluate.evaluate_model[%s]" % name: ask(place) for place, name in enumerate(("hits", "ndcgs"))}
