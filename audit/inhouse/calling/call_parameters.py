"""Provides the parameters of a metric: its cut-off, and the shapes of call that the other names speak for.

A copy of this file runs in the author's interpreter: it uses the standard library only, Python 3.6 syntax and nothing
of ours.
"""

import inspect
import re

CUTOFF_NAMES = frozenset(
    "k topk top_k kk n topn top_n cutoff cut_off cut top at at_k rank max_rank depth limit".split()
)
_OF_A_CUTOFF = frozenset("k top topk cut cutoff depth length".split())
"""Words in the name of a parameter with a whole number for a default that say that it is a cut-off."""
_MOST_SHOWN = re.compile("(max|num|n)_(predictions|recs|recommendations|results|retrieved|docs|documents)")
"""Names of such a parameter that say how much of a list is read."""
_A_LIST = re.compile(r"(<class ')?(typing\.)?(list|tuple|sequence)", re.IGNORECASE)
"""Annotations of a parameter that takes several values."""
MANY_CUTOFFS = frozenset("ks topks top_ks k_list topk_list ns cutoffs ranks ats list_k klist k_values".split())
"""Names of a parameter that takes several cut-offs at once."""
ROLES = {
    "truth": "actual truth true gt gold relevant rel rels labels label target targets test positives "
    "pos actuals answers answer expected next interactions y_true y_test liked reference ideal groundtruth origin "
    "test_data test_ur",
    "list": "recommended recommendation recommendations recs rec reco predict predicted prediction predictions preds "
    "pred ranked ranking rank ranklist rankedlist retrieved results result items y_pred top_k topk_items indices "
    "topk_indices output outputs hypothesis cand candidates res pred_ur top topk",
    "score": "score scores y_score y_scores y_prob y_pred pred preds prediction predictions predicted logits probs "
    "output outputs similarities",
    "vector": "r rs rel rels relevance relevances relevance_scores relevance_vector hits hit gains scores binary "
    "rank_list ranked_relevances labels is_relevant hit_matrix "
    "batch_predict_rankings batch_rankings",
    "index": "index indexes indices group groups group_ids queries query_ids qid qids q_ids qid_list users user_ids "
    "session sessions session_ids sid user_list test_u impression impressions impression_ids request request_ids user "
    "group query",
    "qrels": "qrels qrel",
    "run": "run runs",
    "estimator": "estimator model clf classifier",
    "X": "x features",
    "y": "y y_true labels",
    "positive": "pos positive positives",
    "candidates": "predictions prediction preds pred y_pred scores score logits outputs output score_matrix",
    "rank": "ranks rank rank_list pred_list target_ranks gt_ranks positions position",
    "target": "target targets target_id target_ids target_idx target_index label_idx gt_idx gt_index pos_idx pos_item "
    "tar index answers",
    "hits": "pos_index hits hit hit_matrix",
    "dataset": "dataset lgb_dataset lgb_data dtrain dvalid eval_data train_data valid_data data",
    "sizes": "group groups sizes group_sizes query_sizes lens lengths",
    "ideal": "ideal ideals ideal_rankings batch_ideal_rankings ideal_labels ideal_relevance gt_ranks golden all_rels "
    "all_relevances all_labels all_gains true_relevance true_relevances",
    "labelled": "raw_arr query_list queries score_label_pairs scored_labels samples",
    "pairs": "prediction_and_labels predictions_and_labels pairs recommended_and_relevant",
    "distance": "dist dists distance distances distmat distance_matrix dist_matrix",
    "matrix": "sims sim similarity similarities sim_matrix similarity_matrix scores score_matrix logits x",
    "table": "df table data frame dataframe eval_df df_eval predictions preds results result rows",
}
"""Parameter names, in words, that speak for a role."""
ROLES = {role: frozenset(names.split()) for role, names in ROLES.items()}

_NEGATIVES = frozenset("neg negs negative negatives".split())
_COUNT = re.compile(r"(n|num|total|count)_.+|.+_(len|lens|num|nums|count|counts)|npos|nrel")
"""Names of a number of relevant items."""

