"""Calls a metric in the shape in which its author wrote it: which arguments it takes, made of a case.

A copy of this file runs in the author's interpreter: it uses
the standard library and numpy only (pandas and torch where the author does), Python 3.6 syntax and nothing of ours, and
it computes nothing.
"""

import sys

import numpy as np

COLUMNS = {"user": "user", "item": "item", "score": "score", "gain": "gain", "list": "list", "true": "true"}
"""Names of the columns of DataFrames, by their usual names."""
READS = dict.fromkeys(("sparse", "frames", "mask", "isin", "texts", "series", "places", "by_user", "rank"), False)
"""Tells whether the source of a function reads a sparse matrix, DataFrames, an array of booleans, ids as text, uses
np.isin, reads a Series, by places of it, looks each user of one argument up in another, or reads a column `rank`."""


class User:
    """Holds one user of a case: its rows best first, with scores, its relevant items with their gains, the cut-off."""

    def __init__(self, name):
        self.name, self.items, self.scores, self.gains = name, [], [], {}
        self.k = 0

    def vector(self):
        """Return the gain of each row, 0 where it is not relevant; whole numbers as such."""
        return whole([self.gains.get(item, 0.0) for item in self.items])


def users_of(case, everyone):
    """Return the users of the truth, in its order; with `everyone`, those who have rows only come after them."""
    found = {}
    rec, rel = case.recommended, case.relevant
    for user, item, gain in zip(rel.user.tolist(), rel.item.tolist(), rel.gain.tolist()):
        found.setdefault(user, User(user)).gains[item] = gain
    for user, item, score in zip(rec.user.tolist(), rec.item.tolist(), rec.score.tolist()):
        if everyone:
            found.setdefault(user, User(user))
        if user in found:
            found[user].items.append(item)
            found[user].scores.append(score)
    return list(found.values())


def whole(gains):
    """Return gains as whole numbers where all are."""
    return [int(gain) for gain in gains] if all(gain == int(gain) for gain in gains) else gains


def arrays(*columns):
    """Return columns as tensors where the author's module uses torch, else as arrays."""
    torch = sys.modules.get("torch")
    if torch is not None:
        return tuple(torch.tensor(column) for column in columns)
    return tuple(np.array(column) for column in columns)


def frames(case):
    """Return (predictions, truth) as DataFrames with the columns user, item, score and user, item, gain.

    Where the author names them otherwise, as in :func:`read_source`, so are they here.
    """
    import pandas as pd

    rec, rel = case.recommended, case.relevant
    user, item, score, gain = (COLUMNS[usual] for usual in ("user", "item", "score", "gain"))
    predictions = pd.DataFrame({user: rec.user, item: rec.item, score: rec.score})
    if READS["rank"]:
        predictions["rank"] = predictions.groupby(user).cumcount() + 1
    return predictions, pd.DataFrame({user: rel.user, item: rel.item, gain: rel.gain})


def _list_frames(case):
    """Return the forms of (predictions, truth) as DataFrames with a list of items in each user's row, or as text."""
    import pandas as pd

    users = users_of(case, True)
    listed = {user.name: list(user.items) for user in users if user.items}
    true = {user.name: list(user.gains) for user in users if user.gains}

    def table(rows, column, form):
        return pd.DataFrame({COLUMNS["user"]: list(rows), COLUMNS[column]: [form(each) for each in rows.values()]})

    forms = (list, lambda items: " ".join(map(str, items)))
    return [(table(listed, "list", form), table(true, "true", form)) for form in forms]


class Estimator:
    """Stands for a fitted model in a scorer: its scores are those of the rows that it is asked for."""

    classes_ = np.array([0, 1])
    _estimator_type = "classifier"

    def __init__(self, scores):
        self.scores = np.array(scores)

    def predict(self, rows):
        """Return the score of each row."""
        return self.scores[np.asarray(rows)[:, 0]]

    decision_function = predict

    def predict_proba(self, rows):
        """Return each row's score as the share of the second class."""
        scores = self.predict(rows)
        return np.stack([1 - scores, scores], axis=1)


