"""Hold what is told of functions as others have written them, right and wrong: no sentence is false."""

from __future__ import annotations

import pytest

from tests.support.functions_of_others import OfOthers, fault, table, told

pytestmark = pytest.mark.live
ALWAYS = {
    "auc_ties.py:auc_dense_one", "names.py:h2", "nobody.py:ndcg_one", "scaled.py:ndcg_loss", "truthcut.py:recall_cut",
    "sasrec.py:evaluate[1]", "onetable.py:gauc", "pos_index.py:recall_", "one_positive.py:evaluate_batch[HR]",
    "vector_count.py:recall_at_k", "collaborative/neurec.py:mrr", "collaborative/daisy.py:MAP",
    "collaborative/libreco.py:ndcg_at_k", "collaborative/lightgcn.py:RecallPrecision_ATk[recall]",
    "contests/rotate.py:test_step[HITS@3]", "retrieval/llama_ir.py:NDCG.compute",
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
