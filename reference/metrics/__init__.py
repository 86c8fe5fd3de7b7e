"""The metrics by name: one file per metric or family, with formula, axes and the source of the definition.

``<metric>_equal_formulas`` says which values of a metric's axes give equal formulas, where that is long to tell.
May import ``reference.space``; formulas read the lists that ``reference.placement`` makes, but do not import it.
"""

from __future__ import annotations

from recsys_metric_audit.reference.metrics import (
    auc,
    average_precision,
    bpref,
    catalogue_coverage,
    concentration,
    concordance,
    contingency,
    err,
    expected_novelty,
    f_score,
    hit_rate,
    interpolated_precision,
    intra_list_diversity,
    ndcg,
    nerr,
    new_share,
    novelty,
    pfound,
    popularity_bias,
    precision,
    r_precision,
    rank_correlation,
    rating,
    rbp,
    recall,
    reciprocal_rank,
    serendipity,
)
from recsys_metric_audit.reference.space.metric import Metric

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        hit_rate.HIT_RATE,
        precision.PRECISION,
        recall.RECALL,
        f_score.F_SCORE,
        reciprocal_rank.RECIPROCAL_RANK,
        average_precision.AVERAGE_PRECISION,
        average_precision.AVERAGE_RECALL,
        interpolated_precision.INTERPOLATED_PRECISION,
        ndcg.NDCG,
        auc.AUC,
        r_precision.R_PRECISION,
        rbp.RBP,
        err.ERR,
        pfound.PFOUND,
        nerr.NERR,
        bpref.BPREF,
        *contingency.CONTINGENCY,
        *rank_correlation.RANK_CORRELATION,
        concordance.FCP,
        *rating.RATING,
    )
}
"""The metrics that read which items are relevant."""
ITEM_METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        catalogue_coverage.CATALOGUE_COVERAGE,
        concentration.GINI,
        concentration.SHANNON_ENTROPY,
        novelty.NOVELTY,
        novelty.AVERAGE_POPULARITY,
        novelty.TAIL_SHARE,
        popularity_bias.POPULARITY_BIAS,
        expected_novelty.EXPECTED_NOVELTY,
        new_share.NEW_SHARE,
        catalogue_coverage.USER_COVERAGE,
        intra_list_diversity.INTRA_LIST_DIVERSITY,
        serendipity.SERENDIPITY,
    )
}
"""The metrics beyond accuracy: they read which items are shown, and which users have them."""
FAMILIES: dict[str, Metric] = {**METRICS, **ITEM_METRICS}
"""All metrics."""