def _lists(user):
    """Return the forms of (recommended, relevant): relevant items as a dict with gains, a set, a list, an array."""
    items = user.items
    forms = [
        (list(items), dict(user.gains)), (list(items), set(user.gains)), (list(items), list(user.gains)),
        (np.array(items, dtype=int), np.array(list(user.gains), dtype=int)),
    ]  # fmt: skip
    if READS["isin"]:  # which finds nothing in a dict or a set, and does not say so
        forms = forms[:1:-1] + forms[:2]
    pairs = list(zip(items, user.scores))  # noqa: B905
    forms += [(pairs, form(user.gains)) for form in (dict, set, list)]
    return [(list(map(str, items)), list(map(str, user.gains)))] * READS["texts"] + forms


def _one(user):
    """Return the forms of (recommended, the relevant item) for a user who has one: a list of items, or an array."""
    (item,) = user.gains
    return [(list(user.items), item), (np.array(user.items, dtype=int), item)]


def _one_matrix(user):
    """Return the forms of (recommended, the relevant item) as a batch of one user; an item may be an array of one."""
    (item,) = user.gains
    listed = np.array(user.items, dtype=int).reshape(1, -1, 1)
    return [arrays([user.items], [item]), (listed, np.array([[item]])), arrays([user.items], [[item]])]


def _one_listed(user):
    """Return the place of the one relevant item in the list, its score, and the scores of the other rows."""
    place = user.items.index(*user.gains)
    return place, user.scores[place], user.scores[:place] + user.scores[place + 1 :]


def _positive_negatives(user):
    """Return the forms of (score of the relevant item, scores of the others): a number, or rows of matrices."""
    _, own, others = _one_listed(user)
    return [arrays([own], others), arrays([own], [others]), arrays([[own]], [others]), (own, others)]


def _candidates(first, matrix):
    """Return a maker of the scores of one user's items, those of the relevant one first or last, maybe as a matrix."""

    def forms(user):
        _, own, others = _one_listed(user)
        scores = [own] + others if first else others + [own]
        return [arrays([scores]), ([scores],)] if matrix else [arrays(scores), (scores,)]

    return forms


def _scores_target(user):
    """Return the forms of (scores of all items, the place of the relevant one among them).

    The least score is first, so that a place is no rank; items of one score are as the user has them.
    """
    place, _, _ = _one_listed(user)
    order = sorted(range(len(user.scores)), key=lambda row: user.scores[row])
    listed, place = [user.scores[row] for row in order], order.index(place)
    scores = np.array(listed)
    return [arrays(scores) + (place,), arrays([scores], [place]), (listed, place), ([scores], place),
            arrays([scores], [[place]])]  # fmt: skip


def _target_padded(user):
    """Return the forms of (scores, the place of the relevant one) where place 0 is of no item, as padding is."""
    padded = User(user.name)
    padded.items, padded.gains = [None] + user.items, user.gains
    padded.scores = [min(user.scores) - 1] + user.scores
    return _scores_target(padded)


def _negated(scores):
    return [_negated(each) for each in scores] if isinstance(scores, list) else -scores


def _distances_target(user):
    """Return the forms of (distances of all items, the least is best, the place of the relevant one among them)."""
    return [(_negated(scores), place) for scores, place in _scores_target(user)]


def _target_from_1(user):
    """Return the forms of (scores of all items, the place of the relevant one among them), counted from 1."""
    return [(scores, place + 1) for scores, place in _scores_target(user) if not isinstance(place, list)]


def _ranks(first):
    """Return a maker of the rank of a user's one relevant item, where ranks count from `first` on."""

    def forms(user):
        rank = _one_listed(user)[0] + first
        return [([rank],), arrays([rank]), (rank,)]

    return forms


def _ranks_negatives(first):
    """Return a maker of (rank of a user's one relevant item, number of the others), where ranks count from `first`."""

    def forms(user):
        others = len(user.items) - 1
        return [ranks + (others,) for ranks in _ranks(first)(user)]

    return forms


def _hits(user):
    return [int(item in user.gains) for item in user.items]


def _vector_count(user):
    """Return the forms of (hits of the ranked items, number of relevant items), and of a batch of one."""
    hits, number = _hits(user), len(user.gains)
    return [arrays(hits) + (number,), (hits, number), arrays([hits], [number])]


def _hits_truth(user):
    """Return the forms of (hits of the ranked items, relevant items) of one user, and of a batch of one."""
    truth = list(user.gains)
    return [arrays([_hits(user)]) + ([truth],), arrays(_hits(user)) + (truth,), (_hits(user), truth)]


