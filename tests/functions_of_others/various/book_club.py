"""A book club's recommender: dict user -> recommended books, and the ratings that were left out of training."""


def get_hit_rate(recommendations, left_out_test_set):
    hits = 0
    for user_id, book_id, _rating in left_out_test_set:
        if book_id in recommendations[user_id]:
            hits += 1
    return hits / len(left_out_test_set)


def get_average_reciprocal_hit_rate(recommendations, left_out_test_set):
    hits, total = 0, 0
    for user_id, book_id, _rating in left_out_test_set:
        rank = 1
        for recommended_book in recommendations[user_id]:
            if recommended_book == book_id:
                hits += 1 / rank
                break
            rank += 1
        total += 1
    return hits / total
