"""Evaluator of collaborative metric learning: the longest list of each user, from which train items are skipped."""


class RecallEvaluator:
    def eval(self, users, user_tops, user_to_train_set, user_to_test_set, k=50):
        recalls = []
        for user, tops in zip(users, user_tops, strict=False):
            train = user_to_train_set.get(user, set())
            test = user_to_test_set.get(user, set())
            seen = hits = 0
            for item in tops:
                if item in train:
                    continue
                if item in test:
                    hits += 1
                seen += 1
                if seen == k:
                    break
            recalls.append(hits / float(len(test)))
        return recalls
