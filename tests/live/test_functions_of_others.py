"""Hold what is told of functions as others have written them, right and wrong: no sentence is false."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.inhouse.calling.caller import load
from recsys_metric_audit.audit.inhouse.identify_function import identify_here
from tests.support.functions_of_others import FOLDER, OfOthers, fault, table, told

pytestmark = pytest.mark.live
ALWAYS = {
    "auc_ties.py:auc_dense_one", "names.py:h2", "nobody.py:ndcg_one", "scaled.py:ndcg_loss", "truthcut.py:recall_cut",
    "sasrec.py:evaluate[1]", "onetable.py:gauc", "pos_index.py:recall_", "one_positive.py:evaluate_batch[HR]",
    "vector_count.py:recall_at_k", "collaborative/neurec.py:mrr", "collaborative/daisy.py:MAP",
    "collaborative/libreco.py:ndcg_at_k", "collaborative/lightgcn.py:RecallPrecision_ATk[recall]",
    "contests/rotate.py:test_step[HITS@3]", "contests/tags.py:evaluate_map", "retrieval/llama_ir.py:NDCG.compute",
}  # fmt: skip
"""Functions that `make test` asks for; `make test-libraries` has those without an area, `make bench-corpus` all."""


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=row.name, marks=[] if row.name in ALWAYS else pytest.mark.long)
        for row in table()
        if row.name in ALWAYS or not row.area
    ],
)
def test_no_false_sentence_is_told(row: OfOthers) -> None:
    assert fault(row, told(row)) == ""


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("ctr_ltr/article_clicks.py:HitRate", "does not read the cut-off"),
        ("ctr_ltr/din_eval.py:eval_auc", ", not auc"),
    ],
)
def test_a_call_that_gives_another_metric_is_refused_where_it_was_guessed(name: str, why: str) -> None:
    (row,) = (each for each in table() if each.name == name)
    found = told(row)
    assert isinstance(found, UserError) and "it is not known how it is called" in found.message and why in found.message


def test_what_is_no_mean_of_a_batch_is_not_told_of_one_user_at_a_time() -> None:
    """It takes the items of one user, and finds something in a list of lists, too."""
    function = load(str(FOLDER / "various" / "rexmex.py"), "mean_reciprocal_rank")
    error = identify_here(function, "reciprocal_rank", None, None).error
    assert error is not None and "in one call it gives neither their values nor the mean" in error.message
