"""Tells whether predictions and truth name the same users and items: ids that are written differently never meet."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.input.case import Ids
from recsys_metric_audit.reference.input.conversion import LabelledCase, Labels
from recsys_metric_audit.reference.input.distinct import distinct
from recsys_metric_audit.reference.input.rows_error import RowsError

_FEW = 0.1
"""The share of ids in common below which that is said."""
_EXAMPLES = 3


class NothingInCommonError(RowsError):
    """Tells that no user, or no item, occurs in both predictions and truth, so that every value would be 0."""


class FewInCommonWarning(UserWarning):
    """Tells that few users, or few items, occur in both predictions and truth."""


def check_in_common(held: LabelledCase) -> list[str]:
    """Check that users and items of the truth occur in the predictions.

    Where none does, lists may still have been made by the same hand and miss: train rows with ids of both sides show
    that these are written alike. An empty side has no ids that could be written differently.

    Returns:
        A sentence for users, for items, if few of them occur in both: less than a tenth of the users of the truth (the
        others count as if nothing was recommended to them), or of the items of the side that has fewer, since lists of
        popular items name few of the truth.

    Raises:
        NothingInCommonError: if no user occurs in both, or no item, with examples of either side.
    """
    case, said = held.case, []
    for name, labels in (("user", held.users), ("item", held.items)):
        shown, true = (distinct(getattr(rows, name)) for rows in (case.predictions, case.truth))
        if not len(shown) or not len(true):
            continue
        both = np.isin(true, shown)
        met, seen = int(both.sum()), getattr(case.train, name)
        alone = (f"predictions have {_examples(shown[~np.isin(shown, true)], labels)}, "
                 f"the truth has {_examples(true[~both], labels)}")  # fmt: skip
        if not met and not all(np.isin(ids, seen).any() for ids in (shown, true)):
            raise NothingInCommonError(
                f"no {name} occurs in both predictions and truth: {alone}; write {name} ids alike in both; "
                "if they are, pass train rows that hold ids of both"
            )
        least = len(true) if name == "user" else min(len(shown), len(true))
        if met < _FEW * least:
            said.append(f"{met:,} of {len(true):,} {name}s of the truth ({met / len(true):.1%}) are among the "
                        f"{len(shown):,} of the predictions; {alone}")  # fmt: skip
    return said


def _examples(ids: Ids, labels: Labels | None) -> str:
    first = ids[:_EXAMPLES] if labels is None else labels[ids[:_EXAMPLES]]
    more = ", ..." if len(ids) > _EXAMPLES else ""
    return ", ".join(map(repr, first.tolist())) + more if len(ids) else "no others"
