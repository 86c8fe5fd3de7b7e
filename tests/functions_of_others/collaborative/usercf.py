"""User-based collaborative filtering on MovieLens, as a tutorial has it: movies as text, lists with similarities."""


def evaluate(testset, recommended, N=10):
    hit = rec_count = test_count = 0
    for user in recommended:
        test_movies = testset.get(user, {})
        for movie, _ in recommended[user][0:N]:
            if movie in test_movies:
                hit += 1
        rec_count += N
        test_count += len(test_movies)
    precision = hit / (1.0 * rec_count)
    recall = hit / (1.0 * test_count)
    return precision, recall
