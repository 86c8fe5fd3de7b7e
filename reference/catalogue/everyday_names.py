"""Everyday names of metrics: the names under which libraries, papers and tables print them."""

from __future__ import annotations

import re
from difflib import get_close_matches
from itertools import combinations

from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reference.metrics import FAMILIES

# fmt: off
_NAMES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("hit_rate", "RecBole, Elliot, Microsoft Recommenders", ("hit", "hits", "hit ratio", "hr")),
    ("hit_rate", "trec_eval, ir_measures", ("success",)),
    ("precision", "trec_eval, scikit-learn", ("p", "prec", "pre", "precision score")),
    ("recall", "trec_eval, scikit-learn", ("r", "rec", "recall score", "sensitivity", "tpr", "true positive rate")),
    ("f_score", "scikit-learn, RankSys", ("f", "f1", "f1 score", "f measure", "fbeta")),
    ("reciprocal_rank", "trec_eval, ir_measures", ("rr", "recip rank")),
    ("reciprocal_rank", "RecBole, Elliot, torchmetrics", ("mrr", "mean reciprocal rank", "retrieval mrr")),
    ("reciprocal_rank", "Deshpande & Karypis 2004", ("arhr", "average reciprocal hit rank")),
    ("average_precision", "trec_eval, ir_measures", ("ap", "map", "map cut")),
    ("average_precision", "Kaggle's ml_metrics", ("apk", "mapk")),
    ("average_precision", "scikit-learn, torchmetrics",
     ("average precision score", "mean average precision", "avg precision", "retrieval map")),
    ("average_recall", "recmetrics", ("ar", "mar", "mark", "mean average recall")),
    ("ndcg", "trec_eval, gdeval", ("ndcg cut", "dcg")),
    ("ndcg", "scikit-learn, torchmetrics",
     ("ndcg score", "dcg score", "normalized dcg", "normalised dcg", "retrieval normalized dcg",
      "normalized discounted cumulative gain", "normalised discounted cumulative gain")),
    ("auc", "scikit-learn, Tamm et al. 2021", ("roc auc", "auroc", "roc auc score", "gauc", "sauc", "lauc")),
    ("r_precision", "trec_eval", ("r prec",)),
    ("rbp", "Moffat & Zobel 2008", ("rank biased precision",)),
    ("err", "Chapelle et al. 2009", ("expected reciprocal rank",)),
    ("pfound", "CatBoost, Gulin et al. 2009", ("p found",)),
    ("nerr", "ir_measures, Azzopardi et al. 2021",
     ("nerr8", "nerr9", "nerr10", "not but nearly expected reciprocal rank")),
    ("interpolated_precision", "trec_eval, ir_measures",
     ("iprec", "iprec at recall", "11pt avg", "11 pt avg", "eleven point average precision", "11 point ap",
      "interpolated average precision")),
    ("bpref", "Buckley & Voorhees 2004", ("binary preference",)),
    ("fallout", "Schröder et al. 2011", ("fpr", "false positive rate", "retrieval fall out")),
    ("miss_rate", "Schröder et al. 2011", ("fnr", "false negative rate")),
    ("inverse_recall", "Schröder et al. 2011", ("specificity", "tnr", "true negative rate")),
    ("inverse_precision", "Schröder et al. 2011", ("npv", "negative predictive value")),
    ("accuracy", "scikit-learn", ("acc", "accuracy score")),
    ("matthews_correlation", "scikit-learn", ("mcc", "phi", "matthews corrcoef")),
    ("kendall_tau", "scipy", ("tau", "kendall", "kendalltau")),
    ("spearman_rho", "scipy", ("rho", "spearman", "spearmanr")),
    ("mae", "scikit-learn", ("mean absolute error",)),
    ("mse", "scikit-learn", ("mean squared error",)),
    ("rmse", "scikit-learn, Surprise", ("root mean squared error",)),
    ("r_squared", "scikit-learn", ("r2", "r2 score")),
    ("explained_variance", "scikit-learn", ("exp var", "explained variance score")),
    ("log_loss", "scikit-learn", ("logloss", "cross entropy")),
    ("catalogue_coverage", "RecBole, RePlay, MS Recommenders",
     ("coverage", "item coverage", "catalog coverage", "prediction coverage")),
    ("gini", "RecBole, Elliot", ("gini index", "gini coefficient")),
    ("shannon_entropy", "RecBole, MS Recommenders", ("entropy", "distributional coverage")),
    ("novelty", "RePlay, RecTools", ("surprisal", "mean inverse user frequency", "mean inv user freq", "miuf",
     "mean self information", "self information")),
    ("average_popularity", "RecBole, RecTools", ("arp", "avg rec popularity", "average recommendation popularity")),
    ("tail_share", "RecBole, Elliot",
     ("tail percentage", "aplt", "aclt", "long tail share", "long tail percentage", "long tail items")),
    ("average_popularity", "LensKit", ("mean pop rank", "mean popularity rank", "obscurity")),
    ("popularity_bias", "Elliot, Zhu et al. 2020",
     ("pop rsp", "pop reo", "poprsp", "popreo", "popularity bias")),
    ("expected_novelty", "Elliot, Vargas & Castells 2011",
     ("epc", "efd", "expected popularity complement", "expected free discovery")),
    ("new_share", "RePlay", ("share of new items",)),
    ("user_coverage", "Elliot, RecTools", ("covered users",)),
    ("intra_list_diversity", "RecTools, RecPack, MS Recommenders",
     ("diversity", "ild", "intra list distance", "user diversity", "intra list similarity", "ils")),
    ("serendipity", "MS Recommenders", ("user serendipity",)),
)
"""Names of metrics beside those in signatures: the metric, who prints these names, and the names."""

