"""In-house metrics as teams write them, right and wrong; each after its cited source, none from this project's code.

One user: ``recommended`` best first, ``relevant`` item → gain. All users: DataFrames.
"""

import math


def hits(recommended, relevant, k):
    return [item in relevant for item in recommended[:k]]


def precision(recommended, relevant, k):
    """Tamm et al. 2021, §4.1."""
    return sum(hits(recommended, relevant, k)) / k


def precision_of_shown(recommended, relevant, k):
    """tp / (tp + fp): Schröder et al. 2011, §4.2."""
    shown = hits(recommended, relevant, k)
    return sum(shown) / len(shown) if shown else 0.0


def precision_uncut(recommended, relevant, k):
    """Wrong: forgets to cut the list."""
    return sum(item in relevant for item in recommended) / k


def recall(recommended, relevant, k):
    """Tamm et al. 2021, §4.1."""
    return sum(hits(recommended, relevant, k)) / len(relevant)


def hit_count(recommended, relevant, k):
    """Wrong: the number of hits under the name of a rate."""
    return sum(hits(recommended, relevant, k))


def f1(recommended, relevant, k):
    """Harmonic mean of precision and recall."""
    p, r = precision(recommended, relevant, k), recall(recommended, relevant, k)
    return 2 * p * r / (p + r) if p + r else 0.0


def reciprocal_rank(recommended, relevant, k):
    """Tamm et al. 2021, §4.3."""
    for rank, item in enumerate(recommended[:k], 1):
        if item in relevant:
            return 1 / rank
    return 0.0


def reciprocal_rank_of_all(recommended, relevant, k):
    """Deshpande & Karypis 2004: ARHR, with several relevant items."""
    return sum(1 / rank for rank, hit in enumerate(hits(recommended, relevant, k), 1) if hit)


def _precisions(recommended, relevant, k):
    found, total = 0, 0.0
    for rank, hit in enumerate(hits(recommended, relevant, k), 1):
        if hit:
            found += 1
            total += found / rank
    return total, found


def average_precision_of_all(recommended, relevant, k):
    """trec_eval's: over all relevant items."""
    return _precisions(recommended, relevant, k)[0] / len(relevant)


def average_precision_of_hits(recommended, relevant, k):
    """Over the hits only; 0 without one."""
    total, found = _precisions(recommended, relevant, k)
    return total / found if found else 0.0


def average_precision_nan(recommended, relevant, k):
    """Over the hits only; NaN without one."""
    total, found = _precisions(recommended, relevant, k)
    return total / found if found else math.nan


def _dcg(gains, log=math.log2, shift=1):
    return sum(gain / log(rank + shift) for rank, gain in enumerate(gains, 1))


def ndcg(recommended, relevant, k):
    """Binary gains, ideal cut at k: Tamm et al. 2021, §4.5."""
    return _dcg(hits(recommended, relevant, k)) / _dcg([1] * min(k, len(relevant)))


def _found(recommended, relevant, k, gain):
    return [gain(relevant[item]) if item in relevant else 0.0 for item in recommended[:k]]


def _exp2(g):
    return 2**g - 1


def ndcg_exponential(recommended, relevant, k):
    """Burges et al. 2005."""
    best = sorted(map(_exp2, relevant.values()), reverse=True)
    return _dcg(_found(recommended, relevant, k, _exp2)) / _dcg(best[:k])


def ndcg_linear(recommended, relevant, k):
    """Järvelin & Kekäläinen 2002 with b = 2 and a discount from rank 1 on."""
    best = sorted(relevant.values(), reverse=True)
    return _dcg(_found(recommended, relevant, k, float)) / _dcg(best[:k])


def ndcg_ideal_not_cut(recommended, relevant, k):
    """Wrong: the ideal of all relevant items."""
    return _dcg(hits(recommended, relevant, k)) / _dcg([1] * len(relevant))


def ndcg_ideal_retrieved(recommended, relevant, k):
    """Wrong: the hits sorted, so what was missed costs nothing. Natural logarithm in both."""
    best = sorted((_exp2(relevant[item]) for item in recommended[:k] if item in relevant), reverse=True)
    ideal = _dcg(best, math.log)
    return _dcg(_found(recommended, relevant, k, _exp2), math.log) / ideal if ideal else 0.0