def _hits_counts(user):
    """Return (hits, number of relevant items) as matrices of one user, with at least as many places as the cut-off."""
    hits = _hits(user)
    return [arrays([[hit == 1 for hit in hits] + [False] * (user.k - len(hits))], [len(user.gains)])]


def _diagonal(user):
    """Return a matrix of as many rows as a user has items: in each, the relevant item has the place of the row.

    Every row is the user's own, turned round so far that it is so.
    """
    place, _, _ = _one_listed(user)
    return [arrays([np.roll(user.scores, row - place) for row in range(len(user.scores))])]


def _users_with_one(case):
    """Return the forms of (recommended, the relevant item) of all users who have one: lists, or dicts by user."""
    users = users_of(case, True)
    listed, relevant = [list(user.items) for user in users], [next(iter(user.gains)) for user in users]
    names = [user.name for user in users]
    return [(listed, relevant), (dict(zip(names, listed)), dict(zip(names, relevant)))]


def _dense_lists(user):
    """Return the forms of (labels of all items by their number, numbers of the recommended ones): arrays, or lists.

    Items are numbered in no order of theirs; those behind the last one are neither listed nor relevant.
    """
    every = sorted({*user.items, *user.gains}, key=lambda item: (item % 3, -item))
    number = {item: place for place, item in enumerate(every)}
    labels = whole([user.gains.get(item, 0.0) for item in every] + [0.0] * (user.k + 1))
    listed = [number[item] for item in user.items]
    return [arrays(labels) + (np.array(listed, dtype=int),), (labels, listed)]


def _score_labels(user):
    """Return the forms of [(score, label)]: a list, an array of two columns, a list for each user."""
    rows = list(zip(user.scores, user.vector()))  # noqa: B905
    return [(rows,), (np.array(rows).reshape(-1, 2),), ([rows],)]


def _named_columns(user):
    """Return (DataFrame of one row, name of the column of the relevant item, that of the list of items)."""
    import pandas as pd

    columns = {"relevant": list(user.gains), "recommended": [list(user.items)]}
    return [(pd.DataFrame(columns), "relevant", "recommended")]


def _vector_ideal(user):
    """Return the forms of (labels of the ranked items, those of all relevant ones, best first), maybe with zeros."""
    labels, ideal = user.vector(), whole(sorted(user.gains.values(), reverse=True))
    padded = ideal + [0] * (max(len(labels), user.k) - len(ideal))
    both = [(labels, ideal), (labels, padded)]
    return [arrays(*each) for each in both] + both + [arrays([labels], [padded])]


def _series(user):
    """Return the forms of (scores by item as a Series, best first, relevant items)."""
    import pandas as pd

    return [(pd.Series(user.scores, index=user.items), form(user.gains)) for form in (list, np.array)]


def _series_one(user):
    """Return (scores by item as a Series, the relevant item)."""
    import pandas as pd

    return [(pd.Series(user.scores, index=user.items), *user.gains)]


def _series_scores_one(user):
    """Return the forms of (scores by item as a Series, the relevant item), and of one column of a DataFrame."""
    ((scores, item),) = _series_one(user)
    return [(scores, item), (scores.to_frame(), np.array([item]))]


def _scores(user):
    """Return the forms of (labels, scores): arrays, one row of a matrix each, lists."""
    labels, scores = user.vector(), list(user.scores)
    return [arrays(labels, scores), arrays([labels], [scores]), (labels, scores)]


def _matrix(user):
    """Return the forms of (labels, scores) as matrices with one row, of more than 2k items, labels dense or sparse.

    Behind the listed items stand irrelevant ones, and behind these the relevant ones that are not listed.
    """
    listed = set(user.items)
    missed = [gain for item, gain in user.gains.items() if item not in listed]
    labels = whole(user.vector() + [0] * (2 * user.k + 1) + missed)
    lowest = min([0.0] + user.scores)
    scores = list(user.scores) + [lowest - number for number in range(1, len(labels) - len(user.items) + 1)]
    dense = arrays([labels], [scores])
    return [(_sparse_row(labels), dense[1]), dense] if READS["sparse"] else [dense]


def _ranks_labels(user):
    """Return the forms of (rank of each item, from 0, labels) as matrices with one row, as :func:`_matrix` has it."""
    forms = [labels for labels, _ in _matrix(user)]
    return [arrays([list(range(labels.shape[1]))]) + (labels,) for labels in forms]


def _sparse_row(labels):
    from scipy.sparse import csr_matrix

    return csr_matrix(np.array([labels], dtype=float))


