"""Tutorial on sequence-aware recommenders: baskets, each a list of items, in the truth and in the prediction."""


def recall(ground_truth, prediction):
    ground_truth = remove_duplicates(ground_truth)
    score = 0 if len(prediction) == 0 else count_a_in_b(prediction, ground_truth) / float(len(ground_truth))
    assert 0 <= score <= 1
    return score


def count_a_in_b(a, b):
    return len([basket for basket in a if basket in b])


def remove_duplicates(baskets):
    return [list(basket) for basket in {tuple(basket) for basket in baskets}]