_FORMULAS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("ndcg", "gain:linear", "trec_eval, m_ndcg_cut.c", ("ndcg cut",)),
    ("average_precision", "denominator:r", "trec_eval, m_map_cut.c", ("map cut",)),
    ("average_precision", "denominator:hits", "Ragas, NonLLMContextPrecisionWithReference; DeepEval",
     ("context precision", "contextual precision")),
    ("recall", "", "Ragas, IDBasedContextRecall; DeepEval", ("context recall", "contextual recall")),
    ("precision", "denominator:shown", "DeepEval, ContextualRelevancy", ("contextual relevancy",)),
    ("recall", "denominator:min", "BEIR, recall_cap in custom_metrics.py", ("r cap", "recall cap", "capped recall")),
)
"""Names that stand for a formula: the metric, its axes, who uses the names so, and the names.

Others may mean something else by them: the context precision of continuous-eval is a precision.
"""
# fmt: on
_FORMULA_OF = {re.sub(r"[^a-z]", "", name): (metric, axes) for metric, axes, _, names in _FORMULAS for name in names}

_ELSEWHERE = {
    "xdcg": "XDCG is of azure-ai-evaluation: 25 times the grades of the first three, weighted by 0.6^(rank - 1), over"
    " the sum of these weights; no definition here is that",
}
"""What is said of a name, by its letters, of which there is no definition here."""

_CUT = re.compile(
    r"(?:@(?P<at>\w*)|(?:[ _]at[ _]?|At)(?P<word>k|K|n|N|\d+)|[._](?P<number>\d+)|(?<=[A-Za-z])(?P<bare>\d+)|@?)$"
)

_BETWEEN_WORDS = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])")


def _letters(name: str) -> str:
    """Return a name without what people write differently: case, spaces, hyphens and underscores."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


_KNOWN = {
    **{_letters(name): metric for metric, _, names in _NAMES for name in names},
    **{_letters(name): name for name in FAMILIES},
}
"""The metric by the letters of each of its names."""


def metric_named(text: str) -> str | None:
    """Return the name in signatures of the metric that ``text`` names: ``average_precision`` for ``MAP``; else None.

    Case, spaces, hyphens and a cut-off at the end (``@10``, ``_at_k``, ``_10``, ``10``) do not matter.
    """
    return _KNOWN.get(_letters(text)) or _KNOWN.get(_letters(_split_cutoff(text.strip())[0]))


def metric_in_name(name: str) -> str | None:
    """Return the metric that the name of a function says: ``recall`` for ``compute_recall_min``; None if it says none.

    The most words that are a metric's name are taken, the first ones of equally many.

    >>> metric_in_name("my_average_precision_at_k")
    'average_precision'
    """
    words = [word for word in _BETWEEN_WORDS.split(name) if word]
    spans = sorted(combinations(range(len(words) + 1), 2), key=lambda span: span[0] - span[1])
    parts = ("_".join(words[start:end]) for start, end in spans)
    named = (metric_named(part) for part in parts if len(_letters(part)) > 1)
    return metric_named(name) or next((each for each in named if each is not None), None)


def signature_named(text: str) -> str:
    """Return a signature with the metric at its beginning under its own name; as it is if that is no known name.

    A name that stands for a formula, such as trec_eval's own, has that formula, unless axes are given.

    >>> signature_named("MAP@10|denominator:r")
    'average_precision@10|denominator:r'
    >>> signature_named("ndcg_cut_20")
    'ndcg@20|gain:linear'
    """
    head, bar, axes = text.strip().partition("|")
    name, cut = _split_cutoff(head)
    named, formula = _FORMULA_OF.get(_letters(name), ("", ""))
    metric = metric_named(name) or named
    if not metric:
        return text
    if not bar and formula:
        bar, axes = "|", formula
    return "".join([metric, f"@{cut}" if cut else "", bar, axes])


def parse_named(text: str) -> Definition:
    """Parse a signature whose metric may go by an everyday name: ``map@10``, ``P_10``, ``hr``.

    Raises:
        SignatureError: if it does not parse; of a name of which there is no definition here, with what it is.
    """
    if told := _ELSEWHERE.get(_letters(_split_cutoff(text.partition("|")[0].strip())[0])):
        raise SignatureError(text, 0, told)
    return parse(signature_named(text))


def signature_by_letters() -> dict[str, str]:
    """Return the signature by the small letters of each everyday name: ``ndcg|gain:linear`` for ``ndcgcut``."""
    return _KNOWN | {name: "|".join(filter(None, formula)) for name, formula in _FORMULA_OF.items()}


def nearest_metric(text: str) -> str | None:
    """Return the metric whose name, in signatures or everyday, is spelled most like ``text``; None if none is near."""
    close = get_close_matches(_letters(text), _KNOWN, n=1, cutoff=0.6)
    return _KNOWN[close[0]] if close else None


def _split_cutoff(text: str) -> tuple[str, str]:
    """Return the name and the cut-off at its end, which is empty if there is none."""
    found = _CUT.search(text)
    if found is None or (found["bare"] and _letters(text) in _KNOWN):  # the 1 of F1 is no cut-off
        return text, ""
    cut = found["at"] or found["word"] or found["number"] or found["bare"] or ""
    return text[: found.start()], cut.lower() if cut in ("K", "N") else cut