def _vector(user):
    if READS["mask"]:
        return [arrays([gain != 0 for gain in user.vector()])]
    return [arrays(user.vector()), (user.vector(),), arrays([user.vector()])]


def _scorer(user):
    labels = np.array(user.vector())
    return [(Estimator(user.scores), np.arange(len(labels)).reshape(-1, 1), labels)]


def _qrels_run(case):
    """Return the forms of (qrels, run): of all users, ids as text, gains as they are or as whole numbers."""
    users = users_of(case, True)
    run = {str(user.name): dict(zip(map(str, user.items), user.scores)) for user in users if user.items}
    qrels = {str(user.name): {str(item): gain for item, gain in user.gains.items()} for user in users if user.gains}
    as_int = {user: dict(zip(own, whole(list(own.values())))) for user, own in qrels.items()}
    return [(as_int, run)]


def _one_qrel_run(user):
    own = {str(item): gain for item, gain in user.gains.items()}
    return [(dict(zip(own, whole(list(own.values())))), dict(zip(map(str, user.items), user.scores)))]


def _actual_users(case):
    """Return the forms of (relevant, recommended) of all users: lists, or dicts by user of lists, sets and gains."""
    users = users_of(case, True)
    listed = {user.name: list(user.items) for user in users if user.items}
    named = [
        ({user.name: form(user.gains) for user in users if user.gains}, dict(listed)) for form in (list, set, dict)
    ]
    pairs = {user.name: list(zip(user.items, user.scores)) for user in users if user.items}
    gains = {user.name: dict(user.gains) for user in users if user.gains}
    rows = [(user.name, item, gain) for user in users for item, gain in user.gains.items()]
    rated = [row + (row[2], None) for row in rows]  # with an estimate and details, as Surprise has them
    further = [(gains, pairs), (rows, dict(listed)), (rated, pairs)]
    grouped = [[[item] for item in user.gains] for user in users]
    lists = [(truth, [list(user.items) for user in users]) for truth in ([list(user.gains) for user in users], grouped)]
    return named + lists + further if READS["by_user"] else lists + named + further


def _actual_users_listed(case):
    """Return the forms of (relevant, recommended, users): a dict by user, a dict or the rows of these users, users."""
    users = [user for user in users_of(case, True) if user.gains and user.items]
    names = [user.name for user in users]
    listed = {user.name: list(user.items) for user in users}
    forms = [{user.name: form(user.gains) for user in users} for form in (set, list)]
    return [(truth, rows, names) for truth in forms for rows in (listed, list(listed.values()))]


def _as_users(user):
    """Return the forms of (relevant, recommended) of all users, where one is all: lists, or dicts by user.

    Each relevant item may be a group.
    """
    items, truth = list(user.items), list(user.gains)
    return [([truth], [items]), ([[[item] for item in truth]], [items]), ({user.name: truth}, {user.name: items})]


def _indexes(case):
    users = users_of(case, True)
    scores = [score for user in users for score in user.scores]
    labels = whole([user.gains.get(item, 0.0) for user in users for item in user.items])
    return [arrays(scores, labels, [user.name for user in users for _ in user.items])]


def _labels_first(forms):
    """Return a maker of (labels, scores, and whose each row is) of one that has the scores first."""
    return lambda case: [(labels, scores, index) for scores, labels, index in forms(case)]


def _sizes(case):
    """Return the forms of (scores, labels, how many rows each user has), the rows user by user."""
    listed = [len(user.items) for user in users_of(case, True) if user.items]
    return [(scores, labels) + arrays(listed) for scores, labels, _ in _indexes(case)]


class Dataset:
    """Stands for the data set of a booster: labels, and the number of rows of each user."""

    def __init__(self, labels, sizes):
        self._fields = {"label": np.asarray(labels), "group": np.asarray(sizes)}

    def get_field(self, name):
        """Return labels (`label`) or numbers of rows (`group`), else None."""
        return self._fields.get(name)

    def get_label(self):
        """Return the label of each row."""
        return self._fields["label"]

    def get_group(self):
        """Return the number of rows of each user."""
        return self._fields["group"]

    def get_weight(self):
        """Return None: rows have no weights."""