def ndcg_zero_based(recommended, relevant, k):
    """Wrong: 1 / log2(j + 2) for ranks that begin at 1."""
    return _dcg(hits(recommended, relevant, k), shift=2) / _dcg([1] * min(k, len(relevant)), shift=2)


def dcg_natural(recommended, relevant, k):
    """Wrong for NDCG: no ideal, natural logarithm."""
    return _dcg(hits(recommended, relevant, k), math.log)


def auc(recommended, relevant, k):
    """Pairs of a relevant and an irrelevant listed item in the right order; 0 where there are none."""
    won = pairs = 0
    for place, item in enumerate(recommended):
        if item in relevant:
            below = [other not in relevant for other in recommended[place + 1 :]]
            won += sum(below)
            pairs += sum(other not in relevant for other in recommended)
    return won / pairs if pairs else 0.0


def squared_ndcg(recommended, relevant, k):
    """In no definition space."""
    return ndcg(recommended, relevant, k) ** 2


def squared_reciprocal_rank(recommended, relevant, k):
    """In no definition space: the square of 1 / rank."""
    for rank, item in enumerate(recommended[:k], 1):
        if item in relevant:
            return 1 / rank**2
    return 0.0


def _each(predictions, truth, k):
    """(hits of the first k, relevant items) of every user with a truth."""
    ranked = predictions.sort_values("score", ascending=False, kind="stable")
    for user, rows in truth.groupby("user"):
        relevant = set(rows["item"])
        top = ranked[ranked["user"] == user]["item"][:k]
        yield [item in relevant for item in top], len(relevant)


def frames_ndcg(predictions, truth, k):
    """Return the mean over users with a truth."""
    values = [_dcg(found) / _dcg([1] * min(k, r)) for found, r in _each(predictions, truth, k)]
    return sum(values) / len(values)


def frames_f1_of_means(predictions, truth, k):
    """Harmonic mean of the averaged precision and the averaged recall."""
    each = list(_each(predictions, truth, k))
    p, r = (sum(values) / len(each) for values in zip(*((sum(f) / k, sum(f) / r) for f, r in each), strict=True))
    return 2 * p * r / (p + r) if p + r else 0.0


def frames_recall_of_listed(predictions, truth, k):
    """Wrong: users without recommendations drop out of the mean, as after an inner join."""
    truth = truth[truth["user"].isin(predictions["user"])]
    values = [sum(found) / r for found, r in _each(predictions, truth, k)]
    return sum(values) / len(values)


def frames_rmse(predictions, truth, k):
    """Over all pairs with a score and a rating."""
    both = predictions.merge(truth, on=["user", "item"])
    return float(((both["score"] - both["gain"]) ** 2).mean() ** 0.5)


def returns_none(recommended, relevant, k):
    recall(recommended, relevant, k)


def returns_an_array(recommended, relevant, k):
    import numpy

    return numpy.ones(3)


def a_value_per_item(recommended, relevant, k):
    return hits(recommended, relevant, k)


def raises(recommended, relevant, k):
    raise KeyError("no such column")


def ends_the_process(recommended, relevant, k):
    import os

    os._exit(3)


def leaves(recommended, relevant, k):
    raise SystemExit("bye")


def never_ends(recommended, relevant, k):
    while True:
        pass


def changes_its_mind(recommended, relevant, k, seen=[]):  # noqa: B006
    seen.append(k)
    return recall(recommended, relevant, k) + len(seen) / 1000


def changes_its_arguments(recommended, relevant, k):
    value = recall(recommended, relevant, k)
    recommended.clear()
    relevant.clear()
    return value


def ndcg_of_whole_grades(recommended, relevant, k):
    """Järvelin & Kekäläinen's gain 2^g - 1 (Burges et al. 2005) for grades that are whole numbers from 0 up."""
    if any(gain != int(gain) or gain < 0 for gain in relevant.values()):
        raise ValueError("grades are whole numbers")
    return ndcg_exponential(recommended, relevant, k)


def ndcg_that_is_a_reciprocal_rank(recommended, relevant, k):
    """Wrong: bears another metric's name."""
    return reciprocal_rank(recommended, relevant, k)


def precision_with_a_bonus(recommended, relevant, k):
    """Wrong: three hits are worth a tenth more than they are."""
    got = sum(hits(recommended, relevant, k))
    return got / k + (0.1 if got == 3 else 0)