_ROLES_OF = (
    ("recommended actual recommended-one one-recommended", "list truth"),
    ("scores scores-first matrix matrix-scores-first", "truth score"),
    ("frames frames-truth-first list-frames list-frames-truth-first", "list truth"),
    ("qrels-run run-qrels qrel-run", "qrels run"),
    ("actual-users recommended-users actual-each recommended-each", "truth list"),
    ("indexes indexes-labels-first", "score truth index"),
    ("scorer", "estimator X y"),
    ("vector-ideal", "vector ideal"),
    ("vector vectors", "vector"),
    ("recommended-one-matrix one-recommended-matrix", "list truth"),
    ("positive-negatives", "positive negative"),
    ("hits-truth truth-hits", "vector truth"),
    ("vector-count", "vector count"),
    ("hits-counts", "hits count"),
    ("distances-target target-distances", "distance target"),
    ("users-scores-labels", "index score truth"),
    ("users-labels-scores", "index truth score"),
    ("scores-dataset", "score dataset"),
    ("sizes sizes-labels-first", "score truth sizes"),
    ("ranks ranks-from-1", "rank"),
    ("ranks-negatives", "rank negative"),
    ("ranks-from-1-negatives", "rank negative"),
    ("ranks-labels labels-ranks", "rank truth"),
    ("positive-first positive-first-matrix positive-last positive-last-matrix", "candidates"),
    ("table", "table"),
    ("list-pairs", "pairs"),
    ("score-labels", "labelled"),
    ("named-columns", "table truth list"),
    ("scores-target target-scores", "score target"),
    ("scores-target-from-1 target-scores-from-1", "score target"),
    ("padded-scores-target target-padded-scores", "score target"),
    ("recommended-dense dense-recommended", "list truth"),
    ("recommended-users-one one-recommended-users", "list truth"),
    ("diagonal", "matrix"),
    ("series", "list truth"),
    ("series-one", "list target"),
    ("series-scores-one", "score target"),
    ("actual-users-listed recommended-users-listed", "truth list index"),
    ("recommended-places actual-places recommended-one-places one-recommended-places", "list truth"),
    ("vector-places", "vector"),
)
"""Names of shapes with the roles of their arguments; every second shape has the first two the other way round."""


def _with_roles():
    for names, listed in _ROLES_OF:
        roles = tuple(listed.split())
        for number, name in enumerate(names.split()):
            yield name, roles[1::-1] + roles[2:] if number % 2 else roles


SHAPES = tuple(_with_roles())
"""Every shape with the roles of its arguments besides the cut-off, likelier shapes first."""
ROLES_OF_SHAPE = dict(SHAPES)
RARE = frozenset([
    "recommended-dense", "dense-recommended", "recommended-users-one", "one-recommended-users", "diagonal",
    "scores-target-from-1", "target-scores-from-1", "padded-scores-target", "target-padded-scores",
])  # fmt: skip
"""Shapes of which a function of another shape makes something as well: they are taken where no usual one agrees."""
_NAMES = [*ROLES_OF_SHAPE]
_ONLY_NAMED = frozenset(_NAMES[_NAMES.index("vectors") + 1 : _NAMES.index("scores-target")])
"""Shapes that are tried only where the names of all parameters speak for them."""
_LAST_NAMED = frozenset(["vector-ideal"] + [name for name in _NAMES if name.endswith("-listed")])
"""Shapes that are tried only where the name of the last parameter speaks for them."""
_LIKELY = tuple(each for each in SHAPES if not each[0].endswith("-each"))
"""The shapes but those in which a function of all users is called for one at a time: that is tried later."""


class Parameters:
    """Holds the parameters of a function: names of those that it needs, and how its cut-off is passed.

    ``names`` is None where nothing tells them. ``cutoff`` is the name of the cut-off, None without one; ``many`` tells
    that it takes a list of them. ``guessed`` tells that the cut-off is a third parameter of an unknown name: it may
    as well say whose each row is, and does in a shape of three arguments.
    """

    def __init__(self, function):
        self.names, self.cutoff, self.place, self.many, self.guessed = None, None, None, False, False
        self.by_name = False
        try:
            found = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            return
        if any(each.kind == each.VAR_POSITIONAL for each in found):
            return
        cuts = [each for each in found if _is_cutoff(_plain(each.name))]
        if [_plain(each.name) for each in cuts] in (["rank"], ["ranks"]) and cuts == found[:1]:
            cuts = []  # what comes first is the ranking
        cuts = cuts or [each for each in found if type(each.default) is int and _may_cut(each.name)][:1]
        if len(cuts) > 1:  # (rank, k) and (actual, top_k, ks=...): one of them holds ranks, or a list
            cuts = [each for each in cuts if each is not found[0] and _plain(each.name) != "top_k"] or cuts
        needed = [each for each in found if each.default is each.empty and each.kind != each.VAR_KEYWORD]
        self.by_name = not needed
        if not needed:  # everything may be left out: what a name speaks for is passed
            needed = [each for each in found if each.default is None and _roles(each.name) and each not in cuts]
            of_ids = [each for each in needed if _names_items(each.name)]
            needed = of_ids if len(of_ids) == 2 else needed
        if not cuts and len(needed) == 3 and not _speaks_for_three(needed) and not _roles(needed[2].name) & {"score"}:
            cuts, self.guessed = needed[2:], True
        if cuts:
            several = _A_LIST.match(str(cuts[0].annotation)) is not None
            self.cutoff, self.many = cuts[0].name, several or _plain(cuts[0].name) in MANY_CUTOFFS
            self.place = found.index(cuts[0]) if cuts[0].kind == cuts[0].POSITIONAL_ONLY else None
        self.names = [each.name for each in needed if each not in cuts[:1]]

    def __str__(self):
        if self.names is None:
            return "?"
        return ", ".join(self.names + ([] if self.cutoff is None else [self.cutoff]))

    @property
    def every_name(self):
        """Return the names of all that has to be passed, a guessed cut-off among them."""
        return self.names + [self.cutoff] if self.guessed else self.names

    def call(self, function, arguments, k):
        """Call the function with its arguments, and the cut-off in its place."""
        k = [k] if self.many else k
        if self.names is None:
            return function(*arguments, k)
        if self.by_name and self.cutoff is None:
            return function(**dict(zip(self.names, arguments)))
        if self.cutoff is None or (self.guessed and len(arguments) == len(self.every_name)):
            return function(*arguments)
        if self.place is not None:
            return function(*(arguments[: self.place] + (k,) + arguments[self.place :]))
        rest = dict(zip(self.names, arguments))
        rest[self.cutoff] = k
        return function(**rest)