def _table(case):
    """Return one DataFrame of all rows, with the gain of each: 0 where an item is not relevant."""
    predictions, truth = frames(case)
    user, item, gain = (COLUMNS[usual] for usual in ("user", "item", "gain"))
    gains = dict(zip(zip(truth[user], truth[item]), truth[gain]))
    rows = zip(predictions[user], predictions[item])
    predictions[gain] = whole([gains.get(row, 0.0) for row in rows])
    return [(predictions,)]


def _turned(forms):
    """Return a maker of the same forms with the two arguments the other way round."""
    return lambda given: [form[::-1] for form in forms(given)]


OF_ONE_USER = {
    "recommended": _lists, "actual": _turned(_lists), "recommended-one": _one, "one-recommended": _turned(_one),
    "recommended-one-matrix": _one_matrix, "one-recommended-matrix": _turned(_one_matrix),
    "scores": _scores, "scores-first": _turned(_scores), "matrix": _matrix, "matrix-scores-first": _turned(_matrix),
    "scorer": _scorer, "vector": _vector, "qrel-run": _one_qrel_run,
    "actual-each": _as_users, "recommended-each": _turned(_as_users),
    "positive-negatives": _positive_negatives, "positive-first": _candidates(True, False),
    "positive-first-matrix": _candidates(True, True), "positive-last": _candidates(False, False),
    "positive-last-matrix": _candidates(False, True),
    "scores-target": _scores_target, "ranks": _ranks(0), "ranks-from-1": _ranks(1),
    "ranks-negatives": _ranks_negatives(0), "ranks-from-1-negatives": _ranks_negatives(1),
    "ranks-labels": _ranks_labels, "labels-ranks": _turned(_ranks_labels), "vector-count": _vector_count,
    "hits-counts": _hits_counts, "target-scores": _turned(_scores_target), "hits-truth": _hits_truth,
    "scores-target-from-1": _target_from_1, "target-scores-from-1": _turned(_target_from_1),
    "distances-target": _distances_target, "target-distances": _turned(_distances_target),
    "padded-scores-target": _target_padded, "target-padded-scores": _turned(_target_padded),
    "truth-hits": _turned(_hits_truth), "vector-ideal": _vector_ideal, "series": _series, "series-one": _series_one,
    "series-scores-one": _series_scores_one, "score-labels": _score_labels, "named-columns": _named_columns,
    "diagonal": _diagonal, "dense-recommended": _dense_lists, "recommended-dense": _turned(_dense_lists),
}  # fmt: skip
OF_ALL_USERS = {
    "frames": lambda case: [frames(case)], "frames-truth-first": _turned(lambda case: [frames(case)]),
    "list-frames": _list_frames, "list-frames-truth-first": _turned(_list_frames),
    "qrels-run": _qrels_run, "run-qrels": _turned(_qrels_run), "actual-users": _actual_users,
    "recommended-users": _turned(_actual_users), "indexes": _indexes,
    "indexes-labels-first": _labels_first(_indexes),
    "users-scores-labels": lambda case: [each[2:] + each[:2] for each in _indexes(case)],
    "users-labels-scores": lambda case: [each[::-1] for each in _indexes(case)],
    "vectors": lambda case: [([user.vector() for user in users_of(case, True)],)],
    "sizes": _sizes, "sizes-labels-first": _labels_first(_sizes), "table": _table,
    "scores-dataset": lambda case: [(scores, Dataset(labels, sizes)) for scores, labels, sizes in _sizes(case)],
    "list-pairs": lambda case: [([(list(user.items), list(user.gains)) for user in users_of(case, True)],)],
    "recommended-users-one": _users_with_one, "one-recommended-users": _turned(_users_with_one),
    "actual-users-listed": _actual_users_listed,
    "recommended-users-listed": lambda case: [(form[1], form[0], form[2]) for form in _actual_users_listed(case)],
}  # fmt: skip
PLACES = "-places"
"""Ends the name of a shape in which a function without a cut-off returns a value for each place of the list."""
OF_ONE_USER.update({
    name + PLACES: OF_ONE_USER[name]
    for name in ("recommended", "actual", "recommended-one", "one-recommended", "vector")
})  # fmt: skip
BATCHES_OF_ONE = frozenset({"recommended-one-matrix", "one-recommended-matrix"})
"""Shapes that hold one user as a batch: what takes a list takes them as well, and finds something else in them."""
BY_PLACE = frozenset(["hits-counts"] + [name for name in OF_ONE_USER if name.endswith(PLACES)])
"""Shapes in which a function returns a value for each place; that of the cut-off is read."""
