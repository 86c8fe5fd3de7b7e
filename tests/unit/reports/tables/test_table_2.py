"""Table 2: AUC by meaning."""

from __future__ import annotations

from reports.tables.paper_tables import paper_tables
from reports.tables.table import Column
from tests.support.result_samples import differing, finding, result
from tests.support.table_rows import row_texts


def test_table_2_sorts_auc_by_meaning() -> None:
    second = paper_tables(result())[1]
    assert second.columns == (
        Column("GAUC", "canonical"),
        Column("SAUC", "a"),
        Column("GAUC@20", "b"),
        Column("unknown"),
    )
    assert [r.label for r in second.rows] == ["Canonical", "Alpha", "Beta", "Gamma", "Delta"]
    assert row_texts(second, "Canonical") == ["0.705", "–", "–", "–"]
    assert row_texts(second, "Beta") == ["0.705", "0.687", "–", "–"]
    assert row_texts(second, "Gamma") == ["–", "–", "–", "timed out"]
    assert row_texts(second, "Delta") == ["–", "–", "0.283", "–"]


def test_table_2_names_the_limited_one_and_what_is_no_auc_at_all() -> None:
    limited = differing("auc", "alpha", "list", "limited", 0.112, k=20)
    other = finding("auc", function="alpha.auc2", k=20, verdict="variant", signature="recall@20", value=0.1)
    second = paper_tables(result(findings=(limited, other)))[1]
    assert [column.heading for column in second.columns] == ["GAUC", "LAUC@20", "Recall"]
