"""The tables of a run with one or several cut-offs."""

from __future__ import annotations

from recsys_metric_audit.reports.tables.paper_tables import paper_tables
from tests.support.compared_results import several_cutoffs
from tests.support.result_samples import finding, result
from tests.support.table_rows import row_texts


def test_no_table_2_without_an_auc() -> None:
    assert [table.name for table in paper_tables(result(findings=(finding(),)))] == ["Table 1"]


def test_a_formula_keeps_its_letter_at_every_cutoff() -> None:
    found = paper_tables(several_cutoffs())
    assert [table.name for table in found] == [
        "Table 1 (k = 5)", "Table 2 (k = 5)", "Table 1 (k = 20)", "Table 2 (k = 20)"
    ]  # fmt: skip
    assert row_texts(found[0], "Beta") == ["0.900a", "0.600a"]
    assert row_texts(found[2], "Beta") == ["0.400a", "0.600a"]
    assert [mark.meaning for mark in found[2].key] == [
        "divides by 1 (plain DCG), not by the ideal DCG at k",
        "a: see the columns of Table 2",
    ]
    assert row_texts(found[0], "Canonical") == ["0.200", "–"]
    assert found[2].rows[0].label == "Alpha", "no canonical value at 20, no canonical row"