def _is_cutoff(plain):
    return plain in CUTOFF_NAMES | MANY_CUTOFFS or plain.endswith("_at_k")


def _may_cut(name):
    return bool(_words(name) & _OF_A_CUTOFF or _MOST_SHOWN.fullmatch(_plain(name)))


def _plain(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_")


def _words(name):
    return {*_plain(name).split("_")}


def _roles(name):
    plain = _plain(name)
    parts = {plain} | _words(name)
    if parts & _NEGATIVES:
        return {"negative"}
    if _COUNT.match(plain):
        return {"count"}
    exact = {role for role, names in ROLES.items() if plain in names}
    found = exact or {role for role, names in ROLES.items() if parts & names}
    return found | ({"truth"} if found & {"target", "y"} else set())


def _names_items(name):
    """Return True if a name says that it holds the numbers of items: as labels they would be misread."""
    return bool(_words(name) & {"id", "ids", "idx", "index", "indices"})


def speaks_for(names, shape):
    """Return True if every name of a parameter speaks for its role in a shape."""
    roles = ROLES_OF_SHAPE[shape]
    return all(_match(own, role, shape) == 2 for own, role in zip(names, roles))


def _match(own, role, shape):
    """Return 2 if a name speaks for a role in a shape, 0 if it speaks against it, else 1."""
    if role == "rank" and "from-1" in shape and "above" in _words(own):
        return 0  # how many are above: the best has none
    if role == "truth" and "score" in ROLES_OF_SHAPE[shape] and _names_items(own):
        return 0
    known = _roles(own) if role in ("X", "y") else _roles(own) - {"X", "y"}
    return 2 if role in known else 0 if known else 1


def _speaks_for_three(needed):
    roles = [_roles(each.name) for each in needed]
    index_first = "index" in roles[0] and all({"truth", "score"} & each for each in roles[1:])
    return "index" in roles[2] or index_first or ("estimator" in roles[0] and "y" in roles[2])


def likely_shapes(parameters):
    """Return the shapes that a function may have, those first that its parameter names speak for.

    Where all names speak for a shape, its exchange is no choice: with arguments exchanged, a wrong formula may agree
    more often with a known one.
    """
    if parameters.names is None:
        two = [name for name, roles in _LIKELY if len(roles) == 2 and name not in _ONLY_NAMED | _LAST_NAMED | RARE]
        return [name for name in two if not name.endswith("-places")]
    ranked = []
    for number, (name, roles) in enumerate(_LIKELY):
        names = parameters.every_name if len(roles) == 3 else parameters.names
        uncut = parameters.cutoff is None and name.startswith("matrix")  # more items than are listed say nothing then
        by_place = name.endswith("-places") and parameters.cutoff is not None
        if len(roles) != len(names) or uncut or by_place:
            continue
        match = [_match(own, role, name) for own, role in zip(names, roles)]
        if name in _ONLY_NAMED and set(match) != {2} or name in _LAST_NAMED and match[-1] != 2:
            continue
        if 0 not in match or len(roles) < 3:
            # A third array is rather whose each row is than a cut-off, where another name speaks for such a call.
            speaking = match.count(2) + (len(roles) == 3 and 2 in match)
            ranked.append((0 in match, -speaking, number, roles, name, set(match) == {2}))
    exchanges = [roles[::-1] for _, _, _, roles, _, whole in ranked if whole]
    return [name for against, _, _, roles, name, _ in sorted(ranked) if not (against and roles in exchanges)]
