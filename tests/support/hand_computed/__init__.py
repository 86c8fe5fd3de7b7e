"""Values worked out by hand, one table per file of reference/metrics and two for the shared axes."""

from __future__ import annotations

from tests.support.hand_computed import (
    auc_rows,
    average_precision_rows,
    averaging_rows,
    concordance_rows,
    contingency_rows,
    err_rows,
    f_score_rows,
    hit_rate_rows,
    input_rows,
    interpolated_precision_rows,
    ndcg_rows,
    nerr_rows,
    pfound_rows,
    precision_rows,
    r_precision_rows,
    rank_correlation_rows,
    rating_rows,
    rbp_rows,
    recall_rows,
    reciprocal_rank_rows,
)
from tests.support.hand_computed.shorthand import Row

ALL_ROWS: tuple[Row, ...] = (
    *auc_rows.ROWS,
    *average_precision_rows.ROWS,
    *averaging_rows.ROWS,
    *concordance_rows.ROWS,
    *contingency_rows.ROWS,
    *err_rows.ROWS,
    *f_score_rows.ROWS,
    *hit_rate_rows.ROWS,
    *input_rows.ROWS,
    *interpolated_precision_rows.ROWS,
    *ndcg_rows.ROWS,
    *nerr_rows.ROWS,
    *pfound_rows.ROWS,
    *precision_rows.ROWS,
    *r_precision_rows.ROWS,
    *rank_correlation_rows.ROWS,
    *rating_rows.ROWS,
    *rbp_rows.ROWS,
    *recall_rows.ROWS,
    *reciprocal_rank_rows.ROWS,
)
