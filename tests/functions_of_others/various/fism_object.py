"""A study of FISM: an object that is built with the cut-off and both dicts, and then asked."""


class Evaluation:
    def __init__(self, k, ranking_u_i_dict, test_u_i_dict):
        self.k = k
        self.rankings = ranking_u_i_dict
        self.tests = test_u_i_dict

    def _mean(self, over):
        total = 0
        for user, items in self.tests.items():
            total += len(set(items).intersection(self.rankings[user][: self.k])) / over(items)
        return total / len(self.tests)

    def precision(self):
        return self._mean(lambda items: self.k)

    def recall(self):
        return self._mean(len)
